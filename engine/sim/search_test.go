// The autopilot's search against the model, in virtual time: does it find the highest concurrency that holds?

package sim

import (
	"math"
	"math/rand/v2"
	"os"
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
	slots   int            // that have sent their first request, which asks for a part of an answer
	part    func() float64 // of the first request of a slot, above 0 to 1

	stage          int
	opened, steady time.Duration // steady 0: it settles
	ended          int
	judged, missed int
	tokens         int           // of those judged
	e2el           time.Duration // the sum over ended
}

type sent struct {
	sent, first time.Duration
	stage       int
	steady      bool
}

func newBench(p Profile, l limits, lengths func() (int, int), seed uint64) *bench {
	r := rand.New(rand.NewPCG(seed, 2))
	return &bench{
		m: newModel(p), limits: l, lengths: lengths, running: make(map[*sequence]*sent),
		part: func() float64 { return 1 - r.Float64() },
	}
}

// turn opens a stage at a level.
func (b *bench) turn(level int) {
	b.level = level
	b.slots = min(b.slots, level)
	b.stage++
	b.opened, b.steady = b.now, 0
	b.ended, b.judged, b.missed, b.tokens, b.e2el = 0, 0, 0, 0, 0
}

// fill sends what is missing. The first request of a slot asks for a part of its answer, so that slots enter out of phase.
func (b *bench) fill() {
	for len(b.running) < b.level {
		prompt, output := b.lengths()
		if b.slots < b.level {
			b.slots++
			output = int(math.Ceil(b.part() * float64(output)))
		}
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
			b.tokens += s.output
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
		s.Requests, s.Output = float64(b.judged)/s.Steady.Seconds(), float64(b.tokens)/s.Steady.Seconds()
	}
	return s
}

// missShare measures one level on a server of its own.
func missShare(p Profile, l limits, lengths func() (int, int), level, requests int) float64 {
	b := newBench(p, l, lengths, uint64(level))
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

// trueBest measures every level until three in a row miss. It returns the highest that holds and the shares that miss.
func trueBest(p Profile, l limits, lengths func() (int, int), requests int) (best int, shares []float64) {
	const most = 80
	shares = []float64{0}
	for level, inARow := 1, 0; level <= most && inARow < 3; level++ {
		share := missShare(p, l, lengths, level, requests)
		shares = append(shares, share)
		if share <= mayMiss {
			best, inARow = level, 0
		} else {
			inARow++
		}
	}
	return best, shares
}

// searched lets a search loose on a server, and returns its result and the requests that it sent.
func searched(t *testing.T, p Profile, l limits, lengths func() (int, int), seed uint64, effort stage.Effort) (stage.Result, int) {
	t.Helper()
	const mostSent = 50_000 // many times what any search takes
	b := newBench(p, l, lengths, seed)
	pilot, err := stage.NewSearch(stage.Concurrency, stage.Range{}, effort)
	if err != nil {
		t.Fatal(err)
	}
	d := pilot.Next(stage.Status{})
	for tick := time.Duration(0); !d.Done; {
		if b.sent > mostSent {
			t.Fatalf("the search is not done after %d requests, at level %g", b.sent, d.Level)
		}
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
	res, _ := pilot.Result()
	return res, b.sent
}

func TestSearchFindsTheHighestConcurrencyThatHolds(t *testing.T) {
	servers := 10 // a search that is wrong is wrong on most of them
	if os.Getenv("TOKDYNO_CALIBRATE") != "" {
		servers = 50
	}
	mayBeOff := servers / 25
	for _, set := range []struct {
		name     string
		requests int // at each level
		lengths  func(*rand.Rand) func() (prompt, output int)
		atMost   int // requests a search
	}{
		{"of one length", 100, func(*rand.Rand) func() (int, int) {
			return func() (int, int) { return 256, 16 }
		}, 492},
		{"without chance", 100, func(*rand.Rand) func() (int, int) {
			i := 0
			return func() (int, int) {
				i++
				return 240 + 37*i%32, 12 + 7*i%9
			}
		}, 492},
		{"varied", 300, func(r *rand.Rand) func() (int, int) { // 1 % of 100 is one request, which tells little
			return func() (int, int) { return 100 + r.IntN(312), 8 + r.IntN(16) }
		}, 1200},
	} {
		t.Run(set.name, func(t *testing.T) {
			off, sent := 0, 0
			for seed := range uint64(servers) {
				r := rand.New(rand.NewPCG(seed, 1))
				p, l := anyServer(r)
				lengths := set.lengths(r)
				best, shares := trueBest(p, l, lengths, 4*set.requests)
				res, n := searched(t, p, l, lengths, seed, stage.Effort{
					Requests: set.requests, Steady: time.Second, Longest: time.Hour, Patience: time.Hour,
				})
				sent += n
				found := int(res.Level)
				tolerance := max(1, int(math.Ceil(stage.Tolerance*float64(best))))
				if d := found - best; d >= -tolerance && d <= tolerance {
					continue
				}
				off++
				t.Logf("server %d: found c=%d, best c=%d (shares missed %.3f, %.3f): %s", seed, found, best,
					shares[min(found, len(shares)-1)], shares[best], res.Sentence)
			}
			t.Logf("%d of %d outside the tolerance; %d requests a search, %d in all", off, servers, sent/servers, sent)
			if off > mayBeOff || sent > servers*set.atMost {
				t.Errorf("%d of %d outside the tolerance, %d are too many; %d requests, at most %d", off, servers, mayBeOff+1, sent, servers*set.atMost)
			}
		})
	}
}
