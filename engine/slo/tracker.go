// This file follows objectives second by second.

package slo

import (
	"fmt"
	"slices"
	"time"
)

// keepVerdicts is how many seconds are kept to be scored anew when a limit is turned: an hour.
const keepVerdicts = 3600

// Tracker compares objectives with what is measured, once a second. The zero Tracker follows none.
//
// It keeps the measured values of the last hour, so that a changed limit or target applies to them at once; verdicts
// from before that hour stay in the count until a limit is changed, and are then left out. An objective whose metric,
// percentile or window changes starts afresh.
//
// A Tracker must not be used by two goroutines at once.
type Tracker struct {
	objectives Objectives
	tracks     [MaxObjectives]track
	due        time.Duration
	begun      bool
}

// track follows one objective.
type track struct {
	values     []Measured // a ring, once it is full
	head       int        // of the oldest value, once it is full
	count      tallied    // of values
	past       tallied    // of values that are no longer kept
	latest     Measured
	lastResult Verdict
}

// tallied counts verdicts.
type tallied struct{ judged, held int }

// add counts a verdict, or takes it back with by = −1.
func (t *tallied) add(v Verdict, by int) {
	t.judged += by * one(v != Unknown)
	t.held += by * one(v == Held)
}

// Set changes what is followed. What is known of objectives that stay, or of which only limit and target changed, is kept.
func (t *Tracker) Set(objectives Objectives) {
	if objectives == t.objectives {
		return
	}
	var tracks [MaxObjectives]track
	for i, o := range objectives.All() {
		tracks[i].lastResult = Unknown
		for j, old := range t.objectives.All() {
			if o.sameSeries(old) {
				tracks[i] = t.tracks[j]
				if o.limit() != old.limit() {
					tracks[i].rescore(o)
				}
			}
		}
	}
	t.objectives, t.tracks = objectives, tracks
}

// Clone is the same tracker, which can go on by itself.
func (k *Tracker) Clone() Tracker {
	c := *k
	for i := range c.tracks {
		c.tracks[i].values = slices.Clone(c.tracks[i].values)
	}
	return c
}

// Judge compares every objective with what is measured, if a second has passed since it last did. It may be called as
// often as is convenient; where it was not called for several seconds, those have no verdict. now is on any clock that
// does not go back. measure is called once for each objective that is due.
func (t *Tracker) Judge(now time.Duration, measure func(Objective) Measured) {
	if t.begun && now < t.due {
		return
	}
	if !t.begun || now >= t.due+time.Second {
		t.begun, t.due = true, now
	}
	t.due += time.Second
	for i, o := range t.objectives.All() {
		t.tracks[i].judge(o, measure(o))
	}
}

func (k *track) judge(o Objective, m Measured) {
	k.latest, k.lastResult = m, o.verdict(m)
	if m.N == 0 {
		return
	}
	k.count.add(k.lastResult, 1)
	if len(k.values) < keepVerdicts {
		k.values = append(k.values, m)
		return
	}
	gone := o.verdict(k.values[k.head])
	k.past.add(gone, 1)
	k.count.add(gone, -1)
	k.values[k.head] = m
	k.head = (k.head + 1) % keepVerdicts
}

// rescore judges what is kept by another limit.
func (k *track) rescore(o Objective) {
	k.count, k.past = tallied{}, tallied{}
	for _, v := range k.values {
		k.count.add(o.verdict(v), 1)
	}
	k.lastResult = o.verdict(k.latest)
}

// Standing is how an objective stands.
type Standing struct {
	Objective Objective
	Verdict   Verdict  // of the latest second
	Latest    Measured // what it compared
	Judged    int      // seconds with a verdict
	Held      int      // of these, within the limit
}

// Attainment is the share of verdicts that held so far, 0–1; false while there is none.
func (s Standing) Attainment() (float64, bool) {
	if s.Judged == 0 {
		return 0, false
	}
	return float64(s.Held) / float64(s.Judged), true
}

// Overall judges the objective by all of its seconds: whether the attainment reaches the target. It is not known while no
// second could be judged.
func (s Standing) Overall() Judgement {
	j := Judgement{Verdict: Unknown, Good: s.Held, N: s.Judged, Needed: 1}
	switch missed := float64(s.Judged - s.Held); {
	case s.Judged == 0:
		j.Why = fmt.Sprintf("%d of %d", s.Latest.N, s.Objective.Needed())
	case missed <= s.allowed()+1e-9*float64(s.Judged):
		j.Verdict = Held
	default:
		j.Verdict = Missed
	}
	return j
}

// Budget is the share of the error budget that is left: of the (1 − target) · n verdicts that may miss, those that have
// not. 1: untouched, 0: spent, below 0: overdrawn. It is undefined, false, while there is no verdict, and where the
// target is 100 %, which leaves no budget to have a share of.
func (s Standing) Budget() (left float64, ok bool) {
	if s.Judged == 0 || s.Objective.Target >= 1 {
		return 0, false
	}
	return 1 - float64(s.Judged-s.Held)/s.allowed(), true
}

// allowed is the number of verdicts that may miss, so far.
func (s Standing) allowed() float64 { return (1 - s.Objective.Target) * float64(s.Judged) }

// Standings returns how each objective stands, in the order of the list.
func (t *Tracker) Standings() []Standing {
	var all []Standing
	for i, o := range t.objectives.All() {
		k := &t.tracks[i]
		all = append(all, Standing{
			Objective: o,
			Verdict:   k.lastResult,
			Latest:    k.latest,
			Judged:    k.past.judged + k.count.judged,
			Held:      k.past.held + k.count.held,
		})
	}
	return all
}
