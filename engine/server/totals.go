// This file sums up readings over a stage or a run.

package server

import "tokdyno/gpu/optional"

// Totals sums up the readings of a stage or a run. The zero Totals has seen none. It is not safe for concurrent use.
type Totals struct {
	last                    Metrics // its At is zero: there is none
	growth                  growth
	running, waiting, usage gauge
	readings                int
}

// Summary is what readings showed together. A figure that was never known is unknown, with the latest reason.
type Summary struct {
	Kind      Kind
	Simulated bool
	Servers   int // that they are of
	Readings  int // that it is made of

	RunningMean, RunningMax optional.Value
	WaitingMean, WaitingMax optional.Value
	KVUsageMean, KVUsageMax optional.Value // 0–1

	// Window is what happened up to the last reading. Counters are added up from reading to reading, so a restart costs only
	// the time between the two readings around it.
	Window Window
}

// gauge sums up a value that rises and falls.
type gauge struct {
	sum  float64
	n    int
	most float64
	na   string // the latest reason for no value
}

func (g *gauge) add(v optional.Value) {
	if !v.OK() {
		g.na = v.NA
		return
	}
	if g.n == 0 || v.V > g.most {
		g.most = v.V
	}
	g.sum += v.V
	g.n++
}

// join adds what another has seen later.
func (g *gauge) join(later gauge) {
	if later.n > 0 && (g.n == 0 || later.most > g.most) {
		g.most = later.most
	}
	if later.na != "" {
		g.na = later.na
	}
	g.sum += later.sum
	g.n += later.n
}

// values gives the mean over readings, and the largest.
func (g *gauge) values() (mean, most optional.Value) {
	switch {
	case g.n > 0:
		return finite(g.sum / float64(g.n)), optional.Of(g.most)
	case g.na == "":
		return optional.NA(reasonNoReading), optional.NA(reasonNoReading)
	}
	return optional.NA(g.na), optional.NA(g.na)
}

// Add takes in a reading. One that is not newer than the last is left out, so a caller may offer the latest again and again.
func (t *Totals) Add(m Metrics) {
	if m.At.IsZero() || !t.last.At.IsZero() && !m.At.After(t.last.At) {
		return
	}
	t.running.add(m.Running)
	t.waiting.add(m.Waiting)
	t.usage.add(m.KVUsage)
	t.growth.add(t.last, m)
	t.last = m
	t.readings++
}

// Next returns the totals of the stretch that follows, such as the next stage's. It begins at t's last reading, so that no
// growth of a counter is lost between the two; gauges are taken from its own readings only.
func (t *Totals) Next() Totals { return Totals{last: t.last} }

// Summary sums the readings up.
func (t *Totals) Summary() Summary {
	s := Summary{Kind: t.last.Kind, Simulated: t.last.Simulated, Servers: max(len(t.last.Each), 1), Readings: t.readings, Window: t.growth.window()}
	s.RunningMean, s.RunningMax = t.running.values()
	s.WaitingMean, s.WaitingMax = t.waiting.values()
	s.KVUsageMean, s.KVUsageMax = t.usage.values()
	return s
}
