// This file is how speculative decoding goes: what was drafted, and how much of it was accepted.

package server

import (
	"strconv"
	"time"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// Speculation is how speculative decoding went over a stretch of time. What the server does not tell is unknown, with a
// reason: it may not speculate, or not say.
type Speculation struct {
	Drafts   optional.Value // made
	Drafted  optional.Value // tokens in them
	Accepted optional.Value // of those
	Rate     optional.Value // accepted / drafted tokens, 0–1; where they are not counted, the mean of the server's own averages
	Length   optional.Value // tokens per step, the one that is no guess included: 1 + accepted / drafts, or the same mean

	// Positions is the share of drafts whose token at a position was accepted, 0–1, from the first. nil: not told.
	Positions []float64
}

// Known reports whether anything is known of it.
func (s *Speculation) Known() bool { return s.Rate.OK() || s.Length.OK() }

// drafting is what speculative decoding did, over one stretch of time after another.
type drafting struct {
	begun                     bool // a stretch was added; the rest means nothing before
	drafts, drafted, accepted optional.Value
	positions                 []float64 // accepted at each; nil: never told
	counted                   float64   // the drafts that positions are of
	rate, length              gauge     // the server's own averages
}

// draftingBetween is what happened between two readings, unless there is a reason why nobody can tell.
func draftingBetween(start, now *Metrics, reason string) drafting {
	d := drafting{
		begun:    true,
		drafts:   countBetween(start.SpecSteps, now.SpecSteps, reason),
		drafted:  countBetween(start.SpecDraft, now.SpecDraft, reason),
		accepted: countBetween(start.SpecAccepted, now.SpecAccepted, reason),
	}
	d.rate.add(now.AcceptRate)
	d.length.add(now.AcceptLength)
	if start.SpecPositions != nil && len(start.SpecPositions) <= len(now.SpecPositions) && d.drafts.OK() {
		d.counted = d.drafts.V
		d.positions = append([]float64{}, now.SpecPositions...)
		for i, before := range start.SpecPositions {
			d.positions[i] -= before
		}
	}
	return d
}

// add takes in the stretch that follows. A figure that is unknown in one counts in those where it is known.
func (d *drafting) add(next drafting) {
	for _, pair := range [...]struct {
		sum *optional.Value
		one optional.Value
	}{{&d.drafts, next.drafts}, {&d.drafted, next.drafted}, {&d.accepted, next.accepted}} {
		switch {
		case d.begun && pair.sum.OK() && pair.one.OK():
			pair.sum.V += pair.one.V
		case !d.begun || pair.one.OK():
			*pair.sum = pair.one
		}
	}
	d.rate.join(next.rate)
	d.length.join(next.length)
	if next.positions != nil {
		sums := make([]float64, max(len(d.positions), len(next.positions))) // the old ones are somebody else's too
		copy(sums, d.positions)
		for i, n := range next.positions {
			sums[i] += n
		}
		d.positions = sums
		d.counted += next.counted
	}
	d.begun = true
}

// speculation words it.
func (d *drafting) speculation() Speculation {
	if !d.begun {
		none := optional.NA(reasonNoReading)
		return Speculation{Drafts: none, Drafted: none, Accepted: none, Rate: none, Length: none}
	}
	rate, _ := d.rate.values()
	length, _ := d.length.values()
	s := Speculation{
		Drafts: d.drafts, Drafted: d.drafted, Accepted: d.accepted,
		Rate:   or(share(d.accepted, d.drafted, reasonNoDrafts), rate),
		Length: or(plusOne(ratio(d.accepted, d.drafts, reasonNoDrafts)), length),
	}
	if d.counted > 0 {
		s.Positions = make([]float64, len(d.positions))
		for i, n := range d.positions {
			s.Positions[i] = min(n/d.counted, 1)
		}
	}
	return s
}

// plusOne is for steps of speculative decoding: each gives one token more than it accepts.
func plusOne(v optional.Value) optional.Value {
	if v.OK() {
		return optional.Of(1 + v.V)
	}
	return v
}

// Lately is how speculative decoding went in the last minutes. The zero Lately has seen nothing. It is not safe for
// concurrent use.
type Lately struct {
	last      Metrics // its At is zero: there is none
	stretches []lately
}

// lately is what happened up to a reading.
type lately struct {
	to time.Time
	drafting
}

// latelyKept is how far back Lately knows of.
const latelyKept = 5 * time.Minute

// Add takes in a reading; one that is not newer than the last is left out.
func (l *Lately) Add(m Metrics) {
	if m.At.IsZero() || !m.At.After(l.last.At) {
		return
	}
	if !l.last.At.IsZero() {
		l.stretches = append(l.stretches, lately{m.At, draftingBetween(&l.last, &m, l.last.apart(&m))})
	}
	for len(l.stretches) > 0 && m.At.Sub(l.stretches[0].to) > latelyKept {
		l.stretches = l.stretches[1:]
	}
	l.last = m
}

// Over is how it went in so long a time up to the last reading, of which no more is known than of five minutes.
func (l *Lately) Over(length time.Duration) Speculation {
	var sum drafting
	for i := range l.stretches {
		if one := &l.stretches[i]; l.last.At.Sub(one.to) < length {
			sum.add(one.drafting)
		}
	}
	return sum.speculation()
}

// Clone is the same, which can go on by itself.
func (l *Lately) Clone() Lately {
	c := *l
	c.stretches = c.stretches[:len(c.stretches):len(c.stretches)]
	return c
}

// positions reads a counter that the page tells for each position of a draft; nil where it does not, or not as numbers.
func (l lookup) positions(r row) []float64 {
	for _, spelling := range spellings(r.name, true) {
		of := make(map[int][]promtext.Sample)
		most := -1
		for s := range l.page.All(spelling) {
			at, err := strconv.Atoi(s.Labels["position"])
			if err != nil || at < 0 || at >= longestDraft || !(s.Value >= 0 && s.Value < absurd) {
				continue
			}
			of[at] = append(of[at], s)
			most = max(most, at)
		}
		if most < 0 {
			continue
		}
		values := make([]float64, most+1)
		for at, samples := range of {
			values[at] = added.of(perEngine(totals(samples)))
		}
		return values
	}
	return nil
}

// longestDraft bounds what a page can have us keep; drafts are a handful of tokens long.
const longestDraft = 64
