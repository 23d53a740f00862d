package load

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
)

// residuals runs a closed loop whose requests take a second, or their share of it, and returns what each was told, in
// order of start, up to the end of the run. turn is called at 10 s.
func residuals(t *testing.T, seed uint64, s Setting, b Budget, turn func(*Pool)) (told []float64, taken []time.Duration) {
	t.Helper()
	clock := record.NewClock()
	var mu sync.Mutex
	jobs := make(map[uint64]Job)
	pool := bubblePool(clock, seed, s, b, func(ctx context.Context, job Job) {
		mu.Lock()
		jobs[job.Seq] = job
		mu.Unlock()
		life := time.Second
		if job.Residual > 0 {
			life = time.Duration(job.Residual * float64(life))
		}
		select {
		case <-time.After(life):
		case <-ctx.Done():
		}
	})
	turned := make(chan struct{})
	go func() {
		defer close(turned)
		time.Sleep(10*time.Second + time.Millisecond)
		turn(pool)
		time.Sleep(10 * time.Second)
		pool.Drain()
	}()
	if err := pool.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-turned
	for seq := range uint64(len(jobs)) {
		told = append(told, jobs[seq+1].Residual)
		taken = append(taken, jobs[seq+1].Taken.Elapsed())
	}
	return told, taken
}

func leaveAlone(*Pool) {}

func count(told []float64) (n int) {
	for _, r := range told {
		if r > 0 {
			n++
		}
	}
	return n
}

func TestOnlyTheFirstRequestOfEachSlotIsResidual(t *testing.T) {
	with := func(s Setting, change func(*Setting)) Setting {
		change(&s)
		return s
	}
	tests := []struct {
		name        string
		at          Setting
		budget      Budget
		turn        func(*Pool)
		first, more int // residual ones among the first of them, and after
	}{
		{"at the start", closed(8), Budget{}, leaveAlone, 8, 0},
		{"slots that are added", closed(8), Budget{}, func(p *Pool) { p.Set(closed(12)) }, 8, 4},
		{"slots that go", closed(8), Budget{}, func(p *Pool) { p.Set(closed(3)) }, 8, 0},
		{
			"slots that go and come before their requests have ended", closed(8),
			Budget{},
			func(p *Pool) { p.Set(closed(3)); p.Set(closed(8)) }, 8, 0,
		},
		{
			"slots that go and come later", closed(8),
			Budget{},
			func(p *Pool) { p.Set(closed(3)); time.Sleep(2 * time.Second); p.Set(closed(8)) }, 8, 5,
		},
		{
			"after a pause all begin anew", closed(8),
			Budget{},
			func(p *Pool) { p.Pause(true); time.Sleep(2 * time.Second); p.Pause(false) }, 8, 8,
		},
		{"of an open loop that is closed, those beside what it left", open(5, 0), Budget{}, func(p *Pool) { p.Set(closed(8)) }, 0, 3},
		{"of a ramp, as each is reached", with(closed(8), func(s *Setting) { s.Ramp = Ramp{Linear, 5 * time.Second} }), Budget{}, leaveAlone, 0, 8},
		{"a start together has none", with(closed(8), func(s *Setting) { s.Together = true }), Budget{}, leaveAlone, 0, 0},
		{"a loop of one has nobody to be in step with", closed(1), Budget{}, leaveAlone, 0, 0},
		{"a budget of nothing but first requests is for whole ones", closed(8), Budget{Requests: 8}, leaveAlone, 0, 0},
		{"one request more, and they are out of phase", closed(8), Budget{Requests: 9}, leaveAlone, 8, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told, _ := residuals(t, 1, tt.at, tt.budget, tt.turn)
				cut := min(8, len(told))
				if tt.first == 0 {
					cut = 0
				}
				if first, more := count(told[:cut]), count(told[cut:]); first != tt.first || more != tt.more {
					t.Errorf("%d of the first and %d of the other requests are residual, want %d and %d: %v", first, more, tt.first, tt.more, told)
				}
			})
		})
	}
}

// Slots that began together would all be taken up at the same instants; begun fairly they are spread over the second that
// a request takes, and stay so.
func TestAFairStartPutsSlotsOutOfPhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const slots = 64
		_, taken := residuals(t, 3, closed(slots), Budget{}, leaveAlone)
		var sin, cos float64
		for _, at := range taken[len(taken)-slots:] {
			y, x := math.Sincos(2 * math.Pi * at.Seconds())
			sin, cos = sin+y, cos+x
		}
		if r := math.Hypot(sin, cos) / slots; r > 0.3 {
			t.Errorf("R = %.2f of %d requests", r, slots)
		}
	})
}

func TestTheDrawIsUniformAndOfTheSeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		n := rapid.IntRange(500, 2000).Draw(t, "slots")
		draw := func(seed uint64) (shares []float64) {
			f := newFairStart(seed)
			for i := range n {
				shares = append(shares, f.next(i, closed(n), Budget{}))
			}
			return shares
		}
		shares := draw(seed)
		if !slices.Equal(shares, draw(seed)) || slices.Equal(shares, draw(seed+1)) {
			t.Fatal("the same seed gives another sequence, or another the same")
		}
		slices.Sort(shares)
		if shares[0] <= 0 || shares[n-1] > 1 {
			t.Fatalf("shares from %v to %v", shares[0], shares[n-1])
		}
		var far float64 // Kolmogorov's distance from the uniform distribution
		for i, u := range shares {
			far = max(far, u-float64(i)/float64(n), float64(i+1)/float64(n)-u)
		}
		if limit := 2.5 / math.Sqrt(float64(n)); far > limit { // P < 10⁻⁵
			t.Fatalf("the draw is %v from uniform, more than %v", far, limit)
		}
	})
}
