package console_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"pgregory.net/rapid"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/presets"
	"tokdyno/ui/console"
	"tokdyno/ui/flags"
)

// assigned is a setting and the text that it is set to.
type assigned struct{ name, text string }

// door is a way by which texts come into settings. What it gives is what they make of plain knobs; its error is without
// the words by which it says where the text stood.
type door struct {
	name string
	set  func(all []assigned) (snapshot.Knobs, error)
}

// said is an error without what stands before its sentence.
type said string

func (s said) Error() string { return string(s) }

func after(err error, mark string) error {
	if err == nil {
		return nil
	}
	_, sentence, ok := strings.Cut(err.Error(), mark)
	if !ok {
		return err
	}
	return said(sentence)
}

// doors are all there are.
func doors(t *testing.T) []door {
	library, err := presets.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	table, folder := library.Settings(), t.TempDir()
	return []door{
		{"Set", func(all []assigned) (k snapshot.Knobs, err error) {
			k = presets.Plain()
			for _, a := range all {
				if k, err = table.Find(a.name).Set(k, a.text); err != nil {
					return k, err
				}
			}
			return k, nil
		}},
		{"flag", func(all []assigned) (snapshot.Knobs, error) {
			var load flags.Load
			f := pflag.NewFlagSet("test", pflag.ContinueOnError)
			if err := load.Bind(f, library.Nothing()); err != nil {
				return snapshot.Knobs{}, err
			}
			var args []string
			for _, a := range all {
				args = append(args, "--"+table.Find(a.name).FlagName()+"="+a.text)
			}
			if err := f.Parse(args); err != nil {
				return snapshot.Knobs{}, err
			}
			var cfg engine.Config
			err := load.Apply(&cfg)
			return cfg.Knobs, after(err, ": ")
		}},
		{"preset", func(all []assigned) (snapshot.Knobs, error) {
			file := filepath.Join(folder, "mine.yaml")
			text := "title: T\nfor: t\n"
			for _, a := range all {
				text += a.name + ": '" + strings.ReplaceAll(a.text, "'", "''") + "'\n"
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return snapshot.Knobs{}, err
			}
			last := all[len(all)-1].name + ": "
			p, err := library.Lookup(file)
			if err != nil {
				return snapshot.Knobs{}, after(err, last)
			}
			k, err := p.Knobs()
			return k, after(err, last)
		}},
		{"command", func(all []assigned) (snapshot.Knobs, error) {
			w := console.NewTypist(presets.Plain())
			for _, a := range all {
				if err := w.Command(table.Find(a.name).Short + " " + a.text); err != nil {
					return w.Knobs(), err
				}
			}
			return w.Knobs(), nil
		}},
		{"knob", func(all []assigned) (snapshot.Knobs, error) {
			w := console.NewTypist(presets.Plain())
			for _, a := range all {
				s := table.Find(a.name)
				there, err := w.Knob(s, a.text)
				if !there {
					err = w.Command(s.Short + " " + a.text)
				}
				if err != nil {
					return w.Knobs(), err
				}
			}
			return w.Knobs(), nil
		}},
	}
}

// anyKnobs draws valid knobs. What does not count in their mode is as in plain ones, for a flag would be refused for it.
func anyKnobs(t *rapid.T) snapshot.Knobs {
	k := presets.Plain()
	whole := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
	maybe := func(name string) bool { return rapid.Bool().Draw(t, name) }
	span := func(name string, least, most time.Duration) time.Duration {
		return time.Duration(rapid.Int64Range(int64(least), int64(most)).Draw(t, name))
	}
	k.Load.Concurrency = whole("concurrency", 1, load.MaxConcurrency)
	k.Load.Cancel = maybe("cancel")
	if maybe("ramps") {
		k.Load.Ramp = load.Ramp{
			Kind: rapid.SampledFrom([]load.RampKind{load.Linear, load.Exponential}).Draw(t, "curve"), Over: span("ramp", 1, load.MaxRamp),
		}
	}
	if !maybe("open") {
		k.Load.Together = maybe("together")
	} else {
		k.Load.Mode, k.Load.Rate = load.Open, rapid.Float64Range(load.MinRate, load.MaxRate).Draw(t, "rate")
		k.Load.MaxInFlight = whole("max in flight", 0, math.MaxInt)
		size := whole("burst", 1, 1000)
		k.Load.Arrival = rapid.SampledFrom([]load.Arrival{
			load.Constant, load.Poisson, load.Gamma(rapid.Float64Range(load.MinVariation, load.MaxVariation).Draw(t, "variation")),
			load.Burst(size, span("every", 20*time.Millisecond, load.MaxBurstEvery)),
		}).Draw(t, "arrival")
	}
	length := func(name string) shape.Length {
		a, b := whole(name, 1, shape.MaxTokens), whole(name+", too", 1, shape.MaxTokens)
		return rapid.SampledFrom([]shape.Length{
			shape.Fixed(a), shape.Uniform(min(a, b), max(a, b)), shape.Normal(a, b), shape.Lognormal(a, b),
		}).Draw(t, name+", spread")
	}
	s := &k.Shape
	s.Prompt, s.Output = length("prompt"), length("output")
	s.Text = rapid.SampledFrom([]shape.Text{shape.Words, shape.Chinese, shape.Code}).Draw(t, "text")
	if s.PrefixOverlap = rapid.Float64Range(0, 1).Draw(t, "overlap"); s.PrefixOverlap > 0 && maybe("prefixes") {
		s.Prefixes = whole("number of prefixes", 2, shape.MaxPrefixes)
	}
	if maybe("turns") {
		s.Turns = shape.Uniform(2, whole("number of turns", 2, shape.MaxTurns))
		s.Think = span("think", 0, shape.MaxThink)
		k.Load.Conversations = maybe("conversations")
	}
	for _, m := range slo.Metrics() {
		k.SLO[m] = max(0, span(m.String(), -math.MaxInt64, math.MaxInt64))
	}
	share := rapid.Float64Range(math.SmallestNonzeroFloat64, 1)
	k.Target = share.Draw(t, "target")
	var objectives []slo.Objective
	if maybe("latency objective") {
		objectives = append(objectives, slo.Objective{
			Metric: slo.TTFT, Percentile: share.Draw(t, "percentile"), Limit: span("limit", 1, time.Hour),
			Window: span("window", time.Second, time.Hour), Target: share.Draw(t, "objective's target"),
		})
	}
	if maybe("objective of errors") {
		objectives = append(objectives, slo.Objective{
			Metric: slo.ErrorRate, MaxErrors: rapid.Float64Range(0, 0.99).Draw(t, "errors"), Window: time.Minute, Target: 1,
		})
	}
	all, err := slo.NewObjectives(objectives...)
	if err != nil {
		t.Fatal(err)
	}
	k.Objectives = all
	k.Window = rapid.SampledFrom([]stats.Window{stats.Last10s, stats.Last5m, stats.ThisStage, stats.WholeRun}).Draw(t, "window")
	if err := k.Validate(); err != nil {
		t.Fatal(err)
	}
	return k
}

// shown are the settings that count in knobs, with what the console shows for them.
func shown(k snapshot.Knobs) []assigned {
	var all []assigned
	for _, s := range presets.Settings() {
		if text := s.Print(k); !s.File && (s.Idle(k) == "" || s.Name == "concurrency") {
			all = append(all, assigned{s.Name, text})
		}
	}
	return all
}

// counted is knobs without a rate that does not count, in the closed loop and beside bursts, which have their own.
func counted(k snapshot.Knobs) snapshot.Knobs {
	if own := (load.Setting{Mode: load.Open, Arrival: k.Load.Arrival}).MeanRate(); k.Load.Mode != load.Open || own > 0 {
		k.Load.Rate = 0
	}
	return k
}

// What the console shows can be put into a flag and into a preset, and means what it meant.
func TestWhatIsShownIsTakenByEveryDoor(t *testing.T) {
	all := doors(t)
	rapid.Check(t, func(t *rapid.T) {
		want := anyKnobs(t)
		texts := shown(want)
		for _, d := range all {
			got, err := d.set(texts)
			if err != nil || counted(got) != counted(want) {
				t.Fatalf("%s of %q:\n%+v, %v, want\n%+v", d.name, texts, got, err, want)
			}
		}
	})
}

// Case and the name of a unit behind a value make no difference.
func TestOtherSpellingsOfWhatIsShown(t *testing.T) {
	all := doors(t)
	rapid.Check(t, func(t *rapid.T) {
		want := anyKnobs(t)
		texts := shown(want)
		for i, a := range texts {
			s := presets.Settings().Find(a.name)
			if s.Unit != "" && !s.Off(want) {
				texts[i].text += " " + s.Unit
			}
			texts[i].text = " " + strings.ToUpper(texts[i].text)
		}
		for _, d := range all {
			got, err := d.set(texts)
			if err != nil || counted(got) != counted(want) {
				t.Fatalf("%s of %q:\n%+v, %v, want\n%+v", d.name, texts, got, err, want)
			}
		}
	})
}

// A knob takes what it shows back, whatever it was turned to meanwhile; so do those of one limit and one element.
func TestEveryKnobTakesWhatItShows(t *testing.T) {
	knobs := presets.Settings().Knobs()
	rapid.Check(t, func(t *rapid.T) {
		want, other := anyKnobs(t), anyKnobs(t)
		for _, knob := range knobs {
			s := knob.Setting(want)
			moved, err := s.Set(want, s.Print(other))
			if err != nil || moved.Load.Mode != want.Load.Mode || (other.Objectives.Len() > 0) != (want.Objectives.Len() > 0) {
				continue // the other has another loop, or no objective
			}
			if s.Name != "rate" && s.Print(moved) != s.Print(other) { // bursts come at whole nanoseconds, at about the rate
				t.Fatalf("%s: set to %q, it shows %q", s.Title, s.Print(other), s.Print(moved))
			}
			got, err := s.Set(moved, s.Print(want))
			if s.Name == "arrival" {
				got.Load.Rate = want.Load.Rate // bursts have taken theirs with them
			}
			if err != nil || counted(got) != counted(want) {
				t.Fatalf("%s: %q over %q gives\n%+v, %v, want\n%+v", s.Title, s.Print(want), s.Print(other), got, err, want)
			}
		}
	})
}

// Files have no text that is shown, so that each is set by its own.
func TestFilesAreTakenByEveryDoor(t *testing.T) {
	folder := t.TempDir()
	data, recording := filepath.Join(folder, "data.txt"), filepath.Join(folder, "trace.jsonl")
	for file, text := range map[string]string{
		data: "a prompt\n", recording: `{"timestamp": 0, "input_length": 8, "output_length": 4, "hash_ids": [1]}` + "\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range doors(t) {
		if k, err := d.set([]assigned{{"data", data}}); err != nil || k.Shape.Data == nil {
			t.Errorf("%s: data %v, %v", d.name, k.Shape.Data, err)
		}
		k, err := d.set([]assigned{{"trace", recording}, {"loop", "on"}, {"speed", "×2.5"}})
		if err != nil || k.Load.Mode != load.Replay || k.Load.Timetable == nil || !k.Load.Loop || k.Load.Speed != 2.5 {
			t.Errorf("%s: load %+v, %v", d.name, k.Load, err)
		}
		if k, err := d.set([]assigned{{"data", "off"}, {"trace", "OFF"}}); err != nil || k != presets.Plain() {
			t.Errorf("%s: off is %+v, %v", d.name, k, err)
		}
	}
}

// How a recording is read may be said before it is opened and after, and what its data leave open must be.
func TestATraceIsReadAsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	lines := `{"timestamp": 0, "input_length": 8, "output_length": 4, "hash_ids": [1]}` + "\n" +
		`{"timestamp": 20, "input_length": 8, "output_length": 4, "hash_ids": [1]}` + "\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	as := func(k snapshot.Knobs) (trace.Reading, time.Duration) {
		r, ok := k.Load.Timetable.(interface {
			Reading() trace.Reading
			Duration() time.Duration
		})
		if !ok {
			return trace.Reading{}, 0
		}
		return r.Reading(), r.Duration()
	}
	seconds := trace.Reading{Unit: trace.Unit(time.Second), Block: 16}
	for _, d := range doors(t) {
		_, err := d.set([]assigned{{"trace", file}})
		if err == nil || !strings.Contains(err.Error(), "seconds or milliseconds") {
			t.Errorf("%s: %v", d.name, err)
		}
		k, err := d.set([]assigned{{"trace_unit", "s"}, {"block", "16"}, {"trace", file}})
		if r, span := as(k); err != nil || r != seconds || span != 20*time.Second || k.Trace != seconds {
			t.Errorf("%s: %+v over %v, %v", d.name, r, span, err)
		}
		k, err = d.set([]assigned{{"trace_unit", "s"}, {"trace", file}, {"trace_unit", "ms"}, {"block", "32"}})
		if d.name == "flag" || d.name == "preset" {
			continue // which say a thing once
		}
		if r, span := as(k); err != nil || r != (trace.Reading{Unit: trace.Unit(time.Millisecond), Block: 32}) || span != 20*time.Millisecond {
			t.Errorf("%s: said again, %+v over %v, %v", d.name, r, span, err)
		}
	}
}

// TestSpellings has each spelling mean the same by each door, or be refused with the same sentence.
func TestSpellings(t *testing.T) {
	recording := filepath.Join(t.TempDir(), "trace.jsonl")
	line := `{"timestamp": 0, "input_length": 8, "output_length": 4, "hash_ids": [1]}` + "\n"
	if err := os.WriteFile(recording, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	// beside are settings that another needs, so that a flag is not refused for want of them.
	beside := map[string]assigned{
		"think": {"turns", "4"}, "prefixes": {"prefix_overlap", "50%"}, "arrival": {"rate", "3"}, "max_in_flight": {"rate", "3"},
		"speed": {"trace", recording}, "trace_unit": {"trace", recording}, "block": {"trace", recording},
	}
	const notALength = `write a number of tokens (512), a range (128-1024), a mean and its spread (512±128, "normal 512/128" ` +
		`or "lognormal 512/256") or a file with a length in each line ("file:lens.txt")`
	const notARamp = `write a time (30s), a curve and a time ("exponential 30s") or off`
	all := doors(t)
	for _, tt := range []struct{ name, text, shows, refused string }{
		{name: "slo", text: "ttft=300", refused: "300 of what? ttft=300ms"},
		{name: "slo", text: "ttft 300ms", shows: "ttft=300ms"},
		{name: "slo", text: "ttft<=300ms", shows: "ttft=300ms"},
		{name: "slo", text: "TTFT = 300 ms", shows: "ttft=300ms"},
		{name: "slo", text: "ttft=300ms, tpot=40ms", shows: "ttft=300ms tpot=40ms"},
		{name: "slo", text: "ttft=300ms ttft=400ms", shows: "ttft=400ms"},
		{name: "slo", text: "ttft=1h", shows: "ttft=1h0m0s"},
		{name: "slo", text: "ttft=1,500ms", shows: "ttft=1.5s"},
		{name: "slo", text: "ttft=300ms tpot=off", shows: "ttft=300ms"},
		{name: "slo", text: "ttft=0", shows: "off"},
		{name: "slo", text: "off", shows: "off"},
		{name: "slo", text: "ttft", refused: "ttft has no limit; write it like ttft=500ms, or ttft=off"},
		{name: "slo", text: "ttft=soon", refused: `"soon" is not a time; write it like ttft=500ms`},
		{name: "slo", text: "itl=5ms", refused: "itl is a figure of tokens, not of requests; limit tpot instead, e.g. tpot=40ms"},
		{name: "slo_target", text: "99", refused: "99 of what? 99% or 0.99"},
		{name: "slo_target", text: "99.9 %", shows: "99.9 %"},
		{name: "slo_target", text: "0.99", shows: "99 %"},
		{name: "slo_target", text: "1", refused: "1 may be a hundredth or all; write 1% or 100%"},
		{name: "slo_target", text: "0", refused: `"0" is not a target; write a share above 0% such as 99% or 0.99`},
		{name: "slo_target", text: "101%", refused: `"101%" is not a share; write it like 30% or 0.3, at most 100%`},
		{name: "prefix_overlap", text: "30", refused: "30 of what? 30% or 0.3"},
		{name: "prefix_overlap", text: "30 %", shows: "30 %"},
		{name: "prefix_overlap", text: "Off", shows: "off"},
		{name: "objectives", text: "ttft p99 <= 500 ms over 5 m for 99.9 %", shows: "ttft p99 <= 500ms over 5m for 99.9%"},
		{name: "objectives", text: "none", shows: "off"},
		{name: "objectives", text: "ttft p99 <= 500", refused: "column 13, 500 of what? 500ms"},
		{name: "concurrency", text: "1,024", shows: "1,024"},
		{name: "concurrency", text: "64 requests", shows: "64"},
		{name: "concurrency", text: "0", refused: `"0" is not a number of requests; write a number from 1 to 100,000`},
		{name: "concurrency", text: "100,001", refused: `"100,001" is not a number of requests; write a number from 1 to 100,000`},
		{name: "concurrency", text: "1,2", refused: `"1,2" is not a number of requests; write a number from 1 to 100,000`},
		{name: "rate", text: "12 req/s", shows: "12"},
		{name: "rate", text: "1,000", shows: "1000"},
		{name: "rate", text: "none", shows: "off"},
		{name: "rate", text: "-3", refused: `"-3" is not a rate; write a number from 0.001 to 100,000, or off for the closed loop`},
		{name: "arrival", text: "Burst: 16 / 2 s", shows: "burst:16/5.333333333s"}, // as often as makes the rate beside it
		{name: "arrival", text: "GAMMA:2", shows: "gamma:2"},
		{name: "max_in_flight", text: "off", shows: "no cap"},
		{name: "max_in_flight", text: "no cap", shows: "no cap"},
		{name: "max_in_flight", text: "1,024", shows: "1,024"},
		{name: "ramp", text: "30", refused: `ramp "30": 30 of what? 30s; ` + notARamp},
		{name: "ramp", text: "exp 30 s", shows: "exponential 30s"},
		{name: "ramp", text: "none", shows: "off"},
		{name: "speed", text: "×2", shows: "×2"},
		{name: "speed", text: "2x", shows: "×2"},
		{name: "speed", text: "0", refused: `"0" is not a speed; write a factor from 0.01 to 1,000 such as 2 or ×2`},
		{name: "turns", text: "off", shows: "off"},
		{name: "turns", text: "4 turns", shows: "4"},
		{name: "turns", text: "2000", refused: "a conversation of 2000 turns is out of range: it has from 1 to 1000"},
		{name: "think", text: "5 s", shows: "5 s"},
		{name: "think", text: "5", refused: "5 of what? 5s"},
		{name: "think", text: "off", shows: "off"},
		{name: "think", text: "25h", refused: `"25h" is not a think time; write a time up to 24h such as 5s or 500ms, or off for none`},
		{name: "prefixes", text: "1,000", shows: "1,000"},
		{name: "prompt_tokens", text: "512±128", shows: "512±128"},
		{name: "prompt_tokens", text: "1,024-2,048 tokens", shows: "1024-2048"},
		{name: "output_tokens", text: "lots", refused: `length "lots": "lots" is not a whole number; ` + notALength},
		{name: "window", text: "60 s", shows: "1m"},
		{name: "window", text: "STAGE", shows: "stage"},
		{name: "window", text: "30", refused: "30 of what? 30s"},
		{name: "window", text: "7s", refused: `"7s" is not a window; write a window, which is 10s, 30s, 1m, 5m, stage or run`},
		{name: "loop", text: "no", shows: "off"},
		{name: "trace_unit", text: "S", shows: "s"},
		{name: "trace_unit", text: "auto", shows: "auto"},
		{name: "trace_unit", text: "hours", refused: `"hours" is not a unit; write a unit, which is s, ms, us or ns, or auto for what the data say`},
		{name: "block", text: "1,024 tokens", shows: "1,024"},
		{name: "block", text: "AUTO", shows: "auto"},
		{name: "block", text: "0", refused: `"0" is not a number of tokens; write a number from 1 to 1,048,576, or auto for what the data say`},
		{name: "cancel_surplus", text: "perhaps", refused: `"perhaps" is neither on nor off; write one of them`},
	} {
		texts := []assigned{{tt.name, tt.text}}
		if b, ok := beside[tt.name]; ok {
			texts = []assigned{b, texts[0]}
		}
		if tt.name == "arrival" {
			slices.Reverse(texts)
		}
		for _, d := range all {
			k, err := d.set(texts)
			if tt.refused != "" && (err == nil || err.Error() != tt.refused) {
				t.Errorf("%s: %s %q: %v, want %s", d.name, tt.name, tt.text, err, tt.refused)
			}
			if got := presets.Settings().Find(tt.name).Print(k); tt.refused == "" && (err != nil || got != tt.shows) {
				t.Errorf("%s: %s %q shows as %q, %v, want %q", d.name, tt.name, tt.text, got, err, tt.shows)
			}
		}
	}
}

// Limits that are not named stay, by whichever door they are typed over others.
func TestLimitsMerge(t *testing.T) {
	for text, want := range map[string]string{
		"tpot=40ms": "ttft=500ms tpot=40ms", "ttft=off": "off", "off": "off", "off tpot=40ms": "tpot=40ms",
	} {
		for _, d := range doors(t) {
			texts := []assigned{{"slo", "ttft=500ms " + text}}
			if k, err := d.set(texts); err != nil || presets.Settings().Find("slo").Print(k) != want {
				t.Errorf("%s: %s gives %s, %v, want %s", d.name, text, k.SLO, err, want)
			}
		}
		k, _ := presets.Settings().Find("slo").Set(presets.Plain(), "ttft=500ms")
		if k, err := presets.Settings().Find("slo").Set(k, text); err != nil || presets.Settings().Find("slo").Print(k) != want {
			t.Errorf("%s gives %s, %v, want %s", text, k.SLO, err, want)
		}
	}
}
