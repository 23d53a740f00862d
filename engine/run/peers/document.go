// This file is what a format is made of: of a run, the requests that are measured.

package peers

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
)

// errNothing says that there is nothing to be written.
var errNothing = errors.New("no request of the run completed or failed while it was measured, so there is nothing to write")

// measured are the requests that a format holds, in order of sending.
type measured struct {
	*run.Document
	row      *snapshot.StageRow // the newest stage that they are of
	requests []runfile.Request
	good     int  // of them, those that met the SLO
	scored   bool // there is one, and it could be measured
	gaps     bool // those of every completed request are known
}

// measure goes through the requests of a run.
func measure(d *run.Document) (*measured, error) {
	m := &measured{Document: d, gaps: true}
	from, err := m.parts()
	if err != nil {
		return nil, err
	}
	for q, err := range d.Requests {
		if err != nil {
			return nil, err
		}
		p, ok := from[q.Record.Stage]
		if !ok || q.Record.Outcome == record.Cancelled || !p.holds(q.Record) {
			continue
		}
		m.gaps = m.gaps && (q.GapsKnown() || q.Record.Outcome != record.OK)
		m.requests = append(m.requests, q)
	}
	if len(m.requests) == 0 {
		return nil, errNothing
	}
	slices.SortStableFunc(m.requests, func(a, b runfile.Request) int {
		return cmp.Or(cmp.Compare(sent(a.Record), sent(b.Record)), cmp.Compare(a.Record.ID, b.Record.ID))
	})
	m.score()
	if !m.gaps && d.Warn != nil {
		d.Warn("the recording has chunks by number only, so the gaps between them are left out")
	}
	return m, nil
}

// part is a stretch of a stage: a request belongs to it that was sent in it.
type part struct {
	whole        bool
	steady, over record.Instant // over is 0 where the stage goes on
}

// parts are those that the report's figures are of, by the number of their stage.
func (m *measured) parts() (map[int]part, error) {
	numbers := []int{}
	if r := m.Report; r.At >= 0 {
		numbers = r.Levels[r.At].Stages
	} else if n := len(r.Stages); n > 0 {
		numbers = []int{r.Stages[n-1].Number}
	}
	parts := make(map[int]part)
	for i := range m.Last.Stages {
		row := &m.Last.Stages[i]
		if slices.Contains(numbers, row.Number) {
			m.row = row
			parts[row.Number] = part{row.Summary.Settling, row.Opened.Add(row.Summary.Settled), row.Closed}
		}
	}
	if m.row == nil {
		return nil, errNothing
	}
	return parts, nil
}

// holds reports whether a request of the stage belongs to the part. One that was in flight when the stage made way for the
// next does not.
func (p *part) holds(r *record.Record) bool {
	if p.over != 0 && r.End > p.over {
		return false
	}
	return p.whole || !r.Residual && sent(r) >= p.steady
}

// sent is when a request was sent; one that never came to be sent belongs where it was taken up.
func sent(r *record.Record) record.Instant { return max(r.Sent, r.Started) }

// score counts the requests that met the SLO.
func (m *measured) score() {
	list := slo.Requests{}
	for i := range m.requests {
		r := m.requests[i].Record
		ending := slo.OK
		if r.Outcome != record.OK {
			ending = slo.Failed
		}
		list.Endings = append(list.Endings, ending)
		list.TTFT = append(list.TTFT, orUndefined(r.TTFT()))
		list.TTFA = append(list.TTFA, orUndefined(r.FirstAnswerLatency()))
		list.TPOT = append(list.TPOT, orUndefined(r.TPOT()))
		list.E2EL = append(list.E2EL, orUndefined(r.E2EL()))
	}
	criteria := m.Last.Knobs.SLO
	m.good, m.scored = criteria.Score(list).GoodCount(criteria)
}

func orUndefined(d time.Duration, ok bool) time.Duration {
	if !ok {
		return slo.Undefined
	}
	return d
}

// ok goes through the completed requests.
func (m *measured) ok() iter.Seq[*runfile.Request] {
	return func(yield func(*runfile.Request) bool) {
		for i := range m.requests {
			if q := &m.requests[i]; q.Record.Outcome == record.OK && !yield(q) {
				return
			}
		}
	}
}

// completed is the number of completed requests.
func (m *measured) completed() (n int) {
	for range m.ok() {
		n++
	}
	return n
}

// duration is the time from the first send to the last token.
func (m *measured) duration() time.Duration {
	last := record.Instant(0)
	for i := range m.requests {
		r := m.requests[i].Record
		last = max(last, r.LastToken, sent(r))
		if r.Outcome != record.OK {
			last = max(last, r.End)
		}
	}
	return time.Duration(last - sent(m.requests[0].Record))
}

// latencies are those of completed requests that have one.
func (m *measured) latencies(of func(*record.Record) (time.Duration, bool)) spread {
	var list []time.Duration
	for q := range m.ok() {
		if d, ok := of(q.Record); ok {
			list = append(list, d)
		}
	}
	return newSpread(list)
}

// gapSpread is that of all gaps of completed requests; empty where they are not known.
func (m *measured) gapSpread() spread {
	if !m.gaps {
		return spread{}
	}
	n := 0
	for q := range m.ok() {
		n += len(q.Gaps)
	}
	list := make([]time.Duration, 0, n)
	for q := range m.ok() {
		list = append(list, q.Gaps...)
	}
	return newSpread(list)
}

// tokens are counts of completed requests, as far as they are known; all says whether they all are.
func (m *measured) tokens(of func(*record.Record) (int64, bool)) (s spread, sum int64, all bool) {
	var list []time.Duration
	all = true
	for q := range m.ok() {
		n, ok := of(q.Record)
		if ok {
			list = append(list, time.Duration(n)*unit)
			sum += n
		}
		all = all && ok
	}
	return newSpread(list), sum, all
}

func inputTokens(r *record.Record) (int64, bool) { return r.InputTokens.Get() }

func outputTokens(r *record.Record) (int64, bool) { return r.OutputTokens.Get() }

// perSecond is a number by the duration; unknown where that is none.
func (m *measured) perSecond(n int64, known bool) float64 {
	if d := m.duration(); known && d > 0 {
		return float64(n) / d.Seconds()
	}
	return unknown
}

// wall is what the wall clock showed at an instant of the run; the zero Time where that is not known, as of another tool's run.
func (m *measured) wall(at record.Instant) time.Time {
	if m.Header.Started.IsZero() {
		return time.Time{}
	}
	began := m.Last.At.Add(-m.Last.Elapsed)
	return m.Header.Started.Add(time.Duration(at - began))
}

// clock is that as text, in UTC; null where it is not known.
func (m *measured) clock(at record.Instant) any {
	if t := m.wall(at); !t.IsZero() {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return nil
}

// nanoseconds are those since 1970; null where they are not known.
func (m *measured) nanoseconds(at record.Instant) any {
	if t := m.wall(at); !t.IsZero() {
		return t.UnixNano()
	}
	return nil
}
