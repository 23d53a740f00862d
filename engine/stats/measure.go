// This file measures what an objective is held against.

package stats

import (
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// LongestITLWindow is how far back ITL can be measured: its samples are too many to be kept for longer.
const LongestITLWindow = 5 * time.Minute

// Measure returns an objective's figure over its window as of now: a percentile of a latency, or the share of requests
// that failed, of those that completed or failed. TTFT enters when the first token arrives, ITL when the chunk does,
// TTFA, TPOT, E2EL and errors when the request ends. Without samples, N is 0.
//
// They are the requests that sliding windows judge: those sent in the steady part of the present stage. So N is 0 while it
// settles. For ITL, it is the tokens of that time, without the time in which requests were disowned. A window that reaches
// back further, or before what is kept, is of what there is.
//
// Of streams that are buffered on their way, no figure that rests on the instants of single tokens is measured.
func (l *store) Measure(o slo.Objective, now record.Instant) slo.Measured {
	steady := l.steadySince()
	if steady == 0 || o.Metric.OfTokens() && l.buffered() {
		return slo.Measured{}
	}
	from := max(now.Add(-o.Window), steady)
	f, d := &l.firsts, &l.dones
	switch o.Metric {
	case slo.TTFT:
		return l.percentile(o.Percentile, from, series{f.at, f.sent, f.stage, nil}, f.ttft)
	case slo.TTFA, slo.TPOT, slo.E2EL:
		return l.percentile(o.Percentile, from, series{d.at, d.sent, d.stage, d.ending}, d.of(o.Metric))
	case slo.ITL:
		return l.percentileITL(o, now)
	case slo.ErrorRate:
		return l.errorRate(from)
	}
	return slo.Measured{}
}

// series are the columns that say which requests an objective judges.
type series struct {
	at, sent []record.Instant
	stage    []int32
	ending   []slo.Ending // nil: of requests that may still run
}

// judged reports whether request i entered at or after an instant, and was sent in the steady part of the present stage.
func (l *store) judged(s *series, i int, from record.Instant) bool {
	return s.at[i] >= from && int(s.stage[i]) == len(l.stages) && l.sentSteady(len(l.stages), s.sent[i])
}

// percentile is of a column's values since an instant; endings, if any, have to be OK.
func (l *store) percentile(p float64, from record.Instant, s series, column []time.Duration) slo.Measured {
	values := l.values[:0]
	for i := begin(s.at, from); i < len(column); i++ {
		if column[i] != undefined && l.judged(&s, i, from) && (s.ending == nil || s.ending[i] == slo.OK) {
			values = append(values, column[i])
		}
	}
	l.values = values
	if len(values) == 0 {
		return slo.Measured{}
	}
	low, high := l.method.needs(len(values), p)
	arrange(values, []int{low, high})
	return slo.Measured{Latency: l.method.Percentile(values, p), N: len(values)}
}

// percentileITL is of the slices that lie within the window.
func (l *store) percentileITL(o slo.Objective, now record.Instant) slo.Measured {
	l.merged.Reset()
	for i := l.time.since(now, min(o.Window, LongestITLWindow)); i < len(l.time.slices); i++ {
		if s := &l.time.slices[i]; s.recent != nil && s.from >= l.steadySince() && !s.disowned {
			l.merged.Merge(&s.recent.itl)
		}
	}
	if l.merged.N() == 0 {
		return slo.Measured{}
	}
	return slo.Measured{Latency: l.merged.Quantiles(o.Percentile)[0], N: int(l.merged.N())}
}

func (l *store) errorRate(from record.Instant) slo.Measured {
	failed, judged := 0, 0
	d := &l.dones
	s := series{d.at, d.sent, d.stage, d.ending}
	for i := begin(d.at, from); i < len(d.at); i++ {
		if d.ending[i] == slo.Cancelled || !l.judged(&s, i, from) {
			continue
		}
		judged++
		if d.ending[i] == slo.Failed {
			failed++
		}
	}
	if judged == 0 {
		return slo.Measured{}
	}
	return slo.Measured{Errors: float64(failed) / float64(judged), N: judged}
}

// begin is the first index of a column that may lie after an instant. Events lie in order but for a fold's delay.
func begin(at []record.Instant, from record.Instant) int {
	i, _ := slices.BinarySearch(at, from.Add(-time.Second))
	return i
}
