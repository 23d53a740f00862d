// This file is the knobs of the load: how many requests run, or when they arrive.

package knob

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/ui/cell"
)

// concurrencyKnob turns the requests in flight: their number in the closed loop, their cap in the open one.
func concurrencyKnob() Knob {
	return Knob{
		Name: func(k engine.Knobs) string {
			if Arriving(k) {
				return "max in flight"
			}
			return "concurrency"
		},
		Value: func(k engine.Knobs) string {
			switch {
			case !Arriving(k):
				return cell.Grouped(int64(k.Load.Concurrency))
			case k.Load.MaxInFlight == 0:
				return "no cap"
			}
			return cell.Grouped(int64(k.Load.MaxInFlight))
		},
		Asks: "requests in flight, 1 to 100,000; off: no cap in the open loop",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			switch k.Load.Mode {
			case load.Open:
				return "open loop"
			case load.Replay:
				return "replay"
			}
			return "closed loop"
		},
		turn: func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
			return withCount(k, s, func(v float64) float64 { return stepCount(v, up) }, up)
		},
		scale: func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
			return withCount(k, s, func(v float64) float64 { return v * factor }, factor > 1)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if Arriving(k) && IsOff(text) {
				k.Load.MaxInFlight = 0
				return k, nil
			}
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err != nil || n < 1 {
				return k, fmt.Errorf("%q is not a number of requests; write one from 1 to %s", text, cell.Grouped(load.MaxConcurrency))
			}
			if Arriving(k) {
				k.Load.MaxInFlight = n
			} else {
				k.Load.Concurrency = n
			}
			return k, nil
		},
	}
}

// mostCap is where the cap of the open loop ends: turned up from there, there is none.
const mostCap = 16384

// mostTurned is as far as a key turns the concurrency up: a held key must not open connections by the ten thousand. More
// can be typed.
const mostTurned = 1024

func withCount(k engine.Knobs, s *engine.Snapshot, change func(float64) float64, up bool) engine.Knobs {
	if !Arriving(k) {
		most := max(mostTurned, k.Load.Concurrency)
		k.Load.Concurrency = min(max(int(change(float64(k.Load.Concurrency))), 1), most)
		return k
	}
	switch {
	case k.Load.MaxInFlight == 0 && up:
	case k.Load.MaxInFlight == 0:
		k.Load.MaxInFlight = int(roundedUp(stepCount, float64(max(s.InFlight.Total, 1))))
	case k.Load.MaxInFlight >= mostCap && up:
		k.Load.MaxInFlight = 0
	default:
		k.Load.MaxInFlight = int(min(max(math.Floor(change(float64(k.Load.MaxInFlight))), 1), mostCap))
	}
	return k
}

// RateKnob turns the open loop's arrival rate, or the speed of a replay. Off is the closed loop.
func RateKnob() Knob {
	turned := func(k engine.Knobs, s *engine.Snapshot, next float64, up bool) engine.Knobs {
		switch {
		case Arriving(k):
			return atRate(k, s, next)
		case up:
			return openLoop(k, measuredRate(s))
		}
		return k
	}
	return Knob{
		Name: func(k engine.Knobs) string {
			if k.Load.Mode == load.Replay {
				return "replay speed"
			}
			return "rate req/s"
		},
		Value: func(k engine.Knobs) string {
			switch k.Load.Mode {
			case load.Open:
				return cell.Exactly(k.Load.Level())
			case load.Replay:
				return "×" + cell.Exactly(k.Load.Level())
			}
			return "off"
		},
		Asks: "requests per second, such as 12 or 0.5; off: closed loop",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			switch k.Load.Mode {
			case load.Open:
				return string(k.Load.Arrival)
			case load.Replay:
				return k.Load.Timetable.Name()
			}
			return "turn up: open loop"
		},
		turn: func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
			return turned(k, s, stepRate(k.Load.Level(), up), up)
		},
		scale: func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
			return turned(k, s, k.Load.Level()*factor, factor > 1)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if k.Load.Mode == load.Replay && !IsOff(text) {
				return ParseSpeed(k, text)
			}
			return ParseRate(k, text)
		},
	}
}

// Arriving reports whether requests arrive by themselves, rather than when others end.
func Arriving(k engine.Knobs) bool { return k.Load.Mode == load.Open || k.Load.Mode == load.Replay }

// atRate sets the rate, or the speed. Turned down far enough, the open loop ends.
func atRate(k engine.Knobs, s *engine.Snapshot, v float64) engine.Knobs {
	const lowest = 0.1
	next := k
	switch {
	case k.Load.Mode == load.Replay:
		next.Load = k.Load.AtLevel(min(max(v, load.MinSpeed), load.MaxSpeed))
	case v < lowest-1e-9:
		return closedLoop(k, s)
	default:
		next.Load = k.Load.AtLevel(min(v, load.MaxRate))
	}
	if next.Load.Validate() != nil { // bursts have ends of their own
		return k
	}
	return next
}

// ParseRate reads the rate of the open loop; off is the closed one.
func ParseRate(k engine.Knobs, text string) (engine.Knobs, error) {
	if IsOff(text) {
		return closedLoop(k, nil), nil
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), "req/s"))
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= load.MinRate && v <= load.MaxRate) {
		return k, fmt.Errorf("%q is not a rate; write requests per second from %v to %s, or off",
			text, load.MinRate, cell.Grouped(load.MaxRate))
	}
	k = openLoop(k, v)
	k.Load = k.Load.AtLevel(v) // also where bursts have a rate of their own
	return k, nil
}

// ParseSpeed reads the speed of a replay.
func ParseSpeed(k engine.Knobs, text string) (engine.Knobs, error) {
	if k.Load.Mode != load.Replay {
		return k, errors.New("nothing is being replayed, so there is no speed to change")
	}
	v, err := strconv.ParseFloat(strings.Trim(text, "×x "), 64)
	if err != nil || !(v >= load.MinSpeed && v <= load.MaxSpeed) {
		return k, fmt.Errorf("%q is not a speed; write a factor from %v to %v, such as 2", text, load.MinSpeed, load.MaxSpeed)
	}
	k.Load.Speed = v
	return k, nil
}

// measuredRate is where the open loop starts: what the closed one completed per second, on the scale; 1 if nothing did.
func measuredRate(s *engine.Snapshot) float64 {
	if measured := s.Live.Throughput.Requests; measured >= load.MinRate && !math.IsInf(measured, 0) {
		return max(stepRate(measured*(1+1e-6), false), 0.1)
	}
	return 1
}

func openLoop(k engine.Knobs, rate float64) engine.Knobs {
	k.Load.Mode, k.Load.Rate = load.Open, rate
	if k.Load.Arrival == "" {
		k.Load.Arrival = load.Poisson
	}
	return k
}

func closedLoop(k engine.Knobs, s *engine.Snapshot) engine.Knobs {
	k.Load.Mode = load.Closed
	if k.Load.Concurrency < 1 {
		k.Load.Concurrency = 1
		if s != nil {
			k.Load.Concurrency = max(s.InFlight.Total, 1)
		}
	}
	return k
}

// ParseConcurrency reads the requests in flight of the closed loop, which it begins.
func ParseConcurrency(k engine.Knobs, text string) (engine.Knobs, error) {
	k.Load.Mode = load.Closed
	return concurrencyKnob().Parse(k, text)
}

// ParseCap reads the open loop's cap, which can be set before the loop is opened.
func ParseCap(k engine.Knobs, text string) (engine.Knobs, error) {
	mode := k.Load.Mode
	k.Load.Mode = load.Open
	k, err := concurrencyKnob().Parse(k, text)
	k.Load.Mode = mode
	return k, err
}

// CapText is the cap of the open loop, whichever loop runs.
func CapText(k engine.Knobs) string {
	k.Load.Mode = load.Open
	return concurrencyKnob().Value(k)
}
