// This file is the knobs of the SLO: the limits of a request, and the share of requests that must keep them.

package knob

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
)

// The ends of a limit's scale; turned beyond either, the limit is off.
const (
	leastLimit = 1.0     // ms
	mostLimit  = 600_000 // ms
)

// limitKnob turns one limit of the SLO.
func limitKnob(m slo.Metric, name string) Knob {
	set := func(k engine.Knobs, ms float64) engine.Knobs {
		if ms < leastLimit-1e-9 || ms > mostLimit+1e-9 {
			ms = 0
		}
		k.SLO[m] = cell.FromMilliseconds(ms)
		return k
	}
	return Knob{
		Name:  named(name),
		Value: func(k engine.Knobs) string { return cell.Limit(k.SLO[m]) },
		Asks:  "a time such as 300ms or 1.5s; off: no limit",
		note:  func(k engine.Knobs, s *engine.Snapshot) string { return within(m, k, s) },
		turn: func(k engine.Knobs, s *engine.Snapshot, up bool) engine.Knobs {
			if k.SLO[m] == 0 {
				return set(k, measuredLimit(m, s))
			}
			return set(k, stepLimit(cell.Milliseconds(k.SLO[m]), up))
		},
		scale: func(k engine.Knobs, s *engine.Snapshot, factor float64) engine.Knobs {
			if k.SLO[m] == 0 {
				return set(k, measuredLimit(m, s))
			}
			return set(k, cell.Milliseconds(k.SLO[m])*factor)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			if IsOff(text) {
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
	return min(max(roundedUp(stepLimit, cell.Milliseconds(d.P95)), leastLimit), mostLimit)
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

// within is the share of requests that kept one limit.
func within(m slo.Metric, k engine.Knobs, s *engine.Snapshot) string {
	share, ok := s.Live.Score.Within(m)
	switch {
	case k.SLO[m] == 0:
		return ""
	case !ok:
		return cell.Unknown
	}
	return cell.RoundDown(share).String() + " within"
}

// targets are the shares that SLOs usually ask for, in percent.
func targets() []float64 { return []float64{50, 80, 90, 95, 98, 99, 99.5, 99.9, 99.95, 99.99, 100} }

// TargetKnob turns the share of requests that must keep every limit.
func TargetKnob() Knob {
	turn := func(k engine.Knobs, up bool) engine.Knobs {
		k.Target = nextOf(targets(), k.Target, up)
		return k
	}
	return Knob{
		Name:  named("SLO target"),
		Value: func(k engine.Knobs) string { return cell.PercentExactly(k.Target) },
		Asks:  "share of requests that must keep every limit, such as 99 or 99.9%",
		note: func(k engine.Knobs, s *engine.Snapshot) string {
			if share, ok := s.Live.Score.Attainment(k.SLO); ok {
				return cell.RoundDown(share).String() + " at present"
			}
			return ""
		},
		turn: func(k engine.Knobs, _ *engine.Snapshot, up bool) engine.Knobs { return turn(k, up) },
		scale: func(k engine.Knobs, _ *engine.Snapshot, factor float64) engine.Knobs {
			return turn(k, factor > 1)
		},
		Parse: func(k engine.Knobs, text string) (engine.Knobs, error) {
			v, err := parsePercent(text)
			if err != nil || !(shareOf(v) > 0 && v <= 100) {
				return k, fmt.Errorf("%q is not a target; write a percentage above 0 and up to 100, such as 99.9%%", text)
			}
			k.Target = shareOf(v)
			return k, nil
		},
	}
}

// parsePercent reads a number of percent. Without its sign, a number up to 1 is a share, as the flags have it: 0.5 is 50 %.
func parsePercent(text string) (float64, error) {
	number, signed := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err == nil && !signed && v <= 1 {
		v *= 100
	}
	return v, err
}

// shareOf is a number of percent as a share, to ten digits: 99.9 is 0.999 and not its neighbour.
func shareOf(percent float64) float64 { return math.Round(percent*1e8) / 1e10 }

// ParseLimits reads limits such as "ttft 300ms", "ttft=300ms tpot=40ms", "tpot off" or "off" into the SLO. Limits that
// are not named stay.
func ParseLimits(k engine.Knobs, text string) (engine.Knobs, error) {
	if IsOff(text) {
		k.SLO = slo.Criteria{}
		return k, nil
	}
	words := strings.Fields(strings.NewReplacer("<=", " ", "≤", " ", "=", " ", ",", " ").Replace(text))
	if len(words) == 0 || len(words)%2 != 0 {
		return k, fmt.Errorf("%q is not a row of limits; write them like ttft 300ms or ttft=300ms tpot=40ms, or off", text)
	}
	for ; len(words) > 0; words = words[2:] {
		m, err := parseMetric(words[0])
		if err != nil {
			return k, err
		}
		if k, err = limitKnob(m, "").Parse(k, words[1]); err != nil {
			return k, err
		}
	}
	return k, nil
}

// parseMetric reads the name of a latency that can be limited.
func parseMetric(name string) (slo.Metric, error) {
	c, err := slo.Parse(name + "=1s") // it knows the names, and what to say of others
	for _, m := range slo.Metrics() {
		if c[m] > 0 {
			return m, nil
		}
	}
	return 0, err
}
