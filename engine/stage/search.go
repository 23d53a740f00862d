// This file is the autopilot that finds the highest load that still holds the SLO.

package stage

import (
	"fmt"
	"math"
	"time"
)

// Range is where a Search looks. Zero fields mean their defaults.
type Range struct {
	First float64 // where it begins; 1
	Least float64 // it goes no lower; 1 for concurrency, else a hundredth of First
	Most  float64 // it goes no higher; 4096
}

const (
	defaultSearchMost = 4096
	leastShare        = 0.01
)

func (r Range) withDefaults(axis Axis) Range {
	if r.First == 0 {
		r.First = 1
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

// Search finds the highest level that holds every goal. It doubles the load until a goal is missed (halves it while even
// the first level misses), then bisects until the levels that held and missed are neighbours (Tolerance), and measures the
// winner once more. If that look contradicts the first, it goes down until a level holds, and says so. Before it says that
// nothing holds, it looks twice too, unless the miss was by far. A level is over as soon as it can't hold any more. The
// load stays at the level that was found.
//
// It supposes that a level holds if every lower one does. Near the limit a verdict is a matter of chance, as with any
// finite number of requests: with 100 of them and 1 % allowed, a level at which 1 % miss in truth holds in three of four
// looks.
type Search struct {
	course
	within Range
	lo, hi Rung // the highest that held, the lowest that missed; Level 0: none
	look   int  // at lo: 0: search goes on; 1: the second look; above: on the way down
	step   float64
	again  bool // the least level has missed once
}

const (
	narrowMiss = 3 // times the share allowed may miss before a second look at the least level is no use
	slowSteps  = 2 // down from a winner that did not hold again, before the steps double
)

// NewSearch makes a pilot that looks within a range. It fails with a sentence if the range is not one of the axis. That
// there is no SLO to hold shows with the first Status of a stage: the pilot is then done, and its sentence says what to set.
func NewSearch(axis Axis, within Range, effort Effort) (*Search, error) {
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
	return &Search{
		course: course{axis: axis, level: within.First, watch: watch{effort: effort.withDefaults(), early: true}},
		within: within,
	}, nil
}

// Next implements Pilot.
func (p *Search) Next(s Status) Decision {
	if !p.done && s.Stage > 0 && len(s.Goals) == 0 {
		const why = "a search needs an SLO to hold: set one, e.g. ttft=500ms"
		return p.finish(Result{Sentence: "A search needs an SLO to hold: set one, e.g. ttft=500ms."}, s.Level, why)
	}
	return p.next(s, p.judge)
}

func (p *Search) judge(s Status, r Rung, why string) Decision {
	why += ", " + string(r.State)
	switch {
	case r.State == Measured:
		because := r.Note
		if because == "" {
			because = "none of its metrics could be measured"
		}
		return p.finish(Result{Sentence: fmt.Sprintf("The SLO can't be judged here: at %s %s.", p.axis.Name(r.Level), because)}, r.Level, why)
	case p.look > 0:
		return p.second(s, r, why)
	case r.State == Held:
		p.lo = r
	case r.Level <= p.within.Least && !p.again && r.Share <= narrowMiss*r.Allowed:
		p.again = true
		return p.goTo(s, r.Level, why+"; a second look at "+p.axis.Name(r.Level))
	default:
		p.hi = r
	}
	return p.narrow(s, why)
}

// narrow goes on between lo and hi.
func (p *Search) narrow(s Status, why string) Decision {
	lo, hi := p.lo.Level, p.hi.Level
	switch {
	case lo == 0 && hi <= p.within.Least:
		return p.finish(p.nothing(), hi, why)
	case lo == 0:
		return p.onTo(s, max(p.axis.round(hi/2), p.within.Least), why)
	case hi == 0 && lo < p.within.Most:
		return p.onTo(s, min(p.axis.round(2*lo), p.within.Most), why)
	case hi > 0 && hi-lo > p.axis.tolerance(lo):
		if middle := p.axis.round((lo + hi) / 2); middle > lo && middle < hi {
			return p.onTo(s, middle, why)
		}
	}
	p.look = 1
	return p.goTo(s, lo, fmt.Sprintf("%s; a second look at %s", why, p.axis.Name(lo)))
}

func (p *Search) onTo(s Status, level float64, why string) Decision {
	return p.goTo(s, level, why+"; on to "+p.axis.Name(level))
}

// second judges another look at the winner, or one at a level below it after that has missed.
func (p *Search) second(s Status, r Rung, why string) Decision {
	if r.State == Held {
		if p.look == 1 {
			p.lo.N += r.N
			p.lo.Few = p.lo.N < p.watch.effort.Requests
		} else {
			p.lo = r
		}
		return p.finish(p.found(), p.lo.Level, why)
	}
	p.hi = r
	p.look++
	if r.Level <= p.within.Least {
		return p.finish(p.nothing(), r.Level, why)
	}
	if p.look <= slowSteps+1 {
		p.step = p.axis.tolerance(r.Level)
	} else {
		p.step *= 2
	}
	lower := max(p.axis.round(r.Level-p.step), p.within.Least)
	return p.goTo(s, lower, fmt.Sprintf("%s; down to %s", why, p.axis.Name(lower)))
}

// found is the result where a level held.
func (p *Search) found() Result {
	lo, hi := p.lo, p.hi
	res := Result{
		Found: true, Level: lo.Level, Missed: hi.Level, Binding: hi.Binding,
		Samples: lo.N, Few: lo.Few, Doubtful: p.look > 1,
	}
	looks := "two looks"
	if res.Doubtful {
		looks = "one look"
	}
	name, behind := p.axis.Name(lo.Level), fmt.Sprintf("%s in %s", requests(lo.N), looks)
	if lo.Few {
		behind += ", fewer than wanted"
	}
	switch {
	case hi.Level == 0:
		res.Sentence = fmt.Sprintf("%s held (%s), and it was the most to be tried: no goal was missed up to there.", name, behind)
	case res.Doubtful:
		res.Sentence = fmt.Sprintf("%s is the highest load that held (%s); %s held at first but at a second look %s.",
			name, behind, p.axis.Name(p.doubted().Level), p.doubted().missed())
	default:
		res.Sentence = fmt.Sprintf("%s is the highest load that held (%s); at %s %s.", name, behind, p.axis.Name(hi.Level), hi.missed())
	}
	return res
}

// doubted is the second look, which missed, at a level that held at first.
func (p *Search) doubted() Rung { return p.rungs[len(p.rungs)-p.look] }

// nothing is the result where no level held.
func (p *Search) nothing() Result {
	return Result{
		Missed: p.hi.Level, Binding: p.hi.Binding, Doubtful: p.look > 0,
		Sentence: fmt.Sprintf("Even %s does not hold the SLO: %s.", p.axis.Name(p.hi.Level), p.hi.missed()),
	}
}

// Progress implements Pilot. What lies ahead is not known until a level has missed and another held.
func (p *Search) Progress(now time.Duration) Progress {
	pr := Progress{Rungs: p.walked()}
	switch {
	case p.done || p.look > 0:
		pr.Left, pr.LeftKnown = p.left(now, 0)
	case p.lo.Level > 0 && p.hi.Level > 0:
		halvings := math.Ceil(math.Log2((p.hi.Level - p.lo.Level) / p.axis.tolerance(p.lo.Level)))
		pr.Left, pr.LeftKnown = p.left(now, max(int(halvings), 1)) // the present level is one of them, the second look is not
	}
	return pr
}
