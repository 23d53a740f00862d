// HTTP/1.1 on connections of our own, against net/http's.

package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// ownHTTP1 is a client with connections of its own; the test is skipped where there are none.
func ownHTTP1(t *testing.T, ep Endpoint) *Client {
	t.Helper()
	c := client(t, ep)
	if c.http1 == nil {
		t.Skip("net/http puts all requests on connections")
	}
	return c
}

// smallReads is a connection whose reads bring few bytes.
type smallReads struct {
	net.Conn
	size int
}

func (s smallReads) Read(p []byte) (int, error) { return s.Conn.Read(p[:min(len(p), s.size)]) }
func (s smallReads) NetConn() net.Conn          { return s.Conn }

func TestAnswersAreReadAsByNetHTTP(t *testing.T) {
	const plain, sse = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n", streamHeader
	whole := say("a") + stop + done
	length := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(whole))
	piece := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	for name, answer := range map[string]string{
		"chunks":                        chunked(sse, say("a"), stop, done),
		"one chunk":                     chunked(sse, whole),
		"a size in capitals, with 0s":   sse + fmt.Sprintf("000%X\r\n%s\r\n0\r\n\r\n", len(whole), whole),
		"extensions":                    sse + fmt.Sprintf("%x;a=b;c=\"d\"\r\n%s\r\n0;e\r\n\r\n", len(whole), whole),
		"space after a size":            sse + fmt.Sprintf("%x \t\r\n%s\r\n0 \r\n\r\n", len(whole), whole),
		"space before an extension":     sse + fmt.Sprintf("%x ;a\r\n%s\r\n0\r\n\r\n", len(whole), whole),
		"space before a size":           sse + fmt.Sprintf(" %x\r\n%s\r\n0\r\n\r\n", len(whole), whole),
		"an endless extension":          sse + piece(say("a")) + "1;" + strings.Repeat("x", 20_000) + "\r\n\n\r\n0\r\n\r\n",
		"extensions without much else":  sse + piece(say("a")) + strings.Repeat("1;"+strings.Repeat("x", 1000)+"\r\n\n\r\n", 40) + piece(done) + "0\r\n\r\n",
		"a trailer":                     sse + piece(whole) + "0\r\nX-A: b\r\nX-C: d\r\n\r\n",
		"a trailer without end":         sse + piece(whole) + "0\r\nX-A: b\r\n",
		"no last chunk":                 sse + piece(whole),
		"no size":                       sse + piece(say("a")) + "\r\n" + stop + "\r\n0\r\n\r\n",
		"a size that is none":           sse + piece(say("a")) + "xyz\r\n" + stop + "\r\n0\r\n\r\n",
		"a negative size":               sse + piece(say("a")) + "-5\r\n" + stop + "\r\n0\r\n\r\n",
		"a size beyond all":             sse + piece(say("a")) + "fffffffffffffffffff\r\n" + stop,
		"a size line with LF alone":     sse + piece(say("a")) + "5\n: hi\n\r\n0\r\n\r\n",
		"a size line with CR within":    sse + piece(say("a")) + "5\r;x\r\n: hi\n\r\n0\r\n\r\n",
		"a chunk longer than its size":  sse + piece(say("a")) + "3\r\n: long\n\r\n0\r\n\r\n",
		"the end amid a size":           sse + piece(say("a")) + "5",
		"the end amid a chunk":          sse + piece(say("a")) + "500\r\n: hi",
		"the end after a chunk":         sse + piece(say("a")),
		"the end before a chunk's CRLF": sse + "5\r\n: hi\n",
		"no chunk":                      sse + "0\r\n\r\n",
		"a length":                      plain + length + whole,
		"a length of 0":                 plain + "Content-Length: 0\r\n\r\n",
		"less than the length":          plain + "Content-Length: 5000\r\n\r\n" + say("a"),
		"a length and chunks":           plain + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + piece(whole) + "0\r\n\r\n",
		"two lengths":                   plain + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + whole,
		"to the end":                    plain + "\r\n" + whole,
		"to the end, amid an event":     plain + "\r\n" + say("a") + "data: {",
		"HTTP/1.0":                      "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + whole,
		"HTTP/1.0, kept":                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Type: text/event-stream\r\n" + length + whole,
		"announced to close":            plain + "Connection: close\r\n" + length + whole,
		"interim answers":               "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + chunked(sse, whole),
		"interim answers without end":   strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 8) + chunked(sse, whole),
		"another protocol":              "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
		"no content":                    "HTTP/1.1 204 No Content\r\n\r\n",
		"a document":                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 45\r\n\r\n" + `{"choices":[{"message":{"content":"a b c"}}]}`,
		"a page":                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
		"compressed":                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
		"a refusal":                     "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\n{}",
		"an unknown encoding":           "HTTP/1.1 200 OK\r\nTransfer-Encoding: foo\r\n\r\n" + whole,
		"half a header":                 "HTTP/1.1 200 OK\r\nContent-Ty",
		"nothing":                       "",
		"no HTTP":                       "SSH-2.0-OpenSSH_9.6\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			var want outcome
			for _, size := range []int{-1, 0, 1, 3, 7, 64} {
				got := outcomeOf(t, answer, size)
				if size < 0 {
					want = got
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("reads of %d (-net/http +own):\n%s", size, diff)
				}
			}
		})
	}
}

func TestAConnectionWithMoreThanTheAnswerIsNotUsedAgain(t *testing.T) {
	// net/http may have put the next request on it before it sees that.
	for _, size := range []int{0, 1, 3, 7, 64} {
		got := outcomeOf(t, chunked(streamHeader, say("a"), stop, done)+"HTTP/1.1 200 OK\r\n", size)
		if got.Outcome != record.OK || got.Connections != 2 {
			t.Errorf("reads of %d: %+v", size, got)
		}
	}
}

// outcome is what a request came to, as far as it does not depend on when things happened.
type outcome struct {
	Outcome               record.Outcome
	Kind                  record.Kind
	Error, Finish         string
	Status, Chunks, Heard int
	Over                  bool  // its end came
	Connections           int64 // that two requests took
}

// outcomeOf asks a server that gives the same answer to each request, twice, and then hangs up; by net/http if size is negative.
func outcomeOf(t *testing.T, answer string, size int) outcome {
	t.Helper()
	s := newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
		_, err := io.WriteString(c, answer)
		return err == nil && n == 0 && strings.HasPrefix(answer, "HTTP/1.1 200") && strings.Contains(answer, done+"\r\n0\r\n\r\n")
	})
	c := ownHTTP1(t, Endpoint{URL: s.url})
	defer c.Close()
	switch dial := c.http1.dial; {
	case size < 0:
		c.http1 = nil
	case size > 0:
		c.http1.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			inner, err := dial(ctx, network, address)
			return smallReads{inner, size}, err
		}
	}
	r, heard := ask(t, c)
	checkOrder(t, r, heard)
	ask(t, c)
	return outcome{
		r.Outcome, r.Kind, strings.ReplaceAll(r.Error, s.url[len("http://"):], "host"), r.FinishReason, r.Status, r.Chunks, len(heard.tokens), r.Over != 0,
		s.accepted.Load(),
	}
}

func TestAnAnswerThatComesBeforeTheRequestWasReadIsTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	served := make(chan bool)
	go func() {
		defer close(served)
		c, err := listener.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_ = c.(*net.TCPConn).SetReadBuffer(64 << 10) // or all of the request would find room on its way
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\n{}")
		<-served
	}()
	c := ownHTTP1(t, Endpoint{URL: "http://" + listener.Addr().String()})
	r, _ := askWith(t.Context(), t, c, Prompt{Text: strings.Repeat("x", 8<<20)})
	served <- true
	<-served
	if r.Status != 413 {
		t.Errorf("%+v", r)
	}
}

func TestAnIdleConnectionThatTheServerClosesIsNotTried(t *testing.T) {
	for name, parting := range map[string]string{"in silence": "", "with words that nobody asked for": "HTTP/1.1 408 Request Timeout\r\n\r\n"} {
		t.Run(name, func(t *testing.T) {
			idle, closed := make(chan bool), make(chan bool)
			s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				_, _ = io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
				<-idle
				_, _ = io.WriteString(c, parting)
				_ = c.(*net.TCPConn).CloseWrite()
				_ = c.SetReadDeadline(time.Now().Add(10 * time.Second)) // or else the test hangs
				if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
					t.Error("the client has not closed it, too")
				}
				closed <- true
				return false
			})
			c := ownHTTP1(t, Endpoint{URL: s.url})
			c.http1.keep = time.Hour
			for range 2 {
				if r, _ := ask(t, c); r.Outcome != record.OK || r.Retried || r.Connect == 0 {
					t.Errorf("%+v", r)
				}
				idle <- true
				<-closed
			}
		})
	}
}

func TestAConnectionIsNotIdleForLong(t *testing.T) {
	closed := make(chan error)
	s := newRawServer(t, func(c net.Conn, n int, _ []byte) bool {
		_, _ = io.WriteString(c, chunked(streamHeader, say("a"), stop, done))
		_, err := c.Read(make([]byte, 1))
		closed <- err
		return false
	})
	c := ownHTTP1(t, Endpoint{URL: s.url})
	c.http1.keep = time.Millisecond
	ask(t, c)
	if err := <-closed; err != io.EOF {
		t.Errorf("the server saw %v", err)
	}
}

func TestChunksThatAreReadWithEarlierOnesAreCounted(t *testing.T) {
	const chunks = 10
	for name, tick := range map[string]time.Duration{"at once": 0, "late": 100 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			heard := make(chan bool, chunks) // of each chunk
			s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
				_, _ = io.WriteString(c, streamHeader)
				for range chunks {
					text := say("a")
					_, _ = fmt.Fprintf(c, "%x\r\n%s\r\n", len(text), text) // a segment of its own
					if tick == 0 {
						<-heard
					}
				}
				_, err := io.WriteString(c, strings.TrimPrefix(chunked(streamHeader, stop, done), streamHeader))
				return err == nil
			})
			c := ownHTTP1(t, Endpoint{URL: s.url})
			c.dialer.poller.Fix(tick)
			req, err := c.Prepare(Prompt{Text: "x"})
			if err != nil {
				t.Fatal(err)
			}
			c.Stream(t.Context(), req, record.New(1), onToken(func(int) { heard <- true }))
			merged, of := c.Merged()
			if of == 0 {
				t.Skip("the system does not count segments")
			}
			if of != chunks || (merged > 0) != (tick > 0) {
				t.Errorf("%d of %d chunks", merged, of)
			}
		})
	}
}
