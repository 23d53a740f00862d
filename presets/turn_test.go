package presets

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// busy is a closed loop that completes 8.14 requests per second, with a TTFT p95 of 287 ms.
func busy() (snapshot.Knobs, *snapshot.Snapshot) {
	k := Plain()
	k.Load = load.Setting{Mode: load.Closed, Concurrency: 32, Arrival: load.Poisson}
	k.SLO = slo.Criteria{slo.TTFT: 300 * time.Millisecond}
	s := &snapshot.Snapshot{Knobs: k, InFlight: stats.InFlight{Total: 64}}
	s.Live.Throughput.Requests = 8.14
	s.Live.TTFT.N, s.Live.TTFT.P95 = 1200, 287*time.Millisecond
	s.Live.Score = slo.Tally{OK: 1198, Failed: 3, Good: 1048, Missed: [3]int{121, 42, 0}, Measured: [3]int{1198, 1198, 1198}}
	return k, s
}

func find(t *testing.T, name string) *Setting {
	t.Helper()
	for _, k := range Settings().Knobs() {
		if s := k.Setting(Plain()); s.Name == name {
			return s
		}
	}
	s := Settings().Find(name)
	if s == nil {
		t.Fatalf("there is no setting %s", name)
	}
	return s
}

func TestConcurrencyTurns(t *testing.T) {
	at, now := busy()
	s := find(t, "concurrency")
	if got := s.Turn(at, now, true); got.Load.Concurrency != 36 {
		t.Errorf("up from 32 is %d", got.Load.Concurrency)
	}
	if got := s.Scale(at, now, 2); got.Load.Concurrency != 64 {
		t.Errorf("twice 32 is %d", got.Load.Concurrency)
	}
	at.Load.Concurrency = 1
	if down, half := s.Turn(at, now, false), s.Scale(at, now, 0.5); down != at || half != at {
		t.Errorf("down from 1 is %d, half of it %d", down.Load.Concurrency, half.Load.Concurrency)
	}
	for from, want := range map[int]int{1000: 1024, 1024: 1024, load.MaxConcurrency: load.MaxConcurrency} {
		at.Load.Concurrency = from
		if got := s.Scale(at, now, 2).Load.Concurrency; got != want {
			t.Errorf("twice %d is %d, want %d", from, got, want)
		}
	}
}

func TestMaxInFlightTurnsIntoNoCapAndBack(t *testing.T) {
	at, now := busy()
	at.Load = load.Setting{Mode: load.Open, Rate: 12, Arrival: load.Poisson, Concurrency: 32, MaxInFlight: 64}
	s := Settings().Knobs()[0].Setting(at)
	if s.Name != "max_in_flight" {
		t.Fatalf("in the open loop the first knob is %s", s.Name)
	}
	if got := s.Turn(at, now, false); got.Load.MaxInFlight != 56 || got.Load.Concurrency != 32 {
		t.Errorf("down from 64 is %+v", got.Load)
	}
	at.Load.MaxInFlight = mostCap
	if got := s.Turn(at, now, true); got.Load.MaxInFlight != 0 || s.Print(got) != "no cap" || !s.Off(got) {
		t.Errorf("up from the most is %+v", got.Load)
	}
	at.Load.MaxInFlight = 0
	if got := s.Turn(at, now, true); got != at {
		t.Errorf("up from no cap is %+v", got.Load)
	}
	if got := s.Turn(at, now, false); got.Load.MaxInFlight != 64 {
		t.Errorf("down from no cap, with 64 in flight, is %d", got.Load.MaxInFlight)
	}
}

func TestRateSwitchesTheLoop(t *testing.T) {
	at, now := busy()
	s := find(t, "rate")
	if got := s.Turn(at, now, false); got != at {
		t.Errorf("down from off is %+v", got.Load)
	}
	opened := s.Turn(at, now, true)
	want := load.Setting{Mode: load.Open, Concurrency: 32, Rate: 8, Arrival: load.Poisson}
	if opened.Load != want {
		t.Errorf("up from off at 8.14 req/s is %+v, want %+v", opened.Load, want)
	}
	opened.Load.Rate = 0.1
	if got := s.Turn(opened, now, false); got.Load.Mode != load.Closed || got.Load.Concurrency != 32 {
		t.Errorf("down from 0.1 is %+v", got.Load)
	}
	opened.Load.Concurrency = 0
	if got := s.Turn(opened, now, false); got.Load.Concurrency != 64 {
		t.Errorf("with 64 in flight and no concurrency, down from 0.1 is %+v", got.Load)
	}
	now.Live.Throughput.Requests = 0
	if got := s.Turn(at, now, true); got.Load.Rate != 1 {
		t.Errorf("up from off with nothing completed is %v", got.Load.Rate)
	}
}

func TestArrivalKeepsTheRate(t *testing.T) {
	at, now := busy()
	at.Load = load.Setting{Mode: load.Open, Rate: 8, Arrival: load.Gamma(4)}
	s := find(t, "arrival")
	bursts := s.Turn(at, now, true)
	if bursts.Load.Arrival != "burst:4/500ms" || bursts.Load.MeanRate() != 8 {
		t.Errorf("beyond gamma:4 is %+v", bursts.Load)
	}
	if back := s.Turn(bursts, now, false); back.Load.Arrival != load.Gamma(4) || back.Load.Rate != 8 {
		t.Errorf("and back is %+v", back.Load)
	}
	if typed, err := s.Set(bursts, "constant"); err != nil || typed.Load.Rate != 8 {
		t.Errorf("constant typed over bursts is %+v, %v", typed.Load, err)
	}
}

func TestLimitsStartWhereTheFiguresAre(t *testing.T) {
	at, now := busy()
	s := find(t, "ttft")
	off := at
	off.SLO[slo.TTFT] = 0
	for _, up := range []bool{true, false} {
		if got := s.Turn(off, now, up).SLO[slo.TTFT]; got != 300*time.Millisecond {
			t.Errorf("out of off, at p95 287 ms, is %v", got)
		}
	}
	if got := s.Turn(at, now, true).SLO[slo.TTFT]; got != 350*time.Millisecond {
		t.Errorf("up from 300 ms is %v", got)
	}
	at.SLO[slo.TTFT] = time.Millisecond
	if got := s.Turn(at, now, false).SLO[slo.TTFT]; got != 0 {
		t.Errorf("down from 1 ms is %v", got)
	}
	at.SLO[slo.TTFT] = 10 * time.Minute
	if got := s.Scale(at, now, 2).SLO[slo.TTFT]; got != 0 {
		t.Errorf("twice 10 min is %v", got)
	}
}

func TestObjectiveTurnsByItsElements(t *testing.T) {
	at, now := busy()
	limit, percentile, target := find(t, "objective"), find(t, "percentile"), find(t, "objective_target")
	for _, s := range []*Setting{limit, percentile, target} {
		if got := s.Turn(at, now, true); got != at || s.Print(at) != "off" {
			t.Errorf("%s, %q, turned what is not there to %v", s.Name, s.Print(at), got.Objectives)
		}
	}
	if _, err := percentile.Set(at, "p95"); err == nil {
		t.Error("a percentile was set of no objective")
	}
	at, err := limit.Set(at, "ttft p99 <= 500ms over 1m for 99%; errors <= 1% over 1m for 99%")
	if err != nil {
		t.Fatal(err)
	}
	second := at.Objectives.At(1)
	at = target.Turn(percentile.Turn(limit.Turn(at, now, true), now, false), now, true)
	if o := at.Objectives.At(0); o.Limit != 550*time.Millisecond || o.Percentile != 0.98 || o.Target != 0.995 || at.Objectives.At(1) != second {
		t.Errorf("turned to %v", at.Objectives)
	}
	for s, text := range map[*Setting]string{limit: "ttft 300 ms", percentile: "p99.9", target: "95%"} {
		if at, err = s.Set(at, text); err != nil {
			t.Error(err)
		}
	}
	if o := at.Objectives.At(0); o.Limit != 300*time.Millisecond || o.Percentile != 0.999 || o.Target != 0.95 || at.Objectives.At(1) != second {
		t.Errorf("typed to %v", at.Objectives)
	}
	at, err = limit.Set(at, "errors <= 1% over 1m for 99%")
	if err != nil || limit.Print(at) != "errors 1 %" || percentile.Print(at) != "none" {
		t.Errorf("%v, %v", at.Objectives, err)
	}
	if got := limit.Turn(at, now, true).Objectives.At(0).MaxErrors; got != 0.02 {
		t.Errorf("up from 1 %% of errors is %v", got)
	}
	if _, err := target.Set(at, "95"); err == nil || err.Error() != "95 of what? 95% or 0.95" {
		t.Error(err)
	}
	if at, err = limit.Set(at, "off"); err != nil || at.Objectives.Len() != 0 {
		t.Errorf("off is %v, %v", at.Objectives, err)
	}
}

// What can be off is turned on from there, and off again at its end.
func TestOffAndOn(t *testing.T) {
	for name, down := range map[string]int{"ramp": 60, "think": 60, "turns": 1, "prefix_overlap": 1, "ttft": 200, "loop": 1, "cancel_surplus": 1} {
		at, now := busy()
		s := find(t, name)
		at, err := s.Set(at, "off")
		if err != nil || !s.Off(at) {
			t.Fatalf("%s: off shows as %q, %v", name, s.Print(at), err)
		}
		if s.Scale(at, now, 0.5) != at && name != "ttft" {
			t.Errorf("%s: half of off is %q", name, s.Print(s.Scale(at, now, 0.5)))
		}
		on := s.Turn(at, now, true)
		if s.Off(on) {
			t.Errorf("%s: up from off is %q", name, s.Print(on))
		}
		for range down {
			if on = s.Turn(on, now, false); s.Off(on) {
				break
			}
		}
		if on != at {
			t.Errorf("%s: turned down again it is %q", name, s.Print(on))
		}
	}
}

func TestNotes(t *testing.T) {
	at, now := busy()
	at.Objectives, _ = slo.ParseObjectives("ttft p99 <= 1s")
	for name, want := range map[string]string{
		"concurrency": "closed loop", "max_in_flight": "counts in the open loop", "rate": "turn up: open loop", "speed": "counts in a replay",
		"ttft": "89.6 % within", "tpot": "", "slo_target": "87.2 % at present", "arrival": "counts in the open loop", "turns": "single requests",
		"think": "counts between turns", "prefixes": "counts with a common prefix", "ramp": "changes at once", "prompt_tokens": "", "objective": "",
	} {
		if got := find(t, name).Note(at, now); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
	score := slo.Tally{OK: 9, Failed: 91, Good: 9, Measured: [3]int{9, 9, 9}}
	for failing, want := range map[slo.Tally]string{score: "9.0 % within", {Failed: 91}: "0 % within", {}: "n/a"} {
		dead := *now
		if dead.Live.Score = failing; find(t, "ttft").Note(at, &dead) != want {
			t.Errorf("%d failed: %q, want %q; what fails is within no limit", failing.Failed, find(t, "ttft").Note(at, &dead), want)
		}
	}
	at.Shape.PrefixOverlap, at.Shape.Turns = 0.3, shape.Fixed(2)
	now.Objectives = make([]slo.Standing, 1)
	at, _ = find(t, "rate").Set(at, "3")
	for name, want := range map[string]string{
		"max_in_flight": "open loop", "rate": "poisson", "turns": "per conversation", "think": "mean, between turns", "prefixes": "",
		"prompt_tokens": "30.0 % common", "objective": "n/a", "arrival": "",
	} {
		if got := find(t, name).Note(at, now); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
}

// Whatever is turned however often, the engine never gets knobs that it must refuse.
func TestTurningNeverLeavesTheValid(t *testing.T) {
	knobs := Settings().Knobs()
	rapid.Check(t, func(t *rapid.T) {
		at, now := busy()
		at.Objectives, _ = slo.ParseObjectives("ttft p99 <= 1s; errors <= 1%")
		for range rapid.IntRange(1, 200).Draw(t, "turns") {
			s := rapid.SampledFrom(knobs).Draw(t, "knob").Setting(at)
			if rapid.Bool().Draw(t, "any") {
				s = rapid.SampledFrom(Settings()).Draw(t, "setting")
			}
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				at = s.Turn(at, now, true)
			case 1:
				at = s.Turn(at, now, false)
			case 2:
				at = s.Scale(at, now, 2)
			case 3:
				at = s.Scale(at, now, 0.5)
			}
			if err := at.Validate(); err != nil {
				t.Fatalf("%s: %v", s.Title, err)
			}
		}
	})
}

// Rows are complete, and every name leads to one of them.
func TestTheTableIsComplete(t *testing.T) {
	table, names := Settings(), map[string]bool{}
	for _, s := range table {
		for _, name := range []string{s.Name, s.FlagName(), s.Short, s.Letter} {
			if name != "" && table.Find(name) != s {
				t.Errorf("%q does not lead to %s", name, s.Name)
			}
		}
		if names[s.Name] || s.Short == "" || s.Title == "" || s.Says == "" || s.Takes == "" || s.Example == "" {
			t.Errorf("%s is incomplete, or there twice: %+v", s.Name, s)
		}
		names[s.Name] = true
		if _, err := s.Set(Plain(), s.Example); err != nil && !s.File {
			t.Errorf("%s does not take its own example: %v", s.Name, err)
		}
		for _, need := range s.Needs {
			if table.Find(need) == nil {
				t.Errorf("%s needs %s, which there isn't", s.Name, need)
			}
		}
		if at, err := s.Set(Plain(), "½"); err == nil || at != Plain() {
			t.Errorf("%s takes ½: %+v, %v", s.Name, at, err)
		}
	}
	at, now := busy()
	at.Objectives, _ = slo.ParseObjectives("ttft p99 <= 1s")
	for _, k := range table.Knobs() {
		s := k.Setting(at)
		if s.Title == "" || s.Turn(at, now, true) == at && s.Turn(at, now, false) == at {
			t.Errorf("the knob %+v can't be turned", s)
		}
		if got, err := s.Set(at, s.Print(at)); err != nil || got != at {
			t.Errorf("%s: %q is %+v, %v", s.Title, s.Print(at), got, err)
		}
	}
}
