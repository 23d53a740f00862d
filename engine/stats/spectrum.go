// This file describes the latencies of parts that hold too many requests to look at each.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// spectrum holds the latencies of many requests.
type spectrum struct {
	ttft, ttftFromSchedule       Histogram
	tpot, e2el, e2elFromSchedule Histogram
	ttfa                         Histogram
	lag                          Histogram
}

func (s *spectrum) addFirst(f *firsts, i int, n int64) {
	addDefined(&s.ttft, f.ttft[i], n)
	addDefined(&s.ttftFromSchedule, f.fromSchedule[i], n)
}

func (s *spectrum) addDone(d *dones, i int, n int64) {
	if d.ending[i] != slo.OK {
		return
	}
	addDefined(&s.ttfa, d.ttfa[i], n)
	addDefined(&s.tpot, d.tpot[i], n)
	addDefined(&s.e2el, d.e2el[i], n)
	addDefined(&s.e2elFromSchedule, d.e2elFromSchedule[i], n)
	addDefined(&s.lag, d.lag[i], n)
}

func (s *spectrum) merge(o *spectrum) {
	from := o.all()
	for i, h := range s.all() {
		h.Merge(from[i])
	}
}

// of is the histogram of a metric of one request.
func (s *spectrum) of(m slo.Metric) *Histogram {
	switch m {
	case slo.TPOT:
		return &s.tpot
	case slo.E2EL:
		return &s.e2el
	case slo.TTFA:
		return &s.ttfa
	}
	return &s.ttft
}

// all are its histograms.
func (s *spectrum) all() []*Histogram {
	return []*Histogram{&s.ttft, &s.ttftFromSchedule, &s.tpot, &s.e2el, &s.e2elFromSchedule, &s.ttfa, &s.lag}
}

func addDefined(h *Histogram, d time.Duration, n int64) {
	if d != undefined {
		h.Add(d, n)
	}
}

// manyIn reports whether there are too many requests in a scope to look at each, and sees to it that all of its parts
// then have a spectrum.
func (l *store) manyIn(sc scope) bool {
	n := 0
	for _, p := range sc.parts {
		n += max(p.sent.counts.OK, p.firsts)
	}
	if n <= exactRequests {
		return false
	}
	l.completeSpectra(sc)
	return true
}

// keepSpectra sees to it that a run, or a stage, of many requests has its spectra before anybody looks at it.
func (c *Collector) keepSpectra() {
	c.manyIn(partScope(c.run[:], true))
	if n := len(c.stages); n > 0 {
		c.manyIn(c.stageScope(n))
	}
}

// completeSpectra makes the spectra of those parts of a scope that have had none so far, from the values, in one pass.
func (l *store) completeSpectra(sc scope) {
	missing := l.missingSpectra(sc)
	if missing == nil {
		return
	}
	f, d := &l.firsts, &l.dones
	for i := l.reach(sc, f.at, f.dropped, sc.firstsFrom); i < until(len(f.at), f.dropped, sc.firstsTo); i++ {
		for _, sum := range missing.sentIn(l, f.stage[i], f.sent[i]) {
			if sum != nil {
				sum.addFirst(f, i, 1)
			}
		}
	}
	for i := l.reach(sc, d.at, d.dropped, sc.donesFrom); i < until(len(d.at), d.dropped, sc.donesTo); i++ {
		for _, sum := range missing.sentIn(l, d.stage[i], d.sent[i]) {
			if sum != nil {
				sum.addDone(d, i, 1)
			}
		}
	}
}

// spectra are those of some parts, by stage and phase, with the run as stage 0. nil: of none of them.
type spectra [][phases]*spectrum

// missingSpectra gives every part of a scope that has none an empty spectrum, and returns these; nil: none.
func (l *store) missingSpectra(sc scope) (missing spectra) {
	lacking := make(map[*part]bool)
	for _, p := range sc.parts {
		if p.many == nil {
			lacking[p] = true
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	missing = make(spectra, len(l.stages)+1)
	for n := range missing {
		parts := &l.run
		if n > 0 {
			parts = &l.stages[n-1].parts
		}
		for which := range parts {
			if p := &parts[which]; lacking[p] {
				p.many = new(spectrum)
				missing[n][which] = p.many
			}
		}
	}
	return missing
}

// sentIn returns the spectra, of its stage and of the run, to which a request belongs by when it was sent.
func (s spectra) sentIn(l *store, stage int32, sent record.Instant) (both [2]*spectrum) {
	if stage > 0 {
		which := phaseOf(l.sentSteady(int(stage), sent))
		both = [2]*spectrum{s[stage][which], s[0][which]}
	}
	return both
}
