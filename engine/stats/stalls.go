// This file finds the stalls of a request: gaps between its chunks that are far longer than usual in it.

package stats

import (
	"cmp"
	"slices"
	"time"

	"tokdyno/engine/record"
)

const (
	// A gap is a stall if it is longer than stallFactor times the request's median gap: a step of the server's that other work
	// delays takes two or three times as long as usual; one that a whole prefill is put before, more.
	stallFactor = 5
	leastGaps   = 4       // of which a median is taken
	mostStalls  = 32      // that are kept of one request: the longest
	keepStalls  = 1 << 18 // that are kept of all
)

// Stall is a stretch in which a request that was being answered got nothing.
type Stall struct {
	Request int64 // the absolute position of its request among those that ended; see Ended. -1: it runs
	From    record.Instant
	Length  time.Duration
}

// To is when the next chunk came.
func (s Stall) To() record.Instant { return s.From.Add(s.Length) }

// stalls are those of requests that ended, by request. It is append-only: older ones are dropped by moving what is left. What
// is told twice, of a recording in which somebody went back, is the same, and is there already.
type stalls struct {
	list  []Stall
	until int64 // the position up to which requests are known, that excluded
}

// push keeps those of the request at a position.
func (s *stalls) push(position int64, found []Stall) {
	if position < s.until {
		return
	}
	s.until = position + 1
	for i := range found {
		found[i].Request = position
	}
	if len(s.list) >= 2*keepStalls {
		s.list = append(make([]Stall, 0, cap(s.list)), s.list[keepStalls:]...)
	}
	s.list = append(s.list, found...)
}

// keepStalls keeps those of the request that was put into the columns last.
func (c *Collector) keepStalls(f *Running) {
	if f.voices > 1 { // the gaps of several choices are mixed
		return
	}
	gaps := c.values[:0]
	for i := range f.runs {
		gaps = unpacked(gaps, f.runs[i].gaps)
	}
	c.values = gaps
	c.stalls.push(c.dones.dropped+int64(len(c.dones.at))-1, stallsIn(f.firstToken, gaps))
}

// gaps is a copy of all of a request's gaps, in order; none where several choices spoke, whose gaps are mixed.
func (f *Running) gaps() []packedGap {
	if f.voices > 1 {
		return nil
	}
	n := 0
	for i := range f.runs {
		n += len(f.runs[i].gaps)
	}
	gaps := make([]packedGap, 0, n)
	for i := range f.runs {
		gaps = append(gaps, f.runs[i].gaps...)
	}
	return gaps
}

func unpacked(to []time.Duration, packed []packedGap) []time.Duration {
	for _, g := range packed {
		to = append(to, g.gap())
	}
	return to
}

// stallsIn are those of a request by when its first token came, and its gaps.
func stallsIn(at record.Instant, gaps []time.Duration) []Stall {
	if even(gaps) {
		return nil
	}
	limit, ok := StallBeyond(gaps)
	if !ok {
		return nil
	}
	var found []Stall
	for _, g := range gaps {
		if g > limit {
			found = append(found, Stall{Request: -1, From: at, Length: g})
		}
		at = at.Add(g)
	}
	if len(found) > mostStalls {
		slices.SortFunc(found, func(a, b Stall) int { return cmp.Compare(b.Length, a.Length) })
		found = found[:mostStalls]
		slices.SortFunc(found, func(a, b Stall) int { return cmp.Compare(a.From, b.From) })
	}
	return found
}

// StallBeyond is the gap beyond which a request's gaps are stalls: five times its median. What comes within
// record.Together came at once, and has no gap. False where there are too few gaps for a median.
func StallBeyond(gaps []time.Duration) (time.Duration, bool) {
	apart := make([]time.Duration, 0, len(gaps))
	longest := time.Duration(0)
	for _, g := range gaps {
		if g > record.Together {
			apart = append(apart, g)
			longest = max(longest, g)
		}
	}
	if len(apart) < leastGaps || longest <= stallFactor*record.Together {
		return 0, false
	}
	return stallFactor * Inverted.Quantile(apart, 0.5), true
}

// even reports that none of some gaps is a stall, as is the rule, without looking for their median: where that makes the longest
// a stall, half of them do at least.
func even(gaps []time.Duration) bool {
	longest, apart, short := time.Duration(0), 0, 0
	for _, g := range gaps {
		longest = max(longest, g)
	}
	for _, g := range gaps {
		if g > record.Together {
			apart++
			short += one(stallFactor*g < longest)
		}
	}
	return apart < leastGaps || 2*short < apart
}
