package wire

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/endpoint"
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
					if pause != longestAsked {
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

// A request that is stopped while it waits to be sent again was answered by nothing but the refusal.
func TestStoppedRequestIsNotRetried(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(429)
	})
	ctx, stop := context.WithCancel(t.Context())
	c, _ := retrying(t, s.URL, 5, stop)
	r, _ := askWith(ctx, t, c, Prompt{Text: "x"})
	if r.Outcome != record.Failed || r.Kind != record.KindHTTP429 || r.Status != 429 || r.Attempts != 1 || r.Waited < time.Minute {
		t.Errorf("%+v", r)
	}
	if !strings.HasSuffix(r.Error, "(429); Retry-After 60 s") {
		t.Errorf("it says %q", r.Error)
	}
	a := c.Again()
	if a.Attempts != 0 || len(a.Waiting) != 0 || len(a.Refused) != 1 || a.Refused[0].Count != 1 || a.Refused[0].Status != 429 {
		t.Errorf("%+v", a)
	}
}

// One that is stopped while it is answered was cancelled, whatever it was refused before.
func TestStoppedAttemptIsCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var asked atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.WriteHeader(503)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		stop()
		<-r.Context().Done()
	})
	c, _ := retrying(t, s.URL, 5, nil)
	if r, _ := askWith(ctx, t, c, Prompt{Text: "x"}); r.Outcome != record.Cancelled || r.Attempts != 2 {
		t.Errorf("%+v", r)
	}
}

// What is refused is seen while requests wait, and counted when they do no more.
func TestWaitsAreSeen(t *testing.T) {
	var asked atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch asked.Add(1) {
		case 1, 2:
			w.Header().Set("Retry-After", "58.5")
			w.WriteHeader(429)
		case 3:
			w.WriteHeader(503)
		default:
			streamOut(w, say("a"), stop, done)
		}
	})
	var c *Client
	var seen []endpoint.Again
	c, _ = retrying(t, s.URL, 5, func() { seen = append(seen, c.Again()) })
	r, _ := ask(t, c)
	if r.Outcome != record.OK || r.Attempts != 4 || len(seen) != 3 {
		t.Fatalf("%d waits: %+v", len(seen), r)
	}
	first, last := seen[1], seen[2]
	if len(first.Waiting) != 1 || first.Waiting[0].N != 1 || first.Waiting[0].Status != 429 || first.Waiting[0].Asked != 58500*time.Millisecond {
		t.Errorf("while it waited: %+v", first.Waiting)
	}
	if len(last.Waiting) != 1 || last.Waiting[0].Status != 503 || last.Waiting[0].Asked != 0 || last.Attempts != 2 {
		t.Errorf("while it waited for the last time: %+v", last)
	}
	a := c.Again()
	if a.Attempts != 3 || a.Waited < 117*time.Second || len(a.Waiting) != 0 {
		t.Errorf("%+v", a)
	}
	var refused []string
	for _, one := range a.Refused {
		refused = append(refused, fmt.Sprint(one.Count, " × ", one.Status))
	}
	if diff := cmp.Diff([]string{"2 × 429", "1 × 503"}, refused); diff != "" || r.Waited != a.Waited {
		t.Errorf("waited %v of %v; refused (-want):\n%s", r.Waited, a.Waited, diff)
	}
}

func TestWhatIsAskedBeforeTheLoadIsRetried(t *testing.T) {
	for _, test := range []struct {
		name    string
		retries int
		refused int64
		status  int
		fine    bool
		waits   int
	}{
		{"off", 0, 1, 429, false, 0},
		{"429", 3, 2, 429, true, 2},
		{"503", 3, 3, 503, true, 3},
		{"for longer than that", 2, 9, 429, false, 2},
		{"a refusal that stays", 3, 9, 401, false, 0},
	} {
		for _, kind := range []string{"probe", "model list"} {
			t.Run(kind+", "+test.name, func(t *testing.T) {
				var asked atomic.Int64
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if (r.Method == http.MethodPost) == (kind == "probe") && asked.Add(1) <= test.refused {
						w.Header().Set("Retry-After", "60")
						w.WriteHeader(test.status)
						return
					}
					if r.Method == http.MethodGet {
						_, _ = io.WriteString(w, `{"data":[{"id":"m"}]}`)
						return
					}
					streamOut(w, say("a"), stop, usage23, done)
				})
				c, pauses := retrying(t, s.URL, test.retries, nil)
				var err error
				if kind == "probe" {
					_, err = c.Probe(t.Context())
				} else {
					c.profile.Store(new(endpoint.Profile)) // which has no model
					err = c.ResolveModel(t.Context())
				}
				if (err == nil) != test.fine || len(*pauses) != test.waits {
					t.Errorf("pauses %v, %v", *pauses, err)
				}
				for _, pause := range *pauses {
					if pause != time.Minute {
						t.Errorf("a pause of %v where a minute was asked for", pause)
					}
				}
			})
		}
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
		{"60", "", time.Minute},
		{" 0.5 ", "", 500 * time.Millisecond},
		{"0", "", 0},
		{"-1", "", 0},
		{"1e300", "", mostAsked},
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
		if p := pause(1, 1, asked); asked < 0 || p <= 0 || p > longestAsked || asked > mostAsked {
			t.Errorf("asked %v, pause %v", asked, p)
		}
	})
}

func TestNegativeRetriesAreRefused(t *testing.T) {
	if _, err := New(Endpoint{URL: "h", Retries: -1}, record.NewClock()); err == nil || !strings.Contains(err.Error(), "retries") {
		t.Errorf("%v", err)
	}
}
