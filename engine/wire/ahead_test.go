// Servers that close connections after each answer, and connections that are opened ahead for them.

package wire

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tokdyno/engine/record"
)

// closer is a server that closes each connection right after its answer; header is that of the answer.
func closer(t *testing.T, header string) *rawServer {
	return newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, _ = io.WriteString(c, chunked(header, say("a"), stop, done))
		return false
	})
}

// next sends a request once the connections that are being opened ahead are there.
func next(t *testing.T, c *Client) record.Record {
	t.Helper()
	c.dialer.spares.running.Wait()
	r, _ := ask(t, c)
	return r
}

func TestServerThatClosesAfterEachAnswerGetsNewConnections(t *testing.T) {
	s := closer(t, streamHeader)
	c := client(t, Endpoint{URL: s.url})
	ahead := 0
	for i := range 30 {
		r := next(t, c)
		if r.Outcome != record.OK {
			t.Fatalf("request %d: %+v", i, r)
		}
		if r.Connect == 0 {
			ahead++
		}
	}
	// A request that comes upon a connection just as it is being closed is sent again, and that one counts as well.
	if n := c.ClosedAfterAnswer(); n < closesInARow || n > closesInARow+c.Reconnects() || c.Reconnects() > n {
		t.Errorf("%d connections closed after an answer, %d requests sent again", n, c.Reconnects())
	}
	// Until it is believed, a request may come upon a connection that is just being closed, and its next one is not kept. The
	// first one after that has none opened ahead.
	if least := 30 - 2*closesInARow - 1; ahead < least {
		t.Errorf("%d requests found a connection that was opened ahead, want at least %d", ahead, least)
	}
	said := 0
	for _, warning := range c.Profile().Warnings {
		if strings.Contains(warning, "right after an answer") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("said %d times: %q", said, c.Profile().Warnings)
	}
}

func TestServersThatDoNotCloseUnannouncedKeepTheirConnections(t *testing.T) {
	for _, test := range []struct {
		name   string
		server func(t *testing.T) string
	}{
		{"kept", func(t *testing.T) string {
			return serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				streamOut(w, say("a"), stop, done)
			}).URL
		}},
		{"announced", func(t *testing.T) string {
			return closer(t, strings.Replace(streamHeader, "\r\n", "\r\nConnection: close\r\n", 1)).url
		}},
		{"an answer that ends with its connection", func(t *testing.T) string {
			return newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"+say("a")+stop+done)
				return false
			}).url
		}},
		{"every second one", func(t *testing.T) string {
			return newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
				_, err := io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
				return err == nil && n == 0
			}).url
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := client(t, Endpoint{URL: test.server(t)})
			for range 20 {
				if r := next(t, c); r.Outcome != record.OK {
					t.Fatalf("%+v", r)
				}
			}
			if c.dialer.closing.always.Load() || len(c.Profile().Warnings) > 0 {
				t.Errorf("%d closes, %q", c.ClosedAfterAnswer(), c.Profile().Warnings)
			}
		})
	}
}

// A server that goes down closes all of its connections right after their latest answers, which says nothing of what it does
// when it is up.
func TestAServerThatGoesDownDoesNotCloseAfterEachAnswer(t *testing.T) {
	const streams = 2 * closesInARow
	arrived, gates := make(chan bool), [...]chan bool{make(chan bool), make(chan bool)}
	s := newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
		arrived <- true
		<-gates[n]
		_, _ = io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
		return n == 0
	})
	c := client(t, Endpoint{URL: s.url})
	for _, gate := range gates {
		var all sync.WaitGroup
		for range streams {
			all.Go(func() {
				if r, _ := ask(t, c); r.Outcome != record.OK {
					t.Errorf("%+v", r)
				}
			})
		}
		for range streams { // all at once, so that each has a connection of its own
			<-arrived
		}
		close(gate)
		all.Wait()
	}
	if c.dialer.closing.always.Load() || c.ClosedAfterAnswer() > 0 {
		t.Errorf("%d closes are held against it", c.ClosedAfterAnswer())
	}
}

// A connection that waited may be closed by then; another that did may be as well, so the request gets one dialed at once.
func TestStaleSparesAreReplaced(t *testing.T) {
	var hangUp atomic.Bool
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		if hangUp.CompareAndSwap(true, false) {
			return false
		}
		_, _ = io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
		return false
	})
	c := client(t, Endpoint{URL: s.url, Concurrency: 4 * requestsPerSpare})
	c.dialer.closing.always.Store(true)
	next(t, c)
	c.dialer.spares.running.Wait()
	if n := len(c.dialer.spares.ready); n != 4 {
		t.Errorf("%d connections wait", n)
	}
	hangUp.Store(true)
	if r := next(t, c); r.Outcome != record.OK || !r.Retried || r.Connect == 0 || c.Reconnects() != 1 {
		t.Errorf("%d sent again: %+v", c.Reconnects(), r)
	}
}

func TestSparesDoNotWaitForLong(t *testing.T) {
	s := closer(t, streamHeader)
	c := client(t, Endpoint{URL: s.url})
	c.dialer.closing.always.Store(true)
	next(t, c)
	c.dialer.spares.running.Wait()
	c.dialer.spares.mu.Lock()
	waits := c.dialer.spares.ready[0]
	c.dialer.spares.mu.Unlock()
	c.dialer.dropSpare(waits)
	if len(c.dialer.spares.ready) != 0 {
		t.Error("it still waits")
	}
	if _, err := waits.conn.Conn.Write([]byte("x")); err == nil {
		t.Error("it is still open")
	}
	if r := next(t, c); r.Outcome != record.OK || r.Connect == 0 {
		t.Errorf("%+v", r)
	}
}
