// This file cuts the run's time into slices: of a second at most, each within one phase of one stage. Every window is
// a union of slices, so that its rates are exact over the time that it really spans.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

const (
	// keepDetails is how long a slice keeps its detail: the longest window, and a little more.
	keepDetails = 5*time.Minute + 5*time.Second
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
	disowned bool // something that is not the endpoint's doing went on in it: no objective judges it

	tokens float64 // output tokens whose number is known
	chunks int64   // token events whose number of tokens is not known yet
	input  prompts // of requests whose first token fell into it

	recent *detail  // nil: nothing happened in it, or it is too old for any window
	itl    []Bucket // what was left of it when it grew too old
}

// latencies are the slice's inter-token latencies.
func (s *slice) latencies() []Bucket {
	if s.recent == nil {
		return s.itl
	}
	return s.recent.itl.Sparse().Buckets
}

// detail is what sliding windows need of a slice.
type detail struct {
	itl    Histogram
	ended  cohort // requests that ended in it
	steady cohort // of them, those that were sent in the steady part of its stage

	packed *packedDetail // the same for a checkpoint; nil: it has changed since
}

// reset empties it, and keeps its memory.
func (d *detail) reset() {
	d.itl.Reset()
	*d = detail{itl: d.itl}
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
	free   []*detail // of slices that have grown too old
	oldest int       // the first slice that may still have a detail
	over   bool      // the load has ended
}

func newTimeline(at record.Instant) timeline { return timeline{slices: []slice{{from: at}}} }

func (t *timeline) last() *slice { return &t.slices[len(t.slices)-1] }

// cut ends the open slice, for which closed is called, and opens another in the given phase. A slice without extent
// takes the new phase instead.
func (t *timeline) cut(at record.Instant, stage int, steady bool, closed func(*slice)) {
	last := t.last()
	if at > last.from {
		last.to = at
		closed(last)
		t.slices = append(t.slices, slice{from: at})
		last = t.last()
	}
	last.stage, last.steady, last.over, last.disowned = stage, steady, t.over, false
}

// advance opens the slices that are due by now, and lets go of details that no window reaches any more. closed is called
// for every slice that ends.
func (t *timeline) advance(now record.Instant, closed func(*slice)) {
	for last := t.last(); now >= nextSecond(last.from); last = t.last() {
		disowned := last.disowned
		t.cut(nextSecond(last.from), last.stage, last.steady, closed)
		t.last().disowned = disowned
	}
	for t.oldest < len(t.slices)-1 && now > t.slices[t.oldest].from.Add(keepDetails) {
		if s := &t.slices[t.oldest]; s.recent != nil {
			s.itl = s.latencies()
			s.recent.reset()
			t.free = append(t.free, s.recent)
			s.recent = nil
		}
		t.oldest++
	}
}

// at returns the index of the slice into which an instant fell. Events come late by a fold at most, so the search
// goes backwards; an instant before the first slice counts for the first.
func (t *timeline) at(at record.Instant) int {
	return t.seek(len(t.slices)-1, at)
}

// slice returns the slice into which an instant fell.
func (t *timeline) slice(at record.Instant) *slice { return &t.slices[t.at(at)] }

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

// detail returns the detail of a slice, which is about to change; nil if the slice is too old to have one.
func (t *timeline) detail(i int) *detail {
	s := &t.slices[i]
	if s.recent == nil && i >= t.oldest {
		if n := len(t.free); n > 0 {
			s.recent, t.free = t.free[n-1], t.free[:n-1]
		} else {
			s.recent = new(detail)
		}
	}
	if s.recent != nil {
		s.recent.packed = nil
	}
	return s.recent
}

// since returns the index of the first slice that lies within the last d; at least the open one.
func (t *timeline) since(now record.Instant, d time.Duration) int {
	i := len(t.slices) - 1
	for i > 0 && t.slices[i-1].from >= now.Add(-d) {
		i--
	}
	return i
}
