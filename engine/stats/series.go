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
	var seconds []second
	sent := &l.stages[n-1].parts[steady].sent.totals
	gaps := Summary{Tokens: sent.tokens(), TokensPerChunk: sent.perChunk()}
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
		mid, lasts := at(sl.from.Add(length/2)), length.Seconds()
		s.Output.Add(mid, l.tokens(sl.tokens, sl.chunks), lasts)
		for n := int(mid); n >= len(seconds); {
			seconds = append(seconds, second{})
		}
		seconds[int(mid)].lasts += lasts
		if gaps.ITLIsChunkGap() {
			continue
		}
		for _, b := range sl.latencies() {
			s.ITL.Add(mid, milliseconds(middle(int(b.At))), float64(b.N))
		}
	}
	if s.Seconds = at(to); s.Seconds <= 0 {
		return nil
	}
	l.addRequests(s, seconds, l.stageScope(n), from, to)
	return s
}

// second is what is added up of a second, which is not divided any further: its requests, and how much of it was measured.
type second struct{ completed, good, judged, kept, failed, lasts float64 }

// addRequests adds the requests of a stage whose steady part goes from one instant to another.
func (l *store) addRequests(s *compare.Series, seconds []second, sc scope, from, to record.Instant) {
	at := func(i record.Instant) float64 { return time.Duration(i - from).Seconds() }
	in := func(i record.Instant) *second { return &seconds[min(int(at(i)), len(seconds)-1)] }
	f, d := &l.firsts, &l.dones
	n := l.stages[sc.stages[0]-1].parts[steady].sent.counts.OK
	s.TTFT.Grow(n)
	for i := l.reach(sc, f.at, f.dropped, sc.firstsFrom); i < until(len(f.at), f.dropped, sc.firstsTo); i++ {
		if f.ttft[i] != undefined && l.belongs(sc, f.at[i], f.sent[i], f.stage[i]) {
			s.TTFT.Add(at(f.sent[i]), milliseconds(f.ttft[i]), 1)
		}
	}
	s.TPOT.Grow(n)
	s.E2EL.Grow(n)
	for i := l.reach(sc, d.at, d.dropped, sc.donesFrom); i < len(d.at); i++ {
		if d.ending[i] == slo.Cancelled {
			continue
		}
		good := float64(d.tally(l.criteria, i, i+1).Good)
		if end := d.at[i]; end >= from && end < to && d.ending[i] == slo.OK {
			ended := in(end)
			ended.completed++
			ended.good += good
		}
		if !l.belongs(sc, d.at[i], d.sent[i], d.stage[i]) {
			continue
		}
		sent := in(d.sent[i])
		sent.judged++
		sent.kept += good
		if d.ending[i] != slo.OK {
			sent.failed++
			continue
		}
		if d.tpot[i] != undefined {
			s.TPOT.Add(at(d.sent[i]), milliseconds(d.tpot[i]), 1)
		}
		if d.e2el[i] != undefined {
			s.E2EL.Add(at(d.sent[i]), milliseconds(d.e2el[i]), 1)
		}
	}
	for i := range seconds {
		mid, is := min(float64(i)+0.5, s.Seconds), &seconds[i]
		s.Requests.Add(mid, is.completed, is.lasts)
		s.Failed.Add(mid, is.failed, is.judged)
		if l.criteria.Active() {
			s.Goodput.Add(mid, is.good, is.lasts)
			s.Good.Add(mid, is.kept, is.judged)
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
