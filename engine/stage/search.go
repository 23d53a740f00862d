// This file is the autopilot that finds the highest load that still holds the SLO.

package stage

import (
	"fmt"
	"math"
	"time"
)

// Range is where a Search looks. Zero fields mean their defaults.
type Range struct {
	First float64 // where it begins; 4 for concurrency, else 1
	Least float64 // it goes no lower; 1 for concurrency, else a hundredth of First
	Most  float64 // it goes no higher; 4096
}

const (
	// SearchFirst is where a search for a concurrency begins of which nothing is known: one request at a time says the least
	// and takes the longest.
	SearchFirst       = 4
	defaultSearchMost = 4096
	leastShare        = 0.01
)

func (r Range) withDefaults(axis Axis) Range {
	if r.First == 0 {
		r.First = 1
		if axis == Concurrency {
			r.First = max(SearchFirst, r.Least)
			if r.Most > 0 {
				r.First = min(r.First, r.Most)
			}
		}
	}
	if r.Most == 0 {
		r.Most = max(defaultSearchMost, r.First)
	}
	if r.Least == 0 {
		r.Least = axis.round(leastShare * r.First)
		if axis == Concurrency {
			r.Least = 1
		}
	}
	return r
}

// Search finds the highest level that holds every goal, by the judge (slo.Decide). It doubles the load until a goal is missed
// (halves it while even the first level misses), then bisects until the levels that held and missed are neighbours
// (Tolerance), and measures the winner once more. All looks at a level are judged together if they agree, as they are on the
// curve. If the winner does not hold then, it goes down until a level holds, and says so. What was known before counts: the
// highest level that held below the lowest that missed is where it begins.
//
// A level is over as soon as it has missed and can't hold any more. One that missed by so little that it would hold if as many
// requests again were good gets as many again. One of which it is not yet known gets up to three times
// Effort.Longest, unless it is on the way up and looks well; then the search goes on by what shows so far, but no level is
// found that did not hold. Where output no longer grows over two doublings and nothing misses, it goes no higher. The load
// stays at the level that was found.
//
// It supposes that a level holds if every lower one does. Near the limit a verdict is a matter of chance, as with any
// finite number of requests: with 100 of them and 1 % allowed, a level at which 1 % miss in truth holds in three of four
// looks.
type Search struct {
	course
	within Range
	known  []Rung // from before it began: what bounds it
	lo, hi Rung   // the highest level it went up from, the lowest it went down from; Level 0: none
	flat   plateau
	top    Rung // from where on output did not grow
	look   int  // at lo: 0: search goes on; 1: the second look; above: on the way down
	step   float64
}

const slowSteps = 2 // down from a winner that did not hold again, before the steps double

// NewSearch makes a pilot that looks within a range, and knows some levels already. It fails with a sentence if the range is
// not one of the axis. That there is no SLO to hold shows with the first Status of a stage: the pilot is then done, and its
// sentence says what to set.
func NewSearch(axis Axis, within Range, effort Effort, known ...Known) (*Search, error) {
	within = within.withDefaults(axis)
	for _, level := range []float64{within.First, within.Least, within.Most} {
		if err := axis.validate(level); err != nil {
			return nil, err
		}
	}
	if within.Least > within.First || within.First > within.Most {
		return nil, fmt.Errorf("the search begins at %s, which is not from %s to %s",
			axis.Name(within.First), axis.Name(within.Least), axis.Name(within.Most))
	}
	p := &Search{
		course: course{axis: axis, level: within.First, watch: watch{effort: effort.WithDefaults(), search: true}},
		within: within,
	}
	p.begin(known)
	return p, nil
}

// begin starts from what is known.
func (p *Search) begin(known []Known) {
	var lo, hi Rung
	for _, k := range known {
		if r := k.rung(); r.State == Missed && k.Level >= p.within.Least && (hi.Level == 0 || k.Level < hi.Level) {
			hi = r
		}
	}
	for _, k := range known {
		if r := k.rung(); r.State == Held && k.Level <= p.within.Most && k.Level > lo.Level && (hi.Level == 0 || k.Level < hi.Level) {
			lo = r
		}
	}
	p.lo, p.hi = lo, hi
	switch {
	case lo.Level == 0 && hi.Level == 0:
		return
	case lo.Level == 0:
		p.known, p.because = []Rung{hi}, p.axis.Name(hi.Level)+" is known to miss"
	case hi.Level == 0:
		p.known, p.because = []Rung{lo}, p.axis.Name(lo.Level)+" is known to hold"
	default:
		p.known, p.because = []Rung{lo, hi}, p.axis.Name(lo.Level)+" is known to hold, and "+p.axis.Name(hi.Level)+" to miss"
	}
	p.because = ": " + p.because
	next, step := p.ahead()
	if step == itsOver {
		next = p.within.Least
	}
	if step == lookAgain {
		p.look = 1
	}
	p.level = next
}

// Next implements Pilot.
func (p *Search) Next(s Status) Decision {
	if !p.done && s.Stage > 0 && len(s.Goals) == 0 {
		const why = "a search needs an SLO to hold: set one, e.g. ttft=500ms"
		return p.finish(Result{Sentence: "A search needs an SLO to hold: set one, e.g. ttft=500ms."}, s.Level, why)
	}
	p.watch.climbs = p.hi.Level == 0 && p.look == 0
	p.watch.before = p.lastLook(p.level)
	return p.next(s, p.judge)
}

func (p *Search) judge(s Status, r Rung, why string) Decision {
	if r.State == Unknown {
		why += ", not yet known"
	} else {
		why += ", " + string(r.State)
	}
	switch {
	case s.Doubt != "" && r.State == Unknown, r.N > 0 && r.unmeasured() != "":
		res := p.unjudged(r)
		if res.Found {
			return p.finish(res, res.Level, why)
		}
		return p.finish(res, r.Level, why)
	case p.look > 0:
		return p.second(s, r, why)
	case r.upward():
		if p.hi.Level == 0 && p.lo.Level > 0 {
			if p.flat.next(r.Output, p.lo.Output); p.flat == 1 {
				p.top = p.lo
			}
		}
		p.lo = r
	default:
		p.hi = r
	}
	return p.narrow(s, why)
}

// lastLook is the last look at a level, with those before it that agree; Level 0: none.
func (p *Search) lastLook(level float64) Rung {
	for i := len(p.rungs) - 1; i >= -len(p.known); i-- {
		if r := p.rung(i); r.Level == level {
			return *r
		}
	}
	return Rung{}
}

// rung is a rung by its index; those below zero were known before.
func (p *Search) rung(i int) *Rung {
	if i < 0 {
		return &p.known[-i-1]
	}
	return &p.rungs[i]
}

// steps is what comes next.
type steps int

const (
	onward    steps = iota // another level
	lookAgain              // a second look at the highest level it went up from
	itsOver                // even the least level was too much
)

// ahead says where to go on between lo and hi.
func (p *Search) ahead() (level float64, step steps) {
	lo, hi := p.lo.Level, p.hi.Level
	switch {
	case lo == 0 && hi > 0 && hi <= p.within.Least:
		return hi, itsOver
	case lo == 0 && hi > 0:
		return max(p.axis.round(hi/2), p.within.Least), onward
	case hi == 0 && lo < p.within.Most && !p.flat.reached():
		return min(p.axis.round(2*lo), p.within.Most), onward
	case hi > 0 && hi-lo > p.axis.tolerance(lo):
		if middle := p.axis.round((lo + hi) / 2); middle > lo && middle < hi {
			return middle, onward
		}
	}
	return lo, lookAgain
}

// narrow goes on between lo and hi.
func (p *Search) narrow(s Status, why string) Decision {
	level, step := p.ahead()
	switch step {
	case itsOver:
		return p.finish(p.nothing(), level, why)
	case lookAgain:
		p.look = 1
		return p.goTo(s, level, fmt.Sprintf("%s; a second look at %s", why, p.axis.Name(level)))
	}
	return p.goTo(s, level, why+"; on to "+p.axis.Name(level))
}

// second judges another look at the winner, or one at a level below it after that has missed.
func (p *Search) second(s Status, r Rung, why string) Decision {
	switch {
	case r.State == Held:
		p.lo = r
		return p.finish(p.found(r), r.Level, why)
	case r.upward():
		p.lo = r
		return p.conclude(why)
	}
	p.hi = r
	p.look++
	if r.Level <= p.within.Least {
		return p.finish(p.nothing(), r.Level, why)
	}
	lower := p.lower(r.Level)
	return p.goTo(s, lower, fmt.Sprintf("%s; down to %s", why, p.axis.Name(lower)))
}

// lower is where to go from a level that did not hold again.
func (p *Search) lower(level float64) float64 {
	if p.look <= slowSteps+1 {
		p.step = p.axis.tolerance(level)
	} else {
		p.step *= 2
	}
	return max(p.axis.round(level-p.step), p.within.Least)
}

// conclude ends the search where more time would not help, with the highest level that held, if one did.
func (p *Search) conclude(why string) Decision {
	if best := p.best(); best.Level > 0 {
		return p.finish(p.found(best), best.Level, why)
	}
	return p.finish(p.undecided(), p.lo.Level, why)
}

// best is the highest level below hi that held, as it was last looked at; Level 0: none.
func (p *Search) best() Rung {
	var best Rung
	for i := -len(p.known); i < len(p.rungs); i++ {
		r := p.rung(i)
		if r.State == Held && r.Level >= best.Level && (p.hi.Level == 0 || r.Level < p.hi.Level) {
			best = *r
		}
	}
	return best
}

// Progress implements Pilot. How far up there is something to be missed is not known before it is, so that the time left is
// at first the most that it may take.
func (p *Search) Progress(now time.Duration) Progress {
	pr := Progress{Rungs: append(append([]Rung(nil), p.known...), p.walked()...)}
	if p.done {
		pr.LeftKnown = true
		return pr
	}
	pr.IfHeld, pr.IfMissed = p.then(true), p.then(false)
	levels := 0
	if p.look == 0 {
		levels = p.levelsAhead()
		pr.AtMost = p.lo.Level == 0 || p.hi.Level == 0
	}
	pr.Left, pr.LeftKnown = p.left(now, levels)
	return pr
}

// then is where it goes from the present level if that holds, or if it misses; 0: it is then done.
func (p *Search) then(held bool) float64 {
	q := *p
	switch {
	case p.look > 0 && (held || p.level <= p.within.Least):
		return 0
	case p.look > 0:
		q.look++
		return q.lower(p.level)
	case held:
		q.lo = Rung{Level: p.level}
	default:
		q.hi = Rung{Level: p.level}
	}
	level, step := q.ahead()
	if step == itsOver {
		return 0
	}
	return level
}

// levelsAhead is how many levels there are after the present one, at the most, with a second look.
func (p *Search) levelsAhead() int {
	lo, hi := p.lo.Level, p.hi.Level
	doublings := func(from, to float64) int { return int(math.Ceil(math.Log2(max(to/from, 1)))) }
	halvings := func(lo, hi float64) int { return max(int(math.Ceil(math.Log2((hi-lo)/p.axis.tolerance(lo)))), 1) }
	switch {
	case lo > 0 && hi > 0:
		return halvings(lo, hi) // the present level is one of them, the second look is not
	case hi > 0:
		return doublings(p.within.Least, hi) + halvings(hi/2, hi)
	}
	most := p.within.Most
	return doublings(p.level, most) + halvings(max(most/2, p.level), most) + 1
}
