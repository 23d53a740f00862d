// Connections used again, and ports given back.

package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"tokdyno/engine/record"
)

func TestConnectionsAreReused(t *testing.T) {
	for _, test := range []struct {
		name                     string
		concurrency, requests    int // requests of each worker
		secure, long, unfinished bool
	}{
		{name: "one by one", concurrency: 1, requests: 60},
		{name: "many at once, as fast as they go", concurrency: 32, requests: 20},
		{name: "TLS", concurrency: 4, requests: 20, secure: true},
		{name: "prompts of a megabyte", concurrency: 2, requests: 5, long: true},
		{name: "answers without [DONE]", concurrency: 4, requests: 20, unfinished: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var opened atomic.Int64
			var first sync.WaitGroup // holds the first answers back until there is a connection for everybody
			first.Add(test.concurrency)
			var served atomic.Int64
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if served.Add(1) <= int64(test.concurrency) {
					first.Done()
					first.Wait()
				}
				streamOut(w, role, say("a"), stop) // the last chunk, of length 0, comes in a segment of its own
				if !test.unfinished {
					streamOut(w, done)
				}
			}))
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					opened.Add(1)
				}
			}
			if test.secure {
				s.StartTLS()
			} else {
				s.Start()
			}
			defer s.Close()
			c := client(t, Endpoint{URL: s.URL, Insecure: true})
			defer c.Close()
			prompt := Prompt{Text: "hello"}
			if test.long {
				prompt.Text = strings.Repeat("x", 1<<20)
			}
			var all sync.WaitGroup
			for range test.concurrency {
				all.Go(func() {
					for i := range test.requests {
						r, heard := askWith(t.Context(), t, c, prompt)
						if r.Outcome != record.OK {
							t.Errorf("request %d: %+v", i, r)
						}
						checkOrder(t, r, heard)
						if (r.Connect > 0) != (i == 0) {
							t.Errorf("request %d: connecting took %v", i, r.Connect)
						}
					}
				})
			}
			all.Wait()
			if n := opened.Load(); n != int64(test.concurrency) || c.Reconnects() != 0 {
				t.Errorf("%d connections for %d × %d requests, %d reconnects", n, test.concurrency, test.requests, c.Reconnects())
			}
		})
	}
}

func TestRefusalsAreResults(t *testing.T) {
	// None is tried again, and none costs a connection.
	for _, status := range []int{400, 401, 404, 408, 409, 421, 422, 425, 429, 500, 502, 503, 504} {
		var asked, opened atomic.Int64
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"error":{"message":"no"}}`)
		}))
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
		s.Start()
		c := client(t, Endpoint{URL: s.URL})
		for range 3 {
			if r, _ := ask(t, c); r.Status != status || r.Outcome != record.Failed || r.Retried {
				t.Errorf("%d: %+v", status, r)
			}
		}
		if asked.Load() != 3 || opened.Load() != 1 {
			t.Errorf("%d: %d requests on %d connections, want 3 on 1", status, asked.Load(), opened.Load())
		}
		c.Close()
		s.Close()
	}
}

func TestRequestsCutShortGiveTheirPortBack(t *testing.T) {
	// A reset leaves no port waiting; a request that came to its end leaves its connection open for the next.
	for _, test := range []struct {
		name string
		cut  bool
		want error
	}{{"cut short", true, syscall.ECONNRESET}, {"to its end", false, io.EOF}} {
		ended := make(chan error, 1)
		s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
			answer := chunked(streamHeader, say("a"), stop, done)
			if test.cut {
				answer = strings.TrimSuffix(chunked(streamHeader, say("a")), "0\r\n\r\n")
			}
			_, _ = io.WriteString(c, answer)
			_, err := c.Read(make([]byte, 1))
			ended <- err
			return false
		})
		ctx, cancel := context.WithCancel(t.Context())
		c := client(t, Endpoint{URL: s.url})
		req, err := c.Prepare(Prompt{Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		rec := record.New(1)
		c.Stream(ctx, req, rec, onToken(func(int) {
			if test.cut {
				cancel()
			}
		}))
		cancel()
		c.Close()
		if err := <-ended; !errors.Is(err, test.want) {
			t.Errorf("%s: the server saw %v, want %v (%+v)", test.name, err, test.want, rec)
		}
	}
}
