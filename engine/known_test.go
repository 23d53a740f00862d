package engine

import (
	"strings"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// curved is a snapshot of levels of whose hundred requests so many were good.
func curved(k snapshot.Knobs, good map[float64]int) *snapshot.Snapshot {
	s := &snapshot.Snapshot{Knobs: k}
	var points []stage.Point
	for level, n := range good {
		sum := &stats.Summary{Stage: 1}
		sum.Score = slo.Tally{OK: 100, Good: n}
		sum.Score.Measured[slo.TTFT], sum.Score.Missed[slo.TTFT] = 100, 100-n
		points = append(points, stage.Point{Level: level, N: 100, Stages: []int{int(level)}, Settled: level < 100, Summary: sum})
	}
	s.Curve = stage.NewCurve(points)
	s.Stage.Stage = 9
	return s
}

func TestASearchBeginsWithTheSettledLevelsOfTheCurve(t *testing.T) {
	k := snapshot.Knobs{
		Load: load.Setting{Mode: load.Closed, Concurrency: 2}, SLO: slo.Criteria{slo.TTFT: time.Second}, Target: snapshot.DefaultTarget,
	}
	objectives, err := slo.ParseObjectives("ttft p95 <= 500ms over 5m")
	if err != nil {
		t.Fatal(err)
	}
	misses := func(stages []int, _ slo.Objective) (int, int) { return 100, map[bool]int{true: 50}[stages[0] >= 8] }
	strict := k
	strict.Objectives = objectives
	alone := strict
	alone.SLO = slo.Criteria{}
	for _, tt := range []struct {
		name  string
		knobs snapshot.Knobs
		good  map[float64]int
		begin float64
	}{
		{"nothing is known", k, nil, 2},
		{"above the highest that held", k, map[float64]int{4: 100, 8: 100}, 16},
		{"between", k, map[float64]int{8: 100, 16: 20, 32: 0}, 12},
		{"of what is settled", k, map[float64]int{8: 100, 128: 0}, 16},
		{"below what missed an objective", strict, map[float64]int{4: 100, 8: 100, 16: 100}, 6},
		{"of an objective alone", alone, map[float64]int{4: 100, 8: 100, 16: 100}, 6},
	} {
		pilot, err := snapshot.NewPilot(snapshot.AutopilotRun{Kind: snapshot.Search}, tt.knobs, known(curved(tt.knobs, tt.good), misses)...)
		if err != nil {
			t.Fatal(err)
		}
		if d := pilot.Next(stage.Status{}); d.Level != tt.begin {
			t.Errorf("%s: it begins at %v, want %v (%s)", tt.name, d.Level, tt.begin, d.Why)
		}
	}
}

func TestFewerRequestsThanAVerdictNeedsAreSaid(t *testing.T) {
	objectives, err := slo.ParseObjectives("ttft p99 <= 500ms over 5m")
	if err != nil {
		t.Fatal(err)
	}
	limit := slo.Criteria{slo.TTFT: time.Second}
	for _, tt := range []struct {
		knobs   snapshot.Knobs
		samples int
		kind    snapshot.PilotKind
		want    string
	}{
		{snapshot.Knobs{SLO: limit, Target: 0.99}, 30, snapshot.Search, "100 requests at each level, not 30"},
		{snapshot.Knobs{SLO: limit, Target: 0.99}, 30, snapshot.Ladder, "100 requests at each level, not 30"},
		{snapshot.Knobs{SLO: limit, Target: 0.999}, 0, snapshot.Search, "1,000 requests at each level, not 100"},
		{snapshot.Knobs{SLO: limit, Target: 0.95}, 30, snapshot.Search, ""},
		{snapshot.Knobs{Objectives: objectives}, 30, snapshot.Search, "100 requests"},
		{snapshot.Knobs{SLO: limit, Target: 0.99}, 0, snapshot.Search, ""},
		{snapshot.Knobs{SLO: limit, Target: 0.99}, 30, snapshot.Steps, ""},
		{snapshot.Knobs{}, 30, snapshot.Ladder, ""},
	} {
		f := snapshot.AutopilotRun{Kind: tt.kind, Effort: stage.Effort{Requests: tt.samples}}
		if got := f.Remark(&tt.knobs); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", tt, got, tt.want)
		}
	}
}

// A pilot that takes over from another begins where a person left the load, not where the other had got to.
func TestTheLoadIsRememberedAsAPersonLeftIt(t *testing.T) {
	k := snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 8}}
	var a autopilot
	a.take(&snapshot.AutopilotRun{Kind: snapshot.Ladder}, &scripted{}, &k, load.State{})
	k.Load.Concurrency = 1
	if got := a.left(&k); got != 8 {
		t.Errorf("while a ladder is at c=1, it was left at %v", got)
	}
	a.take(&snapshot.AutopilotRun{Kind: snapshot.Search}, &scripted{}, &k, load.State{})
	if got := a.left(&k); got != 8 {
		t.Errorf("after a search took over, it was left at %v", got)
	}
	a.release("by hand", load.State{})
	if got := a.left(&k); got != 1 {
		t.Errorf("when nobody has it, it is at %v", got)
	}
}
