// How far off the client's figures are: benchmarks against the truth. Server and client share this process and its
// cores, so a busy machine shows in both; the figures are an upper bound for a client that has the machine to itself.

package engine_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/wire"
)

// BenchmarkTruth measures streams of 50 tokens at so many tokens a second each. Every iteration is one request a stream;
// -benchtime 10s gives more of them. 1000 streams at 50 tokens a second are more than two cores bear with the server
// on them: what cannot be read at once is read with what comes later, and that is what the error then shows. Arrivals are compared with the instant just before the server's write, TTFT with
// the time from the request's having been read to the first token's write, so its error has the way of the request in
// it too, and what the server takes to read it.
func BenchmarkTruth(b *testing.B) {
	for _, load := range []struct{ streams, pace int }{{1, 50}, {64, 50}, {1000, 10}, {1000, 20}, {1000, 50}} {
		streams := load.streams
		b.Run(fmt.Sprintf("streams=%d/tok_s=%d", streams, load.pace), func(b *testing.B) {
			const tokens = 50
			bench := newBench(b, time.Second/time.Duration(load.pace), "none", streams)
			bench.run(b, streams, 1, 1, "connect") // connections are not what is measured
			var d deviations
			for round := 0; b.Loop(); round++ {
				for _, r := range bench.run(b, streams, 1, tokens, fmt.Sprintf("round %d", round)) {
					truth, ok := bench.server.Truth(r.prompt)
					if !ok || r.rec.Outcome != record.OK {
						b.Fatalf("request %d: %s %s", r.rec.ID, r.rec.Kind, r.rec.Error)
					}
					d.add(bench.watch, r, truth)
				}
			}
			report(b, "arrival", d.arrival)
			report(b, "ttft", d.ttft)
			report(b, "gap", d.gap)
			b.ReportMetric(d.percent(d.kernel), "kernel_%")
			b.ReportMetric(d.percent(d.bunched), "bunched_%")
			b.ReportMetric(0, "ns/op") // an iteration lasts as long as its answers do
		})
	}
}

// report adds the quantiles of errors in microseconds to a benchmark's result.
func report(b *testing.B, what string, values []float64) {
	b.ReportMetric(quantile(values, 0.5), what+"_p50_us")
	b.ReportMetric(quantile(values, 0.99), what+"_p99_us")
	b.ReportMetric(quantile(values, 1), what+"_max_us")
}

// BenchmarkSimultaneousStart sends 1000 requests at once to a server whose first token comes 20 ms after it has read a
// request. The TTFT error is against the time from the server's kernel having received the request to the server's write:
// the server's own queue, of up to 1000 requests that it has not read yet, is TTFT indeed, and told as queued. Of the error,
// sent is the part from t0 to the request's having been received, arrival that from the write to the client's stamp.
// naive is the error of a TTFT whose clock starts when the client is given the request, instead of when it writes it.
func BenchmarkSimultaneousStart(b *testing.B) {
	for _, kept := range []bool{false, true} {
		b.Run(fmt.Sprintf("connections_kept=%v", kept), func(b *testing.B) {
			const requests = 1000
			server := startRaw(b, 20*time.Millisecond)
			watch := stopwatch{time.Now()}
			client, err := wire.New(wire.Endpoint{URL: server.url(), Model: "raw", NoProxy: true, Concurrency: requests}, watch.now)
			if err != nil {
				b.Fatal(err)
			}
			bench := &bench{watch: watch, client: client}
			b.Cleanup(func() { client.Close() })
			if kept {
				bench.run(b, requests, 1, 1, "connect")
			}
			var ttft, naive, sent, queued, arrival []float64
			for round := 0; b.Loop(); round++ {
				if !kept {
					client.Close() // the idle connections of the round before
					if client, err = wire.New(wire.Endpoint{URL: server.url(), Model: "raw", NoProxy: true, Concurrency: requests}, watch.now); err != nil {
						b.Fatal(err)
					}
					bench.client = client
				}
				for _, r := range bench.run(b, requests, 1, 1, fmt.Sprintf("round %d", round)) {
					if r.rec.Outcome != record.OK {
						b.Fatalf("request %d: %s %s", r.rec.ID, r.rec.Kind, r.rec.Error)
					}
					truth := server.truth(r.rec.Model)
					got, _ := r.rec.TTFT()
					ttft = append(ttft, micros(got-truth.wrote.Sub(truth.received)))
					naive = append(naive, micros(time.Duration(r.rec.FirstToken-r.began)-truth.wrote.Sub(truth.received)))
					sent = append(sent, micros(truth.received.Sub(watch.at(r.rec.Sent))))
					queued = append(queued, micros(truth.read.Sub(truth.received)))
					arrival = append(arrival, micros(watch.at(r.rec.FirstToken).Sub(truth.wrote)))
				}
			}
			report(b, "ttft", ttft)
			report(b, "naive", naive)
			report(b, "sent", sent)
			report(b, "queued", queued)
			report(b, "arrival", arrival)
			b.ReportMetric(0, "ns/op")
		})
	}
}

// rawServer answers each request with one token, by one write, and knows when. It names the answer's model after the
// request's number, by which the truth about it is found.
type rawServer struct {
	listener net.Listener
	delay    time.Duration
	wg       sync.WaitGroup

	mu     sync.Mutex
	conns  []net.Conn
	truths []rawTruth
}

// rawTruth is when the request had come in, when it had been read, and the instant just before its answer was written.
type rawTruth struct{ received, read, wrote time.Time }

func startRaw(b *testing.B, delay time.Duration) *rawServer {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := &rawServer{listener: listener, delay: delay}
	s.wg.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, c)
			s.mu.Unlock()
			s.wg.Go(func() { s.serve(c) })
		}
	})
	b.Cleanup(func() {
		_ = listener.Close()
		s.mu.Lock()
		for _, c := range s.conns {
			_ = c.Close()
		}
		s.mu.Unlock()
		s.wg.Wait()
	})
	return s
}

func (s *rawServer) url() string { return "http://" + s.listener.Addr().String() }

// truth returns what is known of the request whose answer named this model.
func (s *rawServer) truth(model string) rawTruth {
	n, err := strconv.Atoi(model)
	if err != nil {
		return rawTruth{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.truths[n]
}

// serve answers the requests of a connection until it ends.
func (s *rawServer) serve(c net.Conn) {
	from, err := newReceiver(c)
	if err != nil {
		return // the request fails, and that says so
	}
	in := bufio.NewReader(from)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return
		}
		received, read := from.at, time.Now()
		s.mu.Lock()
		n := len(s.truths)
		s.truths = append(s.truths, rawTruth{})
		s.mu.Unlock()
		body := fmt.Sprintf(`data: {"model":"%d","choices":[{"index":0,"delta":{"content":"yes"},"finish_reason":"length"}],`+
			`"usage":{"prompt_tokens":9,"completion_tokens":1}}`+"\n\ndata: [DONE]\n\n", n)
		answer := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		time.Sleep(time.Until(read.Add(s.delay)))
		wrote := time.Now()
		s.mu.Lock()
		s.truths[n] = rawTruth{received, read, wrote}
		s.mu.Unlock()
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}
