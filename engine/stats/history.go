// This file keeps the run's trend: one point a second, for sparklines and charts.

package stats

import (
	"math"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

const (
	// A point's percentiles are over its own second, reaching back up to pointReach for at least pointSamples samples:
	// a change shows at once where there are many, and a lone request does not pass for a trend where there are few.
	pointReach   = 5 * time.Second
	pointSamples = 20
	// keepPoints is how many seconds of trend are kept.
	keepPoints = 3600
)

// Point is one second of the run's trend. A latency of 0 and a rate of NaN are undefined.
type Point struct {
	At               record.Instant // the end of its second
	TTFTP50, TTFTP95 time.Duration
	ITLP50, ITLP95   time.Duration
	TPOTP50, TPOTP95 time.Duration // of requests that ended
	OutputTokens     float64       // per second, in this second
	Attainment       float64       // 0…1
	InFlight         int
	Waiting          int // of those, without a token so far
	Stage            int
}

type history struct {
	origin record.Instant // when the second of points[0] began
	points []Point        // published: an element never changes once it is appended
	scores []verdicts     // by second, from origin; one longer than points
}

func newHistory(at record.Instant) history {
	return history{origin: nextSecond(at) - record.Instant(time.Second), scores: make([]verdicts, 1)}
}

// next is the end of the second that has no point yet.
func (h *history) next() record.Instant {
	return h.origin.Add(time.Duration(len(h.points)+1) * time.Second)
}

// of is what is kept of verdicts on the requests that ended in the second of an instant; nil: it is no longer kept.
func (h *history) of(at record.Instant) *verdicts {
	second := int((at - h.origin) / record.Instant(time.Second))
	if second < 0 {
		return nil
	}
	for second >= len(h.scores) {
		h.scores = append(h.scores, verdicts{})
	}
	return &h.scores[second]
}

// rescore draws the trend of the attainment anew. Points that were handed out stay as they are; new ones take their
// place.
func (h *history) rescore(criteria slo.Criteria) {
	points := make([]Point, len(h.points), cap(h.points))
	copy(points, h.points)
	for i := range points {
		points[i].Attainment = h.attainment(i, criteria)
	}
	h.points = points
}

// attainment of the second i and as many before it as pointSamples needs.
func (h *history) attainment(i int, criteria slo.Criteria) float64 {
	var sum slo.Tally
	for j := i; j >= 0 && j > i-int(pointReach/time.Second); j-- {
		if j < len(h.scores) {
			sum.Add(h.scores[j].now)
		}
		if sum.OK+sum.Failed >= pointSamples {
			break
		}
	}
	if a, ok := sum.Attainment(criteria); ok {
		return a
	}
	return math.NaN()
}

// append adds a point and drops the oldest when there are far too many.
func (h *history) append(p Point) {
	if len(h.points) >= 2*keepPoints {
		h.points = append(make([]Point, 0, 2*keepPoints+1), h.points[keepPoints:]...)
		h.scores = append(make([]verdicts, 0, 2*keepPoints+1), h.scores[keepPoints:]...)
		h.origin = h.origin.Add(keepPoints * time.Second)
	}
	h.points = append(h.points, p)
	for len(h.scores) <= len(h.points) {
		h.scores = append(h.scores, verdicts{})
	}
}

// record appends the points that are due by now.
func (c *Collector) record(now record.Instant) {
	for end := c.history.next(); now >= end; end = c.history.next() {
		c.history.append(c.point(end))
	}
}

// point is the trend at the end of a second.
func (c *Collector) point(end record.Instant) Point {
	from := end.Add(-time.Second)
	p := Point{At: end, Attainment: c.history.attainment(len(c.history.points), c.criteria)}
	for i := len(c.time.slices) - 1; i >= 0 && c.time.slices[i].from >= from; i-- {
		if s := &c.time.slices[i]; s.from < end {
			p.OutputTokens += c.tokens(s.tokens, s.chunks)
			p.Stage = max(p.Stage, s.stage)
		}
	}
	p.TTFTP50, p.TTFTP95 = c.pointLatency(end, c.firsts.at, c.firsts.ttft, nil)
	p.TPOTP50, p.TPOTP95 = c.pointLatency(end, c.dones.at, c.dones.tpot, c.dones.ending)
	p.ITLP50, p.ITLP95 = c.pointITL(end)
	for f := range c.running {
		p.InFlight++
		if f.firstToken == 0 {
			p.Waiting++
		}
	}
	return p
}

// pointLatency is of a column of latencies, whose endings, if any, have to be OK.
func (c *Collector) pointLatency(end record.Instant, at []record.Instant, column []time.Duration, endings []slo.Ending) (p50, p95 time.Duration) {
	values := c.values[:0]
	for i := len(at) - 1; i >= 0; i-- {
		if at[i] >= end {
			continue
		}
		if at[i] < end.Add(-pointReach) || at[i] < end.Add(-time.Second) && len(values) >= pointSamples {
			break
		}
		if column[i] != undefined && (endings == nil || endings[i] == slo.OK) {
			values = append(values, column[i])
		}
	}
	c.values = values
	d := c.method.Describe(values)
	return d.P50, d.P95
}

func (c *Collector) pointITL(end record.Instant) (p50, p95 time.Duration) {
	c.merged.Reset()
	for i := len(c.time.slices) - 1; i >= 0; i-- {
		s := &c.time.slices[i]
		if s.from >= end {
			continue
		}
		if s.from < end.Add(-pointReach) || s.from < end.Add(-time.Second) && c.merged.N() >= pointSamples {
			break
		}
		if s.recent != nil {
			c.merged.Merge(&s.recent.itl)
		}
	}
	q := c.merged.Quantiles(0.50, 0.95)
	return q[0], q[1]
}
