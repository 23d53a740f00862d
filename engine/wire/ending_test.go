// How long an answer holds its slot after its end, on fake time.

package wire

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/engine/record"
)

// scene is what a server does on a connection after it has read a request.
type scene func(write func(text string))

// play runs one request against a scene, all in memory and on fake time, and returns how long it held its slot.
func play(t *testing.T, act scene) (record.Record, *ear, time.Duration) {
	t.Helper()
	c, err := New(Endpoint{URL: "h:1", Model: "m", NoProxy: true, IdleTimeout: time.Hour}, record.NewClock())
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	c.transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer close(served)
			defer far.Close()
			request, err := http.ReadRequest(bufio.NewReader(far))
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, request.Body)
			_, _ = io.WriteString(far, streamHeader)
			act(func(text string) { _, _ = fmt.Fprintf(far, "%x\r\n%s\r\n", len(text), text) })
			_, _ = io.Copy(io.Discard, far) // until the client hangs up
		}()
		return &conn{Conn: near, in: &returnStamps{Conn: near, clock: c.clock}, clock: c.clock}, nil
	}
	began := time.Now()
	r, heard := ask(t, c)
	took := time.Since(began)
	c.Close()
	<-served
	return r, heard, took
}

func TestSlotsAreNotHeldAfterTheEnd(t *testing.T) {
	const inner = `data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}` + "\n\n"
	const finishing = `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}` + "\n\n"
	pings := func(write func(string), n int) {
		for range n {
			time.Sleep(100 * time.Millisecond)
			write(": ping\n\n")
		}
	}
	for _, test := range []struct {
		name    string
		act     scene
		held    time.Duration
		outcome string
		chunks  int
		counts  string
	}{
		{"[DONE], kept open", func(w func(string)) { w(say("a") + stop + done) }, drainTime, "ok", 1, guessed1},
		{"[DONE], kept open with signs of life", func(w func(string)) { w(say("a") + stop + done); pings(w, 100) }, drainTime, "ok", 1, guessed1},
		{"usage before [DONE], which never comes", func(w func(string)) { w(say("a") + stop + usage23) }, drainTime, "ok", 1, okUsage},
		{"usage, a moment after the finish", func(w func(string)) { w(say("a") + stop); time.Sleep(900 * time.Millisecond); w(usage23) }, 900*time.Millisecond + drainTime, "ok", 1, okUsage},
		{"finish and usage in one frame", func(w func(string)) {
			w(say("a") + `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}` + "\n\n")
		}, drainTime, "ok", 1, okUsage},
		{"neither usage nor [DONE]", func(w func(string)) { w(say("a") + stop) }, finishTime, "ok", 1, guessed1},
		{"neither, with signs of life", func(w func(string)) { w(say("a") + stop); pings(w, 100) }, finishTime, "ok", 1, guessed1},
		{"usage on the last content frame", func(w func(string)) { w(say("a") + inner) }, finishTime, "ok", 2, okUsage},
		{"finish on every chunk, which means nothing", func(w func(string)) {
			w(finishing)
			time.Sleep(500 * time.Millisecond)
			w(finishing)
			time.Sleep(time.Minute)
			w(finishing)
			time.Sleep(time.Minute)
			w(finishing + done)
		}, 2*time.Minute + 500*time.Millisecond + drainTime, "ok", 4, "7 in, 4 out by estimated"},
		{"two choices that end one by one", func(w func(string)) {
			w(`data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"a"}}]}` + "\n\n" + stop)
			time.Sleep(500 * time.Millisecond)
			w(`data: {"choices":[{"index":1,"delta":{"content":"a"}}]}` + "\n\n")
			time.Sleep(time.Minute)
			w(`data: {"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}` + "\n\n" + done)
		}, time.Minute + 500*time.Millisecond + drainTime, "ok", 3, "7 in, 3 out by estimated"},
		{"an error after the usage", func(w func(string)) { w(say("a") + stop + usage23 + `data: {"error":"late"}` + "\n\n") }, drainTime, "failed stream_error", 1, okUsage},
		{"comments keep a silent answer alive", func(w func(string)) {
			for range 5 {
				w(": OPENROUTER PROCESSING\n\n")
				time.Sleep(59 * time.Minute)
			}
			w(say("a") + stop + done)
		}, 5*59*time.Minute + drainTime, "ok", 1, guessed1},
		{"no finish", func(w func(string)) { w(say("a") + usage23) }, time.Hour, "failed timeout_idle", 1, okUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, heard, held := play(t, test.act)
				outcome, counts := brief(r)
				if outcome != test.outcome || counts != test.counts || r.Chunks != test.chunks {
					t.Errorf("%s, %d chunks, %s; want %s, %d chunks, %s", outcome, r.Chunks, counts, test.outcome, test.chunks, test.counts)
				}
				if held != test.held {
					t.Errorf("held for %v, want %v", held, test.held)
				}
				if last := heard.tokens[len(heard.tokens)-1].At; r.LastToken != last {
					t.Errorf("last token at %d, recorded %d", last, r.LastToken)
				}
				checkIdentity(t, r, heard)
				checkOrder(t, r, heard)
			})
		})
	}
}
