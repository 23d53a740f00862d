package wire

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/jsonscan"
	"tokdyno/engine/record"
)

// delta is an event with a chat's delta.
func delta(members string) string {
	return `data: {"choices":[{"index":0,"delta":{` + members + `}}]}` + "\n\n"
}

func TestAnswerIsWhatAReaderSees(t *testing.T) {
	for _, test := range []struct {
		name   string
		api    endpoint.API
		pieces []string
		want   string
	}{
		{"chat", endpoint.Chat, []string{role, say("Hello"), say(" wor"), say("ld"), stop, usage23, done}, "Hello world"},
		{"completions", endpoint.Completions, []string{
			`data: {"choices":[{"index":0,"text":"Hel"}]}` + "\n\n", `data: {"choices":[{"index":0,"text":"lo","finish_reason":"stop"}]}` + "\n\n", done,
		}, "Hello"},
		{"escapes", endpoint.Chat, []string{delta(`"content":"a\"\\\/\n\tß\u00e9"`), delta(`"content":"\ud83d\ude00"`), stop, done}, "a\"\\/\n\tßé😀"},
		{"a surrogate pair in two chunks", endpoint.Chat, []string{delta(`"content":"\ud83d"`), delta(`"content":"\ude00"`), stop, done}, "😀"},
		{"half a surrogate pair", endpoint.Chat, []string{delta(`"content":"a\ud83d"`), delta(`"content":"b"`), stop, done}, "a\uFFFDb"},
		{"reasoning is left out", endpoint.Chat, []string{
			delta(`"reasoning_content":"hm"`), delta(`"reasoning":"hm","content":""`), delta(`"content":"yes","reasoning":"!"`), stop, done,
		}, "yes"},
		{"parts", endpoint.Chat, []string{
			delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"},"b"]`),
			delta(`"content":[{"type":"text","text":"c"}]`), stop, done,
		}, "abc"},
		{"a part alone", endpoint.Chat, []string{delta(`"content":{"type":"text","text":"a"}`), delta(`"content":"b","reasoning_details":[{"text":"hm"}]`), stop, done}, "ab"},
		{"tool calls are left out", endpoint.Chat, []string{delta(`"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]`), stop, done}, ""},
		{"the first choice only", endpoint.Chat, []string{
			`data: {"choices":[{"index":1,"delta":{"content":"no"}},{"delta":{"content":"a"},"index":0},{"delta":{"content":"x"},"index":2}]}` + "\n\n", stop, done,
		}, "a"},
		{"null beside text", endpoint.Chat, []string{delta(`"content":null`), delta(`"content":"a"`), delta(`"content":7`), stop, done}, "a"},
		{"an event of several lines", endpoint.Chat, []string{"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n", stop, done}, "a"},
		{"broken off", endpoint.Chat, []string{say("a"), say("b")}, "ab"},
		{"an error in the middle", endpoint.Chat, []string{say("a"), `data: {"error":"boom"}` + "\n\n", say("b"), done}, "a"},
		{"after the end", endpoint.Chat, []string{say("a"), stop, done, say("b")}, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				streamOut(w, test.pieces...)
			})
			c := client(t, Endpoint{URL: s.URL, API: test.api})
			checkAnswer(t, c, test.want)
		})
	}
}

// checkAnswer sends a request that keeps its answer, twice, and one that does not.
func checkAnswer(t *testing.T, c *Client, want string) {
	t.Helper()
	req, err := c.Prepare(Prompt{Text: "x", KeepAnswer: true})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := c.Prepare(Prompt{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		c.Stream(t.Context(), req, record.New(1), nil)
		if got := req.Answer(); got != want {
			t.Errorf("kept %q, want %q", got, want)
		}
		c.Stream(t.Context(), plain, record.New(2), nil)
		if got := plain.Answer(); got != "" {
			t.Errorf("kept %q, though it was not to be", got)
		}
	}
}

func TestAnswerOfADocument(t *testing.T) {
	for want, text := range map[string]string{
		"hé":  `{"choices":[{"index":0,"message":{"role":"assistant","reasoning_content":"hm","content":"h\u00e9"},"finish_reason":"stop"}]}`,
		"abc": `{"choices":[{"index":0,"text":"abc","finish_reason":"stop"}]}`,
		"ab":  `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`,
		"":    `{"choices":[{"message":{"content":null}}]}`,
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
		})
		checkAnswer(t, client(t, Endpoint{URL: s.URL}), want)
	}
}

func TestAnswerIsThatOfTheLastAttempt(t *testing.T) {
	var asked atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if asked.Add(1)%2 == 1 {
			w.WriteHeader(503)
			return
		}
		streamOut(w, say("a"), stop, done)
	})
	c, _ := retrying(t, s.URL, 1, nil)
	req, err := c.Prepare(Prompt{Text: "x", KeepAnswer: true})
	if err != nil {
		t.Fatal(err)
	}
	c.Stream(t.Context(), req, record.New(1), nil)
	if got := req.Answer(); got != "a" {
		t.Errorf("%q", got)
	}
}

// TestAnswerIsTheTextThatWasCut holds it against any text cut anywhere, escaped in any of the ways that JSON has.
func TestAnswerIsTheTextThatWasCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		escaped := rapid.Bool().Draw(t, "escaped")
		var raw []byte
		for rest := []rune(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			piece, err := json.Marshal(string(rest[:n]))
			if err != nil {
				t.Fatal(err)
			}
			if escaped {
				piece = []byte(asciiJSON(string(rest[:n])))
			}
			rest = rest[n:]
			payload := `{"id":"x","choices":[{"logprobs":{"content":[{"text":"no"}]},"delta":{"content":` + string(piece) + `},"index":0}],"usage":null}`
			raw = appendVisible(raw, []byte(payload))
		}
		if got := jsonscan.Unescape(raw); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// asciiJSON is a JSON string without any byte above 0x7f, as Python's json module writes it.
func asciiJSON(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, unit := range utf16.Encode([]rune(text)) {
		const hex = "0123456789abcdef"
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[unit>>shift&0xf])
		}
	}
	b.WriteByte('"')
	return b.String()
}

func FuzzVisible(f *testing.F) {
	for _, frame := range wholeFrames() {
		f.Add([]byte(frame.text))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		var c chunk
		if !c.decode(payload) {
			return // nobody asks what an invalid payload says
		}
		before := "kept"
		raw := appendVisible([]byte(before), payload)
		if !strings.HasPrefix(string(raw), before) || !json.Valid(append(append([]byte{'"'}, raw...), '"')) {
			t.Errorf("%q gives %q", payload, raw)
		}
	})
}

func BenchmarkVisible(b *testing.B) {
	payload := []byte(`{"id":"chatcmpl-a6eb2870","model":"sim-8b","object":"chat.completion.chunk","created":1795952976,"usage":null,"choices":[{"index":0,"finish_reason":null,"delta":{"content":"The "}}]}`)
	raw := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		raw = appendVisible(raw[:0], payload)
	}
}
