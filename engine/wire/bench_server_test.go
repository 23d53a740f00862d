// The server of the benchmarks: a process of its own, so that its CPU time is not taken for the client's.

package wire

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// benchServerVariable makes the test binary a server.
const benchServerVariable = "TOKDYNO_WIRE_BENCH_SERVER"

// serveBenchmarks serves on loopback until in ends, after it has written its address to out.
func serveBenchmarks(in io.Reader, out io.Writer) error {
	if _, err := RaiseFileLimit(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	if _, err := fmt.Fprintln(out, listener.Addr()); err != nil {
		return err
	}
	go func() {
		var written atomic.Int64
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go serveBenchmark(c, &written)
		}
	}()
	_, err = io.Copy(io.Discard, in)
	return err
}

// serveBenchmark answers the requests of one connection. Their query says how many chunks are wanted, how many of them
// together in a write (none: each by itself), at what pace (none: as fast as they go; else all streams in step, as with
// continuous batching, unless they are to be spread over the time between two chunks), and whether the answer is then held open.
// Whoever asks by GET is told the CPU time that the server has used, in nanoseconds, and how many chunks were written.
func serveBenchmark(c net.Conn, written *atomic.Int64) {
	defer c.Close()
	frame := func(text string) []byte { return fmt.Appendf(nil, "%x\r\n%s\r\n", len(text), text) }
	var chunks [][]byte
	for _, text := range flow(contentForm) {
		chunks = append(chunks, frame("data: "+string(text)+"\n\n"))
	}
	end := append(frame(stop+usage23+done), "0\r\n\r\n"...)
	r := bufio.NewReaderSize(c, 512)
	for {
		request, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return
		}
		query := request.URL.Query()
		n, _ := strconv.Atoi(query.Get("chunks"))
		together, _ := strconv.Atoi(query.Get("together"))
		together = max(together, 1)
		pace, _ := time.ParseDuration(query.Get("pace"))
		if request.Method == http.MethodGet {
			cpu := cpuTime().Nanoseconds()
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n%d %d", cpu, written.Load())
			return
		}
		if _, err := io.WriteString(c, streamHeader); err != nil {
			return
		}
		at := time.Now()
		if pace > 0 {
			if query.Has("spread") {
				at = at.Add(rand.N(pace))
			} else {
				at = at.Truncate(pace).Add(pace)
			}
		}
		var some []byte
		for i := range n {
			some = append(some, chunks[i%len(chunks)]...)
			if i+1 < n && (i+1)%together != 0 {
				continue
			}
			if pace > 0 {
				time.Sleep(time.Until(at))
				at = at.Add(pace)
			}
			if _, err := c.Write(some); err != nil {
				return
			}
			some = some[:0]
			written.Add(int64(together))
		}
		if query.Has("hold") {
			_, _ = io.Copy(io.Discard, c)
			return
		}
		if _, err := c.Write(end); err != nil {
			return
		}
	}
}

// benchServer is a running server process.
type benchServer struct{ address string }

// startBenchServer starts the server process, and ends it with the benchmark.
func startBenchServer(b *testing.B) *benchServer {
	b.Helper()
	binary, err := os.Executable()
	if err != nil {
		b.Skip(err)
	}
	process := exec.Command(binary)
	process.Env = append(os.Environ(), benchServerVariable+"=1")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := process.Start(); err != nil {
		b.Skip(err)
	}
	b.Cleanup(func() {
		in.Close()
		_ = process.Wait() // its end is all that matters
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return &benchServer{strings.TrimSpace(address)}
}

// url is an endpoint that answers as the query says.
func (s *benchServer) url(query string) string { return "http://" + s.address + "/v1?" + query }

// cpu is the CPU time that the server has used.
func (s *benchServer) cpu(b *testing.B) time.Duration {
	b.Helper()
	cpu, _ := s.used(b)
	return cpu
}

// used is the CPU time that the server has used, and how many chunks it has written.
func (s *benchServer) used(b *testing.B) (cpu time.Duration, chunks int) {
	b.Helper()
	resp, err := http.Get(s.url(""))
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := fmt.Fscan(resp.Body, &cpu, &chunks); err != nil {
		b.Fatal(err)
	}
	return cpu, chunks
}
