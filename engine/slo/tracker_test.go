package slo

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func mustParse(t interface{ Fatal(...any) }, text string) Objectives {
	list, err := ParseObjectives(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// latencies makes a measure that hands out one latency after another; below zero means no samples.
func latencies(values ...time.Duration) func(Objective) Measured {
	return func(Objective) Measured {
		v := values[0]
		values = values[1:]
		if v < 0 {
			return Measured{}
		}
		return Measured{Latency: v, N: 100}
	}
}

func TestAnObjectiveIsJudgedOnceASecond(t *testing.T) {
	var k Tracker
	k.Set(mustParse(t, "ttft p99 <= 500ms over 5m for 99.9%"))
	calls := 0
	for now := 5 * time.Second; now < 15*time.Second; now += 100 * time.Millisecond {
		k.Judge(now, func(o Objective) Measured {
			calls++
			return Measured{Latency: 500 * time.Millisecond, N: 100}
		})
	}
	if s := k.Standings()[0]; calls != 10 || s.Judged != 10 || s.Held != 10 || s.Verdict != Held {
		t.Errorf("%d calls, %+v", calls, s)
	}
	k.Judge(time.Minute, latencies(501*time.Millisecond)) // the seconds in between have no verdict
	k.Judge(time.Minute+999*time.Millisecond, latencies())
	if s := k.Standings()[0]; s.Judged != 11 || s.Held != 10 || s.Verdict != Missed {
		t.Errorf("after a gap: %+v", s)
	}
}

func TestWhatIsNotKnownCountsNeitherWay(t *testing.T) {
	var k Tracker
	k.Set(mustParse(t, "ttft p99 <= 1s; errors <= 10%"))
	s := k.Standings()[0]
	if _, ok := s.Attainment(); ok {
		t.Error("an attainment of nothing")
	}
	if _, ok := s.Budget(); ok {
		t.Error("a budget of nothing")
	}
	if j := s.Overall(); j.Verdict != Unknown || j.Why != "0 of 100" {
		t.Errorf("a verdict on nothing: %+v", j)
	}
	for i := range 4 {
		k.Judge(time.Duration(i)*time.Second, func(o Objective) Measured {
			switch {
			case o.Metric == ErrorRate:
				return Measured{Errors: 0.05 * float64(i), N: 20}
			case i == 3:
				return Measured{Latency: 2 * time.Second, N: 99} // of which none may be over: too few for a P99
			}
			return Measured{Latency: time.Second, N: 100}
		})
	}
	if s := k.Standings()[0]; s.Judged != 3 || s.Held != 3 || s.Verdict != Unknown {
		t.Errorf("ttft: %+v", s)
	}
	if s := k.Standings()[1]; s.Judged != 4 || s.Held != 3 || s.Verdict != Missed || s.Latest.N != 20 {
		t.Errorf("errors: %+v", s)
	}
}

func TestErrorBudget(t *testing.T) {
	tests := []struct {
		target       float64
		judged, held int
		left         float64
		ok, met      bool
	}{
		{0.99, 100, 100, 1, true, true},
		{0.99, 100, 99, 0, true, true},
		{0.99, 100, 98, -1, true, false},
		{0.9, 50, 48, 0.6, true, true},
		{1, 50, 50, 0, false, true},
		{1, 50, 49, 0, false, false},
	}
	for _, tt := range tests {
		s := Standing{Objective: Objective{Target: tt.target}, Judged: tt.judged, Held: tt.held}
		left, ok := s.Budget()
		want := Held
		if !tt.met {
			want = Missed
		}
		if j := s.Overall(); math.Abs(left-tt.left) > 1e-9 || ok != tt.ok || j.Verdict != want || j.N != tt.judged {
			t.Errorf("%+v: left %v, %v, %+v", tt, left, ok, j)
		}
	}
}

func TestASecondNeedsEnoughRequests(t *testing.T) {
	ms := time.Millisecond
	tests := []struct {
		objective string
		measured  Measured
		want      Verdict
	}{
		{"ttft p99 <= 10ms", Measured{Latency: 5 * ms, N: 99}, Unknown},
		{"ttft p99 <= 10ms", Measured{Latency: 5 * ms, N: 100}, Held},
		{"ttft p95 <= 10ms", Measured{Latency: 11 * ms, N: 20}, Missed},
		{"ttft p99.9 <= 10ms", Measured{Latency: 5 * ms, N: 999}, Unknown},
		{"ttft p50 <= 10ms", Measured{Latency: 5 * ms, N: 2}, Held},
		{"errors <= 1%", Measured{Errors: 0, N: 99}, Unknown},
		{"errors <= 1%", Measured{Errors: 0.01, N: 100}, Held},
		{"errors <= 1%", Measured{Errors: 0.5, N: 10}, Missed}, // not by chance
		{"errors <= 0%", Measured{Errors: 0, N: 100}, Held},
	}
	for _, tt := range tests {
		var k Tracker
		k.Set(mustParse(t, tt.objective))
		k.Judge(0, func(Objective) Measured { return tt.measured })
		s := k.Standings()[0]
		if counted := s.Judged == 1; s.Verdict != tt.want || counted == (tt.want == Unknown) || s.Held != one(tt.want == Held) {
			t.Errorf("%s, %+v: %+v, want %s", tt.objective, tt.measured, s, tt.want)
		}
	}
}

// TestATurnedLimitScoresWhatWasMeasured compares with judging everything by the new limit from the start.
func TestATurnedLimitScoresWhatWasMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-1, 20),
			func(n int) time.Duration { return time.Duration(n) * time.Millisecond }), 1, 50).Draw(t, "values")
		turned, fresh := new(Tracker), new(Tracker)
		turned.Set(mustParse(t, "ttft p99 <= 5ms for 90%"))
		fresh.Set(mustParse(t, "tpot p50 <= 1ms; ttft p99 <= 12ms for 50%"))
		for i, v := range values {
			if v == 0 {
				values[i] = 1
			}
			turned.Judge(time.Duration(i)*time.Second, latencies(values[i]))
			fresh.Judge(time.Duration(i)*time.Second, latencies(-1, values[i]))
		}
		turned.Set(mustParse(t, "tpot p50 <= 1ms; ttft p99 <= 12ms for 50%"))
		if got, want := turned.Standings()[1], fresh.Standings()[1]; got != want {
			t.Fatalf("turned %+v, fresh %+v", got, want)
		}
	})
}

func TestAnotherPercentileOrWindowStartsAfresh(t *testing.T) {
	for _, changed := range []string{"ttft p95 <= 1s", "ttft p99 <= 1s over 1m", "tpot p99 <= 1s"} {
		var k Tracker
		k.Set(mustParse(t, "ttft p99 <= 1s"))
		k.Judge(0, latencies(time.Second))
		k.Set(mustParse(t, changed))
		if s := k.Standings()[0]; s.Judged != 0 || s.Verdict != Unknown {
			t.Errorf("%s: %+v", changed, s)
		}
	}
}

func TestVerdictsOlderThanAnHourCountUntilALimitIsTurned(t *testing.T) {
	var k Tracker
	k.Set(mustParse(t, "ttft p99 <= 10ms for 90%"))
	const hours = 2 * keepVerdicts
	for i := range hours + 7 { // every tenth second misses
		latency := 10 * time.Millisecond
		if i%10 == 9 {
			latency = 20 * time.Millisecond
		}
		k.Judge(time.Duration(i)*time.Second, latencies(latency))
	}
	if s := k.Standings()[0]; s.Judged != hours+7 || s.Held != hours*9/10+7 {
		t.Errorf("%+v", s)
	}
	k.Set(mustParse(t, "ttft p99 <= 10ms for 99%")) // another target leaves them
	if s := k.Standings()[0]; s.Judged != hours+7 || s.Held != hours*9/10+7 {
		t.Errorf("another target: %+v", s)
	}
	k.Set(mustParse(t, "ttft p99 <= 9ms for 99%"))
	if s := k.Standings()[0]; s.Judged != keepVerdicts || s.Held != 0 || s.Verdict != Missed {
		t.Errorf("another limit: %+v", s)
	}
}

func BenchmarkTrackerJudge(b *testing.B) {
	var k Tracker
	k.Set(mustParse(b, "ttft p99 <= 10ms; tpot p95 <= 40ms; errors <= 1%"))
	b.ReportAllocs()
	for i := range b.N {
		k.Judge(time.Duration(i)*time.Second, func(Objective) Measured { return Measured{Latency: time.Millisecond, N: 100} })
	}
}

func TestFit(t *testing.T) {
	tests := []struct {
		name string
		in   Tails
		want string
	}{
		{"a tenth more, rounded up", Tails{TTFT: {100, 210 * time.Millisecond}, TPOT: {1000, 22 * time.Millisecond}}, "ttft=250ms tpot=25ms"},
		{"a chosen number stays", Tails{E2EL: {100, 2 * time.Second}}, "e2el=2.5s"},
		{"up to the next power of ten", Tails{E2EL: {100, 8500 * time.Millisecond}}, "e2el=10s"},
		{"too few are left out", Tails{TTFT: {99, time.Second}, TPOT: {100, 9 * time.Millisecond}}, "tpot=10ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Fit(tt.in)
			if err != nil || got.String() != tt.want {
				t.Errorf("%v, %v, want %s", got, err, tt.want)
			}
		})
	}
	_, err := Fit(Tails{TTFT: {37, time.Second}, TPOT: {12, time.Second}})
	if want := "an SLO can be fitted after 100 requests at this load; there are 37, so wait a little"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestFitKeepsItsMargin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p99 := time.Duration(rapid.Int64Range(1000, int64(time.Hour)).Draw(t, "p99"))
		c, err := Fit(Tails{TPOT: {N: FitSamples, P99: p99}})
		if err != nil || 10*c[TPOT] < 11*p99 || float64(c[TPOT]) > 1.1*1.34*float64(p99) {
			t.Fatalf("%v became %v, %v", p99, c[TPOT], err)
		}
	})
}
