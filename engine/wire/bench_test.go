// What streams cost: time, CPU and memory, end to end over loopback.

package wire

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// benchKeepAlive is how long idle connections are kept in benchmarks: longer than one reader waits while the others have
// their turns, for what connections cost is not what is measured.
const benchKeepAlive = time.Minute

// benchClient makes a client and a request for a benchmark.
func benchClient(b *testing.B, ep Endpoint) (*Client, *Request) {
	b.Helper()
	ep.NoProxy, ep.Model = true, "m"
	c, err := New(ep, record.NewClock())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	c.transport.IdleConnTimeout = benchKeepAlive
	if c.http1 != nil {
		c.http1.keep = benchKeepAlive
	}
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
	if t.Gap == 0 && !t.Opening {
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

func (c *cost) add(more cost) {
	c.wall += more.wall
	c.cpu += more.cpu
	c.server += more.server
	c.mallocs += more.mallocs
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

// BenchmarkStream reads from a server that writes as fast as it can, a thousand chunks an answer: each by itself, a system
// call each, which is the server's bound; and 16 in a write, which makes it the client that is waited for. They are read by
// the client with the kernel's stamps and without, by net/http alone, and by go-openai, which makes of the chunks what an
// application wants. An operation is a round of all four, and processor times are medians of the operations.
func BenchmarkStream(b *testing.B) {
	s := startBenchServer(b)
	for _, together := range []int{1, 16} {
		for _, n := range []int{1, 64, 1000} {
			b.Run(fmt.Sprintf("together=%d/streams=%d", together, n), func(b *testing.B) {
				readStreams(b, s, s.url(fmt.Sprintf("chunks=1000&together=%d", together)), n)
			})
		}
	}
}

// readStreams has all readers read n streams at a time in turn.
func readStreams(b *testing.B, s *benchServer, url string, n int) {
	c, req := benchClient(b, Endpoint{URL: url, Concurrency: n})
	unstamped, _ := benchClient(b, Endpoint{URL: url, Concurrency: n})
	unstamped.dialer.unstamped.Store(true)
	plain, library := bareClient(b, n), goOpenAI(b, url, n)
	rounds := max(1, 64/n) // so that few streams make no short measurement
	var bunched, seen int
	readers := []*reader{
		{name: "", read: func() int {
			all := streams(b, c, req, n)
			bunched += all.bunched
			seen += all.tokens
			return all.tokens
		}},
		{name: "unstamped-", read: func() int { return streams(b, unstamped, req, n).tokens }},
		{name: "bare-", read: func() int { return bareLoop(b, plain, url, n) }},
		{name: "go-openai-", read: func() int { return libraryLoop(b, library, n) }},
	}
	for _, r := range readers {
		r.read() // which makes the connections
	}
	b.ResetTimer()
	for range b.N {
		for _, r := range readers {
			r.turn(b, s, rounds)
		}
	}
	for _, r := range readers {
		b.ReportMetric(median(r.perChunk), r.name+"cpu-µs/chunk")
	}
	ours := readers[0]
	b.ReportMetric(float64(ours.chunks)/ours.spent.wall.Seconds(), "chunks/s")
	b.ReportMetric(float64(ours.spent.server)/float64(ours.chunks)/1e3, "server-cpu-µs/chunk")
	b.ReportMetric(float64(ours.spent.mallocs)/float64(ours.chunks), "allocs/chunk")
	b.ReportMetric(100*float64(bunched)/float64(seen), "%bunched")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkRequest is what a request costs beside its chunks: answers of one chunk, 64 at a time, and the same by a bare
// net/http client. An operation is a round of both.
func BenchmarkRequest(b *testing.B) {
	const n, each = 64, 50
	s := startBenchServer(b)
	url := s.url("chunks=1")
	c, req := benchClient(b, Endpoint{URL: url, Concurrency: n})
	plain := bareClient(b, n)
	ours := &reader{read: func() int { return streams(b, c, req, n).tokens }}
	bare := &reader{read: func() int { return bareLoop(b, plain, url, n) }}
	ours.read() // which makes the connections
	bare.read()
	for range b.N {
		ours.turn(b, s, each)
		bare.turn(b, s, each)
	}
	requests := float64(b.N * n * each)
	b.ReportMetric(float64(ours.spent.cpu)/requests/1e3, "cpu-µs/request")
	b.ReportMetric(float64(bare.spent.cpu)/requests/1e3, "bare-cpu-µs/request")
	b.ReportMetric(float64(ours.spent.cpu)/float64(bare.spent.cpu), "ratio")
	b.ReportMetric(float64(ours.spent.mallocs)/requests, "allocs/request")
	b.ReportMetric(float64(bare.spent.mallocs)/requests, "bare-allocs/request")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPaced reads streams at a pace, and the same by a client whose connections are in Go's poller, and with a bare net/http
// read loop: an answer of a hundred chunks on all streams each, in turn; spread streams are out of phase, others in step. How often a
// process is woken for 64 chunks differs from round to round by a factor of two, so the figures are medians of an operation's
// rounds: at least ten, -benchtime 10x.
func BenchmarkPaced(b *testing.B) {
	s := startBenchServer(b)
	for _, bench := range []struct {
		n      int
		pace   time.Duration
		spread bool
	}{
		{1, 20 * time.Millisecond, true},
		{8, 20 * time.Millisecond, true},
		{16, 20 * time.Millisecond, true},
		{64, 20 * time.Millisecond, true},
		{64, 20 * time.Millisecond, false},
		{256, 20 * time.Millisecond, true},
		{1000, 100 * time.Millisecond, true},
		{1000, 50 * time.Millisecond, true},
	} {
		name, spread := "in-step", ""
		if bench.spread {
			name, spread = "spread", "&spread=1"
		}
		b.Run(fmt.Sprintf("streams=%d/%d-a-second/%s", bench.n, time.Second/bench.pace, name), func(b *testing.B) {
			url := s.url(fmt.Sprintf("chunks=100&pace=%v%s", bench.pace, spread))
			c, req := benchClient(b, Endpoint{URL: url, Concurrency: bench.n})
			inGo, _ := benchClient(b, Endpoint{URL: url, Concurrency: bench.n})
			inGo.dialer.poller, inGo.http1 = nil, nil
			plain := bareClient(b, bench.n)
			var merged, seen int
			ours := &reader{read: func() int {
				all := streams(b, c, req, bench.n)
				merged += all.bunched
				seen += all.tokens
				return all.tokens
			}}
			before := &reader{read: func() int { return streams(b, inGo, req, bench.n).tokens }}
			bare := &reader{read: func() int { return bareLoop(b, plain, url, bench.n) }}
			var rate []float64 // of each round
			round := func() {
				spent, chunks := ours.turn(b, s, 1)
				rate = append(rate, float64(chunks)/spent.wall.Seconds())
				before.turn(b, s, 1)
				bare.turn(b, s, 1)
			}
			round() // connections are not what is measured, nor how the process grows to its size
			ours.perChunk, bare.perChunk, before.perChunk, rate = nil, nil, nil, nil
			merged, seen = 0, 0
			b.ResetTimer()
			for range b.N {
				round()
			}
			b.ReportMetric(median(ours.perChunk), "cpu-µs/chunk")
			b.ReportMetric(median(before.perChunk), "in-go-cpu-µs/chunk")
			b.ReportMetric(median(bare.perChunk), "bare-cpu-µs/chunk")
			b.ReportMetric(median(ours.perChunk)/median(bare.perChunk), "ratio")
			b.ReportMetric(median(before.perChunk)/median(bare.perChunk), "in-go-ratio")
			b.ReportMetric(median(rate), "chunks/s")
			b.ReportMetric(100*float64(merged)/float64(seen), "%merged")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
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
