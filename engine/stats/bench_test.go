package stats

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

func BenchmarkTokenToCollector(b *testing.B) {
	c := newTestCollector(slo.Criteria{})
	f := c.Begin(record.New(1), 100)
	f.Sent(at(0))
	b.ReportAllocs()
	for i := range b.N {
		now := at(time.Duration(i) * 100 * time.Microsecond)
		f.Token(record.Token{At: now, First: i == 0, Opening: i == 0, Gap: 100 * time.Microsecond})
		if i%1000 == 999 {
			c.Fold(now)
		}
	}
}

// manyRequests returns a collector that has seen n short requests at 2000 a second, all in the steady part of a stage.
func manyRequests(n int) (*Collector, record.Instant) {
	c := newTestCollector(slo.Criteria{slo.TTFT: 100 * ms, slo.TPOT: 10 * ms})
	c.MarkSteady(at(0))
	gaps := []time.Duration{10 * ms, 10 * ms}
	var now record.Instant
	for i := range n {
		sent := time.Duration(i) * 500 * time.Microsecond
		play(c, stream{
			scheduled: -1, sent: sent, first: time.Duration(50+i%100) * ms, gaps: gaps,
			output: record.Known(3), input: record.Known(100),
		})
		if i%200 == 0 {
			now = at(sent)
			c.Fold(now)
		}
	}
	return c, now
}

// BenchmarkSnapshot is what a tick computes: a window for the live panels, and the stage.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		for _, w := range []Window{Last30s, Last5m, WholeRun} {
			b.Run(itoa(n)+"/"+w.String(), func(b *testing.B) {
				c, now := manyRequests(n)
				b.ReportAllocs()
				for b.Loop() {
					c.Summary(w, now)
					c.Summary(ThisStage, now)
				}
			})
		}
	}
}

// BenchmarkFirstLook is the first look at a window of a collector that has seen a million requests and none of its
// windows: the longest that a key press can take.
func BenchmarkFirstLook(b *testing.B) {
	for _, w := range []Window{Last30s, Last5m, ThisStage, WholeRun} {
		b.Run(w.String(), func(b *testing.B) {
			var looking time.Duration
			for range b.N {
				c, now := manyRequests(1_000_000)
				began := time.Now()
				c.Summary(w, now)
				looking += time.Since(began)
			}
			b.ReportMetric(float64(looking.Microseconds())/float64(b.N), "µs/look")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkRescore is what the change of an SLO threshold costs.
func BenchmarkRescore(b *testing.B) {
	c, _ := manyRequests(1_000_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.SetCriteria(slo.Criteria{slo.TTFT: time.Duration(100+i%2) * ms, slo.TPOT: 10 * ms})
	}
}

// BenchmarkStageMisses is what an autopilot asks of each objective at every tick: mostly the same as the tick before, and
// now and then of a limit that was turned.
func BenchmarkStageMisses(b *testing.B) {
	c, _ := manyRequests(1_000_000)
	for _, m := range []slo.Metric{slo.TTFT, slo.E2EL, slo.ITL} {
		b.Run(m.String()+"/again", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.StageMisses(slo.Objective{Metric: m, Limit: 100 * ms})
			}
		})
		b.Run(m.String()+"/turned", func(b *testing.B) {
			b.ReportAllocs()
			for limit := ms; b.Loop(); limit++ {
				c.StageMisses(slo.Objective{Metric: m, Limit: limit})
			}
		})
	}
}

// BenchmarkFirstPooledSummary is of 200 stages of one load with 5000 requests each, which have no spectra so far.
func BenchmarkFirstPooledSummary(b *testing.B) {
	c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 100 * ms})
	var now time.Duration
	var all []int
	for range 200 {
		n := c.OpenStage(at(now))
		all = append(all, n)
		c.MarkSteady(at(now))
		for i := range 5000 {
			s := closed(now+time.Duration(i)*500*time.Microsecond, 50*ms, 10*ms, 2)
			s.stage = n
			play(c, s)
		}
		now += 2700 * ms
		c.Fold(at(now))
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range c.stages {
			c.stages[i].parts[steady].many = nil
		}
		if s := c.PooledSummary(all, at(now)); s.TTFT.N != 1_000_000 {
			b.Fatalf("%d requests, want a million", s.TTFT.N)
		}
	}
}

// BenchmarkClosedStage is what a run keeps of each of its stages, of a few requests with many chunks: gaps of most lengths between
// 4 ms and 40 ms, and a few ten times as long.
func BenchmarkClosedStage(b *testing.B) {
	const stages = 500
	for range b.N {
		c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 100 * ms})
		random := rand.New(rand.NewPCG(1, 1))
		var before, after runtime.MemStats
		now := time.Duration(0)
		for n := range stages {
			if n == stages/5 { // by when the slices that windows reach back to have their memory
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
			number := c.OpenStage(at(now))
			for phase := range 2 {
				for i := range 10 {
					s := closed(now+time.Duration(i)*20*ms, 50*ms, 0, 200)
					for j := range s.gaps {
						s.gaps[j] = time.Duration(4*math.Exp(random.Float64()*math.Ln10)) * ms
						if random.IntN(100) == 0 {
							s.gaps[j] *= 10
						}
					}
					s.stage = number
					play(c, s)
				}
				now += 4 * time.Second
				c.Fold(at(now))
				if phase == 0 {
					c.MarkSteady(at(now))
				}
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(stages*4/5), "B/stage")
		runtime.KeepAlive(c)
	}
}

func itoa(n int) string {
	switch n {
	case 1_000_000:
		return "1M"
	case 100_000:
		return "100k"
	}
	return "10k"
}
