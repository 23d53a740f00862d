// This file is the settings of a recording that is replayed.

package presets

import (
	"os"
	"strings"

	"tokdyno/engine/load"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

// replaySettings are those of a recording. How it is to be read comes first, so that it is opened once.
func replaySettings(opened *files) []*Setting {
	idle := func(k snapshot.Knobs) string { return unless(k.Load.Mode == load.Replay, "counts in a replay") }
	loop := switchSetting(Setting{
		Name: "loop", Short: "loop", Title: "loop", Needs: []string{"trace"}, idle: idle,
		Says: "begin a replay again when the recording is over, rather than end the run",
	}, func(k *snapshot.Knobs) *bool { return &k.Load.Loop })
	return []*Setting{unitSetting(opened, idle), blockSetting(opened, idle), traceSetting(opened), speedSetting(idle), loop}
}

// traceSetting is the recording that is replayed. Off is the closed loop.
func traceSetting(opened *files) *Setting {
	return &Setting{
		Name: "trace", Short: "trace", Title: "trace", File: true, Example: "trace.jsonl", Words: []string{"off"},
		Says:  "recorded arrivals to replay",
		Takes: "a `file` of Mooncake JSONL, Azure LLM inference CSV or BurstGPT CSV, or off for none",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			if noFile(text) {
				if k.Load.Timetable = nil; k.Load.Mode == load.Replay {
					k = closedLoop(k, 1)
				}
				return k, nil
			}
			path, format, err := formatted(text, trace.ParseFormat)
			if err != nil {
				return k, err
			}
			t, err := opened.trace(path, format, k.Trace)
			if err != nil {
				return k, err
			}
			k.Load.Mode, k.Load.Timetable = load.Replay, t.Timetable()
			return k, nil
		},
		print: func(snapshot.Knobs) string { return "" },
	}
}

// readAs has the recording read in another way; where there is one already, it is opened again.
func readAs(k snapshot.Knobs, opened *files, r trace.Reading) (snapshot.Knobs, error) {
	if is, ok := k.Load.Timetable.(interface {
		Path() string
		Format() trace.Format
	}); ok && r != k.Trace {
		t, err := opened.trace(is.Path(), is.Format(), r)
		if err != nil {
			return k, err
		}
		k.Load.Timetable = t.Timetable()
	}
	k.Trace = r
	return k, nil
}

// unitSetting is what the timestamps of a recording count.
func unitSetting(opened *files, idle func(snapshot.Knobs) string) *Setting {
	return &Setting{
		Name: "trace_unit", Short: "unit", Title: "trace unit", Example: "s", Words: []string{"auto", "s", "ms", "us", "ns"},
		Needs: []string{"trace"}, Opening: true, idle: idle,
		Says:  "what the timestamps of a trace count",
		Takes: "a `unit`, which is s, ms, us or ns, or auto for what the data say",
		is:    "a unit",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			unit, ok := trace.ParseUnit(text)
			if !ok {
				return k, errRefused
			}
			r := k.Trace
			r.Unit = unit
			return readAs(k, opened, r)
		},
		print: func(k snapshot.Knobs) string { return k.Trace.Unit.String() },
	}
}

// blockSetting is how many tokens a block of a recording's prompts has.
func blockSetting(opened *files, idle func(snapshot.Knobs) string) *Setting {
	return &Setting{
		Name: "block", Short: "block", Title: "trace block", Example: "16", Unit: "tokens", Words: []string{"auto"},
		Needs: []string{"trace"}, Opening: true, idle: idle,
		Says:  "tokens of the block that each of a trace's hash_ids stands for",
		Takes: "a `number` from 1 to " + units.Count(trace.MaxBlock) + ", or auto for what the data say",
		is:    "a number of tokens",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			r := k.Trace
			if r.Block = 0; !strings.EqualFold(text, "auto") {
				n, err := units.ParseCount(text, "tokens", "token")
				if err != nil || n < 1 || n > trace.MaxBlock {
					return k, errRefused
				}
				r.Block = n
			}
			return readAs(k, opened, r)
		},
		print: func(k snapshot.Knobs) string {
			if k.Trace.Block == 0 {
				return "auto"
			}
			return units.Count(k.Trace.Block)
		},
	}
}

// speedSetting is how much faster than it was recorded a replay is.
func speedSetting(idle func(snapshot.Knobs) string) *Setting {
	speed := func(k snapshot.Knobs) float64 {
		if k.Load.Speed == 0 {
			return 1
		}
		return k.Load.Speed
	}
	change := func(k snapshot.Knobs, to float64) snapshot.Knobs {
		k.Load.Speed = min(max(to, load.MinSpeed), load.MaxSpeed)
		return k
	}
	return &Setting{
		Name: "speed", Short: "speed", Title: "replay speed", Example: "2", Needs: []string{"trace"}, idle: idle,
		Says:  "how much faster than recorded a replay runs",
		Takes: "a `factor` from " + units.Number(load.MinSpeed) + " to " + units.Count(load.MaxSpeed) + " such as 2 or ×2",
		is:    "a speed",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			v, err := units.ParseFactor(text)
			if err != nil || !(v >= load.MinSpeed && v <= load.MaxSpeed) {
				return k, errRefused
			}
			k.Load.Speed = v
			return k, nil
		},
		print: func(k snapshot.Knobs) string { return "×" + units.Number(speed(k)) },
		note:  func(k snapshot.Knobs, _ *snapshot.Snapshot) string { return k.Load.Timetable.Name() },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, scale.Rate(speed(k), up))
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, speed(k)*factor)
		},
	}
}

// noFile reports whether a text means that there is to be no file, rather than one of that name.
func noFile(text string) bool {
	_, err := os.Stat(text)
	return units.Off(text) && err != nil
}

// formatted splits a path from a format in front of it: "mooncake:trace.jsonl". A file of that very name comes first.
func formatted[F ~string](v string, parse func(string) (F, error)) (path string, format F, err error) {
	if _, err := os.Stat(v); err == nil {
		return v, "", nil
	}
	if name, rest, ok := strings.Cut(v, ":"); ok && len(name) > 1 { // not a drive of Windows
		if format, err := parse(name); err == nil {
			return rest, format, nil
		}
	}
	return v, "", nil
}
