// This file takes several runs of the same for one.

package compare

import "math"

// pooled is what one or several runs say of a figure, on the scale on which it is compared.
type pooled struct {
	estimate
	at     float64 // the figure; of several runs, the mean of theirs
	spread float64 // what the runs differ by beyond what each is uncertain, as a standard deviation; 0: one run, or nothing
	runs   int
}

// pool pools what runs say of a figure; of those that say nothing, nothing. See estimate.
func (m *Metric) pool(runs []*Series, fewest int) pooled {
	var all []estimate
	needs := 0.0
	for _, s := range runs {
		if e := m.estimate(s, fewest); !math.IsNaN(e.value) {
			all = append(all, e)
			needs = max(needs, e.needs)
		}
	}
	if len(all) == 0 {
		return pooled{estimate: estimate{value: math.NaN()}}
	}
	if len(all) == 1 {
		return pooled{estimate: all[0], at: m.on(all[0].value), runs: 1}
	}
	p := pooled{runs: len(all)}
	n := float64(len(all))
	within := 0.0
	for _, e := range all {
		p.n += e.n
		p.freedom += e.freedom
		p.at += m.on(e.value) / n
		if e.bounds == nil {
			continue
		}
		low, high := e.bounds(1)
		within += (high - low) * (high - low) / 4 / n
	}
	between := 0.0
	for _, e := range all {
		apart := m.on(e.value) - p.at
		between += apart * apart / (n - 1)
	}
	p.needs, p.value = needs, p.at
	if !m.Share {
		p.value = math.Exp(p.at)
	}
	// Runs of the same differ by the machine's mood; then they are the sample, and not their blocks.
	if between > within {
		p.freedom, p.spread = len(all)-1, math.Sqrt(between-within)
	}
	deviation := math.Sqrt(max(between, within) / n)
	p.bounds = func(t float64) (low, high float64) { return p.at - t*deviation, p.at + t*deviation }
	return p
}
