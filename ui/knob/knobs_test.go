package knob

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/ui/internal/scene"
)

func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		name string
		next step
		from float64
		want []float64
	}{
		{"concurrency by one at first", stepCount, 1, []float64{2, 3, 4, 5}},
		{"then by an eighth, through powers of two", stepCount, 15, []float64{16, 18, 20, 22, 25, 28, 32, 36, 40, 44, 50, 56, 64, 72}},
		{"also from between", stepCount, 33, []float64{36, 40}},
		{"rate through a decade", stepRate, 0.9, []float64{1, 1.1, 1.25, 1.4, 1.6, 1.8, 2, 2.2, 2.5}},
		{"limits in fine 1-2-5", stepLimit, 200, []float64{220, 250, 280, 300, 350, 400, 450, 500, 550, 600, 700, 800, 900, 1000, 1100}},
	} {
		v := tt.from
		for i, want := range tt.want {
			if v = tt.next(v, true); v < want-1e-9 || v > want+1e-9 {
				t.Errorf("%s: step %d up from %v is %v, want %v", tt.name, i+1, tt.from, v, want)
			}
		}
	}
}

// From a value on a scale, a step up and a step down lead back, and steps go the way they say.
func TestStepsLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		next := rapid.SampledFrom([]step{stepCount, stepRate, stepLimit}).Draw(t, "scale")
		v := rapid.Float64Range(2, 90_000).Draw(t, "v")
		up := next(v, true)
		if up <= v || up > 1.51*v {
			t.Fatalf("up from %v is %v", v, up)
		}
		if down := next(up, false); down > v*(1+1e-6) || next(down, true) < up*(1-1e-6) || next(down, true) > up*(1+1e-6) {
			t.Fatalf("up from %v is %v, down again %v", v, up, down)
		}
	})
}

func TestConcurrencyKnob(t *testing.T) {
	s := scene.Busy()
	k := concurrencyKnob()
	at := s.Knobs
	if got := k.turn(at, s, true); got.Load.Concurrency != 36 {
		t.Errorf("up from 32 is %d", got.Load.Concurrency)
	}
	if got := k.scale(at, s, 2); got.Load.Concurrency != 64 {
		t.Errorf("twice 32 is %d", got.Load.Concurrency)
	}
	at.Load.Concurrency = 1
	if got := k.turn(at, s, false); got.Load.Concurrency != 1 {
		t.Errorf("down from 1 is %d", got.Load.Concurrency)
	}
	if got := k.scale(at, s, 0.5); got.Load.Concurrency != 1 {
		t.Errorf("half of 1 is %d", got.Load.Concurrency)
	}
	at.Load.Concurrency = load.MaxConcurrency
	if got := k.scale(at, s, 2); got.Load.Concurrency != load.MaxConcurrency {
		t.Errorf("twice the most is %d", got.Load.Concurrency)
	}
}

func TestMaxInFlightKnob(t *testing.T) {
	s := scene.Open()
	k := concurrencyKnob()
	if name := k.Name(s.Knobs); name != "max in flight" {
		t.Errorf("in the open loop it is called %q", name)
	}
	if got := k.turn(s.Knobs, s, false); got.Load.MaxInFlight != 56 || got.Load.Concurrency != 32 {
		t.Errorf("down from 64 is %+v", got.Load)
	}
	none := s.Knobs
	none.Load.MaxInFlight = 0
	if value := k.Value(none); value != "no cap" {
		t.Errorf("0 shows as %q", value)
	}
	if got := k.turn(none, s, true); got != none {
		t.Errorf("up from no cap is %+v", got.Load)
	}
	if got := k.turn(none, s, false); got.Load.MaxInFlight != 64 {
		t.Errorf("down from no cap, with 64 in flight, is %d", got.Load.MaxInFlight)
	}
}

func TestRateKnobSwitchesTheLoop(t *testing.T) {
	s := scene.Busy()
	k := RateKnob()
	if got := k.turn(s.Knobs, s, false); got != s.Knobs {
		t.Errorf("down from off is %+v", got.Load)
	}
	opened := k.turn(s.Knobs, s, true)
	want := load.Setting{Mode: load.Open, Concurrency: 32, Rate: 8, Arrival: load.Poisson}
	if opened.Load != want {
		t.Errorf("up from off at 8.14 req/s is %+v, want %+v", opened.Load, want)
	}
	if err := opened.Validate(); err != nil {
		t.Error(err)
	}
	opened.Load.Rate = 0.1
	if got := k.turn(opened, s, false); got.Load.Mode != load.Closed || got.Load.Concurrency != 32 {
		t.Errorf("down from 0.1 is %+v", got.Load)
	}
	s.Live.Throughput.Requests = 0
	if got := k.turn(s.Knobs, s, true); got.Load.Rate != 1 {
		t.Errorf("up from off with nothing completed is %v", got.Load.Rate)
	}
}

func TestLimitKnobStartsWhereTheFiguresAre(t *testing.T) {
	s := scene.Busy()
	k := limitKnob(slo.TTFT, "TTFT SLO")
	off := s.Knobs
	off.SLO[slo.TTFT] = 0
	for _, up := range []bool{true, false} {
		if got := k.turn(off, s, up).SLO[slo.TTFT]; got != 300*time.Millisecond {
			t.Errorf("out of off, at p95 287 ms, is %v", got)
		}
	}
	if got := k.turn(s.Knobs, s, true).SLO[slo.TTFT]; got != 350*time.Millisecond {
		t.Errorf("up from 300 ms is %v", got)
	}
	low := s.Knobs
	low.SLO[slo.TTFT] = time.Millisecond
	if got := k.turn(low, s, false).SLO[slo.TTFT]; got != 0 {
		t.Errorf("down from 1 ms is %v", got)
	}
	high := s.Knobs
	high.SLO[slo.TTFT] = 10 * time.Minute
	if got := k.scale(high, s, 2).SLO[slo.TTFT]; got != 0 {
		t.Errorf("twice 10 min is %v", got)
	}
}

func TestParsing(t *testing.T) {
	s := scene.Busy()
	for _, tt := range []struct {
		knob  int
		typed string
		want  func(engine.Knobs) bool
	}{
		{0, "64", func(k engine.Knobs) bool { return k.Load.Concurrency == 64 }},
		{0, "1,024", func(k engine.Knobs) bool { return k.Load.Concurrency == 1024 }},
		{1, "12.5", func(k engine.Knobs) bool { return k.Load.Mode == load.Open && k.Load.Rate == 12.5 }},
		{1, "3 req/s", func(k engine.Knobs) bool { return k.Load.Rate == 3 }},
		{1, "off", func(k engine.Knobs) bool { return k.Load.Mode == load.Closed }},
		{2, "128-1024", func(k engine.Knobs) bool { return k.Shape.Prompt.String() == "128-1024" }},
		{3, "64", func(k engine.Knobs) bool { return k.Shape.Output == shape.Fixed(64) }},
		{4, "250", func(k engine.Knobs) bool { return k.SLO[slo.TTFT] == 250*time.Millisecond }},
		{4, "1.5 s", func(k engine.Knobs) bool { return k.SLO[slo.TTFT] == 1500*time.Millisecond }},
		{5, "OFF", func(k engine.Knobs) bool { return k.SLO[slo.TPOT] == 0 }},
		{6, "10s", func(k engine.Knobs) bool { return k.SLO[slo.E2EL] == 10*time.Second }},
	} {
		k := All()[tt.knob]
		got, err := k.Parse(s.Knobs, tt.typed)
		if err != nil || !tt.want(got) {
			t.Errorf("%s: %q gives %+v, %v", k.Name(s.Knobs), tt.typed, got, err)
		}
	}
	for i, typed := range []string{"many", "-3", "long", "½", "soon", "-5ms", "99h"} {
		k := All()[i]
		got, err := k.Parse(s.Knobs, typed)
		if err == nil || got != s.Knobs || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q is taken (%v)", k.Name(s.Knobs), typed, err)
		}
	}
}

// Whatever is turned however often, the engine never gets knobs that it must refuse.
func TestTurningNeverLeavesTheValid(t *testing.T) {
	s := scene.Busy()
	rapid.Check(t, func(t *rapid.T) {
		at := s.Knobs
		for range rapid.IntRange(1, 200).Draw(t, "turns") {
			k := rapid.SampledFrom(All()).Draw(t, "knob")
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				at = k.turn(at, s, true)
			case 1:
				at = k.turn(at, s, false)
			case 2:
				at = k.scale(at, s, 2)
			case 3:
				at = k.scale(at, s, 0.5)
			}
			if err := at.Validate(); err != nil {
				t.Fatalf("%s: %v", k.Name(at), err)
			}
		}
	})
}

// What completes a command must be something that it takes.
func TestPresentValuesCanBeTyped(t *testing.T) {
	for _, s := range []*engine.Snapshot{scene.Busy(), scene.Open(), scene.NoSLO()} {
		for _, k := range All() {
			value := k.Value(s.Knobs)
			got, err := k.Parse(s.Knobs, value)
			if err != nil || k.Value(got) != value {
				t.Errorf("%s: %q reads as %q, %v", k.Name(got), value, k.Value(got), err)
			}
		}
	}
}
