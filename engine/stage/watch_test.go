package stage

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

func TestALevelIsOverWhenEnoughIsMeasured(t *testing.T) {
	s := func(steady time.Duration, judged int) Status {
		return Status{Stage: 1, Level: 1, Now: steady + 5*time.Second, Age: steady + 5*time.Second, Settled: true, Steady: steady, InFlight: 1, Ended: judged + 1, Judged: judged}
	}
	slow := s(179*time.Second, 50)
	slow.MeanE2EL = time.Minute
	slower := s(180*time.Second, 50)
	slower.MeanE2EL = time.Minute
	tests := []struct {
		name      string
		status    Status
		over, few bool
	}{
		{"long, but not many", s(31*time.Second, 99), false, false},
		{"many, but not long", s(29*time.Second, 1000), false, false},
		{"many and long", s(30*time.Second, 100), true, false},
		{"few up to the limit", s(119*time.Second, 20), false, true},
		{"few at the limit", s(120*time.Second, 20), true, true},
		{"longer where answers take long", slow, false, true},
		{"but not for ever", slower, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := watch{effort: Effort{}.WithDefaults()}
			if r, over, why := w.look(tt.status); over != tt.over || over && r.Few != tt.few {
				t.Errorf("over %v, few %v (%s)", over, r.Few, why)
			}
		})
	}
}

func TestALevelWithoutAnswerIsGivenUp(t *testing.T) {
	at := func(now time.Duration, ended, inFlight int, mean time.Duration) Status {
		return Status{Stage: 1, Level: 8, Now: now, Age: now, InFlight: inFlight, Ended: ended, MeanE2EL: mean}
	}
	tests := []struct {
		name     string
		statuses []Status
		over     bool
	}{
		{"nothing for 59 s", []Status{at(59*time.Second, 0, 8, 0)}, false},
		{"nothing for 60 s", []Status{at(60*time.Second, 0, 8, 0)}, true},
		{"something before", []Status{at(30*time.Second, 2, 8, time.Second), at(89*time.Second, 2, 8, time.Second)}, false},
		{"nothing since", []Status{at(30*time.Second, 2, 8, time.Second), at(90*time.Second, 2, 8, time.Second)}, true},
		{"answers that take 30 s", []Status{at(30*time.Second, 2, 8, 30*time.Second), at(149*time.Second, 2, 8, 30*time.Second)}, false},
		{"four times that", []Status{at(30*time.Second, 2, 8, 30*time.Second), at(150*time.Second, 2, 8, 30*time.Second)}, true},
		{"nothing was asked", []Status{at(30*time.Second, 2, 0, time.Second), at(200*time.Second, 2, 0, time.Second)}, false},
		{"never steady", []Status{at(200*time.Second, 2, 8, time.Second), at(240*time.Second, 3, 8, time.Second)}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := watch{effort: Effort{}.WithDefaults()}
			var r Rung
			var over bool
			for _, s := range tt.statuses {
				r, over, _ = w.look(s)
			}
			if over != tt.over || over && (r.State != Missed || !r.Stuck || r.Note == "") {
				t.Errorf("over %v, %+v", over, r)
			}
		})
	}
}

func TestALevelAtWhichHardlyAnythingIsDueIsNotMissed(t *testing.T) {
	for _, ended := range []int{0, 2} {
		w := watch{effort: Effort{}.WithDefaults()}
		s := Status{Stage: 1, Level: 0.001, Now: 239 * time.Second, Age: 239 * time.Second, Ended: ended, Goals: []Goal{{Name: "ttft", Allowed: 0.01}}}
		if _, over, _ := w.look(s); over {
			t.Errorf("%d ended: over after 239 s", ended)
		}
		s.Now, s.Age = 240*time.Second, 240*time.Second
		if r, over, _ := w.look(s); !over || r.State != Unknown || !r.Few || r.Note == "" {
			t.Errorf("%d ended: over %v, %+v", ended, over, r)
		}
	}
}

// TestEarlyDecisionsAreTheLateOnes watches the same runs with and without early decisions. An early one is that a level is missed:
// because it can't be held any more, or because so many misses would happen by chance once in a hundred times. So a few are
// wrong, and no level is held early.
func TestEarlyDecisionsAreTheLateOnes(t *testing.T) {
	const runs, mayBeWrong = 200, 4
	early, wrong, before := 0, 0, 0.0
	for seed := range uint64(runs) {
		b := newBench(server{}, seed)
		m := drawServer(b.rng, []Axis{Concurrency, Rate}[seed%2], 0.1)
		m.allowed = []float64{0, 0.001, 0.01, 0.1}[seed/2%4]
		b.server = m
		hasty := watch{effort: Effort{}.WithDefaults(), search: true}
		patient := watch{effort: Effort{}.WithDefaults()}
		b.open(m.axis.round(max(1, m.seqs*(0.1+1.4*b.rng.Float64()))))
		var verdict *Rung
		for {
			b.run(b.now + 0.25)
			s := b.status()
			if verdict == nil {
				if r, over, _ := hasty.look(s); over {
					verdict = &r
				}
			}
			r, over, _ := patient.look(s)
			if !over {
				continue
			}
			switch {
			case verdict == nil: // the hasty one asks for more
			case !verdict.Early && !reflect.DeepEqual(*verdict, r):
				t.Errorf("run %d: not early, but different: %+v, %+v", seed, verdict, r)
			case verdict.Early && verdict.State != Missed:
				t.Errorf("run %d: early %+v", seed, verdict)
			case verdict.Early:
				early++
				before += 1 - verdict.Took.Seconds()/r.Took.Seconds()
				if r.State != Missed {
					wrong++
				}
			}
			break
		}
	}
	if early == 0 || wrong > mayBeWrong {
		t.Errorf("%d of %d decisions were early, and %d of them not the late ones", early, runs, wrong)
	}
	t.Logf("%d decisions were early, and saved %.0f %% of the time; %d were wrong", early, 100*before/float64(max(early, 1)), wrong)
}

func TestALevelIsLostOnlyWhenNothingCanSaveIt(t *testing.T) {
	at := func(missed, judged int, steady time.Duration, rate float64, allowed float64) Status {
		return Status{
			Stage: 1, Level: 4, Now: time.Minute, Age: time.Minute, Settled: true, Steady: steady, InFlight: 4, Ended: judged, Judged: judged,
			Requests: rate, Goals: []Goal{{Name: "ttft", Allowed: allowed, Judged: judged, Missed: missed}},
		}
	}
	tokens := at(50, 60, 5*time.Second, 1, 0.01)
	tokens.Goals[0].PerToken = true
	tests := []struct {
		name   string
		status Status
		over   bool
	}{
		{"one miss of a hundred is allowed", at(1, 10, 10*time.Second, 1, 0.01), false},
		{"two are not", at(2, 10, 10*time.Second, 1, 0.01), true},
		{"but two of the 600 that may come are", at(2, 100, 10*time.Second, 12.4, 0.01), false},
		{"as are five", at(5, 100, 10*time.Second, 10, 0.01), false},
		{"but not six", at(6, 100, 10*time.Second, 10, 0.01), true},
		{"one is too many where none may", at(1, 10, 10*time.Second, 100, 0), true},
		{"none missed yet", at(0, 10, 10*time.Second, 100, 0), false},
		{"those in flight may save it", at(2, 98, 40*time.Second, 0, 0.0197), false},
		{"how many tokens will come is not known", tokens, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := watch{effort: Effort{}.WithDefaults(), search: true}
			if r, over, why := w.look(tt.status); over != tt.over || over != r.Early {
				t.Errorf("over %v (%s)", over, why)
			}
		})
	}
}

func TestTheGoalThatMissesByTheMostBinds(t *testing.T) {
	w := watch{effort: Effort{}.WithDefaults()}
	s := Status{Stage: 1, Age: time.Second, Goals: []Goal{
		{Name: "median", Allowed: 0.5, Judged: 100, Missed: 60},
		{Name: "p99", Allowed: 0.01, Judged: 100, Missed: 3},
		{Name: "unknown", Allowed: 0.01, Judged: 30},
		{Name: "held", Allowed: 0.1, Judged: 100, Missed: 10},
	}}
	if r, _, _ := w.look(s); r.State != Missed || r.Binding != "p99" || r.Share != 0.03 || r.Allowed != 0.01 {
		t.Errorf("%+v", r)
	}
	unknown, held := s.Goals[2], s.Goals[3]
	s.Goals = []Goal{held, unknown}
	if r, _, _ := w.look(s); r.State != Unknown || r.Binding != "" || r.Judged.N != 30 || r.Judged.Why != "30 of 100" {
		t.Errorf("%+v", r)
	}
	s.Goals = []Goal{held}
	if r, _, _ := w.look(s); r.State != Held || r.Binding != "" || r.Share != 0.1 || r.Judged.Good != 90 {
		t.Errorf("%+v", r)
	}
	s.Goals = nil
	if r, _, _ := w.look(s); r.State != Measured {
		t.Errorf("%+v", r)
	}
}

func TestAnObjectiveAsAGoal(t *testing.T) {
	objectives, err := slo.ParseObjectives("ttft p95 <= 500ms over 5m for 99.9%; itl p50 <= 20ms; errors <= 2%")
	if err != nil {
		t.Fatal(err)
	}
	want := []Goal{
		{Name: "ttft p95 <= 500ms", Allowed: 0.05, Judged: 100, Missed: 5, Objective: true},
		{Name: "itl p50 <= 20ms", Allowed: 0.5, Judged: 100, Missed: 5, PerToken: true, Objective: true},
		{Name: "errors <= 2%", Allowed: 0.02, Judged: 100, Missed: 5, Objective: true},
	}
	for i, o := range objectives.All() {
		if diff := cmp.Diff(want[i], ObjectiveGoal(o, 100, 5), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", o, diff)
		}
	}
	g := ObjectiveGoal(objectives.At(0), 100, 5)
	if g.missedOf(100) {
		t.Error("5 of 100 are within a p95, whatever 1 − 0.95 rounds to")
	}
}

func TestStatusOfTheStatistics(t *testing.T) {
	second := record.Instant(time.Second)
	criteria := slo.Criteria{slo.TTFT: time.Second}
	sum := &stats.Summary{Stage: 3, Spans: 20 * time.Second}
	sum.Score.OK, sum.Score.Failed, sum.Score.Good = 96, 4, 90
	sum.Score.Missed[slo.TTFT], sum.Score.Measured[slo.TTFT] = 6, 96
	sum.Throughput = stats.Throughput{Requests: 5, Output: 500}
	turn := stats.Turnover{Opened: 10 * second, Ended: 130, MeanE2EL: time.Second, Steady: true}
	want := Status{
		Stage: 3, Age: 25 * time.Second, Settled: true, Steady: 20 * time.Second, InFlight: 8, Ended: 130, MeanE2EL: time.Second,
		Judged: 100, Requests: 5, Output: 500, Goals: []Goal{{Name: "ttft", Allowed: 0.25, Judged: 100, Missed: 10}},
	}
	check := func(name string, got, want Status) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	check("steady", Observe(35*second, turn, sum, 8, criteria, 0.75), want)

	noSLO := want
	noSLO.Goals = nil
	check("no SLO", Observe(35*second, turn, sum, 8, slo.Criteria{}, 0.75), noSLO)

	sum.Settling = true // nothing of the steady part has ended: its figures are those of the ramp
	ramp := want
	ramp.Steady, ramp.Judged, ramp.Requests, ramp.Output = 0, 0, 0, 0
	ramp.Goals = []Goal{{Name: "ttft=1s", Allowed: 0.25}}
	check("settling", Observe(35*second, turn, sum, 8, criteria, 0.75), ramp)
}
