// This file is the knobs of how the load comes about: how arrivals spread, and how it gets to another level.

package knob

import (
	"strconv"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
)

// arrivalSteps are the processes that a key steps through, from even gaps to the most uneven ones. Those with other
// parameters can be typed.
func arrivalSteps() []load.Arrival {
	return []load.Arrival{
		load.Constant, load.Gamma(0.5), load.Poisson, load.Gamma(2), load.Gamma(4),
		load.Burst(4, time.Second), load.Burst(16, time.Second), load.Burst(64, time.Second),
	}
}

// ArrivalKnob turns the arrival process of the open loop, at the same mean rate.
func ArrivalKnob() Knob {
	turn := func(k engine.Knobs, up bool) engine.Knobs {
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
	}
	return Knob{
		Name:  named("arrival"),
		Value: func(k engine.Knobs) string { return string(arrivalOf(k)) },
		Asks:  "how arrivals spread in the open loop: constant, poisson, gamma:2, burst:16/2s",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			if k.Load.Mode == load.Open {
				return ""
			}
			return "counts in the open loop"
		},
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs { return turn(k, up) },
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			return turn(k, factor > 1)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			arrival, err := load.ParseArrival(text)
			if err == nil {
				k.Load.Arrival = arrival
			}
			return k, err
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

// RampKnob turns how long the load takes to get to another level.
func RampKnob() Knob {
	const lowest, first = time.Second, 10 * time.Second
	set := func(k engine.Knobs, over time.Duration) engine.Knobs {
		if over < lowest {
			k.Load.Ramp = load.Ramp{}
			return k
		}
		if k.Load.Ramp.Kind == load.AtOnce {
			k.Load.Ramp.Kind = load.Linear
		}
		k.Load.Ramp.Over = min(over, load.MaxRamp)
		return k
	}
	return Knob{
		Name:  named("ramp"),
		Value: func(k engine.Knobs) string { return k.Load.Ramp.String() },
		Asks:  "time in which the load gets to a new level, such as 30s or exponential 30s; off: at once",
		note: func(k engine.Knobs, _ *engine.Snapshot) string {
			if k.Load.Ramp.Kind == load.AtOnce {
				return "changes at once"
			}
			return "to each new level"
		},
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			switch {
			case k.Load.Ramp.Kind != load.AtOnce:
				return set(k, stepTime(k.Load.Ramp.Over, up))
			case up:
				return set(k, first)
			}
			return k
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			switch {
			case k.Load.Ramp.Kind != load.AtOnce:
				return set(k, time.Duration(float64(k.Load.Ramp.Over)*factor))
			case factor > 1:
				return set(k, first)
			}
			return k
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			ramp, err := load.ParseRamp(text)
			if err == nil {
				k.Load.Ramp = ramp
			}
			return k, err
		},
	}
}
