package stage

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// sized is a server that saturates at c=32, keeps 40 ms a token up to c=20, and gives 1/40 ms at the most.
func sized() server {
	return server{axis: Concurrency, base: 0.02, perSeq: 0.001, prefill: 0.05, seqs: 32, tokens: 50, ttft: 10, tpot: 0.04, allowed: 0.01}
}

func mustLadder(t *testing.T, p Plan) *Ladder {
	t.Helper()
	l, err := NewLadder(p)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// way describes the rungs of a pilot that is over: "1 held, 2 held, 4 missed, 8 skipped".
func way(p Progress) string {
	var parts []string
	for _, r := range p.Rungs {
		parts = append(parts, fmt.Sprintf("%v %s", r.Level, r.State))
	}
	return strings.Join(parts, ", ")
}

func TestLadderWalksEveryListedLevel(t *testing.T) {
	b := newBench(sized(), 1)
	l := mustLadder(t, Plan{Axis: Concurrency, Levels: []float64{4, 64, 16, 20, 24}})
	res := b.drive(t, l)
	if got, want := way(l.Progress(0)), "4 held, 64 missed, 16 held, 20 held, 24 missed"; got != want {
		t.Errorf("way %q, want %q", got, want)
	}
	want := Result{
		Found: true, Level: 20, Missed: 24, Binding: "slo", Samples: l.rungs[3].N, Judged: l.rungs[3].Judged, Sentence: res.Sentence,
	}
	if res != want || !strings.HasPrefix(res.Sentence, "5 levels measured, c=4 to c=24: c=20 is the highest that held: 100 % of ") ||
		!strings.HasSuffix(res.Sentence, "; at c=24 slo missed by 100 % of "+requests(l.rungs[4].N)+", 1 % allowed.") {
		t.Errorf("%+v", res)
	}
	for _, r := range l.Progress(0).Rungs {
		if r.N < 100 || r.Few || r.Early || r.Took < 30*time.Second || r.Output <= 0 || r.Stage == 0 {
			t.Errorf("rung %+v", r)
		}
	}
}

func TestOpenLadderStopsWhereThereIsNothingToLearn(t *testing.T) {
	free := sized() // an SLO that is always held
	free.tpot = 1
	free.ttft = 1e6
	hangs := free
	hangs.hangs = 8
	tests := []struct {
		name   string
		server server
		most   float64
		want   string
	}{
		{"output grew by nothing, twice", free, 0, "1 held, 2 held, 4 held, 8 held, 16 held, 32 held, 64 held, 128 held, 256 skipped, 512 skipped, 1024 skipped"},
		{"more than half missed", sized(), 0, "1 held, 2 held, 4 held, 8 held, 16 held, 32 missed, 64 skipped, 128 skipped, 256 skipped, 512 skipped, 1024 skipped"},
		{"no answer", hangs, 0, "1 held, 2 held, 4 held, 8 missed, 16 skipped, 32 skipped, 64 skipped, 128 skipped, 256 skipped, 512 skipped, 1024 skipped"},
		{"the most is no power of two", free, 6, "1 held, 2 held, 4 held, 6 held"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := mustLadder(t, Plan{Axis: Concurrency, Most: tt.most})
			newBench(tt.server, 1).drive(t, l)
			if got := way(l.Progress(0)); got != tt.want {
				t.Errorf("way %q, want %q", got, tt.want)
			}
		})
	}
}

// holding is a status of a level that is measured to the full.
func holding(stage int, level float64, now time.Duration) Status {
	return Status{
		Now: now, Stage: stage, Level: level, Age: time.Minute, Settled: true, Steady: 40 * time.Second,
		InFlight: 1, Ended: 200, Judged: 150, Output: 100 * level,
	}
}

func TestLadderWithoutAnSLO(t *testing.T) {
	l := mustLadder(t, Plan{Axis: Rate, Levels: []float64{0.5, 2}})
	l.Next(Status{})
	l.Next(holding(1, 0.5, time.Minute))
	d := l.Next(holding(2, 2, 2*time.Minute))
	res, ok := l.Result()
	if got := way(l.Progress(0)); !d.Done || !ok || res.Found || got != "0.5 measured, 2 measured" {
		t.Errorf("%+v, %+v, way %q", d, res, got)
	}
	if want := "2 levels measured, 0.5 req/s to 2 req/s."; res.Sentence != want {
		t.Errorf("%q, want %q", res.Sentence, want)
	}
}

func TestOpenLadderGoesOnWhereOutputGrowsAgain(t *testing.T) {
	l := mustLadder(t, Plan{Axis: Concurrency, Most: 32})
	l.Next(Status{})
	for i, output := range []float64{100, 102, 150, 152, 200} {
		s := holding(i+1, float64(int(1)<<i), time.Duration(i+1)*time.Minute)
		s.Output = output
		if d := l.Next(s); d.Done {
			t.Fatalf("stopped at %v tok/s: %s", output, d.Why)
		}
	}
}

func TestLadderTrustsNoLevelAboveOneThatMissed(t *testing.T) {
	l := mustLadder(t, Plan{Axis: Concurrency, Levels: []float64{4, 8, 16}})
	l.Next(Status{})
	for i, missed := range []int{0, 30, 0} {
		s := holding(i+1, l.levels[i], time.Duration(i+1)*time.Minute)
		s.Goals = []Goal{{Name: "ttft", Allowed: 0.01, Judged: 150, Missed: missed}}
		l.Next(s)
	}
	if res, ok := l.Result(); !ok || res.Level != 4 || res.Missed != 8 || way(l.Progress(0)) != "4 held, 8 missed, 16 held" {
		t.Errorf("%+v, %v", res, ok)
	}
}

func TestLadderNarratesItsWay(t *testing.T) {
	l := mustLadder(t, Plan{Axis: Concurrency, Levels: []float64{1, 2}})
	settling := Status{Stage: 1, Level: 1, Age: 5 * time.Second, InFlight: 1, Ended: 3, Now: 5 * time.Second}
	measuring := Status{Stage: 1, Level: 1, Age: 17 * time.Second, InFlight: 1, Ended: 50, Settled: true, Steady: 12 * time.Second, Judged: 42, Now: 17 * time.Second}
	steps := []struct {
		status Status
		want   Decision
	}{
		{Status{}, Decision{Level: 1, Moved: true, Why: "begins at c=1"}},
		{Status{}, Decision{Level: 1, Why: "begins at c=1"}},
		{settling, Decision{Level: 1, Why: "c=1: settling, 3 ended"}},
		{measuring, Decision{Level: 1, Why: "c=1: 42 of 100 requests, steady 12 s"}},
		{holding(1, 1, time.Minute), Decision{Level: 2, Moved: true, Why: "c=1: n=150, steady 40 s; on to c=2"}},
		{holding(2, 2, 2*time.Minute), Decision{Level: 2, Done: true, Why: "c=2: n=150, steady 40 s; that was the last"}},
	}
	for _, step := range steps {
		if got := l.Next(step.status); got != step.want {
			t.Errorf("%+v, want %+v", got, step.want)
		}
	}
}

func TestStepsLastAFixedTime(t *testing.T) {
	l := mustLadder(t, Plan{Axis: Concurrency, Levels: []float64{1, 2}, Dwell: 30 * time.Second})
	if p := l.Progress(0); p.Left != time.Minute || !p.LeftKnown {
		t.Errorf("before: %+v", p)
	}
	l.Next(Status{})
	s := Status{Stage: 1, Level: 1, InFlight: 1, Ended: 1, Age: 29 * time.Second, Now: 29 * time.Second}
	if d := l.Next(s); d.Moved || d.Why != "c=1: 29 s of 30 s, n=0" {
		t.Errorf("at 29 s: %+v", d)
	}
	if p := l.Progress(s.Now); p.Left != 31*time.Second || way(p) != "1 now, 2 todo" {
		t.Errorf("at 29 s: %+v", p)
	}
	s.Age, s.Now = 30*time.Second, 30*time.Second
	if d := l.Next(s); !d.Moved || d.Level != 2 {
		t.Errorf("at 30 s: %+v", d)
	}
	if r := l.Progress(s.Now).Rungs[0]; !r.Few || r.State != Measured {
		t.Errorf("rung %+v", r)
	}
}

func TestTimeLeftIsThatOfTheLevelsBefore(t *testing.T) {
	l := mustLadder(t, Plan{Axis: Concurrency, Levels: []float64{1, 2, 4}})
	if p := l.Progress(0); p.LeftKnown {
		t.Errorf("nothing is known before the first: %+v", p)
	}
	l.Next(Status{})
	l.Next(holding(1, 1, 50*time.Second))
	if p := l.Progress(70 * time.Second); !p.LeftKnown || p.Left != 80*time.Second || way(p) != "1 measured, 2 now, 4 todo" {
		t.Errorf("in the second: %+v", p)
	}
	if p := l.Progress(time.Hour); p.Left != 50*time.Second {
		t.Errorf("a level that takes longer: %+v", p)
	}
}

func TestPlansAreChecked(t *testing.T) {
	for _, p := range []Plan{
		{Axis: Concurrency, Levels: []float64{1, 2.5}},
		{Axis: Concurrency, Levels: []float64{0}},
		{Axis: Concurrency, Most: -3},
		{Axis: Concurrency, Dwell: -1},
		{Axis: "", Levels: []float64{1}},
	} {
		if _, err := NewLadder(p); err == nil {
			t.Errorf("%+v was taken", p)
		}
	}
	levels := []float64{1, 2}
	l := mustLadder(t, Plan{Axis: Rate, Levels: levels})
	levels[1] = 99
	if got := l.levels; !reflect.DeepEqual(got, []float64{1, 2}) {
		t.Errorf("the plan changed under it: %v", got)
	}
}

func TestPilotsOfBothKindsAreInterchangeable(t *testing.T) {
	for _, p := range []Pilot{mustLadder(t, Plan{Axis: Concurrency, Levels: []float64{2}}), mustSearch(t, Concurrency, Range{First: 2, Most: 2}, Effort{})} {
		if _, ok := p.Result(); ok {
			t.Errorf("%T has a result before it began", p)
		}
		if res := newBench(sized(), 1).drive(t, p); !res.Found || res.Level != 2 {
			t.Errorf("%T: %+v", p, res)
		}
	}
}
