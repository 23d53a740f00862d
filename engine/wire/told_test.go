package wire

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"tokdyno/engine/record"
)

// written is facts as text.
func writtenTold(told []record.Told) string {
	var parts []string
	for _, t := range told {
		parts = append(parts, t.Name+"="+t.Value)
	}
	return strings.Join(parts, " ")
}

// The payloads are as servers send them: llama.cpp's last frame, OpenAI's usage with predictions, Groq's times.
func TestWhatAServerSaysInWordsOfItsOwn(t *testing.T) {
	for name, tt := range map[string]struct{ payload, want string }{
		"llama.cpp": {
			`{"choices":[],"created":1,"model":"m","object":"chat.completion.chunk","usage":{"completion_tokens":9,"prompt_tokens":12},` +
				`"timings":{"cache_n":3,"prompt_n":9,"prompt_ms":41.206,"predicted_ms":101.5,"predicted_per_second":88.6}}`,
			"completion_tokens=9 prompt_tokens=12 timings.cache_n=3 timings.predicted_ms=101.5 timings.predicted_per_second=88.6 " +
				"timings.prompt_ms=41.206 timings.prompt_n=9",
		},
		"predictions": {
			`{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":30,"total_tokens":37,"prompt_tokens_details":{"cached_tokens":4,` +
				`"audio_tokens":0},"completion_tokens_details":{"accepted_prediction_tokens":18,"rejected_prediction_tokens":5,"reasoning_tokens":0}}}`,
			"completion_tokens=30 completion_tokens_details.accepted_prediction_tokens=18 completion_tokens_details.rejected_prediction_tokens=5 " +
				"prompt_tokens=7 prompt_tokens_details.cached_tokens=4 total_tokens=37",
		},
		"Groq": {
			`{"id":"x","choices":[{"index":0,"delta":{}}],"x_groq":{"id":"r","usage":{"queue_time":0.03,"completion_tokens":2}}}`,
			"x_groq.usage.completion_tokens=2 x_groq.usage.queue_time=0.03",
		},
		"nothing": {"", ""}, "no JSON": {"{", ""}, "a list": {`{"usage":[1,2]}`, ""},
	} {
		if got := writtenTold(toldBy([]byte(tt.payload))); got != tt.want {
			t.Errorf("%s: %s\nwant %s", name, got, tt.want)
		}
	}
	h := http.Header{
		"X-Queue-Time": {"3"}, "Openai-Processing-Ms": {"120"}, "Server-Timing": {"gpu;dur=4"}, "Retry-After": {"1"}, "Date": {"now"},
		"X-Compute-Characters": {"9"}, "Set-Cookie": {"secret"}, "Authorization": {"Bearer x"},
	}
	if got := writtenTold(toldIn(h)); got != "openai-processing-ms=120 retry-after=1 server-timing=gpu;dur=4 x-queue-time=3" {
		t.Errorf("of headers: %s", got)
	}
}

// What is deep or long is left out.
func TestWhatAServerSaysIsBounded(t *testing.T) {
	deep := `{"usage":` + strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 31)
	if got := toldBy([]byte(deep)); len(got) != 0 {
		t.Errorf("of 30 objects in each other: %v", got)
	}
	var b strings.Builder
	b.WriteString(`{"usage":{"z":1`)
	for i := range 200 {
		b.WriteString(`,"` + strings.Repeat("k", i+1) + `":1`)
	}
	if got := toldBy([]byte(b.String() + "}}")); len(got) != mostTold {
		t.Errorf("%d facts", len(got))
	}
}

// What a server says comes with the request it says it of, without the key, and only where answers are kept.
func TestWhatAServerSaysComesWithTheRequest(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("X-Queue-Time", "3 sk-secret-1234")
		streamOut(w, say("a"), `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":1},"timings":{"predicted_n":1,"prompt_ms":41.2}}`+"\n\n", done)
	})
	c := client(t, Endpoint{URL: s.URL, Key: "sk-secret-1234"})
	for keep, want := range map[bool]string{
		true: "completion_tokens=1 prompt_tokens=7 timings.predicted_n=1 timings.prompt_ms=41.2 x-queue-time=3 …", false: "",
	} {
		req, err := c.Prepare(Prompt{Text: "x", KeepAnswer: keep})
		if err != nil {
			t.Fatal(err)
		}
		c.Stream(t.Context(), req, record.New(1), nil)
		if got := writtenTold(req.Told()); got != want {
			t.Errorf("kept %v: %q, want %q", keep, got, want)
		}
	}
}
