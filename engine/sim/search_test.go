// The autopilot's search against the model, in virtual time: does it find the highest concurrency that holds?

package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tokdyno/engine/stage"
)

// limits are an SLO for single requests, of which one in a hundred may miss.
type limits struct{ ttft, tpot time.Duration }

const mayMiss = 0.01

// bench is a closed loop on a model in virtual time, of which the level can be turned.
type bench struct {
	m       *model
	limits  limits
	lengths func() (prompt, output int)
	now     time.Duration
	level   int
	running map[*sequence]*sent
	sent    int

	stage          int
	opened, steady time.Duration // steady 0: it settles
	ended          int
	judged, missed int
	e2el           time.Duration // the sum over ended
}

type sent struct {
	sent, first time.Duration
	stage       int
	steady      bool
}

func newBench(p Profile, l limits, lengths func() (int, int)) *bench {
	return &bench{m: newModel(p), limits: l, lengths: lengths, running: make(map[*sequence]*sent)}
}

// turn opens a stage at a level.
func (b *bench) turn(level int) {
	b.level = level
	b.stage++
	b.opened, b.steady = b.now, 0
	b.ended, b.judged, b.missed, b.e2el = 0, 0, 0, 0
}

func (b *bench) fill() {
	for len(b.running) < b.level {
		prompt, output := b.lengths()
		s := &sequence{prompt: prompt, output: output}
		b.running[s] = &sent{sent: b.now, stage: b.stage, steady: b.steady > 0}
		b.m.submit(s)
		b.sent++
	}
}

// step runs the model for one step.
func (b *bench) step() {
	b.fill()
	plan, ok := b.m.begin()
	if !ok {
		panic("the model is idle")
	}
	b.now += plan.cost
	for _, s := range b.m.end(nil) {
		f := b.running[s]
		if s.generated == 1 {
			f.first = b.now
		}
		if s.state != seqGone {
			continue
		}
		delete(b.running, s)
		if f.stage != b.stage {
			continue
		}
		b.ended++
		b.e2el += b.now - f.sent
		if f.steady {
			b.judged++
			tpot := (b.now - f.first) / time.Duration(s.output-1)
			if f.first-f.sent > b.limits.ttft || tpot > b.limits.tpot {
				b.missed++
			}
		}
		if b.steady == 0 && b.ended >= b.level {
			b.steady = b.now
		}
	}
}

func (b *bench) status() stage.Status {
	s := stage.Status{
		Now: b.now, Stage: b.stage, Level: float64(b.level), Age: b.now - b.opened, Settled: b.steady > 0,
		InFlight: len(b.running), Ended: b.ended, Judged: b.judged,
		Goals: []stage.Goal{{Name: "slo", Allowed: mayMiss, Judged: b.judged, Missed: b.missed}},
	}
	if b.ended > 0 {
		s.MeanE2EL = b.e2el / time.Duration(b.ended)
	}
	if b.judged > 0 {
		s.Steady = b.now - b.steady
		s.Requests = float64(b.judged) / s.Steady.Seconds()
	}
	return s
}

// missShare measures one level on a server of its own.
func missShare(p Profile, l limits, lengths func() (int, int), level, requests int) float64 {
	b := newBench(p, l, lengths)
	b.turn(level)
	for b.judged < requests {
		b.step()
	}
	return float64(b.missed) / float64(b.judged)
}

// anyServer is a server and an SLO that it holds at some concurrency and not at every one.
func anyServer(r *rand.Rand) (Profile, limits) {
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }
	p := smallGPU()
	p.MaxNumSeqs = int(between(6, 64))
	p.StepBase = time.Duration(between(3, 20) * 1e6)
	p.StepPerSeq = time.Duration(between(0.05, 1) * 1e6)
	p.StepPerKVToken = between(20, 500)
	p.PrefillTokensPerSecond = between(2e3, 4e4)
	p.MaxBatchedTokens = 2048
	p.KVBlocks = 20_000
	return p, limits{
		ttft: time.Duration(between(0.1, 2) * 1e9),
		tpot: time.Duration(between(1.2, 3) * float64(p.StepBase)),
	}
}

func TestSearchFindsTheHighestConcurrencyThatHolds(t *testing.T) {
	const servers, most = 16, 80
	for _, noisy := range []bool{false, true} {
		t.Run(fmt.Sprintf("chance: %v", noisy), func(t *testing.T) {
			off, searched, laddered := 0, 0, 0
			for seed := range uint64(servers) {
				r := rand.New(rand.NewPCG(seed, 1))
				p, l := anyServer(r)
				i := 0
				lengths := func() (int, int) {
					if noisy {
						return 100 + r.IntN(312), 8 + r.IntN(16)
					}
					// Without chance, but not all the same: requests of one length march in step, and then how a level
					// does depends on how it was come by.
					i++
					return 240 + 37*i%32, 12 + 7*i%9
				}
				requests := 100
				if noisy {
					requests = 300 // 1 % of 100 is one request, which tells little
				}
				// By hand: every level, until three in a row miss.
				shares, best, inARow := []float64{0}, 0, 0
				for level := 1; level <= most && inARow < 3; level++ {
					share := missShare(p, l, lengths, level, 4*requests)
					shares = append(shares, share)
					laddered += 4 * requests
					if share <= mayMiss {
						best, inARow = level, 0
					} else {
						inARow++
					}
				}

				b := newBench(p, l, lengths)
				pilot, err := stage.NewSearch(stage.Concurrency, stage.Range{Most: most}, stage.Effort{
					Requests: requests, Steady: time.Second, Longest: time.Hour, Patience: time.Hour,
				})
				if err != nil {
					t.Fatal(err)
				}
				d := pilot.Next(stage.Status{})
				for tick := time.Duration(0); !d.Done; {
					if d.Moved {
						b.turn(int(d.Level))
						d.Moved = false
					}
					if b.step(); b.now < tick {
						continue
					}
					tick = b.now + 100*time.Millisecond
					d = pilot.Next(b.status())
				}
				searched += b.sent
				res, _ := pilot.Result()
				found := 0
				if res.Found {
					found = int(res.Level)
				}
				tolerance := max(1, int(math.Ceil(stage.Tolerance*float64(best))))
				if d := found - best; d >= -tolerance && d <= tolerance {
					continue
				}
				off++
				// What is found must be as good as chance lets one tell: its true share is near the line.
				if share := shares[min(found, len(shares)-1)]; share > 3*mayMiss {
					t.Errorf("server %d: found c=%d, where %.1f %% miss; best is c=%d: %s", seed, found, 100*share, best, res.Sentence)
				}
				t.Logf("server %d: found c=%d, best c=%d (shares missed %.3f, %.3f)", seed, found, best,
					shares[min(found, len(shares)-1)], shares[best])
			}
			t.Logf("%d of %d outside the tolerance; %d requests searched, %d for every level", off, servers, searched, laddered/4)
			if allowed := map[bool]int{false: 0, true: 1}[noisy]; off > allowed {
				t.Errorf("%d of %d outside the tolerance, %d are too many", off, servers, allowed)
			}
		})
	}
}
