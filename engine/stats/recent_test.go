package stats

import (
	"testing"
	"time"
)

func TestRecentForgetsAndTheSteadyPartDoesNot(t *testing.T) {
	var r recent
	for s := range 30 {
		r.add(at(time.Duration(s)*time.Second), time.Duration(s+1)*ms, s >= 5)
	}
	if d := r.last(at(29 * time.Second)); d.N != 10 || !near(d.Max, 30*ms) || !near(d.P50, 25*ms) {
		t.Errorf("the last ten seconds: %+v", d)
	}
	if d := r.last(at(35 * time.Second)); d.N != 4 {
		t.Errorf("six seconds later: %d samples, want 4", d.N)
	}
	r.add(at(20*time.Second), ms, true) // too old for the last seconds
	if d := r.last(at(35 * time.Second)); d.N != 4 {
		t.Errorf("a late sample came in: %d samples, want 4", d.N)
	}
	if n := r.steady.N(); n != 26 {
		t.Errorf("%d samples in the steady part, want 26", n)
	}
	if d := r.last(at(24 * time.Hour)); d.N != 0 {
		t.Errorf("a day later: %+v", d)
	}
}
