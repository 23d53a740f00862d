// This file makes Metrics of a page, by the table.

package server

import (
	"math"
	"slices"
	"strings"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// unknown returns metrics of which nothing is known, for a reason.
func unknown(reason string) Metrics {
	var m Metrics
	for _, p := range properties {
		switch {
		case p.list != nil:
		case p.times != nil:
			*p.times(&m) = Histogram{NA: reason}
		default:
			*p.value(&m) = optional.NA(reason)
		}
	}
	return m
}

// interpret reads a page; false: it has no figure of any server in the table.
func Interpret(page promtext.Page) (Metrics, bool) {
	look := newLookup(page)
	var best Metrics
	most := 0
	for _, a := range adapters {
		marked := a.marker != "" && look.has(a.marker)
		if a.marker != "" && !marked {
			continue
		}
		m, known := look.read(a)
		if known > most {
			best, most = m, known
		}
		if marked {
			break
		}
	}
	best.Skipped = page.Skipped
	best.Simulated = best.Kind == Simulator
	return best, most > 0
}

// lookup finds metrics on a page.
type lookup struct {
	page  promtext.Page
	names map[string]struct{}
}

func newLookup(page promtext.Page) lookup {
	l := lookup{page: page, names: make(map[string]struct{})}
	last := ""
	for _, s := range page.Samples {
		if s.Name != last { // samples of a metric stand together
			l.names[s.Name] = struct{}{}
			last = s.Name
		}
	}
	return l
}

func (l lookup) has(name string) bool {
	_, ok := l.names[name]
	return ok
}

// read reads the page as one server's, and counts the figures that are its own.
func (l lookup) read(a adapter) (m Metrics, known int) {
	m = unknown(string(a.kind) + " does not tell")
	m.Kind = a.kind
	for _, r := range anyServer {
		l.fill(&m, r)
	}
	for _, r := range a.rows {
		known += l.fill(&m, r)
	}
	return m, known
}

// fill sets the row's figure, unless an earlier row has; it returns how many figures that has made known.
func (l lookup) fill(m *Metrics, r row) int {
	p := properties[r.figure]
	if p.list != nil {
		into := p.list(m)
		if *into != nil {
			return 0
		}
		if *into = l.positions(r); *into == nil {
			return 0
		}
		return 1
	}
	if p.times != nil {
		into := p.times(m)
		if into.OK() {
			return 0
		}
		if *into = l.histogram(r); !into.OK() {
			return 0
		}
		return 1
	}
	into := p.value(m)
	if into.OK() || into.NA == reasonNotNumber || into.NA == reasonOutOfRange {
		return 0 // the page has it by a newer name
	}
	var series int
	if *into, series = l.value(r); !into.OK() {
		return 0
	}
	if r.figure == running {
		m.Engines = series
	}
	return 1
}

// value reads a figure, and says of how many engines.
func (l lookup) value(r row) (v optional.Value, series int) {
	p := properties[r.figure]
	values, named := l.series(r.name, r.where, p.counter)
	if !named {
		return optional.NA(reasonNotOnPage), 0
	}
	if len(values) == 0 {
		return optional.NA(reasonNotNumber), 0
	}
	sum := p.combine.of(values)
	if r.plus != "" {
		more, _ := l.series(r.plus, r.where, p.counter)
		sum += p.combine.of(more)
	}
	if r.scale != 0 {
		sum *= r.scale
	}
	const slack = 1.05 // a cache may be counted a little fuller than full
	switch {
	case !(sum >= 0 && sum < absurd), p.most > 0 && sum > p.most*slack: // in this form, so that NaN is caught too
		return optional.NA(reasonOutOfRange), 0
	case p.most > 0:
		sum = min(sum, p.most)
	}
	return optional.Of(sum), len(values)
}

// absurd is what no figure reaches: some programs write the largest integer, or -1, for what they do not know.
const absurd = 1e18

// of combines what engines say; 0: there are none.
func (c combine) of(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	if c == highest {
		return slices.Max(values)
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if c == mean {
		return sum / float64(len(values))
	}
	return sum
}

// series gives the values of a metric, one for each engine; those that are NaN are left out. It is false where the page
// does not have the metric.
func (l lookup) series(name string, where promtext.Label, counter bool) (values []float64, named bool) {
	for _, spelling := range spellings(name, counter) {
		if !l.has(spelling) {
			continue
		}
		var samples []promtext.Sample
		for s := range l.page.All(spelling) {
			if where != (promtext.Label{}) && !s.Has(where) {
				continue
			}
			named = true
			if !math.IsNaN(s.Value) {
				samples = append(samples, s)
			}
		}
		if named {
			return perEngine(totals(samples)), true
		}
	}
	return nil, false
}

// histogram reads a histogram of times.
func (l lookup) histogram(r row) Histogram {
	for _, spelling := range spellings(r.name, false) {
		if !l.has(spelling+"_count") && !l.has(spelling+"_bucket") {
			continue
		}
		var samples []promtext.Sample
		for _, name := range []string{spelling + "_bucket", spelling + "_sum", spelling + "_count"} {
			samples = slices.AppendSeq(samples, l.page.All(name))
		}
		h, ok := promtext.Page{Samples: totals(samples)}.Histogram(spelling)
		if !ok {
			return Histogram{NA: reasonNotNumber}
		}
		if r.scale != 0 {
			h = h.Times(r.scale)
		}
		return Histogram{Histogram: h}
	}
	return Histogram{NA: reasonNotOnPage}
}

// spellings gives the names that a metric may have on a page, the proper one first.
func spellings(name string, counter bool) []string {
	all := []string{name}
	if flat := strings.ReplaceAll(name, ":", "_"); flat != name {
		all = append(all, flat, "ray_"+flat, "ray_"+name)
	}
	if counter {
		for _, full := range all {
			if short, ok := strings.CutSuffix(full, "_total"); ok {
				all = append(all, short)
			}
		}
	}
	return all
}

// rankLabels tell apart the processes that share one engine's work; each of them reports all of it.
var rankLabels = []string{"tp_rank", "pp_rank", "moe_ep_rank"}

// perEngine gives a value for each engine. Ranks of one engine report the same, or the last one to report is ahead, so their
// largest value is the engine's.
func perEngine(samples []promtext.Sample) []float64 {
	values := make([]float64, 0, len(samples))
	var engines map[string]int // index into values, by the labels other than ranks
	for _, s := range samples {
		if !slices.ContainsFunc(rankLabels, func(rank string) bool { _, ok := s.Labels[rank]; return ok }) {
			values = append(values, s.Value)
			continue
		}
		key := engineKey(s.Labels)
		at, known := engines[key]
		if known {
			values[at] = max(values[at], s.Value)
			continue
		}
		if engines == nil {
			engines = make(map[string]int)
		}
		engines[key] = len(values)
		values = append(values, s.Value)
	}
	return values
}

// engineKey is the labels without ranks, in one order.
func engineKey(labels map[string]string) string {
	var pairs []string
	for name, value := range labels {
		if !slices.Contains(rankLabels, name) {
			pairs = append(pairs, name+"\x00"+value)
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "\x01")
}
