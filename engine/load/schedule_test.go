// This file tests the arrival processes and the backlog on their own.

package load

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
)

func TestPoissonGapsHaveTheirMeanAndSpread(t *testing.T) {
	const n, rate = 200_000, 40.0
	s := schedule{random: rand.New(rand.NewPCG(1, 2))}
	s.restart(1, Setting{Mode: Open, Rate: rate, Arrival: Poisson})
	var sum, squares, short float64
	previous := record.Instant(1)
	for range n {
		gap := float64(s.next-previous) / 1e9
		sum, squares = sum+gap, squares+gap*gap
		if gap < 1/rate {
			short++
		}
		previous = s.next
		s.advance()
	}
	mean := sum / n
	cv := math.Sqrt(squares/n-mean*mean) / mean
	// Four standard errors: of a mean of n exponential gaps it is 1/√n, of their coefficient of variation as well.
	tolerance := 4 / math.Sqrt(n)
	if math.Abs(mean*rate-1) > tolerance || math.Abs(cv-1) > tolerance {
		t.Errorf("mean %.4f of the wanted one, coefficient of variation %.4f", mean*rate, cv)
	}
	if share := short / n; math.Abs(share-(1-1/math.E)) > 0.005 {
		t.Errorf("%.4f of the gaps are shorter than the mean, want 1-1/e", share)
	}
}

func TestScheduleDoesNotDrift(t *testing.T) {
	s := schedule{}
	s.restart(1, Setting{Mode: Open, Rate: 3, Arrival: Constant}) // a gap that is no whole number of nanoseconds
	for range 3*3600*24 - 1 {
		s.advance()
	}
	if off := s.next.Elapsed().Seconds() - 24*3600; math.Abs(off) > 1e-6 {
		t.Errorf("a day's last arrival is %v s off", off)
	}
}

func TestParseArrival(t *testing.T) {
	for name, want := range map[string]Arrival{"constant": Constant, " Poisson\n": Poisson} {
		if got, err := ParseArrival(name); got != want || err != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	_, err := ParseArrival("gauss")
	if want := `arrival "gauss" is not known: it is constant or poisson`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestBacklogIsAQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b backlog
		var model []record.Instant
		next := record.Instant(1)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 20).Draw(t, "n") {
					b.push(next)
					model = append(model, next)
					next++
				}
			},
			"pop": func(t *rapid.T) {
				for range min(rapid.IntRange(1, 20).Draw(t, "n"), len(model)) {
					if got := b.pop(); got != model[0] {
						t.Fatalf("popped %d, want %d", got, model[0])
					}
					model = model[1:]
				}
			},
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "rarely") > 0 {
					t.Skip()
				}
				if got := b.clear(); got != len(model) {
					t.Fatalf("cleared %d, want %d", got, len(model))
				}
				model = nil
			},
			"": func(t *rapid.T) {
				if b.len() != len(model) {
					t.Fatalf("length %d, want %d", b.len(), len(model))
				}
			},
		})
	})
}

// A backlog that is pushed and popped forever must not grow.
func TestBacklogUsesItsMemoryAgain(t *testing.T) {
	var b backlog
	for i := range record.Instant(100_000) {
		b.push(i)
		if i >= 100 {
			b.pop()
		}
	}
	if cap(b.waiting) > 512 {
		t.Errorf("a queue of 100 holds %d places", cap(b.waiting))
	}
}
