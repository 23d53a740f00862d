// This file makes of two readings what was seen between them.

package server

import (
	"math"
	"time"

	"tokdyno/gpu/optional"
)

// Window is what a server saw in a stretch of time. No figure in it is negative, whatever the counters did.
type Window struct {
	Over      time.Duration
	Restarted bool // the server started anew within it: the stretch between the two readings around that is missing

	HitRate optional.Value // prefix cache hits / look-ups, 0–1; where they are not counted, the server's own average

	Speculation Speculation

	Preemptions      optional.Value
	Requests         optional.Value // that came to their end
	PromptTokens     optional.Value
	GenerationTokens optional.Value

	PromptTokensPerSecond     optional.Value
	GenerationTokensPerSecond optional.Value

	TTFT, QueueTime Latency
}

// growth is by how much counters have risen, over one stretch of time after another.
type growth struct {
	begun     bool // a stretch was added; the rest means nothing before
	over      time.Duration
	restarted bool
	rose      [len(properties)]rise
	ttft      Histogram
	queue     Histogram
	drafting  drafting
	averages  [len(properties)]optional.Value // gauges, at the latest moment when they were known
}

// rise is the growth of a counter, and the time in which it was known.
type rise struct {
	by   optional.Value
	over time.Duration
}

// add takes in what happened between two readings. A figure that is unknown in one stretch counts in those where it is known.
func (g *growth) add(start, now Metrics) {
	if start.At.IsZero() || now.At.IsZero() {
		return
	}
	reason := start.apart(&now)
	g.restarted = g.restarted || reason == reasonRestarted
	g.drafting.add(draftingBetween(&start, &now, reason))
	over := max(now.At.Sub(start.At), 0)
	g.over += over
	for f, p := range properties {
		switch {
		case p.list != nil: // drafting has it
		case p.times != nil:
			into := &g.ttft
			if figure(f) == queueTime {
				into = &g.queue
			}
			*into = joined(*into, timesBetween(p.times(&start), p.times(&now), reason), g.begun)
		case p.counter:
			by := countBetween(*p.value(&start), *p.value(&now), reason)
			switch old := &g.rose[f]; {
			case g.begun && old.by.OK() && by.OK():
				old.by.V += by.V
				old.over += over
			case !g.begun || by.OK():
				*old = rise{by: by, over: over}
			}
		default:
			if v := *p.value(&now); v.OK() || !g.begun || !g.averages[f].OK() {
				g.averages[f] = v
			}
		}
	}
	g.begun = true
}

// apart says why nothing is known of what happened between a reading and the next; "" if something is.
func (m *Metrics) apart(next *Metrics) string {
	switch {
	case m.Kind != next.Kind:
		return reasonOtherServer
	case m.Engines != next.Engines && m.Engines > 0 && next.Engines > 0:
		return reasonEngines
	case hasRestarted(m, next):
		return reasonRestarted
	}
	return ""
}

// hasRestarted reports whether the server has started anew between two readings, or a load balancer has led to another: its
// start is another one, or a counter fell.
func hasRestarted(start, now *Metrics) bool {
	const slack = 1 // s; some servers compute their start anew each time
	if start.Started.OK() && now.Started.OK() && math.Abs(now.Started.V-start.Started.V) > slack {
		return true
	}
	for _, p := range properties {
		if !p.counter {
			continue
		}
		switch {
		case p.list != nil:
			before, after := *p.list(start), *p.list(now)
			for i := range min(len(before), len(after)) { // drafts may become longer or shorter
				if after[i] < before[i] {
					return true
				}
			}
		case p.times != nil:
			before, after := p.times(start), p.times(now)
			if before.OK() && after.OK() {
				if _, restarted := after.Since(before.Histogram); restarted {
					return true
				}
			}
		default:
			if before, after := p.value(start), p.value(now); before.OK() && after.OK() && after.V < before.V {
				return true
			}
		}
	}
	return false
}

// countBetween is what a counter has grown by, unless there is a reason why nobody can tell.
func countBetween(before, after optional.Value, reason string) optional.Value {
	switch {
	case reason != "":
		return optional.NA(reason)
	case !after.OK():
		return after
	case !before.OK():
		return before
	}
	return optional.Of(after.V - before.V)
}

// timesBetween is what a histogram has grown by, unless there is a reason why nobody can tell.
func timesBetween(before, after *Histogram, reason string) Histogram {
	switch {
	case reason != "":
		return Histogram{NA: reason}
	case !after.OK():
		return *after
	case !before.OK():
		return *before
	}
	since, _ := after.Since(before.Histogram)
	return Histogram{Histogram: since}
}

// joined adds the growth of one stretch to what there is, if there is any.
func joined(sum, one Histogram, begun bool) Histogram {
	switch {
	case begun && sum.OK() && one.OK():
		return Histogram{Histogram: sum.Plus(one.Histogram)}
	case !begun || one.OK():
		return one
	}
	return sum
}

// window words the growth.
func (g *growth) window() Window {
	if !g.begun {
		none := optional.NA(reasonNoReading)
		times := Histogram{NA: reasonNoReading}.Latency()
		return Window{
			HitRate: none, Speculation: g.drafting.speculation(),
			Preemptions: none, Requests: none, PromptTokens: none, GenerationTokens: none,
			PromptTokensPerSecond: none, GenerationTokensPerSecond: none,
			TTFT: times, QueueTime: times,
		}
	}
	rose := func(f figure) optional.Value { return g.rose[f].by }
	return Window{
		Over: g.over, Restarted: g.restarted,
		HitRate:     or(share(rose(prefixHits), rose(prefixQueries), reasonNoRequests), g.averages[hitRate]),
		Speculation: g.drafting.speculation(),
		Preemptions: rose(preemptions), Requests: rose(requests),
		PromptTokens: rose(promptTokens), GenerationTokens: rose(generationTokens),
		PromptTokensPerSecond: g.rose[promptTokens].perSecond(), GenerationTokensPerSecond: g.rose[generationTokens].perSecond(),
		TTFT: g.ttft.Latency(), QueueTime: g.queue.Latency(),
	}
}

// or is what was counted, or else the server's own average; where neither is known, the reason why nothing was counted.
func or(counted, average optional.Value) optional.Value {
	if !counted.OK() && average.OK() {
		return average
	}
	return counted
}

// ratio divides; it is unknown where either is, or, for the reason given, there was nothing to divide by.
func ratio(of, by optional.Value, nothing string) optional.Value {
	switch {
	case !of.OK():
		return of
	case !by.OK():
		return by
	case by.V <= 0:
		return optional.NA(nothing)
	}
	return finite(of.V / by.V)
}

// share is a ratio that cannot be above 1: hits may be counted a moment before their look-ups.
func share(of, by optional.Value, nothing string) optional.Value {
	v := ratio(of, by, nothing)
	if v.OK() {
		v.V = min(v.V, 1)
	}
	return v
}

// perSecond is the rate over the time in which the counter was known.
func (r rise) perSecond() optional.Value {
	switch {
	case !r.by.OK():
		return r.by
	case r.over <= 0:
		return optional.NA(reasonNoTime)
	}
	return finite(r.by.V / r.over.Seconds())
}

// finite is a figure that can be so: neither negative nor infinite.
func finite(v float64) optional.Value {
	if !(v >= 0) || math.IsInf(v, 1) { // in this form, so that NaN is caught too
		return optional.NA(reasonOutOfRange)
	}
	return optional.Of(v)
}
