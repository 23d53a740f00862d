// This file is the charts over the time of the run.

package web

import (
	"math"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/report"
)

// timeAxis is what all charts over time share.
type timeAxis struct {
	Stages []stretch `json:"stages"`
	Marks  []line    `json:"marks"`
	End    float64   `json:"end"` // seconds since the load began
}

// stretch is a stage: from when it began until it was over, and until when it settled.
type stretch struct {
	From    float64 `json:"from"`
	To      float64 `json:"to"`
	Settled float64 `json:"settled"`
	Text    string  `json:"text"`
}

func newTimeAxis(s *snapshot.Snapshot) timeAxis {
	start := s.Begun
	since := func(at record.Instant) float64 { return round(time.Duration(at-start).Seconds(), 100) }
	a := timeAxis{Stages: []stretch{}, Marks: []line{}, End: round(s.Elapsed.Seconds(), 100)}
	for i := range s.Stages {
		row := &s.Stages[i]
		st := stretch{From: since(row.Opened), To: a.End, Text: row.Knobs.Load.String()}
		if row.Closed != 0 {
			st.To = since(row.Closed)
		}
		st.Settled = st.To
		if sum := row.Summary; sum != nil && !sum.Settling {
			st.Settled = min(st.From+round(sum.Settled.Seconds(), 100), st.To)
		}
		a.Stages = append(a.Stages, st)
	}
	for _, m := range s.Marks {
		if at := max(since(m.At), 0); !a.begins(at) {
			a.Marks = append(a.Marks, line{at, report.OneLine(m.Label)})
		}
	}
	return a
}

// begins reports whether a stage begins about then: a mark there says what the stage's name says.
func (a *timeAxis) begins(at float64) bool {
	const near = 1.5
	return slices.ContainsFunc(a.Stages, func(s stretch) bool { return math.Abs(s.From-at) < near })
}

func round(v, parts float64) float64 { return math.Round(v*parts) / parts }

// timeCharts are those of the requests, of the accelerators and of the server. Those of which nothing is known are left out.
func timeCharts(s *snapshot.Snapshot) (requests, machines []chart) {
	start := s.Begun
	points := after(s.History, start, func(p *stats.Point) record.Instant { return p.At })
	x := instants(points, start, func(p *stats.Point) record.Instant { return p.At })
	latency := func(id, title string, of func(*stats.Point) (p50, p95 time.Duration), limits ...line) chart {
		p50 := figure.Series(points, func(p *stats.Point) float64 { low, _ := of(p); return figure.InMillis(low) })
		p95 := figure.Series(points, func(p *stats.Point) float64 { _, high := of(p); return figure.InMillis(high) })
		return chart{ID: id, Title: title, Unit: inMillis, Series: []series{{"p50", p50}, {"p95", p95}}, Limits: limits}
	}
	rate := func(of func(*stats.Point) float64) numbers { return figure.Series(points, of) }
	itl := "ITL"
	if s.Stage.ITLIsChunkGap() {
		itl = "Gap between chunks"
	}
	requests = []chart{
		latency("ttft", "TTFT", func(p *stats.Point) (p50, p95 time.Duration) { return p.TTFTP50, p.TTFTP95 }, limitOf(s, slo.TTFT)...),
		latency("tpot", "TPOT", func(p *stats.Point) (p50, p95 time.Duration) { return p.TPOTP50, p.TPOTP95 }, limitOf(s, slo.TPOT)...),
		latency("itl", itl, func(p *stats.Point) (p50, p95 time.Duration) { return p.ITLP50, p.ITLP95 }),
		{ID: "output", Title: "Output tok/s", Unit: inTokens, Series: []series{
			{"output", rate(func(p *stats.Point) float64 { return p.OutputTokens })},
		}},
		{ID: "requests", Title: "Requests per second", Unit: inRate, Series: []series{
			{"completed", rate(func(p *stats.Point) float64 { return p.Completed })},
			{"good (goodput)", rate(func(p *stats.Point) float64 { return p.Good })},
			{"failed", rate(func(p *stats.Point) float64 { return p.Failed })},
		}},
		{
			ID: "within", Title: "Within the SLO", Unit: inPercent, Limits: targetOf(s),
			Series: []series{{"requests within the SLO", rate(func(p *stats.Point) float64 { return 100 * p.Attainment })}},
		},
		{ID: "inflight", Title: "In flight", Unit: inNumber, Series: []series{
			{"in flight", rate(func(p *stats.Point) float64 { return float64(p.InFlight) })},
			{"waiting for a first token", rate(func(p *stats.Point) float64 { return float64(p.Waiting) })},
		}},
	}
	for i := range requests {
		requests[i].X = x
	}
	return finished(requests), finished(append(gpuCharts(s, start), serverCharts(s, start)...))
}

// gpuCharts are those of the accelerators.
func gpuCharts(s *snapshot.Snapshot, start record.Instant) []chart {
	at := func(p *snapshot.GPUPoint) record.Instant { return p.At }
	points := after(s.GPUHistory, start, at)
	x := instants(points, start, at)
	of := func(v func(*snapshot.GPUPoint) float64) numbers { return figure.Series(points, v) }
	return []chart{
		{ID: "gpu", Title: "GPU", Unit: inPercent, X: x, Series: []series{
			{"SM active", of(func(p *snapshot.GPUPoint) float64 { return p.SMActivePercent })},
			{"GPU-util", of(func(p *snapshot.GPUPoint) float64 { return p.UtilPercent })},
			{"memory used", of(func(p *snapshot.GPUPoint) float64 { return 100 * p.MemUsedFraction })},
		}},
		{ID: "power", Title: "GPU power, W", Unit: inWatts, X: x, Series: []series{
			{"power", of(func(p *snapshot.GPUPoint) float64 { return p.PowerW })},
		}},
	}
}

// serverCharts are those of what the inference server says of itself.
func serverCharts(s *snapshot.Snapshot, start record.Instant) []chart {
	at := func(p *snapshot.ServerPoint) record.Instant { return p.At }
	points := after(s.ServerHistory, start, at)
	x := instants(points, start, at)
	of := func(v func(*snapshot.ServerPoint) float64) numbers { return figure.Series(points, v) }
	return []chart{
		{ID: "server", Title: "Requests at the server", Unit: inNumber, X: x, Series: []series{
			{"running", of(func(p *snapshot.ServerPoint) float64 { return p.Running })},
			{"waiting", of(func(p *snapshot.ServerPoint) float64 { return p.Waiting })},
		}},
		{ID: "kv", Title: "KV cache", Unit: inPercent, X: x, Series: []series{
			{"KV cache used", of(func(p *snapshot.ServerPoint) float64 { return 100 * p.KVUsage })},
		}},
	}
}

// finished leaves out what there is nothing of, and thins the rest.
func finished(charts []chart) []chart {
	var kept []chart
	for _, c := range charts {
		if c, ok := c.drawn(); ok {
			c.Over = overTime
			kept = append(kept, thinned(c, mostPoints))
		}
	}
	return kept
}

// after are the points from an instant on.
func after[T any](points []T, start record.Instant, at func(*T) record.Instant) []T {
	for len(points) > 0 && at(&points[0]) < start {
		points = points[1:]
	}
	return points
}

// instants are those of points, in seconds since the load began.
func instants[T any](points []T, start record.Instant, at func(*T) record.Instant) numbers {
	x := make(numbers, len(points))
	for i := range points {
		x[i] = round(time.Duration(at(&points[i])-start).Seconds(), 10)
	}
	return x
}

// limitOf is the limit of a metric, if it has one.
func limitOf(s *snapshot.Snapshot, m slo.Metric) []line {
	if limit := s.Knobs.SLO[m]; limit > 0 {
		return []line{{cell.Milliseconds(limit), "SLO " + cell.Limit(limit)}}
	}
	return nil
}

func targetOf(s *snapshot.Snapshot) []line {
	return []line{{100 * s.Knobs.Target, cell.PercentExactly(s.Knobs.Target) + " asked for"}}
}

// mostPoints is how many points a line over time has: more than a screen has columns.
const mostPoints = 1500

// thinned is a chart of at most so many points. Of points that follow each other it keeps the least and the most of each
// series, in the order in which they came, so that a spike of a second is still there in a chart of a day.
func thinned(c chart, most int) chart {
	n := len(c.X)
	if n <= most {
		return c
	}
	groups := most / 2
	x := make(numbers, 0, 2*groups)
	for g := range groups {
		from, to := g*n/groups, (g+1)*n/groups
		x = append(x, c.X[from], c.X[(from+to)/2])
	}
	kept := make([]series, len(c.Series))
	for i, s := range c.Series {
		y := make(numbers, 0, 2*groups)
		for g := range groups {
			first, second := extremes(s.Y[g*n/groups : (g+1)*n/groups])
			y = append(y, first, second)
		}
		kept[i] = series{s.Name, y}
	}
	c.X, c.Series = x, kept
	return c
}

// extremes are the least and the most of some values, in the order in which they came; NaN where there are none.
func extremes(values []float64) (first, second float64) {
	low, high := -1, -1
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if low < 0 || v < values[low] {
			low = i
		}
		if high < 0 || v > values[high] {
			high = i
		}
	}
	if low < 0 {
		return math.NaN(), math.NaN()
	}
	return values[min(low, high)], values[max(low, high)]
}
