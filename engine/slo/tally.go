// This file counts good requests and those that missed.

package slo

// Tally counts scores. The zero Tally has seen no request. Cancelled requests are not put into it.
type Tally struct {
	OK       int          // completed
	Failed   int          // they count against the SLO
	Good     int          // completed and within every limit
	Missed   [metrics]int // completed, but over this limit
	Measured [metrics]int // completed, and this metric was defined
}

// Attainment is good / (ok + failed). It is undefined without an SLO, without requests, and where requests completed
// but none of the limited metrics could be measured on any of them.
func (t Tally) Attainment(c Criteria) (float64, bool) {
	if !t.scored(c) {
		return 0, false
	}
	return float64(t.Good) / float64(t.OK+t.Failed), true
}

// scored reports whether goodput and attainment are defined; see Attainment.
func (t Tally) scored(c Criteria) bool {
	if !c.Active() || t.OK+t.Failed == 0 {
		return false
	}
	if t.OK == 0 {
		return true
	}
	for m := range metrics {
		if c[m] > 0 && t.Measured[m] > 0 {
			return true
		}
	}
	return false
}

// GoodCount is the number of good requests; false where goodput is undefined: without an SLO, or where completed
// requests could not be judged. Over an interval without requests it is 0.
func (t Tally) GoodCount(c Criteria) (int, bool) {
	if !c.Active() || t.OK > 0 && !t.scored(c) {
		return 0, false
	}
	return t.Good, true
}

// Binding names the criterion that fails most requests, Errors where that is failure itself, and "" where nothing
// fails or no SLO is set.
func (t Tally) Binding(c Criteria) string {
	if !c.Active() {
		return ""
	}
	name, most := "", 0
	for m := range metrics {
		if c[m] > 0 && t.Missed[m] > most {
			name, most = m.String(), t.Missed[m]
		}
	}
	if t.Failed > most {
		return Errors
	}
	return name
}

// Within is the share of requests that kept one limit, of those that this metric was defined on or that failed: what
// failed kept none. False where there were none.
func (t Tally) Within(m Metric) (float64, bool) {
	judged := t.Measured[m] + t.Failed
	if judged == 0 {
		return 0, false
	}
	return float64(t.Measured[m]-t.Missed[m]) / float64(judged), true
}

// Unmeasured lists the limited metrics that were defined on no completed request, so that nothing can be said of them.
func (t Tally) Unmeasured(c Criteria) []Metric {
	var ms []Metric
	for m := range metrics {
		if c[m] > 0 && t.OK > 0 && t.Measured[m] == 0 {
			ms = append(ms, m)
		}
	}
	return ms
}

// Add adds everything that o has counted, under the same criteria.
func (t *Tally) Add(o Tally) {
	t.OK += o.OK
	t.Failed += o.Failed
	t.Good += o.Good
	for m := range metrics {
		t.Missed[m] += o.Missed[m]
		t.Measured[m] += o.Measured[m]
	}
}
