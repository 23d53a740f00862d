// Whole requests over loopback.

package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

func TestCapturesOfRealServers(t *testing.T) {
	for _, test := range []struct {
		file    string
		api     endpoint.API
		outcome string
		chunks  int
		counts  string
		finish  string
		model   string
	}{
		{"llama-chat-usage.txt", endpoint.Chat, "ok", 6, "19 in, 6 out by usage", "length", "tiny"},
		{"llama-chat-nousage.txt", endpoint.Chat, "ok", 30, "12 in, 30 out by timings", "length", "tiny"},
		{"llama-chat-timings.txt", endpoint.Chat, "ok", 3, "12 in, 3 out by timings", "length", "tiny"},
		{"llama-chat-reasoning.txt", endpoint.Chat, "ok", 199, "15 in, 200 out by usage", "length", "tiny-think"},
		{"llama-compl-usage.txt", endpoint.Completions, "ok", 5, "3 in, 5 out by usage", "length", "tiny"},
		{"llama-err-ctx.txt", endpoint.Chat, "failed http_4xx", 0, "", "", ""},
		{"llmd-chat-usage.txt", endpoint.Chat, "ok", 2, "10 in, 2 out by usage", "stop", "sim-8b"},
		{"llmd-chat-nousage.txt", endpoint.Chat, "ok", 38, "7 in, 38 out by estimated", "stop", "sim-8b"},
	} {
		t.Run(test.file, func(t *testing.T) {
			answer := capture(t, test.file)
			s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				_, err := io.WriteString(c, answer)
				return err == nil
			})
			r, heard := ask(t, client(t, Endpoint{URL: s.url, API: test.api}))
			outcome, counts := brief(r)
			if outcome != test.outcome || counts != test.counts || r.Chunks != test.chunks {
				t.Errorf("%s, %d chunks, %s (%s); want %s, %d chunks, %s",
					outcome, r.Chunks, counts, r.Error, test.outcome, test.chunks, test.counts)
			}
			if r.FinishReason != test.finish || r.Model != test.model || r.Malformed != 0 {
				t.Errorf("finish %q, model %q, %d malformed", r.FinishReason, r.Model, r.Malformed)
			}
			checkIdentity(t, r, heard)
			checkOrder(t, r, heard)
		})
	}
}

func TestReasoningOfARealServerComesBeforeTheAnswer(t *testing.T) {
	answer := capture(t, "llama-chat-reasoning.txt")
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, err := io.WriteString(c, answer)
		return err == nil
	})
	r, _ := ask(t, client(t, Endpoint{URL: s.url}))
	if want := strings.Count(answer, `"reasoning_content":"`); r.ReasoningChunks != want || want == 0 {
		t.Errorf("%d reasoning chunks, want %d", r.ReasoningChunks, want)
	}
	if r.FirstAnswer < r.FirstToken || r.ReasoningTokens.Or(0) > 0 {
		t.Errorf("first answer at %d, first token at %d, %d reasoning tokens", r.FirstAnswer, r.FirstToken, r.ReasoningTokens.Or(0))
	}
}

func TestContextOverflowOfARealServerIsWorded(t *testing.T) {
	answer := capture(t, "llama-err-ctx.txt")
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, _ = io.WriteString(c, answer)
		return false
	})
	r, _ := ask(t, client(t, Endpoint{URL: s.url}))
	if r.Status != 400 || !strings.Contains(r.Error, "exceeds the available context size") {
		t.Errorf("status %d, error %q", r.Status, r.Error)
	}
}

// checkOrder checks that the instants of an answered request are in order.
func checkOrder(t *testing.T, r record.Record, heard *ear) {
	t.Helper()
	if r.Sent == 0 || r.End < r.Sent || (r.FirstToken != 0 && (r.FirstToken < r.Sent || r.LastToken < r.FirstToken || r.End < r.LastToken)) {
		t.Errorf("out of order: sent %d, first %d, last %d, end %d", r.Sent, r.FirstToken, r.LastToken, r.End)
	}
	if r.Over != 0 && (r.Over < r.Sent || r.Over < r.LastToken || r.End < r.Over) {
		t.Errorf("out of order: last token %d, over %d, end %d", r.LastToken, r.Over, r.End)
	}
	if len(heard.sent) == 0 || heard.sent[len(heard.sent)-1] != r.Sent {
		t.Errorf("heard of sending at %d, recorded %d", heard.sent, r.Sent)
	}
}

func TestCancellingClosesTheRequestAtTheServer(t *testing.T) {
	gone := make(chan struct{}, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, say("a"), say("b"))
		<-r.Context().Done()
		gone <- struct{}{}
	})
	c := client(t, Endpoint{URL: s.URL})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := c.Prepare(Prompt{Text: "x", InputTokens: 7, OutputTokens: 5})
	if err != nil {
		t.Fatal(err)
	}
	rec := record.New(1)
	c.Stream(ctx, req, rec, onToken(func(n int) {
		if n == 2 {
			cancel()
		}
	}))
	<-gone
	outcome, counts := brief(*rec)
	if outcome != "cancelled" || counts != guessed2 || rec.Chunks != 2 || rec.Error != "" {
		t.Errorf("%s, %s: %+v", outcome, counts, rec)
	}
}

// onToken is an observer that calls a function with the number of each token event.
type tokenCounter struct {
	n    int
	call func(n int)
}

func onToken(call func(n int)) *tokenCounter { return &tokenCounter{call: call} }
func (c *tokenCounter) Sent(record.Instant)  {}
func (c *tokenCounter) Token(record.Token)   { c.n++; c.call(c.n) }

func TestCancelledBeforeTheAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	r, heard := askWith(ctx, t, client(t, Endpoint{URL: s.URL}), Prompt{Text: "x"})
	if r.Outcome != record.Cancelled || r.Kind != "" || r.Error != "" {
		t.Errorf("%+v", r)
	}
	checkOrder(t, r, heard)
}

func TestTimeouts(t *testing.T) {
	for _, test := range []struct {
		name   string
		before []string // sent before the silence
		kind   record.Kind
		chunks int
	}{
		{"no header", nil, record.KindTimeoutFirstByte, 0},
		{"a header but no body", []string{""}, record.KindTimeoutFirstByte, 0},
		{"a pause after the role frame", []string{role}, record.KindTimeoutIdle, 0},
		{"a pause after tokens", []string{role, say("a"), say("b")}, record.KindTimeoutIdle, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if test.before != nil {
					streamOut(w, test.before...)
				}
				<-r.Context().Done()
			})
			ep := Endpoint{URL: s.URL, FirstByteTimeout: time.Hour, IdleTimeout: time.Hour}
			if test.kind == record.KindTimeoutFirstByte {
				ep.FirstByteTimeout = 20 * time.Millisecond
			} else {
				ep.IdleTimeout = 20 * time.Millisecond
			}
			r, _ := ask(t, client(t, ep))
			if r.Outcome != record.Failed || r.Kind != test.kind || r.Chunks != test.chunks || r.Error == "" {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAnswersThatAreNoStream(t *testing.T) {
	const answer = `{"model":"m2","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":2,"completion_tokens":3}}`
	for _, test := range []struct {
		name, media, body, encoding string
		status                      int
		outcome, counts, sentence   string
	}{
		{name: "JSON", media: "application/json; charset=utf-8", body: answer, outcome: "ok", counts: okUsage},
		{name: "JSON by its first byte", media: "text/plain", body: "\n " + answer, outcome: "ok", counts: okUsage},
		{name: "JSON without usage", media: "application/json", body: `{"choices":[{"text":"x"}]}`, outcome: "ok", counts: "7 in, ? out by estimated"},
		{name: "JSON with an error", media: "application/json", body: `{"error":{"message":"no"}}`, outcome: "failed stream_error", sentence: "no"},
		{name: "JSON that says nothing", media: "application/json", body: `{"choices":[]}`, outcome: "failed no_tokens"},
		{name: "broken JSON", media: "application/json", body: answer[:40], outcome: "failed malformed"},
		{name: "empty JSON", media: "application/json", outcome: "failed no_tokens"},
		{name: "empty", media: "text/event-stream", outcome: "failed no_tokens"},
		{name: "no content", status: 204, outcome: "failed no_tokens"},
		{name: "web page", media: "text/html", body: "<html>", outcome: "failed malformed", sentence: "web page"},
		{name: "web page by its first byte", media: "text/plain", body: "\n<!DOCTYPE html>", outcome: "failed malformed", sentence: "web page"},
		{name: "compressed", media: "text/event-stream", encoding: "gzip", body: "\x1f\x8b", outcome: "failed malformed", sentence: "gzip"},
		{name: "events that are labelled JSON", media: "application/json", body: ": hello\n\n" + say("a") + stop + done, outcome: "ok", counts: guessed1},
		{name: "JSON with a byte order mark", media: "application/json", body: "\xef\xbb\xbf" + answer, outcome: "ok", counts: okUsage},
		{name: "no line of an event stream", media: "text/event-stream", body: "Data: {}\n\n", outcome: "failed no_tokens", sentence: "no event"},
		{name: "nothing but comments", media: "text/event-stream", body: ": ping\n\n", outcome: "failed no_tokens", sentence: "empty"},
		{name: "events by their first bytes", media: "application/octet-stream", body: say("a") + stop + done, outcome: "ok", counts: guessed1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", test.media)
				if test.encoding != "" {
					w.Header().Set("Content-Encoding", test.encoding)
				}
				if test.status != 0 {
					w.WriteHeader(test.status)
				}
				_, _ = io.WriteString(w, test.body)
			})
			r, _ := ask(t, client(t, Endpoint{URL: s.URL}))
			outcome, counts := brief(r)
			if outcome != test.outcome || counts != test.counts || !strings.Contains(r.Error, test.sentence) {
				t.Errorf("%s, %s, %q; want %s, %s, %q", outcome, counts, r.Error, test.outcome, test.counts, test.sentence)
			}
			if !r.Streamed && r.Outcome == record.OK {
				if _, ok := r.TTFT(); ok || r.Model == "" && strings.Contains(test.body, "m2") {
					t.Errorf("not streamed, but %+v", r)
				}
				if e2el, ok := r.E2EL(); !ok || e2el <= 0 {
					t.Errorf("E2EL %v, %v", e2el, ok)
				}
			}
		})
	}
}

func TestManyStreamsAtOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, role, say("a"), say("b"), say("c"), stop, usage23, done)
	})
	c := client(t, Endpoint{URL: s.URL, Concurrency: 32})
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for range 5 {
				r, heard := ask(t, c)
				if _, counts := brief(r); r.Outcome != record.OK || r.Chunks != 3 || counts != okUsage {
					t.Errorf("%+v", r)
				}
				checkIdentity(t, r, heard)
				checkOrder(t, r, heard)
			}
		})
	}
	all.Wait()
}
