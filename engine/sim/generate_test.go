// Tests of generated answers: what comes over the wire for which request.

package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"
)

// frame is an event of either route, as a client decodes it.
type frame struct {
	ID      string
	Object  string
	Created int64
	Model   string
	Choices []struct {
		Index        int
		Delta        struct{ Role, Content *string }
		Text         *string
		FinishReason *string `json:"finish_reason"`
	}
	Usage *frameUsage
}

type frameUsage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
	Details          struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// readStream posts the body and returns the frames before [DONE].
func readStream(t *testing.T, s *Server, path, body string) []frame {
	t.Helper()
	resp, text := ask(t, s, "POST", path, body)
	if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%d %s %s", resp.StatusCode, resp.Header.Get("Content-Type"), text)
	}
	text, ended := strings.CutSuffix(text, "data: [DONE]\n\n")
	if !ended {
		t.Fatalf("no [DONE] at the end of %s", text)
	}
	var frames []frame
	for event := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		data, ok := strings.CutPrefix(event, "data: ")
		if !ok || strings.Contains(data, "\n") {
			t.Fatalf("not one data line: %q", event)
		}
		frames = append(frames, decode[frame](t, data))
	}
	return frames
}

const hi = `"messages":[{"role":"user","content":"hi"}]`

func TestChatStream(t *testing.T) {
	s := serve(t, Config{})
	frames := readStream(t, s, "/v1/chat/completions", `{"model":"sim-4b",`+hi+`,"stream":true,"max_tokens":5,"ignore_eos":true,"temperature":0,"unheard_of":{}}`)
	if len(frames) != 6 {
		t.Fatalf("%d frames, want the role and 5 tokens", len(frames))
	}
	for i, f := range frames {
		if !strings.HasPrefix(f.ID, "chatcmpl-") || f.ID != frames[0].ID || f.Object != "chat.completion.chunk" || f.Model != "sim-4b" || f.Created == 0 {
			t.Errorf("frame %d: %+v", i, f)
		}
		if f.Usage != nil {
			t.Errorf("frame %d has usage that nobody asked for", i)
		}
		c := f.Choices[0]
		if (c.Delta.Role != nil) != (i == 0) || c.Delta.Content == nil || (*c.Delta.Content == "") != (i == 0) {
			t.Errorf("frame %d: delta %+v", i, c.Delta)
		}
		if (c.FinishReason != nil) != (i == 5) {
			t.Errorf("frame %d: finish reason %v", i, c.FinishReason)
		}
	}
	if got := *frames[5].Choices[0].FinishReason; got != "length" {
		t.Errorf("finish reason %q, want length", got)
	}
}

func TestCompletionStream(t *testing.T) {
	s := serve(t, Config{})
	frames := readStream(t, s, "/v1/completions", `{"prompt":[5,6,7],"stream":true,"max_tokens":4,"min_tokens":4}`)
	if len(frames) != 4 {
		t.Fatalf("%d frames, want 4", len(frames))
	}
	for i, f := range frames {
		if !strings.HasPrefix(f.ID, "cmpl-") || f.Object != "text_completion" || f.Choices[0].Text == nil || *f.Choices[0].Text == "" {
			t.Errorf("frame %d: %+v", i, f)
		}
	}
}

func TestUsageFrames(t *testing.T) {
	s := serve(t, Config{})
	for _, path := range []string{"/v1/chat/completions", "/v1/completions"} {
		for _, continuous := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s continuous %v", path, continuous), func(t *testing.T) {
				frames := readStream(t, s, path, fmt.Sprintf(`{%s,"prompt":"hi","stream":true,"max_tokens":3,"ignore_eos":true,`+
					`"stream_options":{"include_usage":true,"continuous_usage_stats":%v}}`, hi, continuous))
				last := frames[len(frames)-1]
				if len(last.Choices) != 0 || last.Choices == nil || last.Usage == nil {
					t.Fatalf("the last frame is no usage frame: %+v", last)
				}
				u := *last.Usage
				if u.CompletionTokens != 3 || u.PromptTokens == 0 || u.TotalTokens != u.PromptTokens+3 {
					t.Errorf("usage %+v", u)
				}
				tokens := 0
				for _, f := range frames[:len(frames)-1] {
					if (f.Usage != nil) != continuous {
						t.Fatalf("usage %v on a frame with a choice", f.Usage)
					}
					if f.Choices[0].Text != nil || *f.Choices[0].Delta.Content != "" {
						tokens++
					}
					if continuous && f.Usage.CompletionTokens != tokens {
						t.Errorf("after %d tokens usage says %d", tokens, f.Usage.CompletionTokens)
					}
				}
			})
		}
	}
}

func TestWholeAnswers(t *testing.T) {
	s := serve(t, Config{})
	type whole struct {
		ID, Object, Model string
		Choices           []struct {
			Index        int
			Message      *struct{ Role, Content string }
			Text         *string
			FinishReason string `json:"finish_reason"`
		}
		Usage frameUsage
	}
	_, text := ask(t, s, "POST", "/v1/chat/completions", `{`+hi+`,"max_completion_tokens":3,"max_tokens":100,"ignore_eos":true}`)
	chat := decode[whole](t, text)
	if chat.Object != "chat.completion" || len(chat.Choices) != 1 || chat.Choices[0].Message == nil || chat.Choices[0].Text != nil {
		t.Fatalf("chat: %s", text)
	}
	if c := chat.Choices[0]; c.Message.Role != "assistant" || len(strings.Fields(c.Message.Content)) != 3 || c.FinishReason != "length" {
		t.Errorf("chat: %s", text)
	}
	if u := chat.Usage; u.PromptTokens != 9 || u.CompletionTokens != 3 || u.TotalTokens != 12 {
		t.Errorf("chat: usage %+v", u)
	}

	_, text = ask(t, s, "POST", "/v1/completions", `{"prompt":["one two three"],"ignore_eos":true}`)
	completion := decode[whole](t, text)
	if completion.Object != "text_completion" || completion.Choices[0].Text == nil || completion.Choices[0].Message != nil {
		t.Fatalf("completion: %s", text)
	}
	if u := completion.Usage; u.PromptTokens != 3 || u.CompletionTokens != 16 {
		t.Errorf("completion: usage %+v, want OpenAI's 16 tokens where the request does not say", u)
	}
}

func TestStreamedAndWholeAnswersSayTheSame(t *testing.T) {
	s := serve(t, Config{Seed: 3})
	var streamed strings.Builder
	for _, f := range readStream(t, s, "/v1/completions", `{"prompt":"tell me","stream":true,"max_tokens":50}`) {
		streamed.WriteString(*f.Choices[0].Text)
	}
	_, text := ask(t, s, "POST", "/v1/completions", `{"prompt":"tell me","max_tokens":50}`)
	whole := decode[frame](t, text)
	if diff := cmp.Diff(*whole.Choices[0].Text, streamed.String()); diff != "" {
		t.Error(diff)
	}
}

func TestModelStopsByItself(t *testing.T) {
	s := serve(t, Config{})
	length := func(extra string) (int, string) {
		_, text := ask(t, s, "POST", "/v1/chat/completions", `{`+hi+extra+`}`)
		f := decode[frame](t, text)
		return f.Usage.CompletionTokens, *f.Choices[0].FinishReason
	}
	natural, reason := length("")
	if reason != "stop" {
		t.Errorf("finish reason %q after %d tokens, want stop", reason, natural)
	}
	for _, c := range []struct {
		name, extra string
		tokens      int
		reason      string
	}{
		{"max_tokens comes first", fmt.Sprintf(`,"max_tokens":%d`, natural-1), natural - 1, "length"},
		{"max_tokens is further off", fmt.Sprintf(`,"max_tokens":%d`, natural+1), natural, "stop"},
		{"ignore_eos", fmt.Sprintf(`,"max_tokens":%d,"ignore_eos":true`, natural+9), natural + 9, "length"},
		{"min_tokens", fmt.Sprintf(`,"max_tokens":%d,"min_tokens":%d`, natural+9, natural+4), natural + 4, "stop"},
	} {
		if tokens, reason := length(c.extra); tokens != c.tokens || reason != c.reason {
			t.Errorf("%s: %d tokens, %s; want %d, %s", c.name, tokens, reason, c.tokens, c.reason)
		}
	}
	if other, _ := length(`,"seed":5`); other == natural {
		t.Error("another seed gives an answer of the same length")
	}
}

func TestRepeatedPromptIsCached(t *testing.T) {
	s := serve(t, Config{})
	body := `{"prompt":"` + strings.Repeat("word ", 40) + `","max_tokens":2}`
	var cached []int
	for range 2 {
		_, text := ask(t, s, "POST", "/v1/completions", body)
		cached = append(cached, decode[frame](t, text).Usage.Details.CachedTokens)
	}
	if diff := cmp.Diff([]int{0, 32}, cached); diff != "" { // 41 tokens are two full blocks of 16
		t.Error(diff)
	}
	if c := s.Counters(); c.PrefixHits != 32 || c.PrefixQueries != 82 {
		t.Errorf("hits %d of %d", c.PrefixHits, c.PrefixQueries)
	}
}

func TestClientThatGoesAwayIsCancelled(t *testing.T) {
	for _, stream := range []bool{true, false} {
		t.Run(fmt.Sprintf("stream %v", stream), func(t *testing.T) {
			s := serve(t, Config{TimeScale: 1})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, "POST", s.URL()+"/v1/completions",
				strings.NewReader(fmt.Sprintf(`{"prompt":"go","max_tokens":8000,"ignore_eos":true,"stream":%v}`, stream)))
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				resp, err := client(t).Do(req)
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
				if err == nil {
					t.Error("the answer came to its end")
				}
			}()
			until(t, s, func(c Counters) bool { return c.GenerationTokens > 0 })
			cancel()
			<-done
			c := until(t, s, func(c Counters) bool { return c.Running == 0 })
			if c.Cancelled != 1 || c.Finished != 0 || c.KVUsage != 0 {
				t.Errorf("%+v", c)
			}
		})
	}
}

// until polls the counters until they are as wanted; go test's own timeout bounds it.
func until(t *testing.T, s *Server, wanted func(Counters) bool) Counters {
	t.Helper()
	for {
		c := s.Counters()
		if wanted(c) {
			return c
		}
		_, _ = ask(t, s, "GET", "/health", "") // a round trip, so as not to spin
	}
}

func TestManyAtOnceGetExactlyTheirTokens(t *testing.T) {
	s := serve(t, Config{TimeScale: 200})
	c := client(t)
	var wg sync.WaitGroup
	const requests, tokens = 96, 40 // three times the seats
	for i := range requests {
		wg.Go(func() {
			body := fmt.Sprintf(`{"prompt":"question %d","max_tokens":%d,"ignore_eos":true,"stream":true}`, i, tokens)
			resp, err := c.Post(s.URL()+"/v1/completions", "application/json", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = resp.Body.Close() }()
			text, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Error(err)
			}
			if got := strings.Count(string(text), `"text":"`); got != tokens || !strings.HasSuffix(string(text), "data: [DONE]\n\n") {
				t.Errorf("request %d: %d tokens, want %d and [DONE]", i, got, tokens)
			}
		})
	}
	wg.Wait()
	got := s.Counters()
	if got.Received != requests || got.Finished != requests || got.GenerationTokens != requests*tokens || got.Running+got.Waiting != 0 {
		t.Errorf("%+v", got)
	}
}

// TestSlowReaderHoldsNobodyUp leaves one answer unread, longer than the socket's buffers, while others run to their end.
func TestSlowReaderHoldsNobodyUp(t *testing.T) {
	s := serve(t, Config{})
	c := client(t)
	slow, err := c.Post(s.URL()+"/v1/completions", "application/json",
		strings.NewReader(`{"prompt":"go","max_tokens":8000,"ignore_eos":true,"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Body.Close() }()
	if got := readStream(t, s, "/v1/completions", `{"prompt":"me too","max_tokens":100,"ignore_eos":true,"stream":true}`); len(got) != 100 {
		t.Errorf("%d frames, want 100", len(got))
	}
	until(t, s, func(c Counters) bool { return c.Finished == 2 })
	text, err := io.ReadAll(slow.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(text), `"text":"`); got != 8000 {
		t.Errorf("the slow reader got %d tokens, want 8000", got)
	}
}

func TestGoOpenAIUnderstandsTheStream(t *testing.T) {
	s := serve(t, Config{})
	cfg := openai.DefaultConfig("unused")
	cfg.BaseURL = s.URL() + "/v1"
	cfg.HTTPClient = client(t)
	stream, err := openai.NewClientWithConfig(cfg).CreateChatCompletionStream(t.Context(), openai.ChatCompletionRequest{
		Model:    "sim-4b",
		Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "hello"}},

		MaxCompletionTokens: 4,
		StreamOptions:       &openai.StreamOptions{IncludeUsage: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Close() }()
	words, used := 0, 0
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Choices {
			if c.Delta.Content != "" {
				words++
			}
		}
		if r.Usage != nil {
			used = r.Usage.CompletionTokens
		}
	}
	if words != 4 || used != 4 {
		t.Errorf("%d words, usage of %d, want 4 and 4", words, used)
	}
	_, err = openai.NewClientWithConfig(cfg).CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{
		Model: "other", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "hello"}},
	})
	var apiErr *openai.APIError
	if !errors.As(err, &apiErr) || apiErr.HTTPStatusCode != 404 || !strings.Contains(apiErr.Message, "does not exist") {
		t.Errorf("an unknown model: %v", err)
	}
}

func BenchmarkFrame(b *testing.B) {
	f := newFrames(&generation{chat: true, output: 1 << 40, continuousUsage: true, prompt: make([]uint32, 512)}, "chatcmpl-0123456789abcdef", "sim-4b", 1)
	buf := make([]byte, 0, 512)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f.appendTokens(buf, i, i+1, 0)
		i++
	}
}
