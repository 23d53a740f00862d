// Servers for the tests, all on loopback.

package wire

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// rawServer answers on bare TCP: each request of a connection is handed to answer, with its number on the connection
// and its body; false closes the connection.
type rawServer struct {
	url      string
	accepted atomic.Int64
}

func newRawServer(t *testing.T, answer func(c net.Conn, n int, body []byte) bool) *rawServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{url: "http://" + listener.Addr().String()}
	var all sync.WaitGroup
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	all.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			s.accepted.Add(1)
			mu.Lock()
			open[c] = true
			mu.Unlock()
			all.Go(func() {
				defer c.Close()
				reader := bufio.NewReader(c)
				for n := 0; ; n++ {
					request, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					body, err := io.ReadAll(request.Body)
					if err != nil || !answer(c, n, body) {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		for c := range open {
			c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return s
}

// chunked is a raw HTTP answer, each of its pieces one chunk.
func chunked(header string, pieces ...string) string {
	var b strings.Builder
	b.WriteString(header)
	for _, piece := range pieces {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(piece), piece)
	}
	return b.String() + "0\r\n\r\n"
}

const streamHeader = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

// capture reads a captured answer, whose body was stored without its chunks, and chunks it again, one event a chunk.
func capture(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	header, body, ok := strings.Cut(string(text), "\r\n\r\n")
	if !ok {
		t.Fatalf("%s has no header", name)
	}
	if !strings.Contains(header, "chunked") {
		return string(text)
	}
	pieces := strings.SplitAfter(body, "\n\n")
	if pieces[len(pieces)-1] == "" {
		pieces = pieces[:len(pieces)-1]
	}
	return chunked(header+"\r\n\r\n", pieces...)
}

// serve starts an HTTP server that closes with the test.
func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

// client makes a client that closes with the test.
func client(t *testing.T, ep Endpoint) *Client {
	t.Helper()
	ep.NoProxy = true
	if ep.Model == "" {
		ep.Model = "m"
	}
	c, err := New(ep, record.NewClock())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	switch way := os.Getenv(waitVariable); {
	case way == waitInGo:
		c.dialer.poller, c.http1 = nil, nil
	case way == waitForTicks && !ep.HTTP2:
		c.dialer.poller.Fix(2 * time.Millisecond)
	}
	return c
}

// ask sends one request and returns its record.
func ask(t *testing.T, c *Client) (record.Record, *ear) {
	t.Helper()
	return askWith(t.Context(), t, c, Prompt{Text: "hello", InputTokens: 7, OutputTokens: 5})
}

func askWith(ctx context.Context, t *testing.T, c *Client, p Prompt) (record.Record, *ear) {
	t.Helper()
	req, err := c.Prepare(p)
	if err != nil {
		t.Fatal(err)
	}
	rec, heard := record.New(1), new(ear)
	c.Stream(ctx, req, rec, heard)
	return *rec, heard
}

// stream writes an event stream.
func streamOut(w http.ResponseWriter, pieces ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, piece := range pieces {
		_, _ = io.WriteString(w, piece) // a client that is gone is no fault of the server's
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
}

func pemOf(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}
