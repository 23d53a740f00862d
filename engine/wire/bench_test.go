// What streams cost: time, CPU and memory, end to end over loopback.

package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// benchClient makes a client and a request for a benchmark.
func benchClient(b *testing.B, ep Endpoint) (*Client, *Request) {
	b.Helper()
	ep.NoProxy, ep.Model = true, "m"
	c, err := New(ep, record.NewClock())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	req, err := c.Prepare(Prompt{Text: "hello", OutputTokens: 5})
	if err != nil {
		b.Fatal(err)
	}
	return c, req
}

// counter is an observer that does next to nothing.
type counter struct{ tokens, bunched, kernel int }

func (c *counter) Sent(record.Instant) {}
func (c *counter) Token(t record.Token) {
	c.tokens++
	if t.Bunched {
		c.bunched++
	}
	if t.Kernel {
		c.kernel++
	}
}

// streams runs some requests at a time and returns the token events that they brought.
func streams(b *testing.B, c *Client, req *Request, n int) (all counter) {
	var mu sync.Mutex
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			rec, heard := record.New(1), new(counter)
			c.Stream(b.Context(), req, rec, heard)
			mu.Lock()
			defer mu.Unlock()
			if rec.Outcome != record.OK {
				b.Errorf("%s: %s", rec.Kind, rec.Error)
			}
			all.tokens += heard.tokens
			all.bunched += heard.bunched
			all.kernel += heard.kernel
		})
	}
	running.Wait()
	return all
}

// cost is what something used.
type cost struct {
	wall, cpu, server time.Duration
	mallocs           uint64
}

func measure(b *testing.B, s *benchServer, run func()) cost {
	b.Helper()
	var before, after runtime.MemStats
	server := s.cpu(b)
	runtime.ReadMemStats(&before)
	cpu, began := cpuTime(), time.Now()
	run()
	spent := cost{wall: time.Since(began), cpu: cpuTime() - cpu}
	runtime.ReadMemStats(&after)
	spent.server, spent.mallocs = s.cpu(b)-server, after.Mallocs-before.Mallocs
	return spent
}

// BenchmarkStream reads from a server that writes chunks as fast as it can. An operation is a round of requests.
func BenchmarkStream(b *testing.B) {
	const chunks = 200_000
	s := startBenchServer(b)
	for _, n := range []int{1, 64, 1000} {
		for _, stamps := range []string{"kernel", "read"} {
			b.Run(fmt.Sprintf("streams=%d/stamps=%s", n, stamps), func(b *testing.B) {
				c, req := benchClient(b, Endpoint{URL: s.url(fmt.Sprintf("chunks=%d", chunks/n)), Concurrency: n})
				c.dialer.unstamped.Store(stamps == "read")
				streams(b, c, req, n)
				b.ResetTimer()
				var seen, bunched int
				spent := measure(b, s, func() {
					for range b.N {
						all := streams(b, c, req, n)
						seen += all.tokens
						bunched += all.bunched
					}
				})
				per := func(d time.Duration) float64 { return float64(d) / float64(seen) }
				b.ReportMetric(per(spent.wall), "ns/chunk")
				b.ReportMetric(float64(seen)/spent.wall.Seconds(), "chunks/s")
				b.ReportMetric(per(spent.cpu)/1e3, "cpu-µs/chunk")
				b.ReportMetric(per(spent.server)/1e3, "server-cpu-µs/chunk")
				b.ReportMetric(float64(spent.mallocs)/float64(seen), "allocs/chunk")
				b.ReportMetric(100*float64(bunched)/float64(seen), "%bunched")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// bareLoop reads answers with net/http and nothing else.
func bareLoop(b *testing.B, url string, n int) (events int) {
	transport := &http.Transport{MaxIdleConnsPerHost: n, ReadBufferSize: buffer, WriteBufferSize: buffer, DisableCompression: true}
	defer transport.CloseIdleConnections()
	var all atomic.Int64
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			resp, err := (&http.Client{Transport: transport}).Post(url, "application/json", strings.NewReader("{}"))
			if err != nil {
				b.Error(err)
				return
			}
			defer resp.Body.Close()
			into := make([]byte, firstLineBuffer)
			for {
				read, err := resp.Body.Read(into)
				all.Add(int64(bytes.Count(into[:read], []byte("\n\n"))))
				if err == io.EOF {
					return
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
	return int(all.Load())
}

// BenchmarkPaced reads streams of 50 chunks a second, and the same with a bare net/http read loop. An operation is five
// seconds of all streams.
func BenchmarkPaced(b *testing.B) {
	const chunks = 250
	s := startBenchServer(b)
	for _, n := range []int{64, 1000} {
		b.Run(fmt.Sprintf("streams=%d", n), func(b *testing.B) {
			url := s.url(fmt.Sprintf("chunks=%d&pace=20ms", chunks))
			c, req := benchClient(b, Endpoint{URL: url, Concurrency: n})
			var ours, bare cost
			seen, events := 0, 0
			for range b.N {
				one := measure(b, s, func() { seen += streams(b, c, req, n).tokens })
				other := measure(b, s, func() { events += bareLoop(b, url, n) })
				ours.cpu += one.cpu
				ours.wall += one.wall
				bare.cpu += other.cpu
				bare.wall += other.wall
			}
			cpu, bareCPU := float64(ours.cpu)/float64(seen)/1e3, float64(bare.cpu)/float64(events)/1e3
			b.ReportMetric(cpu, "cpu-µs/chunk")
			b.ReportMetric(bareCPU, "bare-cpu-µs/chunk")
			b.ReportMetric(cpu/bareCPU, "ratio")
			b.ReportMetric(float64(seen)/ours.wall.Seconds(), "chunks/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// resident is the memory that the system counts for this process; 0 where it does not say.
func resident() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages uint64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}

// firstToken is an observer that tells of the first token event.
type firstToken struct{ seen *sync.WaitGroup }

func (firstToken) Sent(record.Instant) {}
func (f firstToken) Token(t record.Token) {
	if t.First {
		f.seen.Done()
	}
}

// BenchmarkMemory holds streams open and counts what each takes.
func BenchmarkMemory(b *testing.B) {
	if _, err := RaiseFileLimit(); err != nil {
		b.Skip(err)
	}
	s := startBenchServer(b)
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("streams=%d", n), func(b *testing.B) {
			if fit, bound := StreamsThatFit(); fit < n {
				b.Skip(bound)
			}
			for range b.N {
				holdStreams(b, s, n)
			}
		})
	}
}

func holdStreams(b *testing.B, s *benchServer, n int) {
	c, req := benchClient(b, Endpoint{URL: s.url("chunks=3&hold=1"), Concurrency: n})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	pages := resident()
	ctx, cancel := context.WithCancel(b.Context())
	var first, running sync.WaitGroup
	first.Add(n)
	for range n {
		running.Go(func() {
			rec := record.New(1)
			c.Stream(ctx, req, rec, firstToken{&first})
			if rec.Outcome != record.Cancelled {
				b.Errorf("%s: %s", rec.Kind, rec.Error)
			}
		})
	}
	first.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := func(before, after uint64) float64 { return float64(int64(after-before)) / float64(n) / 1024 }
	b.ReportMetric(per(before.HeapAlloc, after.HeapAlloc), "heap-KiB/stream")
	b.ReportMetric(per(before.StackInuse, after.StackInuse), "stack-KiB/stream")
	b.ReportMetric(per(pages, resident()), "rss-KiB/stream")
	b.ReportMetric(0, "ns/op")
	cancel()
	running.Wait()
	c.Close()
}
