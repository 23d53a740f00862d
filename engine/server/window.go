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

	HitRate      optional.Value // prefix cache hits / look-ups, 0–1; where they are not counted, the server's own average
	AcceptRate   optional.Value // accepted / drafted tokens, 0–1; where they are not counted, the server's own average
	AcceptLength optional.Value // tokens per step of speculative decoding: 1 + accepted / steps, or the server's own average

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
	reason := ""
	switch {
	case start.Kind != now.Kind:
		reason = reasonOtherServer
	case start.Engines != now.Engines && start.Engines > 0 && now.Engines > 0:
		reason = reasonEngines
	case hasRestarted(&start, &now):
		reason = reasonRestarted
		g.restarted = true
	}
	over := max(now.At.Sub(start.At), 0)
	g.over += over
	for f, p := range properties {
		switch {
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
		if p.times != nil {
			before, after := p.times(start), p.times(now)
			if before.OK() && after.OK() {
				if _, restarted := after.Since(before.Histogram); restarted {
					return true
				}
			}
		} else if before, after := p.value(start), p.value(now); before.OK() && after.OK() && after.V < before.V {
			return true
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
			HitRate: none, AcceptRate: none, AcceptLength: none,
			Preemptions: none, Requests: none, PromptTokens: none, GenerationTokens: none,
			PromptTokensPerSecond: none, GenerationTokensPerSecond: none,
			TTFT: times, QueueTime: times,
		}
	}
	rose := func(f figure) optional.Value { return g.rose[f].by }
	return Window{
		Over: g.over, Restarted: g.restarted,
		HitRate:      or(share(rose(prefixHits), rose(prefixQueries)), g.averages[hitRate]),
		AcceptRate:   or(share(rose(specAccepted), rose(specDraft)), g.averages[acceptRate]),
		AcceptLength: or(plusOne(ratio(rose(specAccepted), rose(specSteps))), g.averages[acceptLength]),
		Preemptions:  rose(preemptions), Requests: rose(requests),
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

// ratio divides; it is unknown where either is, or there was nothing to divide by.
func ratio(of, by optional.Value) optional.Value {
	switch {
	case !of.OK():
		return of
	case !by.OK():
		return by
	case by.V <= 0:
		return optional.NA(reasonNoRequests)
	}
	return finite(of.V / by.V)
}

// plusOne is for steps of speculative decoding: each gives one token more than it accepts.
func plusOne(v optional.Value) optional.Value {
	if v.OK() {
		return optional.Of(1 + v.V)
	}
	return v
}

// share is a ratio that cannot be above 1: hits may be counted a moment before their look-ups.
func share(of, by optional.Value) optional.Value {
	v := ratio(of, by)
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
