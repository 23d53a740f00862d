// A client that is slower than its server: what it has not read fills the buffers between them, until the server has to wait.

//go:build unix

package wire

import (
	"io"
	"net"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
)

// fill writes a text over and over until there is no room for more, and returns how often it began it. The last one may not be whole;
// then rest is what it lacks.
func fill(t *testing.T, c net.Conn, text string) (times int, rest string) {
	t.Helper()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	var failure error
	err = raw.Write(func(fd uintptr) bool {
		for {
			if rest == "" {
				rest = text
				times++
			}
			var n int
			if n, failure = unix.Write(int(fd), []byte(rest)); n > 0 {
				rest = rest[n:]
			}
			if failure != nil && failure != unix.EINTR {
				return true
			}
		}
	})
	if err != nil || failure != unix.EAGAIN {
		t.Errorf("%v, %v", err, failure)
	}
	return times, rest
}

func TestNothingIsLostOfWhatIsReadTooSlowly(t *testing.T) {
	const together = 100
	piece := func(text string) string { return strings.TrimSuffix(chunked("", text), chunked("")) }
	many := piece(strings.Repeat(say(strings.Repeat("x", 2000)), together))
	full, goOn := make(chan int, 1), make(chan bool)
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		if _, err := io.WriteString(c, streamHeader+piece(say("a"))); err != nil {
			return false
		}
		<-goOn // the client has its first token, and does not read on
		times, rest := fill(t, c, many)
		full <- times
		_, err := io.WriteString(c, rest+chunked("", stop+done))
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	req, err := c.Prepare(Prompt{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the connection is good for another request
		var times int
		rec := record.New(1)
		c.Stream(t.Context(), req, rec, onToken(func(n int) {
			if n == 1 {
				goOn <- true
				times = <-full
			}
		}))
		if rec.Outcome != record.OK || rec.Chunks != 1+times*together || rec.FinishReason != "stop" {
			t.Errorf("%+v, but %d chunks were written", rec, 1+times*together)
		}
	}
	if n := s.accepted.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}
