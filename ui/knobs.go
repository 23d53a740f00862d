// This file is the knobs: what each one shows, how it turns, and what may be typed into it.

package ui

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
)

// knob is one setting that a person turns. Its functions take Knobs and return changed ones; they touch nothing else.
type knob struct {
	name  func(engine.Knobs) string
	value func(engine.Knobs) string
	asks  string // what may be typed
	// turn goes one step. The snapshot tells where to start from when a knob comes out of "off".
	turn func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs
	// scale multiplies.
	scale func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs
	// parse sets what was typed.
	parse func(k engine.Knobs, text string) (engine.Knobs, error)
}

// allKnobs returns the knobs of the Live page, top to bottom.
func allKnobs() []knob {
	return []knob{
		concurrencyKnob(),
		rateKnob(),
		lengthKnob("prompt tokens", func(s *shape.Shape) *shape.Length { return &s.Prompt }),
		lengthKnob("output tokens", func(s *shape.Shape) *shape.Length { return &s.Output }),
		limitKnob(slo.TTFT, "TTFT SLO"),
		limitKnob(slo.TPOT, "TPOT SLO"),
		limitKnob(slo.E2EL, "E2E SLO"),
	}
}

func named(name string) func(engine.Knobs) string { return func(engine.Knobs) string { return name } }

// Words that switch a knob off.
func isOff(text string) bool {
	switch strings.ToLower(text) {
	case "off", "none", "no", "0", "no cap", "-":
		return true
	}
	return false
}

// concurrencyKnob turns the requests in flight: their number in the closed loop, their cap in the open one.
func concurrencyKnob() knob {
	return knob{
		name: func(k engine.Knobs) string {
			if k.Load.Mode == load.Open {
				return "max in flight"
			}
			return "concurrency"
		},
		value: func(k engine.Knobs) string {
			switch {
			case k.Load.Mode != load.Open:
				return grouped(int64(k.Load.Concurrency))
			case k.Load.MaxInFlight == 0:
				return "no cap"
			}
			return grouped(int64(k.Load.MaxInFlight))
		},
		asks: "requests in flight, 1 to 100,000; off: no cap in the open loop",
		turn: func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
			return withCount(k, s, func(v float64) float64 { return stepCount(v, up) }, up)
		},
		scale: func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
			return withCount(k, s, func(v float64) float64 { return v * factor }, factor > 1)
		},
		parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if k.Load.Mode == load.Open && isOff(text) {
				k.Load.MaxInFlight = 0
				return k, nil
			}
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err != nil || n < 1 {
				return k, fmt.Errorf("%q is not a number of requests; write one from 1 to %s", text, grouped(load.MaxConcurrency))
			}
			if k.Load.Mode == load.Open {
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
	if k.Load.Mode != load.Open {
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

// rateKnob turns the open loop's arrival rate. Off is the closed loop.
func rateKnob() knob {
	const lowest = 0.1 // turned down from there, the open loop ends
	set := func(k engine.Knobs, s *engine.Snapshot, v float64) engine.Knobs {
		if v < lowest-1e-9 {
			return closedLoop(k, s)
		}
		k.Load.Rate = min(v, load.MaxRate)
		return k
	}
	return knob{
		name: named("rate req/s"),
		value: func(k engine.Knobs) string {
			if k.Load.Mode != load.Open {
				return "off"
			}
			return exactly(k.Load.Rate)
		},
		asks: "requests per second, such as 12 or 0.5; off: closed loop",
		turn: func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
			switch {
			case k.Load.Mode == load.Open:
				return set(k, s, stepRate(k.Load.Rate, up))
			case up:
				return openLoop(k, measuredRate(s))
			}
			return k
		},
		scale: func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
			switch {
			case k.Load.Mode == load.Open:
				return set(k, s, k.Load.Rate*factor)
			case factor > 1:
				return openLoop(k, measuredRate(s))
			}
			return k
		},
		parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if isOff(text) {
				return closedLoop(k, nil), nil
			}
			text = strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), "req/s"))
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !(v >= load.MinRate && v <= load.MaxRate) {
				return k, fmt.Errorf("%q is not a rate; write requests per second from %v to %s, or off",
					text, load.MinRate, grouped(load.MaxRate))
			}
			return openLoop(k, v), nil
		},
	}
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

// lengthKnob turns a length in tokens.
func lengthKnob(name string, of func(*shape.Shape) *shape.Length) knob {
	return knob{
		name:  named(name),
		value: func(k engine.Knobs) string { return of(&k.Shape).String() },
		asks:  "512, a range 128-1024, or mean and spread 512±128",
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs {
			steps := -1
			if up {
				steps = 1
			}
			l := of(&k.Shape)
			*l = l.Adjust(steps)
			return k
		},
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			l := of(&k.Shape)
			*l = l.Scale(factor)
			return k
		},
		parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			l, err := shape.ParseLength(text)
			if err == nil {
				*of(&k.Shape) = l
			}
			return k, err
		},
	}
}

// The ends of a limit's scale; turned beyond either, the limit is off.
const (
	leastLimit = 1.0     // ms
	mostLimit  = 600_000 // ms
)

// limitKnob turns one limit of the SLO.
func limitKnob(m slo.Metric, name string) knob {
	set := func(k engine.Knobs, ms float64) engine.Knobs {
		if ms < leastLimit-1e-9 || ms > mostLimit+1e-9 {
			ms = 0
		}
		k.SLO[m] = fromMilliseconds(ms)
		return k
	}
	return knob{
		name:  named(name),
		value: func(k engine.Knobs) string { return limit(k.SLO[m]) },
		asks:  "a time such as 300ms or 1.5s; off: no limit",
		turn: func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
			if k.SLO[m] == 0 {
				return set(k, measuredLimit(m, s))
			}
			return set(k, stepLimit(milliseconds(k.SLO[m]), up))
		},
		scale: func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
			if k.SLO[m] == 0 {
				return set(k, measuredLimit(m, s))
			}
			return set(k, milliseconds(k.SLO[m])*factor)
		},
		parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if isOff(text) {
				k.SLO[m] = 0
				return k, nil
			}
			d, err := parseTime(text)
			if err == nil {
				k.SLO[m] = d
			}
			return k, err
		},
	}
}

// measuredLimit is where a limit starts when it comes out of off: at the present p95, so that the person sees at once
// what an SLO of today's figures would give.
func measuredLimit(m slo.Metric, s *engine.Snapshot) float64 {
	d, usual := s.Live.TTFT, 500.0
	switch m {
	case slo.TPOT:
		d, usual = s.Live.TPOT, 50
	case slo.E2EL:
		d, usual = s.Live.E2EL, 10_000
	}
	if d.N == 0 || d.P95 <= 0 {
		return usual
	}
	return min(max(roundedUp(stepLimit, milliseconds(d.P95)), leastLimit), mostLimit)
}

// parseTime reads a duration; a bare number is milliseconds, as latencies are spoken of.
func parseTime(text string) (time.Duration, error) {
	compact := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if ms, err := strconv.ParseFloat(compact, 64); err == nil {
		compact = strconv.FormatFloat(ms, 'f', -1, 64) + "ms"
	}
	d, err := time.ParseDuration(compact)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a time; write it like 300ms or 1.5s, or off", text)
	case d <= 0:
		return 0, errors.New("a limit is above zero; off sets none")
	case d > mostLimit*time.Millisecond:
		return 0, errors.New("a limit is at most 10 minutes; off sets none")
	}
	return d, nil
}
