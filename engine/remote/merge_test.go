// This file tests that figures over all workers are those of the pooled requests, and what merging them costs.

package remote

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// part is a worker without a network: what its requests tell comes out as the blocks of reports.
type part struct {
	collector *stats.Collector
	recorder  *runfile.Recorder
	sent      [][]byte
}

// Write implements runfile.File.
func (p *part) Write(b []byte) (int, error) {
	p.sent = append(p.sent, slices.Clone(b))
	return len(b), nil
}

// Sync implements runfile.File.
func (p *part) Sync() error { return nil }

// Truncate implements runfile.File.
func (p *part) Truncate(int64) error { return nil }

// Close implements runfile.File.
func (p *part) Close() error { return nil }

func newPart(t testing.TB, most int) *part {
	p := &part{collector: stats.NewCollector(1, stats.Inverted, slo.Criteria{})}
	p.collector.Relay()
	var err error
	p.recorder, err = runfile.Record(p, runfile.Header{}, runfile.Options{Every: reportEvery / 2, MostChunks: most})
	if err != nil {
		t.Fatal(err)
	}
	p.collector.Tap(p.recorder)
	return p
}

// tick reports what came up to an instant.
func (p *part) tick(now record.Instant) {
	p.collector.Fold(now)
	p.recorder.Tick(now, func() []runfile.Piece { return nil })
	p.recorder.Wait()
}

// nobody is an account of nothing.
type nobody struct{}

// Began implements engine.Account.
func (nobody) Began(*record.Record) {}

// Ended implements engine.Account.
func (nobody) Ended(*record.Record) {}

// answer has a request begin at an instant and be answered with gaps between its chunks.
func answer(c *stats.Collector, id uint64, at record.Instant, ttft time.Duration, gaps []time.Duration) {
	r := record.New(id)
	r.Stage, r.Started, r.Sent = 1, at, at
	f := c.Begin(r, 10)
	f.Sent(at)
	now := at.Add(ttft)
	r.FirstToken, r.FirstAnswer = now, now
	f.Token(record.Token{At: now, First: true, Opening: true})
	for _, g := range gaps {
		now = now.Add(g)
		f.Token(record.Token{At: now, Gap: g})
	}
	r.Chunks, r.Gaps, r.LastToken, r.End, r.Outcome, r.Streamed = len(gaps)+1, len(gaps), now, now, record.OK, true
	r.OutputTokens = record.Known(int64(len(gaps) + 1))
	f.Finish(r)
}

func TestPercentilesOverAllWorkersAreThoseOfThePooledRequests(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const ms = time.Millisecond
		console := stats.NewCollector(1, stats.Inverted, slo.Criteria{})
		console.OpenStage(1)
		console.MarkSteady(2)
		making := &engine.Making{Collector: console, Account: nobody{}}
		pooled := stats.NewCollector(1, stats.Inverted, slo.Criteria{}) // which is told of all requests itself
		pooled.OpenStage(1)
		pooled.MarkSteady(2)
		requests, chunks := 0, 0
		id, workers := uint64(0), rapid.IntRange(1, 5).Draw(rt, "workers")
		for range workers {
			p, ahead := newPart(t, rapid.SampledFrom([]int{mostChunks, 1}).Draw(rt, "most")), record.Instant(rapid.Int64Range(-int64(time.Second)/2, int64(time.Hour)).Draw(rt, "ahead"))
			scale := time.Duration(rapid.IntRange(1, 50).Draw(rt, "scale"))
			for range rapid.IntRange(1, 20).Draw(rt, "requests") {
				id++
				at := record.Instant(time.Second).Add(time.Duration(rapid.IntRange(0, 2000).Draw(rt, "at")) * ms)
				ttft := time.Duration(rapid.IntRange(1, 900_000).Draw(rt, "ttft")) * time.Microsecond
				own := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) time.Duration {
					return scale * time.Duration(rapid.IntRange(20, 20_000).Draw(rt, "gap")) * time.Microsecond
				}), 1, 20).Draw(rt, "gaps")
				answer(p.collector, id, at+ahead, ttft, own)
				answer(pooled, id, at, ttft, own)
				requests, chunks = requests+1, chunks+len(own)
			}
			for now := record.Instant(100 * ms); now < record.Instant(40*time.Second); now = now.Add(10 * time.Second) {
				p.tick(now + max(ahead, 0))
			}
			if err := p.recorder.Close(nil, runfile.End{}); err != nil {
				rt.Fatal(err)
			}
			in := newIntake()
			for _, blocks := range p.sent {
				if b := in.read(blocks); b != nil {
					in.tell(b, ahead, 1, making)
				}
			}
		}
		end := record.Instant(60 * time.Second)
		console.Fold(end)
		pooled.Fold(end)
		got, want := console.StageSummary(1, end), pooled.StageSummary(1, end)
		if got.Requests.OK != requests || got.TTFT.N != requests || got.ITL.N != chunks {
			rt.Fatalf("%d requests and %d gaps were told of, want %d and %d", got.Requests.OK, got.ITL.N, requests, chunks)
		}
		for _, of := range []func(*stats.Summary) stats.Distribution{
			func(s *stats.Summary) stats.Distribution { return s.TTFT },
			func(s *stats.Summary) stats.Distribution { return s.ITL },
			func(s *stats.Summary) stats.Distribution { return s.TPOT },
			func(s *stats.Summary) stats.Distribution { return s.E2EL },
		} {
			g, w := of(&got), of(&want)
			for i, pair := range [][2]time.Duration{{g.P50, w.P50}, {g.P90, w.P90}, {g.P95, w.P95}, {g.P99, w.P99}, {g.Max, w.Max}, {g.Mean, w.Mean}} {
				if off := (pair[0] - pair[1]).Abs(); float64(off) > 0.004*float64(pair[1])+float64(2*time.Microsecond) {
					rt.Fatalf("figure %d over %d workers is %v, of the pooled requests %v", i, workers, pair[0], pair[1])
				}
			}
		}
	})
}

// BenchmarkMerge is what one second of 64 workers costs their console, each with 8 streams of 50 chunks a second and reporting ten times.
// The limit is a tenth of a core: 100 ms.
func BenchmarkMerge(b *testing.B) {
	const workers, streams, chunks = 64, 8, 50
	random := rand.New(rand.NewPCG(1, 2))
	var batches [workers][][]byte
	bytes := 0
	for w := range workers {
		p := newPart(b, mostChunks)
		for second := range 3 { // the last one counts
			for i := range streams {
				gaps := make([]time.Duration, chunks-1)
				for k := range gaps {
					gaps[k] = time.Second/chunks + time.Duration(random.IntN(4000)-2000)*time.Microsecond
				}
				at := record.Instant(1).Add(time.Duration(second)*time.Second + time.Duration(random.IntN(20))*time.Millisecond)
				answer(p.collector, uint64(1+second*workers*streams+w*streams+i), at, time.Millisecond, gaps)
			}
			for tick := range 10 {
				p.tick(record.Instant(2).Add(time.Duration(second)*time.Second + time.Duration(tick+1)*reportEvery))
			}
		}
		if err := p.recorder.Close(nil, runfile.End{}); err != nil {
			b.Fatal(err)
		}
		batches[w] = p.sent
		for _, m := range p.sent {
			bytes += len(m)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		console := stats.NewCollector(1, stats.Inverted, slo.Criteria{})
		console.OpenStage(1)
		making := &engine.Making{Collector: console, Account: nobody{}}
		for w := range workers {
			in := newIntake()
			for _, blocks := range batches[w] {
				if batch := in.read(blocks); batch != nil {
					in.tell(batch, 0, 1, making)
				}
			}
		}
		console.Fold(record.Instant(4 * time.Second))
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/3, "ms/second")
	b.ReportMetric(float64(bytes)/workers/3, "bytes/worker/second")
}
