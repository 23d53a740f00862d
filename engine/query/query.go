// This file answers a query: which requests there are, and those of them that are to be shown.

package query

import (
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// Query is what is asked of the requests of a run.
type Query struct {
	Filter     Filter
	Sort       Figure // "": Ended
	Descending bool

	First int   // of those that are kept, in order; negative: so that the last row is the last of all
	Count int   // of rows
	Until int64 // only requests that ended before this absolute position; 0: all. It makes a view stand still
	// Since leaves out requests that ended before an instant; 0: none.
	Since record.Instant
	Begun record.Instant // when the load began, which times in the filter count from; 0: with the run's clock

	Running int             // at most so many requests that run are told of: the first in order, the oldest where there is none
	Slots   stats.SlotRange // whose rows and whose running requests' stalls are wanted
	Waves   bool            // stalls that befell several requests at once are looked for
}

// View is the answer to a query.
type View struct {
	Query    Query
	At       record.Instant
	Criteria slo.Criteria
	Until    int64 // asked again with it, the same requests are looked at
	Total    int   // requests that ended and are kept
	Matched  int   // those of them that the filter keeps
	First    int   // of the rows among these, in order
	Rows     []Row
	Running  []Row // in the order asked for, by what is known of them so far; else in order of their numbers
	Places   []int // of each of those, among all rows: those that ended and these
	InFlight int   // requests that run and that the filter keeps, where they were all asked for; see Query.Unfinished
	Slots    int   // the highest slot of those that ended since Query.Since, or run; 0: none is known
	Waves    []Wave
}

// Unfinished is how many of the requests that run Answer is to be given, the oldest.
func (q *Query) Unfinished() int {
	const all = 1 << 20
	switch {
	case q.Waves: // one whose row is not wanted may be what the others waited for
		return all
	case q.Running > 0 && !q.plain(): // which are wanted is not known before
		return all
	}
	return q.Running
}

// plain reports whether all are wanted as they ended, and those that run as they began.
func (q *Query) plain() bool {
	return q.Filter == Filter{} && (q.Sort == "" || q.Sort == Ended) && !q.Descending
}

// Answer answers a query from what is kept at an instant. It takes up to 50 ms where a million requests ended.
func Answer(e stats.Ended, running []stats.Unfinished, at record.Instant, q Query) *View {
	e = e.UpTo(q.Until)
	v := &View{Query: q, At: at, Criteria: e.Criteria, Total: len(e.At), Until: e.Dropped + int64(len(e.At))}
	for i := range running {
		if u := &running[i]; q.Slots.Has(int32(u.Slot)) {
			u.FindStalls()
			v.Running = append(v.Running, runningRow(u, at, &e.Criteria))
		}
	}
	if q.Waves {
		v.Slots = highestSlot(&e, running, sinceIndex(&e, q.Since))
		v.Waves = waves(&e, running, sinceIndex(&e, q.Since))
	}
	kept, limits := keptRows(&e, &q)
	v.Matched = kept.n
	v.keepRunning(limits)
	v.place(&e, &kept)
	if v.First = q.First; q.First < 0 {
		v.First = kept.n - q.Count
	}
	v.First = min(max(v.First, 0), kept.n)
	count := min(q.Count, kept.n-v.First)
	v.Rows = make([]Row, 0, count)
	for _, i := range kept.window(&e, &q, v.First, count) {
		v.Rows = append(v.Rows, endedRow(&e, i))
	}
	return v
}

// highestSlot is of the requests from an index on, and of those that run.
func highestSlot(e *stats.Ended, running []stats.Unfinished, from int) int {
	highest := 0
	for i := from; i < len(e.At); i++ {
		highest = max(highest, int(e.Slot[i]))
	}
	for i := range running {
		highest = max(highest, running[i].Slot)
	}
	return highest
}

// Each tells of every request that a query keeps, in order, up to the first error. Of the query, First and Count do not
// count.
func Each(e stats.Ended, q Query, tell func(*Row) error) error {
	e = e.UpTo(q.Until)
	kept, _ := keptRows(&e, &q)
	for _, i := range kept.window(&e, &q, 0, kept.n) {
		row := endedRow(&e, i)
		if err := tell(&row); err != nil {
			return err
		}
	}
	return nil
}

// rows are indices of requests, ascending; nil: all of n.
type rows struct {
	n      int
	from   int // of all
	list   []int32
	sorted []time.Duration // the values that they are put in order by, once they are asked for; see figure.keys
}

// keys are the values by which the rows are put in order, the least first; nil: they stand as they ended.
func (r *rows) keys(e *stats.Ended, q *Query) []time.Duration {
	if f, ok := lookup(q.Sort); r.sorted == nil && ok && f.name != Ended {
		r.sorted = f.keys(e, r, q.Descending)
	}
	return r.sorted
}

func (r *rows) at(k int) int {
	if r.list == nil {
		return r.from + k
	}
	return int(r.list[k])
}

// keptRows are the requests that a query keeps, and by its terms the values beyond which those keep that speak of a percentile.
func keptRows(e *stats.Ended, q *Query) (rows, map[string]time.Duration) {
	from := sinceIndex(e, q.Since)
	kept := rows{n: len(e.At) - from, from: from}
	if since := q.Since; since != 0 {
		kept = kept.filter(func(i int) bool { return e.At[i] >= since })
	}
	if slots := q.Slots; slots != (stats.SlotRange{}) {
		kept = kept.filter(func(i int) bool { return slots.Has(e.Slot[i]) })
	}
	terms := q.Filter.terms(q.Begun)
	for _, t := range terms {
		if t.beyond == nil {
			kept = kept.filter(t.keep(e))
		}
	}
	among, limits := kept, make(map[string]time.Duration) // what the other terms keep, whatever is beyond what in it
	for _, t := range terms {
		if t.beyond != nil {
			f, _ := lookup(t.beyond.figure)
			value := f.of(e)
			limit := among.quantile(e, value, t.beyond.p)
			kept = kept.filter(func(i int) bool { return e.Ending[i] == slo.OK && time.Duration(value(i)) > limit })
			limits[t.text] = limit
		}
	}
	return kept, limits
}

// sinceIndex is the first request that may have ended at an instant or after it. They lie in order but for a second.
func sinceIndex(e *stats.Ended, since record.Instant) int {
	if since == 0 {
		return 0
	}
	i, _ := slices.BinarySearch(e.At, since.Add(-time.Second))
	return i
}

func (r rows) filter(keep func(i int) bool) rows {
	kept := make([]int32, 0, r.n/2+16)
	for k := range r.n {
		if i := r.at(k); keep(i) {
			kept = append(kept, int32(i))
		}
	}
	return rows{n: len(kept), list: kept}
}

// quantile is that of a figure of the completed requests among them; 0 where there are none.
func (r *rows) quantile(e *stats.Ended, value func(i int) int64, p float64) time.Duration {
	values := make([]time.Duration, 0, r.n)
	for k := range r.n {
		if i := r.at(k); e.Ending[i] == slo.OK {
			if v := value(i); v != unknown {
				values = append(values, time.Duration(v))
			}
		}
	}
	if len(values) == 0 {
		return 0
	}
	return stats.Inverted.Quantile(values, p)
}

// window are so many rows from the first on, in the order asked for. Only they are put in order: what comes before and after
// them is told by two values that are in their place (see stats.Arrange), and rows of the same value stay as they ended.
func (r *rows) window(e *stats.Ended, q *Query, first, count int) []int {
	if count <= 0 {
		return nil
	}
	out := make([]int, 0, count)
	keys := r.keys(e, q)
	if keys == nil {
		for k := range count {
			at := first + k
			if q.Descending {
				at = r.n - 1 - at
			}
			out = append(out, r.at(at))
		}
		return out
	}
	ordered := slices.Clone(keys)
	if first+count < r.n || first > 0 {
		stats.Arrange(ordered, first, first+count-1)
	} else {
		slices.Sort(ordered)
	}
	low, high := ordered[first], ordered[first+count-1]
	return r.between(keys, low, high, first, count)
}

// between are the rows whose keys go from low to high, in order, without those of low that come before position first.
func (r *rows) between(keys []time.Duration, low, high time.Duration, first, count int) []int {
	var lows, middle, highs []int
	below := 0
	for k, v := range keys {
		switch {
		case v < low:
			below++
		case v == low:
			lows = append(lows, k)
		case v < high:
			middle = append(middle, k)
		case v == high && len(highs) < count:
			highs = append(highs, k)
		}
	}
	slices.SortStableFunc(middle, func(a, b int) int { return int(min(max(keys[a]-keys[b], -1), 1)) })
	out := slices.Concat(lows[first-below:], middle, highs)
	out = out[:min(count, len(out))]
	for n, k := range out {
		out[n] = r.at(k)
	}
	return out
}
