// Tests of what becomes of connections, over raw ones: kept, closed when idle, closed after a stream, or lingering.

package sim

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// rawConn is a client's end without net/http's own ideas of when to close.
type rawConn struct {
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, s *Server) *rawConn {
	t.Helper()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &rawConn{c, bufio.NewReader(c)}
}

// post sends a request and returns the answer with its body unread.
func (c *rawConn) post(t *testing.T, path, body string) *http.Response {
	t.Helper()
	if _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// closed waits for the server to close the connection.
func (c *rawConn) closed(t *testing.T) {
	t.Helper()
	if rest, err := io.ReadAll(c.in); err != nil || len(rest) > 0 {
		t.Errorf("the connection ends with %q, %v; want nothing more and a proper close", rest, err)
	}
}

func readAll(t *testing.T, resp *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestConnectionsAreKept(t *testing.T) {
	s := serve(t, Config{})
	c := dial(t, s)
	for range 3 {
		if resp := c.post(t, completionPath, completionOfFour); resp.Close || !strings.HasSuffix(readAll(t, resp), "[DONE]\n\n") {
			t.Fatal("the answer does not keep the connection")
		}
	}
}

func TestIdleClose(t *testing.T) {
	s := serve(t, Config{Faults: Faults{IdleClose: time.Millisecond}})
	c := dial(t, s)
	if resp := c.post(t, completionPath, completionOfFour); resp.Close || !strings.HasSuffix(readAll(t, resp), "[DONE]\n\n") {
		t.Fatal("the answer does not promise to keep the connection")
	}
	c.closed(t)
}

func TestAConnectionAtWorkIsNotIdle(t *testing.T) {
	s := serve(t, Config{TimeScale: 10, Faults: Faults{IdleClose: time.Millisecond}})
	c := dial(t, s)
	if text := readAll(t, c.post(t, completionPath, completionOfFour)); strings.Count(text, `"text"`) != 4 {
		t.Errorf("got %s", text) // four steps of more than a millisecond each
	}
}

func TestCloseAfterStream(t *testing.T) {
	s := serve(t, Config{Faults: Faults{CloseAfterStream: true}})
	c := dial(t, s)
	if resp := c.post(t, completionPath, `{"prompt":"hi","max_tokens":1}`); resp.Close || readAll(t, resp) == "" {
		t.Fatal("an answer that is not streamed closes the connection")
	}
	resp := c.post(t, completionPath, completionOfFour)
	if resp.Close || resp.Header.Get("Keep-Alive") == "" || !strings.HasSuffix(readAll(t, resp), "[DONE]\n\n") {
		t.Fatalf("the streamed answer does not promise to keep the connection: %v", resp.Header)
	}
	c.closed(t)
}

func TestSlowClose(t *testing.T) {
	const lingers = 20 * time.Millisecond
	s := serve(t, Config{Faults: Faults{SlowClose: lingers}})
	start := time.Now()
	readAll(t, dial(t, s).post(t, completionPath, completionOfFour))
	if took := time.Since(start); took < lingers {
		t.Errorf("the answer ended after %v, want at least %v", took, lingers)
	}

	// A client that leaves is not lingered for: Close, at the end of the test, would wait an hour.
	s.SetFaults(Faults{SlowClose: time.Hour})
	c := dial(t, s)
	resp := c.post(t, completionPath, completionOfFour)
	body := bufio.NewReader(resp.Body)
	for {
		line, err := body.ReadString('\n')
		if err != nil {
			t.Fatalf("before [DONE]: %v", err)
		}
		if line == "data: [DONE]\n" {
			break
		}
	}
	_ = c.Close()
}

func TestCloseDoesNotWaitForStalls(t *testing.T) {
	for _, faults := range []string{"stall_first=100%:1h", "stall_mid=100%:1h:1", "stall_first=100%:1h no_stream", "slow_close=1h", "idle_close=1h"} {
		s := serve(t, Config{Faults: parse(t, faults)})
		c := dial(t, s)
		if _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n%s", completionPath, len(completionOfFour), completionOfFour); err != nil {
			t.Fatal(err)
		}
		until(t, s, func(c Counters) bool { return c.Finished == 1 })
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", faults, err)
		}
	}
}

// TestRoleFrameComesBeforeAStalledToken would hang if the role frame waited for the first token.
func TestRoleFrameComesBeforeAStalledToken(t *testing.T) {
	s := serve(t, Config{Faults: parse(t, "role_early stall_first=100%:1h")})
	c := dial(t, s)
	line, err := bufio.NewReader(c.post(t, chatPath, chatOfFour).Body).ReadString('\n')
	if err != nil || !strings.Contains(line, `"role":"assistant"`) {
		t.Errorf("%q, %v", line, err)
	}
}

func TestFaultsAreNoBusinessOfOtherMachines(t *testing.T) {
	s := serve(t, Config{Faults: Faults{CRLF: true}})
	for peer, status := range map[string]int{
		"127.0.0.1:9": 200, "[::1]:9": 200, "[::ffff:127.0.0.1]:9": 200, "192.0.2.7:9": 404, "[2001:db8::1]:9": 404, "nonsense": 404,
	} {
		req := httptest.NewRequest("PUT", "/sim/faults", strings.NewReader("none"))
		req.RemoteAddr = peer
		s.SetFaults(Faults{CRLF: true})
		w := httptest.NewRecorder()
		s.routes().ServeHTTP(w, req)
		if w.Code != status || s.Faults().CRLF != (status != 200) {
			t.Errorf("%s: %d, faults %s", peer, w.Code, s.Faults())
		}
	}
}

func TestDisconnectOnAKeptConnectionIsAnEOF(t *testing.T) {
	s := serve(t, Config{})
	c := dial(t, s)
	readAll(t, c.post(t, completionPath, completionOfFour))
	s.SetFaults(parse(t, "disconnect=100%"))
	if _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n%s", completionPath, len(completionOfFour), completionOfFour); err != nil {
		t.Fatal(err)
	}
	if n, err := c.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("got %q, %v; want a close without a byte", n, err)
	}
}
