// This file keeps the run's trend: one point a second, for sparklines and charts.

package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

const (
	// A point's percentiles are over its own second, reaching back up to pointReach for at least pointSamples samples:
	// a change shows at once where there are many, and a lone request does not pass for a trend where there are few.
	pointReach   = 5 * time.Second
	pointSamples = 20
)

// Point is one second of the run's trend, or, of long ago in a long run, several: see Trend. A latency of 0 and a rate of NaN
// are undefined.
type Point struct {
	At               record.Instant // the end of its time
	TTFTP50, TTFTP95 time.Duration
	ITLP50, ITLP95   time.Duration
	TPOTP50, TPOTP95 time.Duration // of requests that ended
	OutputTokens     float64       // per second, in this time
	Attainment       float64       // 0…1
	Completed        float64       // requests per second, in this time
	Failed           float64       // likewise
	Good             float64       // likewise; NaN without an SLO
	InFlight         int
	Waiting          int // of those, without a token so far
	Stage            int
}

type history struct {
	origin record.Instant // when the second of points[old] began
	points []Point        // published: an element never changes once it is appended
	old    int            // the first so many are of span each
	span   time.Duration
	scores []verdicts // of each point, and of the second that has none yet
}

func newHistory(at record.Instant) history {
	return history{origin: nextSecond(at) - record.Instant(time.Second), scores: make([]verdicts, 1)}
}

// next is the end of the second that has no point yet.
func (h *history) next() record.Instant {
	return h.origin.Add(time.Duration(len(h.points)-h.old+1) * time.Second)
}

// of is what is kept of verdicts on the requests that ended in the time of the point that an instant lies in.
func (h *history) of(at record.Instant) *verdicts {
	if at < h.origin {
		i := sort.Search(h.old, func(i int) bool { return h.points[i].At > at })
		if i == h.old { // before the first second
			return nil
		}
		return &h.scores[i]
	}
	second := h.old + int((at-h.origin)/record.Instant(time.Second))
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
		_, _, points[i].Good = h.rates(i, criteria)
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
		if sum.OK+sum.Failed >= pointSamples || j <= h.old { // those of long ago each stand alone
			break
		}
	}
	if a, ok := sum.Attainment(criteria); ok {
		return a
	}
	return math.NaN()
}

// rates are the requests per second that ended in the time of point i: completed, failed and, of the completed, good.
func (h *history) rates(i int, criteria slo.Criteria) (completed, failed, good float64) {
	var t slo.Tally
	if i < len(h.scores) {
		t = h.scores[i].now
	}
	seconds := 1.0
	if i < h.old {
		seconds = h.span.Seconds()
	}
	good = math.NaN()
	if n, ok := t.GoodCount(criteria); ok {
		good = float64(n) / seconds
	}
	return float64(t.OK) / seconds, float64(t.Failed) / seconds, good
}

// append adds a point, and makes fewer of those of long ago when there are far too many.
func (h *history) append(p Point) {
	if len(h.points)-h.old >= 2*keepPoints {
		h.thin()
	}
	h.points = append(h.points, p)
	for len(h.scores) <= len(h.points) {
		h.scores = append(h.scores, verdicts{})
	}
}

// thin makes the points before the last keepPoints fewer.
func (h *history) thin() {
	head := len(h.points) - keepPoints
	h.origin = h.origin.Add(time.Duration(head-h.old) * time.Second)
	ends, span := wider(h.points[:head], func(p *Point) record.Instant { return p.At }, h.span)
	points, scores := make([]Point, 0, len(ends)+2*keepPoints), make([]verdicts, 0, len(ends)+2*keepPoints+1)
	from := 0
	for _, end := range ends {
		points = append(points, mergedPoint(h.points[from:end]))
		var sum verdicts
		for i := from; i < end; i++ {
			sum.now.Add(h.scores[i].now)
			sum.next.Add(h.scores[i].next)
		}
		scores = append(scores, sum)
		from = end
	}
	h.old, h.span = len(points), span
	h.points, h.scores = append(points, h.points[head:]...), append(scores, h.scores[head:]...)
}

// mergedPoint is points that follow each other as one: of medians, rates and shares the mean, of P95s and of requests in flight
// the most, so that what stood out still does.
func mergedPoint(points []Point) Point {
	p := points[len(points)-1]
	latency := func(of func(*Point) time.Duration) time.Duration {
		mean := MeanOf(points, func(p *Point) float64 {
			if d := of(p); d > 0 {
				return float64(d)
			}
			return math.NaN()
		})
		if math.IsNaN(mean) {
			return 0
		}
		return time.Duration(mean)
	}
	p.TTFTP50 = latency(func(p *Point) time.Duration { return p.TTFTP50 })
	p.ITLP50 = latency(func(p *Point) time.Duration { return p.ITLP50 })
	p.TPOTP50 = latency(func(p *Point) time.Duration { return p.TPOTP50 })
	p.OutputTokens = MeanOf(points, func(p *Point) float64 { return p.OutputTokens })
	p.Attainment = MeanOf(points, func(p *Point) float64 { return p.Attainment })
	p.Completed = MeanOf(points, func(p *Point) float64 { return p.Completed })
	p.Failed = MeanOf(points, func(p *Point) float64 { return p.Failed })
	p.Good = MeanOf(points, func(p *Point) float64 { return p.Good })
	for _, o := range points {
		p.TTFTP95, p.ITLP95, p.TPOTP95 = max(p.TTFTP95, o.TTFTP95), max(p.ITLP95, o.ITLP95), max(p.TPOTP95, o.TPOTP95)
		p.InFlight, p.Waiting = max(p.InFlight, o.InFlight), max(p.Waiting, o.Waiting)
	}
	return p
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
	n := len(c.history.points)
	p := Point{At: end, Attainment: c.history.attainment(n, c.criteria)}
	p.Completed, p.Failed, p.Good = c.history.rates(n, c.criteria)
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

// pointLatency is of a column of latencies, whose endings, if any, have to be OK: those of the last second or, where they
// are fewer, the latest pointSamples. They lie in order but for a fold's delay.
func (c *Collector) pointLatency(end record.Instant, at []record.Instant, column []time.Duration, endings []slo.Ending) (p50, p95 time.Duration) {
	values, before := c.values[:0], c.before[:0]
	for i := begin(at, end.Add(-pointReach)); i < len(at); i++ {
		if at[i] >= end || at[i] < end.Add(-pointReach) || column[i] == undefined || endings != nil && endings[i] != slo.OK {
			continue
		}
		if at[i] < end.Add(-time.Second) {
			before = append(before, sample{at[i], column[i]})
		} else {
			values = append(values, column[i])
		}
	}
	if lacking := pointSamples - len(values); lacking > 0 {
		slices.SortFunc(before, func(a, b sample) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.value, b.value)) })
		for _, s := range before[:min(lacking, len(before))] {
			values = append(values, s.value)
		}
	}
	c.values, c.before = values, before
	d := c.method.Describe(values)
	return d.P50, d.P95
}

// Begin is when the time of a point began.
func Begin(points []Point, i int) record.Instant {
	if i > 0 {
		return points[i-1].At
	}
	return points[i].At.Add(-time.Second)
}

// Reach is from when on the samples of a point's percentiles are, as far as the requests that completed tell.
func Reach(points []Point, i int) record.Instant {
	n := 0.0
	for from := i; ; from-- {
		begin := Begin(points, from)
		if n += points[from].Completed; n >= pointSamples || from == 0 || begin <= points[i].At.Add(-pointReach) {
			return begin
		}
	}
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
