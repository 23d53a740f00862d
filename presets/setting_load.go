// This file is the settings of how much load there is.

package presets

import (
	"fmt"
	"strconv"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape/trace"
)

func loadSettings() []Setting {
	return []Setting{
		{
			Name: "concurrency", Says: "`number` of requests in flight",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Load.Concurrency, err = count(v, 1)
				return err
			},
			Get: func(k engine.Knobs) string { return strconv.Itoa(k.Load.Concurrency) },
		},
		{
			Name: "conversations", Switch: true, Says: "concurrency counts conversations, with the time their users think, not requests",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Load.Conversations, err = yesNo(v)
				return err
			},
			Get: func(k engine.Knobs) string { return yes(k.Load.Conversations) },
		},
		{
			Name: "rate", Says: "`requests` per second, whatever the server does (open loop)",
			Set: func(k *engine.Knobs, v string) error {
				if v == "off" {
					k.Load.Mode = load.Closed
					return nil
				}
				rate, err := strconv.ParseFloat(v, 64)
				if err != nil || !(rate >= load.MinRate && rate <= load.MaxRate) {
					return fmt.Errorf("%q is not a rate; write requests per second from %v to %d, or off", v, load.MinRate, load.MaxRate)
				}
				k.Load.Mode, k.Load.Rate = load.Open, rate
				return nil
			},
			Get: func(k engine.Knobs) string {
				if k.Load.Mode != load.Open {
					return ""
				}
				return strconv.FormatFloat(k.Load.Rate, 'f', -1, 64)
			},
		},
		{
			Name: "arrival", Says: "`process` by which arrivals are spread: constant, poisson, gamma:CV or burst:K/TIME, e.g. burst:16/2s",
			Set: func(k *engine.Knobs, v string) (err error) {
				if k.Load.Arrival, err = load.ParseArrival(v); err == nil && hasRate(k.Load.Arrival) {
					k.Load.Mode = load.Open
				}
				return err
			},
			Get: func(k engine.Knobs) string { return string(k.Load.Arrival) },
		},
		{
			Name: "max_in_flight", Says: "`number` in an open loop beyond which arrivals wait, and their wait is counted; 0: no cap",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Load.MaxInFlight, err = count(v, 0)
				return err
			},
			Get: func(k engine.Knobs) string { return unlessZero(k.Load.MaxInFlight) },
		},
		{
			Name: "ramp", Says: "`time` in which concurrency or rate gets to a new value, e.g. 30s or 'exponential 30s'; off: at once",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Load.Ramp, err = load.ParseRamp(v)
				return err
			},
			Get: func(k engine.Knobs) string {
				if k.Load.Ramp == (load.Ramp{}) {
					return ""
				}
				return k.Load.Ramp.String()
			},
		},
		{
			Name: "cancel_surplus", Switch: true, Says: "cancel requests above a concurrency that is turned down, rather than let them finish",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Load.Cancel, err = yesNo(v)
				return err
			},
			Get: func(k engine.Knobs) string { return yes(k.Load.Cancel) },
		},
	}
}

// hasRate reports whether a process has a rate of its own, as bursts have.
func hasRate(a load.Arrival) bool {
	return load.Setting{Mode: load.Open, Arrival: a}.MeanRate() > 0
}

// replaySettings are those of a recording.
func replaySettings(opened *files) []Setting {
	return []Setting{
		{
			Name: "trace", File: true,
			Says: "`file` of recorded arrivals to replay: Mooncake JSONL, Azure LLM inference CSV or BurstGPT CSV",
			Set: func(k *engine.Knobs, v string) error {
				path, format, err := formatted(v, trace.ParseFormat)
				if err != nil {
					return err
				}
				t, err := opened.trace(path, format)
				if err != nil {
					return err
				}
				k.Load.Mode, k.Load.Timetable = load.Replay, engine.Replay(t)
				return nil
			},
			Get: func(engine.Knobs) string { return "" }, // files are named, not shown
		},
		{
			Name: "speed", Says: "`factor` by which a replay is faster than it was recorded",
			Set: func(k *engine.Knobs, v string) error {
				speed, err := strconv.ParseFloat(v, 64)
				if err != nil || !(speed >= load.MinSpeed && speed <= load.MaxSpeed) {
					return fmt.Errorf("%q is not a speed; write a factor from %v to %v", v, load.MinSpeed, load.MaxSpeed)
				}
				k.Load.Speed = speed
				return nil
			},
			Get: func(k engine.Knobs) string {
				if k.Load.Speed == 0 {
					return ""
				}
				return strconv.FormatFloat(k.Load.Speed, 'f', -1, 64)
			},
		},
		{
			Name: "loop", Switch: true, Says: "begin a replay again when the recording is over, rather than end the run",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Load.Loop, err = yesNo(v)
				return err
			},
			Get: func(k engine.Knobs) string { return yes(k.Load.Loop) },
		},
	}
}
