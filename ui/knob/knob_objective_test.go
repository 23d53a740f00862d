package knob

import (
	"testing"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/slo"
)

func TestObjectiveKnobs(t *testing.T) {
	objectives, err := slo.ParseObjectives("ttft p99 <= 500ms over 1m for 99%; errors <= 1% over 1m for 99%")
	if err != nil {
		t.Fatal(err)
	}
	knobs, s := objectiveKnobs(), &engine.Snapshot{}
	k := engine.Knobs{Objectives: objectives}
	for i, want := range []string{"ttft 500 ms", "p99", "99 %"} {
		if got := knobs[i].Value(k); got != want {
			t.Errorf("knob %d shows %q, want %q", i, got, want)
		}
	}
	k = knobs[0].turn(k, s, true)
	k = knobs[1].turn(k, s, false)
	k = knobs[2].turn(k, s, true)
	o := k.Objectives.At(0)
	if o.Limit <= 500*time.Millisecond || o.Percentile != 0.98 || o.Target != 0.995 || k.Objectives.Len() != 2 || k.Objectives.At(1) != objectives.At(1) {
		t.Errorf("turned to %v", k.Objectives)
	}
	for i, typed := range []string{"300ms", "p99.9", "95"} {
		if k, err = knobs[i].Parse(k, typed); err != nil {
			t.Error(err)
		}
	}
	if o = k.Objectives.At(0); o.Limit != 300*time.Millisecond || o.Percentile != 0.999 || o.Target != 0.95 {
		t.Errorf("typed to %v", o)
	}
	if k, err = knobs[0].Parse(k, "off"); err != nil || k.Objectives.Len() != 0 {
		t.Errorf("off: %v, %v", k.Objectives, err)
	}
	for i := range knobs {
		if got := knobs[i].Value(k); got != "off" {
			t.Errorf("knob %d shows %q without an objective", i, got)
		}
		if turned := knobs[i].turn(k, s, true); turned != k {
			t.Errorf("knob %d turned what is not there to %v", i, turned.Objectives)
		}
	}
	if _, err := knobs[1].Parse(k, "95"); err == nil {
		t.Error("a percentile was set of no objective")
	}
	if k, err = knobs[0].Parse(k, "errors <= 1% over 1m for 99%"); err != nil || knobs[0].Value(k) != "errors 1 %" || knobs[1].Value(k) != "none" {
		t.Errorf("%v, %v", k.Objectives, err)
	}
}
