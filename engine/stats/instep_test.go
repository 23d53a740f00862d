package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// turning are the sends of slots that begin at phases, each a period after the one before, up to a number of them.
func turning(phases []time.Duration, period time.Duration, n int) (sent []record.Instant) {
	for turn := time.Duration(0); len(sent) < n; turn++ {
		for _, phase := range phases {
			sent = append(sent, at(time.Minute+phase+turn*period))
		}
	}
	slices.Sort(sent)
	return sent[:n]
}

func TestInStepWorkedExamples(t *testing.T) {
	const period = 2800 * ms
	spread := make([]time.Duration, 8)
	for i := range spread {
		spread[i] = time.Duration(i) * period / 8
	}
	wave := make([]time.Duration, 8)
	for i := range wave {
		wave[i] = time.Duration(i) * 20 * ms // one prefill after the other
	}
	pairs := slices.Concat(make([]time.Duration, 4), []time.Duration{period / 2, period / 2, period / 2, period / 2})
	tests := []struct {
		name   string
		phases []time.Duration
		sends  int
		want   float64
		n      int
	}{
		{"all at once", make([]time.Duration, 8), 24, 1, 20},
		{"a wave 140 ms long", wave, 24, 0.995, 20},
		{"evenly spread", spread, 24, 0.131, 20}, // 16 of the 20 cancel out, 4 neighbours are left
		{"two waves, half a turn apart", pairs, 24, 0.2, 20},
		{"as many as it takes", make([]time.Duration, 8), 20, 1, 20},
		{"one too few", make([]time.Duration, 8), 19, 0, 0},
		{"twice the slots, where there are many", make([]time.Duration, 16), 40, 1, 32},
		{"all sent at the same instant: there is no turn", make([]time.Duration, 30), 30, 0, 0},
	}
	for _, tt := range tests {
		got := NewInStep(len(tt.phases), turning(tt.phases, period, tt.sends))
		if math.Abs(got.R-tt.want) > 0.001 || got.N != tt.n || got.Known() != (tt.n > 0) {
			t.Errorf("%s: %+v, want R = %.3f of %d", tt.name, got, tt.want, tt.n)
		}
	}
}

func TestInStepIsSaidOfFourThatMoveTogether(t *testing.T) {
	for _, tt := range []struct {
		of   InStep
		want string
	}{
		{InStep{8, 20, 0.966}, "8 requests move in step: R = 0.97; vary lengths, or ramp"},
		{InStep{8, 20, 0.8}, ""},
		{InStep{4, 20, 0.81}, "4 requests move in step: R = 0.81; vary lengths, or ramp"},
		{InStep{3, 20, 1}, ""},
		{InStep{Requests: 8}, ""},
		{InStep{}, ""},
	} {
		if got := tt.of.Sentence(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.of, got, tt.want)
		}
	}
}

// In step, R is 1 whatever the period and the number; at random phases its mean is about 0.89/√m, of m independent sends.
func TestInStepOfRandomSends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 200).Draw(t, "slots")
		period := time.Duration(rapid.Int64Range(int64(ms), int64(time.Hour)).Draw(t, "period"))
		m := sendsFor(slots)
		sent := turning(make([]time.Duration, slots), period, 2*m)
		if r := NewInStep(slots, sent); math.Abs(r.R-1) > 1e-6 {
			t.Fatalf("in step: %+v", r)
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		if slots < 10 { // below, the sends of a slot repeat its phase more often than twice
			return
		}
		var sum float64
		const runs = 100
		for range runs {
			phases := make([]time.Duration, slots)
			for i := range phases {
				phases[i] = time.Duration(random.Int64N(int64(period)))
			}
			// Each slot is twice among the sends, at the same phase, so as many phases are independent as there are slots.
			sum += NewInStep(slots, turning(phases, period, m)).R
		}
		want := 0.89 / math.Sqrt(float64(slots))
		if mean := sum / runs; math.Abs(mean-want) > 0.25*want {
			t.Fatalf("%d slots at random phases: R = %.3f on average, want %.3f", slots, mean, want)
		}
	})
}

// A Poisson stream has no period at all.
func TestInStepOfIndependentSends(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	const slots, runs = 32, 500
	m := sendsFor(slots)
	var sum float64
	for range runs {
		now, sent := time.Minute, []record.Instant{}
		for range m {
			now += time.Duration(random.ExpFloat64() * float64(100*ms))
			sent = append(sent, at(now))
		}
		sum += NewInStep(slots, sent).R
	}
	if mean, want := sum/runs, 0.89/math.Sqrt(float64(m)); math.Abs(mean-want) > 0.35*want {
		t.Errorf("R = %.3f on average, want about %.3f", mean, want)
	}
}

func TestInStepIsOfTheSteadyPartOfAStage(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.Turning(8)
	send := func(id uint64, stage int, when time.Duration, residual bool) {
		r := record.New(id)
		r.Stage, r.Started, r.Residual = stage, at(when), residual
		f := c.Begin(r, 0)
		f.Sent(at(when))
		f.Sent(at(when + ms)) // again, for a stale connection was replaced: it is one request
	}
	for i := range uint64(40) { // spread while it settles
		send(i, 1, time.Duration(i)*100*ms, false)
	}
	c.Fold(at(5 * time.Second))
	c.MarkSteady(at(5 * time.Second))
	for i := range uint64(24) {
		send(100+i, 1, 5*time.Second+time.Duration(i/8)*time.Second, false)
		send(200+i, 1, 5*time.Second+time.Duration(i)*123*ms, true)
	}
	c.Fold(at(9 * time.Second))
	if s := c.Summary(ThisStage, at(9*time.Second)); s.InStep.N != 20 || s.InStep.R < 0.999 {
		t.Errorf("%+v, want all in step", s.InStep)
	}
	c.OpenStage(at(9 * time.Second))
	c.MarkSteady(at(10 * time.Second))
	for i := range uint64(24) {
		send(300+i, 2, 11*time.Second, false)
	}
	c.Fold(at(12 * time.Second))
	if s := c.Summary(ThisStage, at(12*time.Second)); s.InStep != (InStep{}) {
		t.Errorf("a stage that is no closed loop has %+v", s.InStep)
	}
	if s := c.StageSummary(1, at(12*time.Second)); s.InStep.R < 0.999 {
		t.Errorf("after its end the first stage has %+v", s.InStep)
	}
}

// Whenever a residual request is sent, and however it ends, the steady part is as if there had been none.
func TestResidualRequestsAreInNoSteadySummary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		criteria := slo.Criteria{slo.TTFT: 300 * ms, slo.E2EL: time.Second}
		with, without := newTestCollector(criteria), newTestCollector(criteria)
		both := []*Collector{with, without}
		const begin = 3 * time.Second
		for _, c := range both {
			c.Fold(at(begin))
			c.MarkSteady(at(begin))
		}
		objectives := []slo.Objective{
			{Metric: slo.TTFT, Percentile: 0.9, Limit: 300 * ms, Window: time.Minute, Target: 0.9},
			{Metric: slo.E2EL, Percentile: 0.9, Limit: time.Second, Window: time.Minute, Target: 0.9},
		}
		sent := rapid.SliceOfN(rapid.IntRange(0, 6000), 1, 40).Draw(t, "sent")
		slices.Sort(sent)
		for _, when := range sent {
			ttft, tokens := rapid.IntRange(1, 400).Draw(t, "ttft"), rapid.IntRange(2, 60).Draw(t, "tokens")
			s := closed(time.Duration(when)*ms, time.Duration(ttft)*ms, 10*ms, tokens)
			s.stage, s.residual = 1, rapid.Bool().Draw(t, "residual")
			s.outcome = rapid.SampledFrom([]record.Outcome{record.OK, record.OK, record.Failed, record.Cancelled}).Draw(t, "outcome")
			play(with, s)
			if !s.residual {
				play(without, s)
			}
		}
		now := at(20 * time.Second)
		for _, c := range both {
			c.Fold(now)
		}
		got, want := with.StageSummary(1, now), without.StageSummary(1, now)
		if got.Settling {
			if !want.Settling {
				t.Fatal("it has not settled")
			}
			return // nothing of a steady part has ended
		}
		got.Tokens.Source = want.Tokens.Source // where nothing has completed, it is known from what did while it settled
		if got.TTFT != want.TTFT || got.E2EL != want.E2EL || got.TPOT != want.TPOT || got.DispatchLag != want.DispatchLag ||
			got.Requests != want.Requests || got.Score != want.Score || got.Tokens != want.Tokens {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
		for _, o := range objectives {
			j, m := with.StageMisses(o)
			if wj, wm := without.StageMisses(o); j != wj || m != wm {
				t.Fatalf("%v: %d of %d missed, want %d of %d", o, m, j, wm, wj)
			}
			if got, want := with.Measure(o, now), without.Measure(o, now); got != want {
				t.Fatalf("%v: %+v, want %+v", o, got, want)
			}
		}
	})
}
