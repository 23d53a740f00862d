package slo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestDecideByTheExamples(t *testing.T) {
	tests := []struct {
		good, n, inFlight int
		target            float64
		want              Verdict
		needed            int
	}{
		{0, 0, 0, 0.99, Unknown, 100},
		{2, 2, 0, 0.99, Unknown, 100},
		{99, 99, 0, 0.99, Unknown, 100},
		{100, 100, 0, 0.99, Held, 100},
		{99, 100, 0, 0.99, Held, 100},
		{98, 100, 0, 0.99, Missed, 100},
		{5, 10, 8, 0.99, Missed, 100},   // P < 10⁻⁷
		{5, 10, 11, 0.99, Unknown, 100}, // not as many as are in flight
		{0, 9, 0, 0.99, Unknown, 100},   // fewer than ten
		{9, 10, 0, 0.99, Unknown, 100},  // P = 0.096
		{8, 10, 0, 0.99, Missed, 100},   // P = 0.0043
		{19, 20, 0, 0.95, Held, 20},
		{18, 20, 0, 0.95, Missed, 20},
		{999, 1000, 0, 0.999, Held, 1000},
		{998, 999, 0, 0.999, Unknown, 1000}, // P = 0.63
		{1, 1, 0, 0.5, Unknown, 2},
		{100, 100, 0, 1, Held, 100},
		{9, 10, 0, 1, Missed, 100}, // P = 0
	}
	for _, tt := range tests {
		j := Decide(tt.good, tt.n, tt.inFlight, tt.target)
		if j.Verdict != tt.want || j.Needed != tt.needed || (j.Why == "") == (tt.want == Unknown) {
			t.Errorf("%d of %d at %g with %d in flight: %+v, want %s of %d", tt.good, tt.n, tt.target, tt.inFlight, j, tt.want, tt.needed)
		}
	}
}

func TestIntervalOfAHundred(t *testing.T) {
	low, high, ok := Decide(100, 100, 0, 0.99).Interval()
	if !ok || math.Round(1000*low) != 963 || high != 1 {
		t.Errorf("%g, %g, %v", low, high, ok)
	}
}

// TestAVerdictIsEarned: held and missed never go without the numbers behind them.
func TestAVerdictIsEarned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 2000).Draw(t, "n")
		good := rapid.IntRange(0, n).Draw(t, "good")
		inFlight := rapid.IntRange(0, 50).Draw(t, "in flight")
		target := rapid.SampledFrom([]float64{0.5, 0.9, 0.95, 0.99, 0.999, 1}).Draw(t, "target")
		j := Decide(good, n, inFlight, target)
		within := float64(good) >= target*float64(n)-1e-6
		switch j.Verdict {
		case Held:
			if n < j.Needed || !within {
				t.Fatalf("%+v", j)
			}
		case Missed:
			if n < fewestBad && n < j.Needed || within && target < 1 {
				t.Fatalf("%+v", j)
			}
		default:
			if n >= j.Needed {
				t.Fatalf("%+v", j)
			}
		}
		if d := j.Doubted("settling"); d.Verdict != Unknown || d.Why != "settling" || d.N != n {
			t.Fatalf("doubted: %+v", d)
		}
	})
}

func TestAll(t *testing.T) {
	tests := []struct {
		of   []Verdict
		want Verdict
	}{
		{nil, NoVerdict},
		{[]Verdict{NoVerdict, NoVerdict}, NoVerdict},
		{[]Verdict{NoVerdict, Held}, Held},
		{[]Verdict{Held, Unknown, Held}, Unknown},
		{[]Verdict{Unknown, Missed}, Missed},
		{[]Verdict{Missed, Held}, Missed},
	}
	for _, tt := range tests {
		if got := All(tt.of...); got != tt.want {
			t.Errorf("All(%v) = %s, want %s", tt.of, got, tt.want)
		}
	}
}

func TestATallyIsJudgedByWhatCouldBeMeasured(t *testing.T) {
	limits := Criteria{TTFT: 1, TPOT: 1}
	tally := Tally{OK: 100, Good: 98, Missed: [metrics]int{1, 2, 0}, Measured: [metrics]int{100, 60, 100}, Failed: 1}
	if j := tally.Decide(limits, 0.95, 0); j.Verdict != Held || j.N != 101 {
		t.Errorf("all: %+v", j)
	}
	if j := tally.DecideOn(TPOT, limits, 0.95, 0); j.Verdict != Held || j.N != 61 || j.Good != 58 {
		t.Errorf("tpot: %+v", j)
	}
	if j := tally.DecideOn(TPOT, limits, 0.999, 0); j.Verdict != Missed {
		t.Errorf("tpot at 99.9 %%: %+v", j)
	}
	if j := tally.DecideOn(E2EL, limits, 0.95, 0); j != (Judgement{}) {
		t.Errorf("e2el has no limit: %+v", j)
	}
	if j := tally.Decide(Criteria{}, 0.95, 0); j != (Judgement{}) {
		t.Errorf("no SLO: %+v", j)
	}
	silent := Tally{OK: 200, Good: 200}
	if j := silent.Decide(limits, 0.95, 0); j.Verdict != Unknown || j.Why != "none of its metrics could be measured" {
		t.Errorf("nothing measured: %+v", j)
	}
}

// A limit that all who were answered keep is missed by those that failed, and one that they miss is not.
func TestAMissMayBeOfErrorsAlone(t *testing.T) {
	tally := Tally{OK: 100, Failed: 10, Good: 100}
	tally.Measured[TTFT], tally.Measured[TPOT], tally.Missed[TPOT] = 100, 100, 5
	if !tally.MissedByErrors(TTFT, 0.99) || tally.MissedByErrors(TPOT, 0.99) {
		t.Errorf("TTFT %v, TPOT %v", tally.MissedByErrors(TTFT, 0.99), tally.MissedByErrors(TPOT, 0.99))
	}
	if tally.Failed = 0; tally.MissedByErrors(TTFT, 0.99) {
		t.Error("nothing failed")
	}
}
