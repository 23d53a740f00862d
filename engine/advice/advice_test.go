package advice

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tokdyno/engine/health"
	"tokdyno/engine/stage"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// set puts values into an input by the names of its fields.
func set(in *Input, values map[string]any) {
	v := reflect.ValueOf(in).Elem()
	for name, value := range values {
		if number, ok := value.(float64); ok && v.FieldByName(name).Type() == reflect.TypeFor[optional.Value]() {
			value = optional.Of(number)
		}
		v.FieldByName(name).Set(reflect.ValueOf(value))
	}
}

type fields = map[string]any

func with(a, b fields) fields {
	all := fields{}
	for _, m := range []fields{a, b} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// at makes a level: requests in flight, output tokens a second, TTFT and TPOT in ms.
func at(level, output, ttft, tpot float64) Level {
	return Level{Level: level, N: 100, Output: output, TTFT: optional.Of(ttft), TPOT: optional.Of(tpot)}
}

// drafting is so many tokens drafted in a stage, of which a share was accepted.
func drafting(stage int, tokens, rate float64) Drafting {
	return Drafting{Stage: stage, Tokens: optional.Of(tokens), Rate: optional.Of(rate)}
}

// Curves that end at their last level, which is the current one.
func curve(levels ...Level) fields {
	return fields{"Axis": stage.Concurrency, "Levels": levels, "Current": levels[len(levels)-1].Level}
}

func flatCurve() fields {
	return curve(at(8, 1000, 80, 8), at(16, 1900, 85, 8.4), at(24, 3880, 90, 9), at(32, 3914, 95, 9.4))
}

func growingCurve() fields { return curve(at(8, 1000, 80, 8), at(16, 1900, 85, 8.4)) }

// ruleCase is a case in which a rule fires, and cases next to it in which it does not.
type ruleCase struct {
	rule      string
	fires     fields
	before    fields // some seconds earlier, where it differs
	evidence  string
	needs     []string // fields without which it says nothing
	neighbour fields   // of fires: differs in these
}

func cases() []ruleCase {
	idle := fields{"Waiting": 0.0, "SMActive": 20.0, "GPUUtil": 60.0, "Running": 2.0}
	hot := fields{"SMActive": 92.0, "DRAMActive": 60.0}
	power := fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockPowerCap, "PowerW": 690.0, "PowerLimitW": 700.0, "SMClockMHz": 1500.0, "SMClockMaxMHz": 1980.0}
	return []ruleCase{
		{"client-limit", with(idle, fields{"Client": health.Strained}), nil, "client strained, 0 waiting, SM 20 %", []string{"Waiting", "SMActive", "Client"}, fields{"Waiting": 3.0}},
		{"client-limit", fields{"Client": health.ClientBound}, nil, "client-bound", []string{"Client"}, fields{"Client": health.Strained}},
		{"client-limit", with(idle, fields{"Client": health.Strained}), nil, "client strained, 0 waiting, SM 20 %", nil, fields{"SMActive": 51.0}},
		{"cache-measured", fields{"HitRate": 0.42, "Overlap": 0.0}, nil, "hit rate 42.0 %", []string{"HitRate", "Overlap"}, fields{"Overlap": 0.2}},
		{"cache-measured", fields{"HitRate": 0.01, "Overlap": 0.0}, nil, "hit rate 1.0 %", nil, fields{"HitRate": 0.009}},
		{"cache-measured", fields{"HitRate": 0.06, "Overlap": 0.0, "Common": 0.045}, nil, "hit rate 6.0 %", nil, fields{"Common": 0.055}},
		{"hardware-slowdown", fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockHWSlowdown}, nil, "clocks held down by a hardware slowdown", []string{"Reasons"}, fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockIdle}},
		{"hardware-slowdown", fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockPowerBrake}, nil, "clocks held down by a power brake", nil, fields{"Reasons": gpu.ClockPowerBrake}},
		{"thermal-limit", fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockHWThermal | gpu.ClockHWSlowdown}, nil, "clocks held down by temperature", []string{"Reasons"}, fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockHWSlowdown}},
		{"thermal-limit", fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockSWThermal}, nil, "clocks held down by temperature", nil, fields{"Reasons": gpu.ClockReasonsKnown | gpu.ClockPowerCap}},
		{"power-limit", power, nil, "690 of 700 W, SM clock 1500 of 1980 MHz", []string{"Reasons", "PowerW", "PowerLimitW", "SMClockMHz", "SMClockMaxMHz"}, fields{"SMClockMHz": 1800.0}},
		{"power-limit", power, nil, "690 of 700 W, SM clock 1500 of 1980 MHz", nil, fields{"PowerW": 660.0}},
		{"kv-limit", fields{"KVUse": 0.95, "Waiting": 4.0}, nil, "KV 95 %, 4 waiting", []string{"KVUse", "Waiting"}, fields{"KVUse": 0.89}},
		{"kv-limit", fields{"KVUse": 0.95, "Waiting": 4.0}, nil, "KV 95 %, 4 waiting", nil, fields{"Waiting": 0.0}},
		{"kv-limit", fields{"Preemptions": 17.0}, fields{"Preemptions": 12.0}, "5 preemptions in the last seconds", []string{"Preemptions"}, fields{"Preemptions": 12.0}},
		{"scheduler-limit", fields{"Waiting": 9.0, "KVUse": 0.6, "Running": 32.0}, fields{"Waiting": 2.0}, "32 running, 9 waiting, KV 60 %", []string{"Waiting", "KVUse"}, fields{"KVUse": 0.85}},
		{"scheduler-limit", fields{"Waiting": 10.0, "KVUse": 0.6}, fields{"Waiting": 10.0}, "10 waiting, KV 60 %", nil, fields{"Waiting": 8.0}},
		{"scheduler-limit", fields{"Waiting": 1.0, "KVUse": 0.6}, fields{"Waiting": 1.0}, "1 waiting, KV 60 %", nil, fields{"Waiting": 0.0}},
		{"compute-limit", with(flatCurve(), hot), nil, "SM 92 %, 3914 tok/s at c=32, 3880 at c=24 already", []string{"SMActive", "Levels", "Current"}, fields{"SMActive": 79.0}},
		{"compute-limit", with(flatCurve(), hot), nil, "SM 92 %, 3914 tok/s at c=32, 3880 at c=24 already", nil, growingCurve()},
		{"bandwidth-limit", with(flatCurve(), fields{"SMActive": 40.0, "DRAMActive": 88.0}), nil, "DRAM 88 %, 3914 tok/s at c=32, 3880 at c=24 already", []string{"DRAMActive", "Levels", "Current"}, fields{"DRAMActive": 70.0}},
		{"bandwidth-limit", with(flatCurve(), fields{"SMActive": 85.0, "DRAMActive": 88.0}), nil, "DRAM 88 %, 3914 tok/s at c=32, 3880 at c=24 already", nil, fields{"SMActive": 90.0}},
		{
			"acceptance-fell",
			fields{"Drafting": drafting(3, 2000, 0.48), "DraftingBefore": drafting(2, 9000, 0.71), "Turned": "c 8→64"},
			nil,
			"acceptance 71 → 48 % from stage 2 to 3 (c 8→64)",
			[]string{"Drafting", "DraftingBefore"},
			fields{"Drafting": drafting(3, 1999, 0.48)},
		},
		{
			"acceptance-fell",
			fields{"Drafting": drafting(3, 2000, 0.59), "DraftingBefore": drafting(2, 9000, 0.7)},
			nil,
			"acceptance 70 → 59 % from stage 2 to 3", nil,
			fields{"Drafting": drafting(3, 2000, 0.6)},
		},
		{
			"acceptance-fell",
			fields{"Drafting": drafting(3, 2000, 0.14), "DraftingBefore": drafting(2, 2000, 0.2)},
			nil,
			"acceptance 20 → 14 % from stage 2 to 3", nil,
			fields{"DraftingBefore": drafting(2, 1999, 0.2)},
		},
		{"output-flat", flatCurve(), nil, "3914 tok/s at c=32, 3880 at c=24 already", []string{"Levels", "Current"}, fields{"SMActive": 85.0}},
		{"output-flat", flatCurve(), nil, "3914 tok/s at c=32, 3880 at c=24 already", nil, fields{"Current": 24.0}},
		{"output-flat", curve(at(8, 1000, 80, 8), at(16, 1040, 80, 8), at(32, 1080, 80, 8)), nil, "1080 tok/s at c=32, 1000 at c=8 already", nil, curve(at(8, 1000, 80, 8), at(16, 1060, 80, 8), at(32, 1120, 80, 8))},
		{"output-flat", flatCurve(), nil, "3914 tok/s at c=32, 3880 at c=24 already", nil, curve(at(8, 1000, 80, 8), at(16, 2000, 85, 8), at(32, 1700, 88, 8.4))},
		{"output-falls", curve(at(8, 1000, 80, 8), at(16, 2000, 85, 8), at(32, 1700, 88, 8.4)), nil, "1700 tok/s at c=32, after 2000 at c=16", []string{"Levels", "Current"}, curve(at(8, 1000, 80, 8), at(16, 2000, 85, 8), at(32, 1850, 88, 8.4))},
		{"launch-bound", fields{"GPUUtil": 95.0, "SMActive": 12.0, "Running": 2.0}, nil, "GPU-util 95 %, SM 12 %, 2 running", []string{"GPUUtil", "SMActive", "Running"}, fields{"Running": 5.0}},
		{"launch-bound", fields{"GPUUtil": 95.0, "SMActive": 12.0, "Running": 2.0}, nil, "GPU-util 95 %, SM 12 %, 2 running", nil, fields{"SMActive": 50.0}},
		{"launch-bound", fields{"GPUUtil": 95.0, "SMActive": 12.0, "Running": 2.0}, nil, "GPU-util 95 %, SM 12 %, 2 running", nil, fields{"GPUUtil": 89.0}},
		{"prefill-or-queue", curve(at(8, 1000, 80, 8), at(16, 1500, 200, 8.2)), nil, "TTFT 80 → 200 ms, TPOT 8 → 8.2 ms from c=8 to c=16", []string{"Levels", "Current"}, curve(at(8, 1000, 80, 8), at(16, 1500, 200, 12))},
		{"prefill-or-queue", curve(at(8, 1000, 80, 8), at(16, 1500, 100, 8.2)), nil, "TTFT 80 → 100 ms, TPOT 8 → 8.2 ms from c=8 to c=16", nil, curve(at(8, 1000, 80, 8), at(16, 1500, 99, 8.2))},
		{"decode-slower", curve(at(8, 1000, 80, 8), at(16, 1500, 85, 12)), nil, "TPOT 8 → 12 ms, TTFT 80 → 85 ms from c=8 to c=16: 0.5 ms for each added stream", []string{"Levels", "Current"}, curve(at(8, 1000, 80, 8), at(16, 1500, 85, 9.9))},
		{"decode-slower", curve(at(8, 1000, 80, 8), at(16, 1500, 85, 12)), nil, "TPOT 8 → 12 ms, TTFT 80 → 85 ms from c=8 to c=16: 0.5 ms for each added stream", nil, curve(at(8, 1000, 80, 8), at(16, 1500, 90, 12))},
		{"stream-price-rises", curve(at(4, 500, 80, 8), at(8, 800, 88, 8.4), at(16, 1100, 97, 10.4)), nil, "TPOT +0.25 ms a stream from c=8 to c=16, +0.1 ms up to there", []string{"Levels", "Current", "Axis"}, curve(at(4, 500, 80, 8), at(8, 800, 88, 8.4), at(16, 1100, 97, 9.9))},
		{"under-driven", with(idle, fields{"Client": health.OK}), nil, "SM 20 %, 0 waiting", []string{"Waiting", "SMActive", "Client"}, fields{"Client": health.Strained}},
		{"under-driven", with(idle, fields{"Client": health.OK}), nil, "SM 20 %, 0 waiting", nil, fields{"DRAMActive": 85.0}},
		{"under-driven", with(idle, fields{"Client": health.OK}), nil, "SM 20 %, 0 waiting", nil, fields{"GPUUtil": 95.0}},
		{"under-driven", with(idle, fields{"Client": health.OK}), nil, "SM 20 %, 0 waiting", nil, flatCurve()},
		{"output-grows", growingCurve(), nil, "1000 → 1900 tok/s from c=8 to c=16", []string{"Levels", "Current"}, curve(at(8, 1000, 80, 8), at(16, 1700, 85, 8.4))},
		{"output-grows", growingCurve(), nil, "1000 → 1900 tok/s from c=8 to c=16", nil, fields{"SMActive": 30.0}},
		{"output-grows", growingCurve(), nil, "1000 → 1900 tok/s from c=8 to c=16", nil, fields{"Waiting": 1.0}},
	}
}

// settled is what an advisor says after an input has stood for so long that trends show.
func settled(fires, before fields) []Advice {
	var a Advisor
	var in Input
	set(&in, with(fires, before))
	for range reach {
		a.Observe(in)
	}
	in = Input{}
	set(&in, fires)
	var all []Advice
	for range held {
		all = a.Observe(in)
	}
	return all
}

func find(all []Advice, rule string) (Advice, bool) {
	i := slices.IndexFunc(all, func(a Advice) bool { return a.Rule == rule })
	if i < 0 {
		return Advice{}, false
	}
	return all[i], true
}

func TestEachRuleFiresOnItsCaseAndNotNextToIt(t *testing.T) {
	for i, tt := range cases() {
		t.Run(fmt.Sprintf("%s %d", tt.rule, i), func(t *testing.T) {
			a, ok := find(settled(tt.fires, tt.before), tt.rule)
			if !ok || a.Evidence != tt.evidence {
				t.Errorf("fires %v with %q, want %q", ok, a.Evidence, tt.evidence)
			}
			if a, ok := find(settled(with(tt.fires, tt.neighbour), tt.before), tt.rule); ok {
				t.Errorf("fires next to its case, with %q", a.Evidence)
			}
			for _, name := range tt.needs {
				without := with(tt.fires, nil)
				delete(without, name)
				before := with(tt.before, nil)
				delete(before, name)
				if a, ok := find(settled(without, before), tt.rule); ok {
					t.Errorf("fires without %s, with %q", name, a.Evidence)
				}
			}
		})
	}
}

func TestEveryRuleHasACase(t *testing.T) {
	for _, r := range rules() {
		n := 0
		for _, c := range cases() {
			if c.rule == r.name && len(c.needs) > 0 {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s has no case with what it needs", r.name)
		}
		if r.when == nil || !strings.HasSuffix(r.says, ".") || strings.ToUpper(r.says[:1]) != r.says[:1] {
			t.Errorf("%s says %q, which is no sentence", r.name, r.says)
		}
	}
}

func TestNothingIsSaidOfWhatIsNotKnown(t *testing.T) {
	if all := settled(nil, nil); len(all) != 0 {
		t.Errorf("of nothing: %+v", all)
	}
	few := flatCurve()
	levels := slices.Clone(few["Levels"].([]Level))
	for i := range levels {
		levels[i].N = leastRequests - 1
	}
	few["Levels"] = levels
	if all := settled(few, nil); len(all) != 0 {
		t.Errorf("of too few requests: %+v", all)
	}
	unknown := curve(Level{Level: 8, N: 100}, Level{Level: 16, N: 100}, Level{Level: 32, N: 100})
	if all := settled(unknown, nil); len(all) != 0 {
		t.Errorf("of levels that measured nothing: %+v", all)
	}
}

func TestARuleHoldsThreeSamplesBeforeItIsShown(t *testing.T) {
	var on, off Input
	set(&on, fields{"KVUse": 0.95, "Waiting": 4.0})
	var a Advisor
	for i, step := range []struct {
		in   Input
		want bool
	}{{on, false}, {on, false}, {off, false}, {on, false}, {on, false}, {on, true}, {on, true}, {off, false}, {on, false}} {
		if _, ok := find(a.Observe(step.in), "kv-limit"); ok != step.want {
			t.Errorf("sample %d: shown %v, want %v", i, ok, step.want)
		}
	}
}

func TestATrendDoesNotReachOverAChangeOfTheLoad(t *testing.T) {
	var a Advisor
	in := Input{Stage: 1}
	set(&in, fields{"Waiting": 5.0, "KVUse": 0.5})
	for range reach {
		a.Observe(in)
	}
	in.Stage = 2
	shown := 0
	for i := range 5 {
		if _, ok := find(a.Observe(in), "scheduler-limit"); ok {
			shown++
			if i < shortest-1 {
				t.Errorf("shown %d samples after the change", i+1)
			}
		}
	}
	if shown == 0 {
		t.Error("never shown in the new stage")
	}
}

func TestTheMostImportantComesFirst(t *testing.T) {
	all := settled(with(flatCurve(), fields{
		"SMActive": 92.0, "KVUse": 0.97, "Waiting": 8.0, "HitRate": 0.3, "Overlap": 0.0, "Client": health.ClientBound,
		"Reasons": gpu.ClockReasonsKnown | gpu.ClockSWThermal,
	}), nil)
	var got []string
	for _, a := range all {
		got = append(got, a.Rule)
	}
	if want := []string{"client-limit", "cache-measured", "thermal-limit", "kv-limit", "compute-limit"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRulesThatContradictEachOtherNeverMeet draws inputs at random.
func TestRulesThatContradictEachOtherNeverMeet(t *testing.T) {
	contradictions := [][]string{ // the first of each to all the others
		{"under-driven", "compute-limit", "bandwidth-limit", "output-flat", "output-falls", "launch-bound"},
		{"under-driven", "client-limit"},
		{"under-driven", "kv-limit", "scheduler-limit"},
		{"output-grows", "output-flat", "output-falls", "compute-limit", "bandwidth-limit", "under-driven"},
		{"prefill-or-queue", "decode-slower"},
	}
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Axis: stage.Concurrency, Client: rapid.SampledFrom([]health.Verdict{health.Unknown, health.OK, health.Strained, health.ClientBound}).Draw(t, "client")}
		v := reflect.ValueOf(&in).Elem()
		for i := range v.NumField() {
			if v.Field(i).Type() == reflect.TypeFor[optional.Value]() && rapid.Bool().Draw(t, "known") {
				v.Field(i).Set(reflect.ValueOf(optional.Of(rapid.SampledFrom([]float64{0, 0.5, 0.85, 0.95, 2, 20, 60, 85, 95}).Draw(t, "value"))))
			}
		}
		value := rapid.SampledFrom([]float64{8, 9, 12, 40})
		for level := 1.0; level <= 8; level *= 2 {
			in.Levels = append(in.Levels, at(level, 100*value.Draw(t, "output"), value.Draw(t, "ttft"), value.Draw(t, "tpot")))
		}
		in.Current = rapid.SampledFrom([]float64{1, 2, 4, 8, 16}).Draw(t, "current")
		var a Advisor
		var all []Advice
		for range reach {
			all = a.Observe(in)
		}
		for _, group := range contradictions {
			if _, ok := find(all, group[0]); !ok {
				continue
			}
			for _, other := range group[1:] {
				if _, ok := find(all, other); ok {
					t.Fatalf("%s and %s of %+v", group[0], other, in)
				}
			}
		}
	})
}

func BenchmarkObserve(b *testing.B) {
	var in Input
	set(&in, with(flatCurve(), fields{"SMActive": 92.0, "KVUse": 0.5, "Waiting": 8.0, "Client": health.OK}))
	var a Advisor
	b.ReportAllocs()
	for b.Loop() {
		a.Observe(in)
	}
}
