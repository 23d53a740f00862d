// How long an answer holds its slot after its end, on fake time.

package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/engine/record"
)

// scene is what a server does on a connection after it has read a request.
type scene func(write func(text string))

// play runs one request, for so many choices, against a scene, all in memory and on fake time, and returns how long it
// held its slot.
func play(t *testing.T, choices int, act scene) (record.Record, *ear, time.Duration) {
	t.Helper()
	c, served := stage(t, choices, act)
	began := time.Now()
	r, heard := ask(t, c)
	took := time.Since(began)
	c.Close()
	served.Wait()
	return r, heard, took
}

// stage is a client on each of whose connections the server plays a scene, once, and waits until the client hangs up.
func stage(t *testing.T, choices int, act scene) (*Client, *sync.WaitGroup) {
	t.Helper()
	c, err := New(Endpoint{
		URL: "h:1", Model: "m", NoProxy: true, IdleTimeout: time.Hour,
		ExtraBody: map[string]json.RawMessage{"n": json.RawMessage(strconv.Itoa(choices))},
	}, record.NewClock())
	if err != nil {
		t.Fatal(err)
	}
	served := new(sync.WaitGroup)
	dial := func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		served.Go(func() {
			defer far.Close()
			request, err := http.ReadRequest(bufio.NewReader(far))
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, request.Body)
			_, _ = io.WriteString(far, streamHeader)
			act(func(text string) { _, _ = fmt.Fprintf(far, "%x\r\n%s\r\n", len(text), text) })
			_, _ = io.Copy(io.Discard, far)
		})
		return &conn{Conn: near, in: &returnStamps{Conn: near, clock: c.clock}, clock: c.clock}, nil
	}
	c.transport.DialContext = dial
	if c.http1 != nil {
		c.http1.dial = dial
	}
	return c, served
}

func TestSlotsAreNotHeldAfterTheEnd(t *testing.T) {
	const inner = `data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}` + "\n\n"
	const role = `data: {"choices":[{"delta":{"role":"assistant"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":0}}` + "\n\n"
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
		{"two choices, the first of which ends with the usage so far", func(w func(string)) {
			w(speak(0, "", 1) + speak(1, "", 2) + speak(0, "stop", 2))
			for i := range 17 {
				time.Sleep(50 * time.Millisecond)
				w(speak(1, "", 3+i))
			}
			w(speak(1, "stop", 19) + done)
		}, 850*time.Millisecond + drainTime, "ok", 19, "2 in, 19 out by continuous"},
		{"finish and usage on the role's frame", func(w func(string)) {
			w(role)
			time.Sleep(time.Minute)
			w(finishing + usage23 + done)
		}, time.Minute + drainTime, "ok", 1, okUsage},
		{"usage long after the finish", func(w func(string)) { w(say("a") + stop); time.Sleep(9 * time.Second); w(usage23) }, 9*time.Second + drainTime, "ok", 1, okUsage},
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
				r, heard, held := play(t, 1, test.act)
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

// speak is a frame of a choice with the usage so far: a word, or its end.
func speak(choice int, finish string, completion int) string {
	delta, reason := `{"content":"a"}`, "null"
	if finish != "" {
		delta, reason = "{}", strconv.Quote(finish)
	}
	return fmt.Sprintf(`data: {"choices":[{"index":%d,"delta":%s,"finish_reason":%s}],"usage":{"prompt_tokens":2,"completion_tokens":%d}}`+"\n\n",
		choice, delta, reason, completion)
}

func TestAServerThatKeepsAnswersOpenIsMetOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, served := stage(t, 1, func(write func(string)) { write(say("a") + stop) })
		for _, want := range []time.Duration{finishTime, shortFinishTime, shortFinishTime} {
			began := time.Now()
			if r, _ := ask(t, c); r.Outcome != record.OK || time.Since(began) != want {
				t.Errorf("%s, held for %v, want %v", r.Outcome, time.Since(began), want)
			}
		}
		c.Close()
		served.Wait()
	})
}

func TestChoicesThatAreAskedForAreWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _, held := play(t, 2, func(write func(string)) {
			write(speak(0, "", 1) + speak(0, "stop", 1))
			time.Sleep(time.Minute)
			write(speak(1, "", 2) + speak(1, "stop", 2))
		})
		if outcome, counts := brief(r); outcome != "ok" || counts != "2 in, 2 out by continuous" || r.Chunks != 2 {
			t.Errorf("%s, %d chunks, %s", outcome, r.Chunks, counts)
		}
		if want := time.Minute + drainTime; held != want {
			t.Errorf("held for %v, want %v", held, want)
		}
	})
}
