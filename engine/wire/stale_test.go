package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// TestARequestThatTheServerDiedOverIsNotSentAgain has a server that answers the first request of a connection and hangs
// up over the second: at once, as a connection that was closed before would look, or after a while.
func TestARequestThatTheServerDiedOverIsNotSentAgain(t *testing.T) {
	tests := []struct {
		name    string
		after   time.Duration
		outcome record.Outcome
		seen    int64
	}{
		{"at once: taken for stale, and sent again", 0, record.OK, 3},
		{"after a while: a failure", 2 * staleWithin, record.Failed, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var late, seen atomic.Int64 // how late the client's clock is set; requests that the server has read
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if seen.Add(1) == 2 {
					late.Add(int64(tt.after))
					panic(http.ErrAbortHandler)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}],`+
					`"usage":{"prompt_tokens":1,"completion_tokens":1}}`+"\n\ndata: [DONE]\n\n")
			}))
			defer server.Close()
			real := record.NewClock()
			clock := func() record.Instant { return real().Add(time.Duration(late.Load())) }
			c, err := New(Endpoint{URL: server.URL, Model: "m", NoProxy: true}, clock)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			var rec *record.Record
			for i := range uint64(2) {
				req, err := c.Prepare(Prompt{Text: "hello", InputTokens: 1, OutputTokens: 1})
				if err != nil {
					t.Fatal(err)
				}
				rec = record.New(i + 1)
				c.Stream(t.Context(), req, rec, nil)
			}
			if rec.Outcome != tt.outcome || seen.Load() != tt.seen {
				t.Errorf("outcome %q (%s), the server read %d requests; want %q and %d", rec.Outcome, rec.Error, seen.Load(), tt.outcome, tt.seen)
			}
		})
	}
}
