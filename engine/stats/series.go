// This file hands out what was measured of one stage with the times at which it was, for comparisons.

package stats

import (
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// StageSeries returns what was measured in the steady part of stage n and is still kept; nil while nothing that was sent
// in that has ended. Requests stand at the time at which they were sent, but in rates, which go by when they ended.
func (l *store) StageSeries(n int, now record.Instant) *compare.Series {
	if !l.stages[n-1].settled() {
		return nil
	}
	from := l.stages[n-1].steady
	to := from
	s := new(compare.Series)
	at := func(i record.Instant) float64 { return time.Duration(i - from).Seconds() }
	judged := l.criteria.Active()
	summary := l.StageSummary(n, now)
	for i := l.time.at(from); i < len(l.time.slices); i++ {
		sl := &l.time.slices[i]
		if sl.stage != n || !sl.steady || sl.over {
			if sl.stage > n || sl.over {
				break
			}
			continue
		}
		length := sl.duration(now)
		to = sl.from.Add(length)
		mid, seconds := at(sl.from.Add(length/2)), length.Seconds()
		s.Output.Add(mid, l.tokens(sl.tokens, sl.chunks), seconds)
		s.Requests.Add(mid, 0, seconds)
		if judged {
			s.Goodput.Add(mid, 0, seconds)
		}
		if summary.ITLIsChunkGap() {
			continue
		}
		for _, b := range sl.latencies() {
			s.ITL.Add(mid, milliseconds(middle(int(b.At))), float64(b.N))
		}
	}
	if s.Seconds = at(to); s.Seconds <= 0 {
		return nil
	}
	l.addRequests(s, l.stageScope(n), from, to)
	return s
}

// addRequests adds the requests of a stage whose steady part goes from one instant to another.
func (l *store) addRequests(s *compare.Series, sc scope, from, to record.Instant) {
	at := func(i record.Instant) float64 { return time.Duration(i - from).Seconds() }
	judged := l.criteria.Active()
	f, d := &l.firsts, &l.dones
	for i := l.reach(sc, f.at, f.dropped, sc.firstsFrom); i < until(len(f.at), f.dropped, sc.firstsTo); i++ {
		if f.ttft[i] != undefined && l.belongs(sc, f.at[i], f.sent[i], f.stage[i]) {
			s.TTFT.Add(at(f.sent[i]), milliseconds(f.ttft[i]), 1)
		}
	}
	for i := l.reach(sc, d.at, d.dropped, sc.donesFrom); i < len(d.at); i++ {
		if d.ending[i] == slo.Cancelled {
			continue
		}
		good := float64(d.tally(l.criteria, i, i+1).Good)
		if end := d.at[i]; end >= from && end < to && d.ending[i] == slo.OK {
			s.Requests.Add(at(end), 1, 0)
			if judged {
				s.Goodput.Add(at(end), good, 0)
			}
		}
		if !l.belongs(sc, d.at[i], d.sent[i], d.stage[i]) {
			continue
		}
		failed := 1.0
		sent := at(d.sent[i])
		if d.ending[i] == slo.OK {
			failed = 0
			if d.tpot[i] != undefined {
				s.TPOT.Add(sent, milliseconds(d.tpot[i]), 1)
			}
			if d.e2el[i] != undefined {
				s.E2EL.Add(sent, milliseconds(d.e2el[i]), 1)
			}
		}
		s.Failed.Add(sent, failed, 1)
		if judged {
			s.Good.Add(sent, good, 1)
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
