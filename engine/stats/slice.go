// This file cuts the run's time into slices: of a second at most, each within one phase of one stage. Every window is
// a union of slices, so that its rates are exact over the time that it really spans.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

const (
	// keepHistograms is how long a slice keeps its ITL histogram: the longest window, and a little more.
	keepHistograms = 5*time.Minute + 5*time.Second
)

// nextSecond is the first whole second of the run's clock after an instant: slices end there at the latest.
func nextSecond(at record.Instant) record.Instant {
	const second = record.Instant(time.Second)
	return (at/second + 1) * second
}

// slice is a stretch of the run.
type slice struct {
	from, to record.Instant // to == 0: still open
	stage    int
	steady   bool
	over     bool // after the load's end: in no stage and not in the run

	tokens float64 // output tokens whose number is known
	chunks int64   // token events whose number of tokens is not known yet
	input  float64 // prompt tokens of requests whose first token fell into it

	itl *Histogram // nil: no sample, or too old
}

// duration is the time that the slice spans, up to now if it is open.
func (s *slice) duration(now record.Instant) time.Duration {
	end := s.to
	if end == 0 {
		end = max(now, s.from)
	}
	return time.Duration(end - s.from)
}

// timeline is the run's slices in order.
type timeline struct {
	slices []slice
	free   []*Histogram // histograms of slices that have grown too old
	oldest int          // the first slice that may still have a histogram
	over   bool         // the load has ended
}

func newTimeline(at record.Instant) timeline { return timeline{slices: []slice{{from: at}}} }

func (t *timeline) last() *slice { return &t.slices[len(t.slices)-1] }

// cut ends the open slice and opens another in the given phase. A slice without extent takes the new phase instead.
func (t *timeline) cut(at record.Instant, stage int, steady bool) {
	last := t.last()
	if at > last.from {
		last.to = at
		t.slices = append(t.slices, slice{from: at})
		last = t.last()
	}
	last.stage, last.steady, last.over = stage, steady, t.over
}

// advance opens the slices that are due by now, and lets go of histograms that no window reaches any more.
func (t *timeline) advance(now record.Instant) {
	for last := t.last(); now >= nextSecond(last.from); last = t.last() {
		t.cut(nextSecond(last.from), last.stage, last.steady)
	}
	for t.oldest < len(t.slices)-1 && now > t.slices[t.oldest].from.Add(keepHistograms) {
		if h := t.slices[t.oldest].itl; h != nil {
			h.Reset()
			t.free = append(t.free, h)
			t.slices[t.oldest].itl = nil
		}
		t.oldest++
	}
}

// at returns the index of the slice into which an instant fell. Events come late by a fold at most, so the search
// goes backwards; an instant before the first slice counts for the first.
func (t *timeline) at(at record.Instant) int {
	return t.seek(len(t.slices)-1, at)
}

// seek returns the index of the slice into which an instant fell, looking from a nearby index on.
func (t *timeline) seek(near int, at record.Instant) int {
	for near > 0 && at < t.slices[near].from {
		near--
	}
	for near+1 < len(t.slices) && at >= t.slices[near+1].from {
		near++
	}
	return near
}

// histogram returns the ITL histogram of a slice; nil if the slice is too old to have one.
func (t *timeline) histogram(i int) *Histogram {
	s := &t.slices[i]
	if s.itl == nil && i >= t.oldest {
		if n := len(t.free); n > 0 {
			s.itl, t.free = t.free[n-1], t.free[:n-1]
		} else {
			s.itl = new(Histogram)
		}
	}
	return s.itl
}

// since returns the index of the first slice that lies within the last d; at least the open one.
func (t *timeline) since(now record.Instant, d time.Duration) int {
	i := len(t.slices) - 1
	for i > 0 && t.slices[i-1].from >= now.Add(-d) {
		i--
	}
	return i
}
