// This file tests the timetable on its own.

package load

import (
	"math"
	"math/rand/v2"
	"testing"

	"tokdyno/engine/record"
)

func TestPoissonGapsHaveTheirMeanAndSpread(t *testing.T) {
	const n, rate = 200_000, 40.0
	s := schedule{random: rand.New(rand.NewPCG(1, 2))}
	s.open(1, Poisson, slope{to: rate})
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
	s.open(1, Constant, slope{to: 3}) // a gap that is no whole number of nanoseconds
	for range 3*3600*24 - 1 {
		s.advance()
	}
	if off := s.next.Elapsed().Seconds() - 24*3600; math.Abs(off) > 1e-6 {
		t.Errorf("a day's last arrival is %v s off", off)
	}
}
