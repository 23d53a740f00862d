// This file is the setting of how arrivals are spread, and those of a recording of them.

package presets

import (
	"os"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

// arrivalSteps are the processes that a key steps through, from even gaps to the most uneven ones. Those with other
// parameters can be typed.
func arrivalSteps() []load.Arrival {
	return []load.Arrival{
		load.Constant, load.Gamma(0.5), load.Poisson, load.Gamma(2), load.Gamma(4),
		load.Burst(4, time.Second), load.Burst(16, time.Second), load.Burst(64, time.Second),
	}
}

// arrivalSetting is the process by which arrivals are spread. Bursts have a rate of their own, and open the loop.
func arrivalSetting() *Setting {
	return &Setting{
		Name: "arrival", Short: "arrival", Title: "arrival", Example: "poisson",
		Words: []string{"constant", "poisson", "gamma:", "burst:"}, Needs: []string{"rate"},
		Says:  "how arrivals are spread in the open loop",
		Takes: "a `process` such as constant, poisson, gamma:2 or burst:16/2s",
		set: func(k engine.Knobs, text string) (engine.Knobs, error) {
			arrival, err := load.ParseArrival(text)
			if err != nil {
				return k, err
			}
			if k.Load.Mode == load.Open {
				k.Load.Rate = k.Load.MeanRate() // that of bursts goes with them
			}
			k.Load.Arrival = arrival
			if (load.Setting{Mode: load.Open, Arrival: arrival}).MeanRate() > 0 {
				k.Load.Mode = load.Open
			}
			return k, nil
		},
		print: func(k engine.Knobs) string { return string(arrivalOf(k)) },
		idle:  func(k engine.Knobs) string { return unless(k.Load.Mode == load.Open, "counts in the open loop") },
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			now, next := unevenness(arrivalOf(k)), arrivalOf(k)
			for _, step := range arrivalSteps() {
				if at := unevenness(step); !up && at < now {
					next = step // the last one below
				} else if up && at > now {
					next = step // the first one above
					break
				}
			}
			if next == arrivalOf(k) {
				return k
			}
			return withArrival(k, next)
		},
	}
}

// arrivalOf is the arrival process, or the one that the open loop will begin with.
func arrivalOf(k engine.Knobs) load.Arrival {
	if k.Load.Arrival == "" {
		return load.Poisson
	}
	return k.Load.Arrival
}

// withArrival changes the process and keeps the mean rate where it can: bursts come as often as makes it.
func withArrival(k engine.Knobs, a load.Arrival) engine.Knobs {
	next := k
	next.Load.Arrival = a
	if k.Load.Mode != load.Open {
		return next
	}
	kept := next
	kept.Load.Rate = k.Load.MeanRate()
	kept.Load = kept.Load.AtLevel(k.Load.MeanRate())
	if kept.Load.Validate() != nil {
		return next
	}
	return kept
}

// unevenness orders arrival processes: by the coefficient of variation of their gaps, with bursts, by size, beyond.
func unevenness(a load.Arrival) float64 {
	const bursts = 1000 // above the variation of any gaps
	name, parameter, _ := strings.Cut(string(a), ":")
	size, _, _ := strings.Cut(parameter, "/")
	v, err := strconv.ParseFloat(size, 64)
	switch {
	case name == "gamma" && err == nil:
		return v
	case name == "burst" && err == nil:
		return bursts + v
	case a == load.Poisson:
		return 1
	}
	return 0
}

// replaySettings are those of a recording.
func replaySettings(opened *files) []*Setting {
	idle := func(k engine.Knobs) string { return unless(k.Load.Mode == load.Replay, "counts in a replay") }
	loop := switchSetting(Setting{
		Name: "loop", Short: "loop", Title: "loop", Needs: []string{"trace"}, idle: idle,
		Says: "begin a replay again when the recording is over, rather than end the run",
	}, func(k *engine.Knobs) *bool { return &k.Load.Loop })
	return []*Setting{traceSetting(opened), speedSetting(idle), loop}
}

// traceSetting is the recording that is replayed. Off is the closed loop.
func traceSetting(opened *files) *Setting {
	return &Setting{
		Name: "trace", Short: "trace", Title: "trace", File: true, Example: "trace.jsonl", Words: []string{"off"},
		Says:  "recorded arrivals to replay",
		Takes: "a `file` of Mooncake JSONL, Azure LLM inference CSV or BurstGPT CSV, or off for none",
		set: func(k engine.Knobs, text string) (engine.Knobs, error) {
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
			t, err := opened.trace(path, format)
			if err != nil {
				return k, err
			}
			k.Load.Mode, k.Load.Timetable = load.Replay, engine.Replay(t)
			return k, nil
		},
		print: func(engine.Knobs) string { return "" },
	}
}

// speedSetting is how much faster than it was recorded a replay is.
func speedSetting(idle func(engine.Knobs) string) *Setting {
	speed := func(k engine.Knobs) float64 {
		if k.Load.Speed == 0 {
			return 1
		}
		return k.Load.Speed
	}
	change := func(k engine.Knobs, to float64) engine.Knobs {
		k.Load.Speed = min(max(to, load.MinSpeed), load.MaxSpeed)
		return k
	}
	return &Setting{
		Name: "speed", Short: "speed", Title: "replay speed", Example: "2", Needs: []string{"trace"}, idle: idle,
		Says:  "how much faster than recorded a replay runs",
		Takes: "a `factor` from " + units.Number(load.MinSpeed) + " to " + units.Count(load.MaxSpeed) + " such as 2 or ×2",
		is:    "a speed",
		set: func(k engine.Knobs, text string) (engine.Knobs, error) {
			v, err := units.ParseFactor(text)
			if err != nil || !(v >= load.MinSpeed && v <= load.MaxSpeed) {
				return k, errRefused
			}
			k.Load.Speed = v
			return k, nil
		},
		print: func(k engine.Knobs) string { return "×" + units.Number(speed(k)) },
		note:  func(k engine.Knobs, _ *engine.Snapshot) string { return k.Load.Timetable.Name() },
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			return change(k, scale.Rate(speed(k), up))
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
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
