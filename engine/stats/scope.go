// This file gathers what belongs to a window.

package stats

import (
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// scope is what a summary is of: a sliding window, or parts of one stage or of the run.
type scope struct {
	sliding bool
	from    record.Instant // sliding: its beginning
	sent    record.Instant // sliding: requests that were sent before are not judged; 0: all are
	first   int            // sliding: its first slice
	parts   []*part        // else
	stages  []int          // nil: the whole run
	whole   bool           // settling parts too

	// The positions between which what belongs to it lies; To of 0: up to the end.
	firstsFrom, firstsTo int64
	donesFrom, donesTo   int64
}

// Summary describes a window as of now.
func (l *store) Summary(w Window, now record.Instant) Summary {
	s := Summary{Window: w, Stage: len(l.stages)}
	var sc scope
	switch {
	case len(l.stages) == 0:
		s.Settling = true
		return s
	case w == ThisStage:
		sc = l.stageScope(len(l.stages))
	case w == WholeRun:
		sc = partScope(l.run[:], true)
		for i := range l.stages {
			if l.stages[i].settled() {
				sc = partScope(l.run[steady:], false)
			}
		}
	default:
		sc = l.slidingScope(w, now)
	}
	l.summarise(&s, sc, now)
	return s
}

// Live is the summary of a window, whose Score reaches back further where the window holds fewer requests than a verdict on
// them needs: as far as it takes, in the steady part of the present stage, up to five minutes.
func (l *store) Live(w Window, now record.Instant, needed int) Summary {
	s := l.Summary(w, now)
	if w.Duration() == 0 || s.Settling || s.Clumps.Buffered() {
		return s
	}
	sc := l.slidingScope(w, now)
	for i := sc.first - 1; i >= 0 && l.time.slices[i].from >= sc.sent && s.Score.OK+s.Score.Failed < needed; i-- {
		if d := l.time.slices[i].recent; d != nil {
			s.Score.Add(d.steady.tally.now)
		}
	}
	return s
}

// StageSummary describes stage n by its steady part, or by all of it if nothing in that has ended.
func (l *store) StageSummary(n int, now record.Instant) Summary {
	s := Summary{Window: ThisStage, Stage: n}
	l.summarise(&s, l.stageScope(n), now)
	return s
}

func (l *store) slidingScope(w Window, now record.Instant) scope {
	first := l.time.since(now, w.Duration())
	for first < len(l.time.slices)-1 && l.time.slices[first].stage == 0 {
		first++ // what came before the load is in no rate
	}
	sc := scope{sliding: true}
	if sc.sent = l.steadySince(); sc.sent != 0 { // the present load is judged, without its ramp
		for first < len(l.time.slices)-1 && l.time.slices[first].from < sc.sent {
			first++
		}
	}
	sc.first, sc.from = first, l.time.slices[first].from
	return sc
}

func (l *store) stageScope(n int) scope {
	st := &l.stages[n-1]
	sc := partScope(st.summarised(), !st.settled())
	sc.stages = []int{n}
	sc.firstsFrom, sc.donesFrom, sc.firstsTo, sc.donesTo = st.firstsFrom, st.donesFrom, st.firstsTo, st.donesTo
	return sc
}

// PooledSummary describes several stages, ascending, as one: by the steady parts of those that settled, and by nothing
// if none did. Its Stage is the last of them.
func (l *store) PooledSummary(stages []int, now record.Instant) Summary {
	s := Summary{Window: ThisStage}
	if pool := l.pooledScope(stages); len(pool.parts) > 0 {
		s.Stage = pool.stages[len(pool.stages)-1]
		l.summarise(&s, pool, now)
		s.Settled = 0 // of no one of them
	}
	return s
}

// SettledOf returns those of some stages in whose steady part something has ended.
func (l *store) SettledOf(stages []int) []int {
	var settled []int
	for _, n := range stages {
		if l.stages[n-1].settled() {
			settled = append(settled, n)
		}
	}
	return settled
}

// pooledScope is of those of some stages that settled; without parts where none did.
func (l *store) pooledScope(stages []int) scope {
	var pool scope
	for i, n := range l.SettledOf(stages) {
		if sc := l.stageScope(n); i == 0 {
			pool = sc
		} else {
			pool.append(sc)
		}
	}
	return pool
}

// append adds a later stage to a scope of stages.
func (sc *scope) append(o scope) {
	sc.parts = append(sc.parts, o.parts...)
	sc.stages = append(sc.stages, o.stages...)
	sc.firstsTo, sc.donesTo = max(sc.firstsTo, o.firstsTo), max(sc.donesTo, o.donesTo)
}

// partScope is made of the given parts; whole says that settling ones are among them.
func partScope(parts []part, whole bool) scope {
	sc := scope{whole: whole}
	for i := range parts {
		sc.parts = append(sc.parts, &parts[i])
	}
	return sc
}

func (l *store) summarise(s *Summary, sc scope, now record.Instant) {
	s.Settling = sc.whole
	if len(sc.stages) == 1 && !sc.whole {
		st := &l.stages[sc.stages[0]-1]
		s.Settled = time.Duration(st.steady - st.opened)
	}
	if len(sc.stages) == 1 {
		s.InStep = l.stages[sc.stages[0]-1].sends.inStep(now)
	}
	if sc.sliding {
		s.Settling = sc.sent == 0
		l.slidingRates(s, sc, now)
	} else {
		l.partRates(s, sc, now)
	}
	l.latencies(s, sc)
	if s.Clumps.Buffered() {
		s.withhold(l.criteria)
	}
}

// slidingRates sums up the slices of a window.
func (l *store) slidingRates(s *Summary, sc scope, now record.Instant) {
	var ended, judged cohort
	var output float64
	var input prompts
	l.merged.Reset()
	for i := sc.first; i < len(l.time.slices); i++ {
		sl := &l.time.slices[i]
		if sl.over {
			break
		}
		s.Spans += sl.duration(now)
		output += l.tokens(sl.tokens, sl.chunks)
		input.add(sl.input)
		if d := sl.recent; d != nil {
			l.merged.Merge(&d.itl)
			ended.merge(&d.ended)
			judged.merge(&d.steady)
		}
	}
	s.ITL = l.merged.Describe()
	if s.Settling {
		judged = ended
	}
	l.fill(s, &judged, ended.tally.now, output, input)
}

// partRates sums up parts. Rates go by when a request completed, whenever it was sent: leaving out those sent before
// the steady part would leave a hole at its beginning.
func (l *store) partRates(s *Summary, sc scope, now record.Instant) {
	var sent cohort
	var completed part
	l.merged.Reset()
	l.gaps.Reset()
	for _, p := range sc.parts {
		sent.merge(&p.sent)
		s.Spans += p.time + l.open(p, now)
		completed.tokens += p.tokens
		completed.chunks += p.chunks
		completed.input.add(p.input)
		completed.completed.now.Add(p.completed.now)
		if p.itl != nil {
			l.merged.Merge(p.itl)
			l.gaps.Merge(p.chunkGaps())
		}
	}
	s.ITL, s.ChunkGap, s.Spreads.ITL = l.merged.Describe(), l.gaps.Describe(), l.merged.Spread()
	l.fill(s, &sent, completed.completed.now, l.tokens(completed.tokens, completed.chunks), completed.input)
	if sc.whole && len(sc.stages) == 1 && sc.stages[0] > 1 {
		s.disownRates()
	}
}

// open is the time that the open slice adds to a part.
func (l *store) open(p *part, now record.Instant) time.Duration {
	last := l.time.last()
	for _, q := range l.during(last) {
		if p == q {
			return last.duration(now)
		}
	}
	return 0
}

// tokens counts chunks whose tokens are not known, in requests that still run, at the usual tokens per chunk.
func (l *store) tokens(known float64, chunks int64) float64 {
	return max(known+l.ratio.value()*float64(chunks), 0)
}

// latencies describes the latencies of a scope: exactly, or by histograms where there are many.
func (l *store) latencies(s *Summary, sc scope) {
	if !sc.sliding && l.manyIn(sc) {
		var sum spectrum
		for _, p := range sc.parts {
			sum.merge(p.many)
		}
		s.take(&sum)
		return
	}
	f, d := &l.firsts, &l.dones
	first, done := l.reach(sc, f.at, f.dropped, sc.firstsFrom), l.reach(sc, d.at, d.dropped, sc.donesFrom)
	firstEnd, doneEnd := until(len(f.at), f.dropped, sc.firstsTo), until(len(d.at), d.dropped, sc.donesTo)
	if sc.sliding && len(d.at)-done > exactRequests {
		s.take(l.sliding[s.Window].update(l, sc.from))
		return
	}
	inFirst := func(i int) bool { return l.belongs(sc, f.at[i], f.sent[i], f.stage[i]) }
	inDone := func(i int) bool {
		return d.ending[i] == slo.OK && l.belongs(sc, d.at[i], d.sent[i], d.stage[i])
	}
	spread := func(into *Spread) { // of the values that were described last
		if !sc.sliding {
			*into = spreadOf(l.values)
		}
	}
	s.TTFT = l.describe(f.ttft[:firstEnd], first, inFirst)
	spread(&s.Spreads.TTFT)
	s.TTFTFromSchedule = l.describe(f.fromSchedule[:firstEnd], first, inFirst)
	s.TTFA = l.describe(d.ttfa[:doneEnd], done, inDone)
	s.TPOT = l.describe(d.tpot[:doneEnd], done, inDone)
	spread(&s.Spreads.TPOT)
	s.E2EL = l.describe(d.e2el[:doneEnd], done, inDone)
	spread(&s.Spreads.E2EL)
	s.E2ELFromSchedule = l.describe(d.e2elFromSchedule[:doneEnd], done, inDone)
	s.DispatchLag = l.describe(d.lag[:doneEnd], done, inDone)
}

// reach is the first index of a column that may belong to a scope.
func (l *store) reach(sc scope, at []record.Instant, dropped, from int64) int {
	if !sc.sliding {
		return int(max(from-dropped, 0))
	}
	return begin(at, sc.from)
}

// until is the index in a column before which a scope ends; to is a position, 0 for the column's end.
func until(length int, dropped, to int64) int {
	if to == 0 {
		return length
	}
	return int(min(max(to-dropped, 0), int64(length)))
}

// belongs reports whether a request belongs to a scope: by the instant in question in a sliding window, else by when
// it was sent.
func (l *store) belongs(sc scope, at, sent record.Instant, stage int32) bool {
	if sc.sliding {
		return at >= sc.from && sent >= sc.sent && (sc.sent == 0 || stage > disowned)
	}
	if stage < 1 || sc.stages != nil && !slices.Contains(sc.stages, int(stage)) {
		return false
	}
	begin := l.stages[stage-1].steady
	return sc.whole || begin != 0 && sent >= begin
}

func (l *store) describe(column []time.Duration, start int, in func(int) bool) Distribution {
	values := l.values[:0]
	for i := start; i < len(column); i++ {
		if column[i] != undefined && in(i) {
			values = append(values, column[i])
		}
	}
	l.values = values
	return l.method.Describe(values)
}
