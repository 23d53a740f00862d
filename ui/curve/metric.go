// This file is the quantities that the Curve page can draw against the load.

package curve

import (
	"math"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/theme"
)

// curveMetric is one quantity, in one line or in several that belong together.
type curveMetric struct {
	name    string
	lines   []curveLine
	tokens  bool // it rests on token counts, which may be estimated
	judges  bool // it rests on an SLO
	axis    func(float64) string
	atLeast float64
	limit   func(*snapshot.Knobs) float64 // the SLO line, in the unit of the lines; NaN: none

	timed   bool       // it shows percentiles of latency
	latency slo.Metric // valid if timed
}

// curveLine is a figure of every level.
type curveLine struct {
	name string
	p    float64 // which percentile; 0: none
	of   func(k *snapshot.Knobs, s *stats.Summary) float64
}

func curveMetrics() []curveMetric {
	none := func(*snapshot.Knobs) float64 { return math.NaN() }
	return []curveMetric{
		latencyMetric("TTFT", slo.TTFT),
		latencyMetric("TTFA", slo.TTFA), // where reasoning was seen
		latencyMetric("TPOT", slo.TPOT),
		latencyMetric("E2EL", slo.E2EL),
		{
			name: "Output tok/s", tokens: true, axis: cell.AxisCount, limit: none,
			lines: []curveLine{{of: overSpan(func(s *stats.Summary) float64 { return s.Throughput.Output })}},
		},
		{
			name: "Goodput req/s", judges: true, axis: cell.AxisCount, limit: none,
			lines: []curveLine{{of: func(_ *snapshot.Knobs, s *stats.Summary) float64 {
				if !s.GoodputKnown {
					return math.NaN()
				}
				return s.Goodput
			}}},
		},
		{
			name: "Within SLO %", judges: true, axis: cell.AxisPercent, atLeast: 100,
			limit: func(k *snapshot.Knobs) float64 {
				if !k.SLO.Active() {
					return math.NaN()
				}
				return 100 * k.Target
			},
			lines: []curveLine{{of: func(k *snapshot.Knobs, s *stats.Summary) float64 {
				if share, ok := s.Score.Attainment(k.SLO); ok {
					return 100 * share
				}
				return math.NaN()
			}}},
		},
	}
}

// latencyMetric shows three percentiles of a latency together. The p95 is what SLOs are mostly about, so it is drawn last.
func latencyMetric(name string, m slo.Metric) curveMetric {
	at := func(name string, p float64) curveLine {
		return curveLine{name, p, func(_ *snapshot.Knobs, s *stats.Summary) float64 {
			d := figure.LatencyOf(s, m)
			if d.N == 0 {
				return math.NaN()
			}
			return cell.Milliseconds(figure.QuantileOf(d, p))
		}}
	}
	return curveMetric{
		name: name, axis: cell.AxisTime, latency: m, timed: true,
		limit: func(k *snapshot.Knobs) float64 { return figure.InMillis(k.SLO[m]) },
		lines: []curveLine{at("p99", 0.99), at("p50", 0.50), at("p95", 0.95)},
	}
}

// overSpan is a rate, which is unknown over no time.
func overSpan(of func(*stats.Summary) float64) func(*snapshot.Knobs, *stats.Summary) float64 {
	return func(_ *snapshot.Knobs, s *stats.Summary) float64 {
		if s.Spans <= 0 {
			return math.NaN()
		}
		return of(s)
	}
}

// few reports whether a point has too few samples for what a line shows of it.
func (c *curveMetric) few(l *curveLine, p *stage.Point) bool {
	if !c.timed {
		return fewRequests(p)
	}
	return stats.Few(figure.LatencyOf(p.Summary, c.latency).N, l.p)
}

// role is the look of a line among those that stand together.
func (l *curveLine) role() theme.Role {
	switch l.p {
	case 0.95:
		return theme.Series2
	case 0.99:
		return theme.Text
	}
	return theme.Series1
}

// presentPoint is the index of the point that the load is at; false where the curve has none.
func presentPoint(s *snapshot.Snapshot) (int, bool) {
	for i := range s.Curve {
		for _, n := range s.Curve[i].Stages {
			if n == s.Stage.Stage {
				return i, true
			}
		}
	}
	return 0, false
}

// movingPoint is the index of the present point while the load goes on; -1: no point moves.
func movingPoint(s *snapshot.Snapshot) int {
	if at, ok := presentPoint(s); ok && s.State != snapshot.Ended {
		return at
	}
	return -1
}

// fewRequests reports whether a point has too few requests for what rests on all of them: fewer than a p95 takes.
func fewRequests(p *stage.Point) bool { return stats.Few(p.N, 0.95) }
