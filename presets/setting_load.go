// This file is the settings of how much load there is.

package presets

import (
	"math"
	"strings"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

const (
	// mostTurned is as far as a key turns the concurrency up: a held key must not open connections by the ten thousand.
	// More can be typed.
	mostTurned = 1024
	// mostCap is where the cap of the open loop ends: turned up from there, there is none.
	mostCap = 16384
	// leastRate is where the open loop ends that is turned down.
	leastRate = 0.1
)

func loadSettings() []*Setting {
	return []*Setting{
		concurrencySetting(),
		switchSetting(Setting{
			Name: "conversations", Short: "conversations", Title: "conversations",
			Says:  "concurrency counts conversations, with the time their users think, not requests",
			Needs: []string{"turns", "data"},
			idle: func(k snapshot.Knobs) string {
				return unless(k.Shape.MayConverse(), "counts with turns")
			},
		}, func(k *snapshot.Knobs) *bool { return &k.Load.Conversations }),
		arrivalSetting(),
		rateSetting(),
		capSetting(),
		rampSetting(),
		startSetting(),
		switchSetting(Setting{
			Name: "cancel_surplus", Short: "cancel", Title: "cancel surplus",
			Says: "cancel requests above a concurrency that is turned down, rather than let them finish",
		}, func(k *snapshot.Knobs) *bool { return &k.Load.Cancel }),
		canarySetting(),
	}
}

// unless returns the words, unless something holds.
func unless(holds bool, words string) string {
	if holds {
		return ""
	}
	return words
}

// switchSetting completes a setting that is on or off.
func switchSetting(s Setting, of func(*snapshot.Knobs) *bool) *Setting {
	s.Switch, s.Takes, s.Example, s.Words = true, "on or off", "on", []string{"on", "off"}
	s.set = func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
		*of(&k), err = units.ParseSwitch(text)
		return k, err
	}
	s.print = func(k snapshot.Knobs) string { return units.Switch(*of(&k)) }
	s.turn = func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
		*of(&k) = up
		return k
	}
	return &s
}

// concurrencySetting is the requests in flight of the closed loop. To set it ends the open one.
func concurrencySetting() *Setting {
	change := func(k snapshot.Knobs, to float64) snapshot.Knobs {
		k.Load.Concurrency = min(max(int(to), 1), max(mostTurned, k.Load.Concurrency))
		return k
	}
	return &Setting{
		Name: "concurrency", Letter: "c", Short: "c", Title: "concurrency", Example: "64", Unit: "requests",
		Says:  "requests in flight in the closed loop, which it begins",
		Takes: "a `number` from 1 to " + units.Count(load.MaxConcurrency),
		is:    "a number of requests",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			n, err := units.ParseCount(text, "requests", "request")
			if err != nil || n < 1 || n > load.MaxConcurrency {
				return k, errRefused
			}
			k.Load.Mode, k.Load.Concurrency = load.Closed, n
			return k, nil
		},
		print: func(k snapshot.Knobs) string { return units.Count(k.Load.Concurrency) },
		idle:  func(k snapshot.Knobs) string { return unless(k.Load.Mode == load.Closed, "counts in the closed loop") },
		note:  func(snapshot.Knobs, *snapshot.Snapshot) string { return "closed loop" },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, scale.Count(float64(k.Load.Concurrency), up))
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, float64(k.Load.Concurrency)*factor)
		},
	}
}

// capSetting is the most in flight of an open loop and of a replay.
func capSetting() *Setting {
	change := func(k snapshot.Knobs, s *snapshot.Snapshot, to func(float64) float64, up bool) snapshot.Knobs {
		switch {
		case k.Load.MaxInFlight == 0 && up:
		case k.Load.MaxInFlight == 0:
			k.Load.MaxInFlight = int(scale.RoundedUp(scale.Count, float64(max(s.InFlight.Total, 1))))
		case k.Load.MaxInFlight >= mostCap && up:
			k.Load.MaxInFlight = 0
		default:
			k.Load.MaxInFlight = int(min(max(math.Floor(to(float64(k.Load.MaxInFlight))), 1), mostCap))
		}
		return k
	}
	return &Setting{
		Name: "max_in_flight", Short: "max", Title: "max in flight", Example: "64", Unit: "requests", Words: []string{"off"},
		Says:  "most requests in flight in an open loop or a replay; arrivals beyond it wait, and their wait is counted",
		Takes: "a `number` from 1 on, or off for no cap", Needs: []string{"rate", "trace"}, is: "a number of requests",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			n, err := units.ParseCount(text, "requests", "request")
			if units.Off(text) {
				n, err = 0, nil
			}
			if err != nil {
				return k, errRefused
			}
			k.Load.MaxInFlight = n
			return k, nil
		},
		print: func(k snapshot.Knobs) string {
			if k.Load.MaxInFlight == 0 {
				return "no cap"
			}
			return units.Count(k.Load.MaxInFlight)
		},
		idle: func(k snapshot.Knobs) string { return unless(k.Load.Arrives(), "counts in the open loop") },
		note: func(k snapshot.Knobs, _ *snapshot.Snapshot) string {
			if k.Load.Mode == load.Replay {
				return "replay"
			}
			return "open loop"
		},
		turn: func(k snapshot.Knobs, s *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, s, func(v float64) float64 { return scale.Count(v, up) }, up)
		},
		scale: func(k snapshot.Knobs, s *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, s, func(v float64) float64 { return v * factor }, factor > 1)
		},
	}
}

// rateSetting is the arrivals of the open loop. Off is the closed loop.
func rateSetting() *Setting {
	change := func(k snapshot.Knobs, s *snapshot.Snapshot, to func(float64) float64, up bool) snapshot.Knobs {
		switch {
		case k.Load.Mode != load.Open && up:
			return openLoop(k, measuredRate(s))
		case k.Load.Mode != load.Open:
			return k
		}
		rate := to(k.Load.Level())
		if rate < leastRate-1e-9 {
			return closedLoop(k, max(s.InFlight.Total, 1))
		}
		k.Load = k.Load.AtLevel(min(rate, load.MaxRate))
		return k
	}
	return &Setting{
		Name: "rate", Letter: "r", Short: "rate", Title: "rate req/s", Example: "12", Unit: "req/s", Words: []string{"off"},
		Says:  "requests per second, whatever the server does (open loop)",
		Takes: "a `number` from " + units.Number(load.MinRate) + " to " + units.Count(load.MaxRate) + ", or off for the closed loop",
		is:    "a rate",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			if units.Off(text) {
				return closedLoop(k, 1), nil
			}
			v, err := units.ParseNumber(text, "requests/s", "req/s", "rps", "/s")
			if err != nil || !(v >= load.MinRate && v <= load.MaxRate) {
				return k, errRefused
			}
			k = openLoop(k, v)
			k.Load = k.Load.AtLevel(v) // bursts have a rate of their own, and come as often as makes this one
			return k, k.Load.Validate()
		},
		print: printRate,
		note: func(k snapshot.Knobs, _ *snapshot.Snapshot) string {
			if k.Load.Mode == load.Open {
				return string(k.Load.Arrival)
			}
			return "turn up: open loop"
		},
		turn: func(k snapshot.Knobs, s *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, s, func(v float64) float64 { return scale.Rate(v, up) }, up)
		},
		scale: func(k snapshot.Knobs, s *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, s, func(v float64) float64 { return v * factor }, factor > 1)
		},
	}
}

// printRate writes the rate with as many digits as it needs to be read as the same: that of bursts is a quotient.
func printRate(k snapshot.Knobs) string {
	if k.Load.Mode != load.Open {
		return "off"
	}
	rate := k.Load.Level()
	for digits := range 9 {
		v := math.Round(rate*math.Pow10(digits)) / math.Pow10(digits)
		if k.Load.AtLevel(v) == k.Load {
			return units.Number(v)
		}
	}
	return units.Number(rate)
}

// measuredRate is where the open loop starts: what the closed one completed per second, on the scale; 1 if nothing did.
func measuredRate(s *snapshot.Snapshot) float64 {
	if measured := s.Live.Throughput.Requests; measured >= load.MinRate && !math.IsInf(measured, 0) {
		return max(scale.Rate(measured*(1+1e-6), false), leastRate)
	}
	return 1
}

func openLoop(k snapshot.Knobs, rate float64) snapshot.Knobs {
	k.Load.Mode, k.Load.Rate = load.Open, rate
	if k.Load.Arrival == "" {
		k.Load.Arrival = load.Poisson
	}
	return k
}

// closedLoop closes the loop, with so many in flight where nothing else was said.
func closedLoop(k snapshot.Knobs, concurrency int) snapshot.Knobs {
	k.Load.Mode = load.Closed
	if k.Load.Concurrency < 1 {
		k.Load.Concurrency = concurrency
	}
	return k
}

// rampSetting is how long the load takes to get to another level.
func rampSetting() *Setting {
	const lowest, first = time.Second, 10 * time.Second
	change := func(k snapshot.Knobs, over time.Duration, up bool) snapshot.Knobs {
		switch r := &k.Load.Ramp; {
		case r.Kind == load.AtOnce && up:
			*r = load.Ramp{Kind: load.Linear, Over: first}
		case r.Kind == load.AtOnce:
		case over < lowest:
			*r = load.Ramp{}
		default:
			r.Over = min(over, load.MaxRamp)
		}
		return k
	}
	return &Setting{
		Name: "ramp", Short: "ramp", Title: "ramp", Example: "30s", Words: []string{"off"},
		Says:  "how long the load takes to get to a new level",
		Takes: "a `time` up to 24h such as 30s or exponential 30s, or off to change at once",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			k.Load.Ramp, err = load.ParseRamp(text)
			return k, err
		},
		print: func(k snapshot.Knobs) string { return k.Load.Ramp.String() },
		note: func(k snapshot.Knobs, _ *snapshot.Snapshot) string {
			if k.Load.Ramp.Kind == load.AtOnce {
				return "changes at once"
			}
			return "to each new level"
		},
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, scale.Time(k.Load.Ramp.Over, up), up)
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, time.Duration(float64(k.Load.Ramp.Over)*factor), factor > 1)
		},
	}
}

// startSetting is how the slots of the closed loop begin.
func startSetting() *Setting {
	return &Setting{
		Name: "start", Short: "start", Title: "start", Example: load.StartTogether, Words: []string{load.StartFair, load.StartTogether},
		Says:  "how slots of the closed loop begin: out of phase, each by a shortened request that is in no summary, or together",
		Takes: "a `way`, which is fair or together", is: "a way to start",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			switch strings.ToLower(text) {
			case load.StartFair:
				k.Load.Together = false
			case load.StartTogether:
				k.Load.Together = true
			default:
				return k, errRefused
			}
			return k, nil
		},
		print: func(k snapshot.Knobs) string { return k.Load.Start() },
		idle:  func(k snapshot.Knobs) string { return unless(k.Load.Mode == load.Closed, "counts in the closed loop") },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			k.Load.Together = up
			return k
		},
	}
}
