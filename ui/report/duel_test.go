package report

import (
	"strings"
	"testing"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
)

func sides(t *testing.T, r *run.Duel) string {
	t.Helper()
	var b strings.Builder
	if err := WriteSides(&b, r, Narrowest); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatADuelSaysFirst(t *testing.T) {
	level, goodput, change := 16.0, 47.3, -0.2
	a, b := &run.Report{Name: "c=16", Sweep: &run.Sweep{}}, &run.Report{Name: "c=8", Sweep: &run.Sweep{}}
	a.Answer.Level, a.SLO.Goodput, b.SLO.Goodput = &level, &goodput, &goodput
	r := &run.Duel{Endpoints: []*run.Report{a, b}, Winner: &run.Winner{
		Side: "B", Against: []string{"A"},
		Criteria: []compare.Criterion{{Title: "goodput/s", Level: "c=16", Allowed: 0.05, Change: &change, Verdict: compare.Missed}},
	}}
	got := sides(t, r)
	for _, want := range []string{"B is WORSE than A by more than the margin: goodput/s −20.0 %", "A            c=16       47.3", "B             n/a        n/a"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	r.Winner, a.Sweep = nil, nil
	if got := sides(t, r); got != "" {
		t.Errorf("nothing was asked for, and it says %s", got)
	}
}
