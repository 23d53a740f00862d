// Stamps at the system calls, and connections: reused, stale, given up.

package wire

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

func TestAnswerKeptOpenAfterItsEndIsGivenUp(t *testing.T) {
	gone := make(chan struct{}, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, say("a"), stop, done)
		<-r.Context().Done()
		gone <- struct{}{}
	})
	r, _ := ask(t, client(t, Endpoint{URL: s.URL}))
	if r.Outcome != record.OK || r.Error != "" {
		t.Errorf("%+v", r)
	}
	<-gone
}

func TestEndlessBytesAfterTheEndAreGivenUp(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, say("a"), stop, done)
		for r.Context().Err() == nil {
			streamOut(w, strings.Repeat(": still here\n", 1000))
		}
	})
	if r, _ := ask(t, client(t, Endpoint{URL: s.URL})); r.Outcome != record.OK {
		t.Errorf("%+v", r)
	}
}

func TestStaleConnectionIsReplaced(t *testing.T) {
	// Each connection answers once, promises to be kept alive, and dies on the next request, unanswered. The one that
	// takes its place is not kept, so every second request finds none to begin with.
	for _, death := range []string{"closed", "reset"} {
		for _, size := range []int{10, 1 << 20} {
			s := newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
				if n > 0 {
					if death == "reset" {
						_ = c.(*net.TCPConn).SetLinger(0)
					}
					return false
				}
				_, err := io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
				return err == nil
			})
			c := client(t, Endpoint{URL: s.url})
			const requests = 2 * closesInARow // from then on each gets a new one
			for i := range requests {
				stale := i % 2
				r, heard := askWith(t.Context(), t, c, Prompt{Text: strings.Repeat("x", size)})
				if r.Outcome != record.OK || r.Retried != (stale == 1) || r.Attempts != 1 {
					t.Fatalf("%s, request %d: %+v", death, i, r)
				}
				checkOrder(t, r, heard)
				if want := 1 + stale; len(heard.sent) != want {
					t.Errorf("%s, request %d: heard of sending at %d, want %d instants", death, i, heard.sent, want)
				}
				if r.Connect == 0 {
					t.Errorf("%s, request %d: no connect time, though the connection is new", death, i)
				}
			}
			if c.Reconnects() != requests/2 || s.accepted.Load() != requests {
				t.Errorf("%s: %d reconnects, %d connections", death, c.Reconnects(), s.accepted.Load())
			}
		}
	}
}

func TestOneStaleConnectionIsEnough(t *testing.T) {
	// All connections of the pool are dead. The request that comes upon the first does not try the others: it would be
	// sent to a server that dies over it as often as there are.
	const pool = 4
	var first sync.WaitGroup
	first.Add(pool)
	var died atomic.Int64
	s := newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
		if n > 0 {
			died.Add(1)
			return false
		}
		if s := died.Load(); s == 0 {
			first.Done()
			first.Wait()
		}
		_, err := io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	var all sync.WaitGroup
	for range pool {
		all.Go(func() { ask(t, c) })
	}
	all.Wait()
	r, _ := ask(t, c)
	if r.Outcome != record.OK || !r.Retried || died.Load() != 1 || s.accepted.Load() != pool+1 {
		t.Errorf("%d connections were tried before a new one, of %d: %+v", died.Load(), s.accepted.Load(), r)
	}
}

func TestServerThatHangsUpOverEveryRequestIsAFailure(t *testing.T) {
	// It answers the first request and then hangs up, on kept connections and on new ones.
	var asked atomic.Int64
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		if asked.Add(1) > 1 {
			return false
		}
		_, err := io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	ask(t, c)
	r, _ := ask(t, c)
	if r.Outcome != record.Failed || r.Kind != record.KindTruncated || !r.Retried || r.Connect == 0 {
		t.Errorf("%+v", r)
	}
	if asked.Load() != 3 || s.accepted.Load() != 2 || c.Reconnects() != 1 {
		t.Errorf("asked %d times on %d connections, %d reconnects", asked.Load(), s.accepted.Load(), c.Reconnects())
	}
}

func TestConnectionClosedRightAfterEveryAnswer(t *testing.T) {
	// As llama-server does, which advertises keep-alive all the same. Whether the client notices in time is chance;
	// that no request fails is not.
	for size, requests := range map[int]int{10: 150, 200 << 10: 20} {
		s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
			_, _ = io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
			return false
		})
		c := client(t, Endpoint{URL: s.url})
		for i := range requests {
			if r, _ := askWith(t.Context(), t, c, Prompt{Text: strings.Repeat("x", size)}); r.Outcome != record.OK {
				t.Fatalf("request %d: %s", i, r.Error)
			}
		}
	}
}

func TestFreshConnectionIsNotRetried(t *testing.T) {
	s := newRawServer(t, func(net.Conn, int, []byte) bool { return false })
	c := client(t, Endpoint{URL: s.url})
	r, _ := ask(t, c)
	if r.Kind != record.KindTruncated || s.accepted.Load() != 1 || c.Reconnects() != 0 || r.Retried {
		t.Errorf("%d connections: %+v", s.accepted.Load(), r)
	}
}

func TestBrokenAfterTheFirstByteIsNotRetried(t *testing.T) {
	s := newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
		if n == 0 {
			_, err := io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
			return err == nil
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		return false
	})
	c := client(t, Endpoint{URL: s.url})
	ask(t, c)
	r, _ := ask(t, c)
	if r.Kind != record.KindTruncated || c.Reconnects() != 0 || s.accepted.Load() != 1 {
		t.Errorf("%d connections, %d reconnects: %+v", s.accepted.Load(), c.Reconnects(), r)
	}
}

func TestStampsStandAtTheSystemCalls(t *testing.T) {
	var now record.Instant
	clock := func() record.Instant { now++; return now }
	inner := &fakeConn{clock: clock}
	c := &conn{Conn: inner, in: &returnStamps{Conn: inner, clock: clock}, clock: clock}
	heard := new(ear)
	a := &attempt{clock: clock, obs: heard, conn: c}
	c.bound.Store(a)

	for range 3 { // the request's first write counts, not the rest of its body
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if a.sent == 0 || a.sent >= inner.wrote[0] {
		t.Errorf("t0 is %d, the first write was at %d", a.sent, inner.wrote[0])
	}
	if diff := cmp.Diff([]record.Instant{a.sent}, heard.sent); diff != "" {
		t.Error(diff)
	}
	if _, err := c.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if at := c.stamp().at; at <= inner.read {
		t.Errorf("arrival %d, the read was at %d", at, inner.read)
	}
}

func TestAttemptThatIsOverHearsNothing(t *testing.T) {
	var now record.Instant
	clock := func() record.Instant { now++; return now }
	inner := &fakeConn{clock: clock}
	c := &conn{Conn: inner, in: &returnStamps{Conn: inner, clock: clock}, clock: clock}
	heard := new(ear)
	a := &attempt{clock: clock, obs: heard, conn: c}
	c.bound.Store(a)
	a.finish(record.New(1), false)
	if _, err := c.Write([]byte("x")); err != nil || a.sent != 0 || len(heard.sent) != 0 {
		t.Errorf("sent %d, heard %d, %v", a.sent, heard.sent, err)
	}
	if a.stale(errors.New("x")) {
		t.Error("a strange error is taken for a stale connection")
	}
}

type fakeConn struct {
	net.Conn
	clock record.Clock
	wrote []record.Instant
	read  record.Instant
}

func (f *fakeConn) Write(p []byte) (int, error) {
	f.wrote = append(f.wrote, f.clock())
	return len(p), nil
}
func (f *fakeConn) Read(p []byte) (int, error) { f.read = f.clock(); return len(p), nil }

func TestUsageThatComesLateIsTaken(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, say("a"), stop, done, usage23)
	})
	r, _ := ask(t, client(t, Endpoint{URL: s.URL}))
	if outcome, counts := brief(r); outcome != "ok" || counts != okUsage {
		t.Errorf("%s, %s", outcome, counts)
	}
}
