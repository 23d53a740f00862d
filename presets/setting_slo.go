// This file is the settings of what single requests are held against, and of what the console looks at.

package presets

import (
	"strings"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

func sloSettings() []*Setting {
	return []*Setting{limitsSetting(), targetSetting(), objectivesSetting(), windowSetting()}
}

// limitsSetting is the limits of a request together. Those that a text does not name stay as they are.
func limitsSetting() *Setting {
	return &Setting{
		Name: "slo", Short: "slo", Title: "SLO", Example: "ttft=300ms tpot=40ms", Words: []string{"ttft", "tpot", "e2el", "off"},
		Says:  "what every request is held against",
		Takes: "`limits` such as 'ttft=500ms tpot=40ms e2el=3s', of which those left out stay, or off for none",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			k.SLO, err = k.SLO.With(text)
			return k, err
		},
		print: func(k snapshot.Knobs) string {
			if !k.SLO.Active() {
				return "off"
			}
			return k.SLO.String()
		},
	}
}

// limitSettings are the limits of a request one by one: parts of the setting slo.
func limitSettings() []*Setting {
	return []*Setting{limitSetting(slo.TTFT, "TTFT SLO"), limitSetting(slo.TPOT, "TPOT SLO"), limitSetting(slo.E2EL, "E2EL SLO")}
}

// The ends of the scale that a limit is turned along; beyond either it is off.
const (
	leastLimit = 1.0     // ms
	mostLimit  = 600_000 // ms
)

func limitSetting(m slo.Metric, title string) *Setting {
	change := func(k snapshot.Knobs, s *snapshot.Snapshot, by func(ms float64) float64) snapshot.Knobs {
		ms := by(scale.Milliseconds(k.SLO[m]))
		switch {
		case k.SLO[m] == 0:
			ms = measuredLimit(m, s)
		case ms < leastLimit-1e-9 || ms > mostLimit+1e-9:
			ms = 0
		}
		k.SLO[m] = scale.FromMilliseconds(ms)
		return k
	}
	return &Setting{
		Name: m.String(), Title: title, Example: "300ms", Words: []string{"off"},
		Says: "limit of a request's " + strings.ToUpper(m.String()), Takes: "a `time` such as 300ms or 1.5s, or off for no limit",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			if !strings.HasPrefix(strings.ToLower(text), m.String()) {
				text = m.String() + "=" + text
			}
			k.SLO, err = k.SLO.With(text)
			return k, err
		},
		print: func(k snapshot.Knobs) string { return units.TimeApart(k.SLO[m]) },
		note:  func(k snapshot.Knobs, s *snapshot.Snapshot) string { return within(m, k, s) },
		turn: func(k snapshot.Knobs, s *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, s, func(ms float64) float64 { return scale.Limit(ms, up) })
		},
		scale: func(k snapshot.Knobs, s *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, s, func(ms float64) float64 { return ms * factor })
		},
	}
}

// measuredLimit is where a limit starts when it comes out of off: at the present p95, so that the person sees at once
// what an SLO of today's figures would give.
func measuredLimit(m slo.Metric, s *snapshot.Snapshot) float64 {
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
	return min(max(scale.RoundedUp(scale.Limit, scale.Milliseconds(d.P95)), leastLimit), mostLimit)
}

// within is the share of requests that kept one limit. One that failed kept none.
func within(m slo.Metric, k snapshot.Knobs, s *snapshot.Snapshot) string {
	share, ok := s.Live.Score.Within(m)
	switch {
	case k.SLO[m] == 0:
		return ""
	case !ok:
		return "n/a"
	}
	return units.RoundedDown(share) + " within"
}

// targets are the shares that SLOs usually ask for, in percent.
func targets() []float64 { return []float64{50, 80, 90, 95, 98, 99, 99.5, 99.9, 99.95, 99.99, 100} }

// targetSetting is the share of requests that must keep every limit.
func targetSetting() *Setting {
	return &Setting{
		Name: "slo_target", Short: "target", Title: "SLO target", Example: "99.9%",
		Says: "how many requests must keep every limit of the SLO", Takes: "a `share` above 0% such as 99% or 0.99", is: "a target",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			if k.Target, err = units.ParseShare(text); err == nil && k.Target == 0 {
				err = errRefused
			}
			return k, err
		},
		print: func(k snapshot.Knobs) string { return units.ShareApart(k.Target) },
		note: func(k snapshot.Knobs, s *snapshot.Snapshot) string {
			if share, ok := s.Live.Score.Attainment(k.SLO); ok {
				return units.RoundedDown(share) + " at present"
			}
			return ""
		},
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			k.Target = scale.Percent(targets(), k.Target, up)
			return k
		},
	}
}

// windowSetting is what the live figures are over.
func windowSetting() *Setting {
	var names []string
	for w := stats.Last10s; w <= stats.WholeRun; w++ {
		names = append(names, w.String())
	}
	list := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	return &Setting{
		Name: "window", Short: "window", Title: "window", Example: "1m", Words: names,
		Says: "what the console's live figures are over", Takes: "a `window`, which is " + list, is: "a window",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			long, unlike := units.ParseTime(text, "30s")
			for w := stats.Last10s; w <= stats.WholeRun; w++ {
				if strings.EqualFold(text, w.String()) || unlike == nil && long > 0 && long == w.Duration() {
					k.Window = w
					return k, nil
				}
			}
			if strings.Trim(text, "0123456789.") == "" && unlike != nil {
				return k, unlike // a number without its unit
			}
			return k, errRefused
		},
		print: func(k snapshot.Knobs) string { return k.Window.String() },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			next := k.Window.Shorter()
			if up {
				next = k.Window.Longer()
			}
			k.Window = next
			return k
		},
	}
}
