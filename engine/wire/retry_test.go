package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// laterClock is a clock that can be put forward, for pauses that nobody waits for.
type laterClock struct {
	real record.Clock
	late atomic.Int64
}

func newLaterClock() *laterClock { return &laterClock{real: record.NewClock()} }

func (l *laterClock) now() record.Instant { return l.real().Add(time.Duration(l.late.Load())) }

// retrying makes a client whose pauses take no time but on its clock. Before each goes, between is called.
func retrying(t *testing.T, url string, retries int, between func()) (*Client, *[]time.Duration) {
	t.Helper()
	clock := newLaterClock()
	c, err := New(Endpoint{URL: url, Model: "m", NoProxy: true, Retries: retries}, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	var pauses []time.Duration
	c.rest = func(ctx context.Context, d time.Duration) bool {
		pauses = append(pauses, d)
		clock.late.Add(int64(d))
		if between != nil {
			between()
		}
		return ctx.Err() == nil
	}
	return c, &pauses
}

func TestFailuresThatMayPassAreRetried(t *testing.T) {
	const (
		fine  = "fine"
		empty = "empty"    // headers, and the end of the connection
		cut   = "cut"      // the same after a token
		wrong = "in-band"  // an error inside the answer
		gone  = "hang up"  // no byte
		busy  = "429"      // "Retry-After: 7"
		down  = "503"      // no such header
		bad   = "400"      //
		late  = "503 late" // "Retry-After: 90000"
	)
	for _, test := range []struct {
		name     string
		retries  int
		answers  []string
		outcome  record.Outcome
		kind     record.Kind
		attempts int
		pauses   int
	}{
		{"off", 0, []string{busy, fine}, record.Failed, record.KindHTTP429, 1, 0},
		{"nothing to retry", 3, []string{fine}, record.OK, "", 1, 0},
		{"429", 3, []string{busy, fine}, record.OK, "", 2, 1},
		{"5xx", 3, []string{down, late, fine}, record.OK, "", 3, 2},
		{"hung up on", 3, []string{gone, fine}, record.OK, "", 2, 1},
		{"broken off before a token", 3, []string{empty, fine}, record.OK, "", 2, 1},
		{"broken off after a token", 3, []string{cut, fine}, record.Failed, record.KindTruncated, 1, 0},
		{"an error inside the answer", 3, []string{wrong, fine}, record.Failed, record.KindStreamError, 1, 0},
		{"refused", 3, []string{bad, fine}, record.Failed, record.KindHTTP4xx, 1, 0},
		{"refused the second time", 3, []string{busy, bad, fine}, record.Failed, record.KindHTTP4xx, 2, 1},
		{"used up", 2, []string{down, busy, down, fine}, record.Failed, record.KindHTTP5xx, 3, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			var asked atomic.Int64
			s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				head := strings.TrimSuffix(chunked(streamHeader, say("a")), "0\r\n\r\n")
				answer := test.answers[asked.Add(1)-1]
				text := map[string]string{
					fine:  chunked(streamHeader, say("a"), stop, usage23, done),
					empty: streamHeader,
					cut:   head,
					wrong: chunked(streamHeader, `data: {"error":"boom"}`+"\n\n"),
					busy:  "HTTP/1.1 429 x\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
					down:  "HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n",
					late:  "HTTP/1.1 503 x\r\nRetry-After: 90000\r\nContent-Length: 0\r\n\r\n",
					bad:   "HTTP/1.1 400 x\r\nContent-Length: 0\r\n\r\n",
				}[answer]
				_, err := io.WriteString(c, text)
				return err == nil && answer != gone && answer != empty && answer != cut
			})
			c, pauses := retrying(t, s.url, test.retries, nil)
			r, heard := ask(t, c)
			if r.Outcome != test.outcome || r.Kind != test.kind || r.Attempts != test.attempts || int(asked.Load()) != test.attempts {
				t.Errorf("asked %d times: %+v", asked.Load(), r)
			}
			if len(*pauses) != test.pauses {
				t.Errorf("pauses %v", *pauses)
			}
			var waited time.Duration
			for i, pause := range *pauses {
				waited += pause
				switch test.answers[i] {
				case busy:
					if pause != 7*time.Second {
						t.Errorf("after a 429 that said 7 s: %v", pause)
					}
				case late:
					if pause != longestPause {
						t.Errorf("after one that said a day: %v", pause)
					}
				}
			}
			if diff := cmp.Diff([]record.Instant{r.Sent}, heard.sent); diff != "" {
				t.Errorf("the observer heard of another t0: %s", diff)
			}
			if ttft, ok := r.TTFT(); r.Outcome == record.OK && (!ok || ttft < waited) {
				t.Errorf("TTFT %v, although the pauses took %v", ttft, waited)
			}
			if r.Outcome == record.OK && (r.Chunks != 1 || r.Error != "" || r.Status != 200) {
				t.Errorf("something of the attempts before was left: %+v", r)
			}
		})
	}
}

func TestServerThatIsNotThereYetIsRetriedAndMeasuredFromTheFirstAttempt(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, say("a"), stop, done)
	})}
	t.Cleanup(func() { server.Close() })
	c, pauses := retrying(t, "http://"+address, 1, func() {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Skip(err) // somebody else took the port
		}
		go func() { _ = server.Serve(listener) }()
	})
	r, heard := ask(t, c)
	if r.Outcome != record.OK || r.Attempts != 2 || len(*pauses) != 1 {
		t.Fatalf("pauses %v: %+v", *pauses, r)
	}
	if ttft, _ := r.TTFT(); ttft < (*pauses)[0] || len(heard.sent) != 1 || heard.sent[0] != r.Sent {
		t.Errorf("TTFT %v, pause %v, sent %v, heard %v", ttft, *pauses, r.Sent, heard.sent)
	}
}

func TestRequestThatNeverGotThroughWasNeverSent(t *testing.T) {
	s := serve(t, nil)
	s.Close()
	c, pauses := retrying(t, s.URL, 2, nil)
	r, heard := ask(t, c)
	if r.Kind != record.KindConnect || r.Sent != 0 || len(heard.sent) != 0 || r.Attempts != 3 || len(*pauses) != 2 {
		t.Errorf("pauses %v, heard %v: %+v", *pauses, heard.sent, r)
	}
}

func TestStoppedRequestIsNotRetried(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	ctx, stop := context.WithCancel(t.Context())
	c, _ := retrying(t, s.URL, 5, stop)
	if r, _ := askWith(ctx, t, c, Prompt{Text: "x"}); r.Outcome != record.Cancelled || r.Attempts != 1 {
		t.Errorf("%+v", r)
	}
}

func TestRestEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if Rest(ctx, time.Hour) {
		t.Error("it waited an hour")
	}
	if !Rest(t.Context(), 1) {
		t.Error("it did not wait")
	}
}

func TestPausesDoubleUpToALimitAndSpread(t *testing.T) {
	distinct := make(map[time.Duration]bool)
	for n := 1; n <= 80; n++ {
		long := longestPause
		if n < 7 {
			long = firstPause << (n - 1)
		}
		for id := range uint64(100) {
			got := pause(n, id, 0)
			if got < long/2 || got > long {
				t.Fatalf("attempt %d of request %d: %v, want %v at the most and half of it at the least", n, id, got, long)
			}
			if n == 1 {
				distinct[got] = true
			}
		}
	}
	if len(distinct) < 90 {
		t.Errorf("100 requests come back at %d instants", len(distinct))
	}
}

func TestRetryAfter(t *testing.T) {
	const now = "Mon, 02 Jan 2006 15:04:05 GMT"
	for _, test := range []struct {
		value, date string
		want        time.Duration
	}{
		{"", now, 0},
		{"3", "", 3 * time.Second},
		{" 0.5 ", "", 500 * time.Millisecond},
		{"0", "", 0},
		{"-1", "", 0},
		{"1e300", "", longestPause},
		{"Inf", "", 0},
		{"NaN", "", 0},
		{"soon", now, 0},
		{"Mon, 02 Jan 2006 15:04:25 GMT", now, 20 * time.Second},
		{"Mon, 02 Jan 2006 15:04:00 GMT", now, 0},
		{"Mon, 02 Jan 2006 15:04:25 GMT", "", 0},
		{"Mon, 02 Jan 2006 15:04:25 GMT", "yesterday", 0},
	} {
		h := http.Header{"Retry-After": {test.value}, "Date": {test.date}}
		if got := retryAfter(h); got != test.want {
			t.Errorf("%q at %q: %v, want %v", test.value, test.date, got, test.want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("3", "")
	f.Add("Mon, 02 Jan 2006 15:04:25 GMT", "Mon, 02 Jan 2006 15:04:05 GMT")
	f.Fuzz(func(t *testing.T, value, date string) {
		asked := retryAfter(http.Header{"Retry-After": {value}, "Date": {date}})
		if p := pause(1, 1, asked); asked < 0 || p <= 0 || p > longestPause {
			t.Errorf("asked %v, pause %v", asked, p)
		}
	})
}

func TestNegativeRetriesAreRefused(t *testing.T) {
	if _, err := New(Endpoint{URL: "h", Retries: -1}, record.NewClock()); err == nil || !strings.Contains(err.Error(), "retries") {
		t.Errorf("%v", err)
	}
}
