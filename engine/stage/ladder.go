// This file is the autopilot that walks levels.

package stage

import (
	"errors"
	"fmt"
	"time"
)

// Plan is the way of a Ladder.
type Plan struct {
	Axis   Axis
	Levels []float64     // in this order; none: 1, 2, 4, 8 … to Most, and only as far as there is something to learn
	Most   float64       // the last level where Levels says nothing; 0: 1024
	Dwell  time.Duration // each level lasts exactly so long, settling included; 0: until Effort is made
	Effort Effort
}

const (
	defaultMost  = 1024
	flatGrowth   = 0.05 // output tokens a second that grow by less than this do not grow
	flatLevels   = 2    // so many levels without growth end an open ladder
	decisiveMiss = 0.5  // so does a level at which more than this share missed
)

// Ladder walks levels and draws the curve: each until it is steady and enough is measured, or for a fixed time. It
// needs no SLO; with one, it also says what the highest level was that held. A level is never cut short, since its
// figures count and not only its verdict; only one that gives no answer is given up. The load stays at the last level.
//
// Without a list of levels it doubles, and stops after the second level in a row at which output grew by less than 5 %,
// or after one at which more than half of the requests missed a goal.
type Ladder struct {
	course
	levels []float64
	open   bool
	flat   int // levels in a row without growth
}

// NewLadder makes a pilot of a plan. It fails with a sentence if a level is not one of the axis.
func NewLadder(p Plan) (*Ladder, error) {
	l := &Ladder{levels: append([]float64(nil), p.Levels...), open: len(p.Levels) == 0}
	if l.open {
		most := p.Most
		if most == 0 {
			most = defaultMost
		}
		if err := p.Axis.validate(most); err != nil {
			return nil, err
		}
		for level := min(1, most); level < most; level *= 2 {
			l.levels = append(l.levels, level)
		}
		l.levels = append(l.levels, most)
	}
	for _, level := range l.levels {
		if err := p.Axis.validate(level); err != nil {
			return nil, err
		}
	}
	if p.Dwell < 0 {
		return nil, errors.New("the time at each level can't be negative")
	}
	l.course = course{axis: p.Axis, level: l.levels[0], watch: watch{effort: p.Effort.withDefaults(), dwell: p.Dwell}}
	return l, nil
}

// Next implements Pilot.
func (l *Ladder) Next(s Status) Decision { return l.next(s, l.judge) }

func (l *Ladder) judge(s Status, r Rung, why string) Decision {
	n := len(l.rungs)
	if n == len(l.levels) {
		return l.finish(l.conclude(), r.Level, why+"; that was the last")
	}
	if stop := l.enough(); stop != "" {
		return l.finish(l.conclude(), r.Level, why+"; "+stop)
	}
	next := l.levels[n]
	return l.goTo(s, next, why+"; on to "+l.axis.Name(next))
}

// enough says why an open ladder need not go on after its last rung; "" if it should.
func (l *Ladder) enough() string {
	n := len(l.rungs)
	if !l.open {
		return ""
	}
	last := l.rungs[n-1]
	if n > 1 && last.Output > 0 && last.Output < (1+flatGrowth)*l.rungs[n-2].Output {
		l.flat++
	} else {
		l.flat = 0
	}
	switch {
	case l.flat >= flatLevels:
		return "output no longer grows"
	case last.State == Missed && last.Share > decisiveMiss:
		return last.missed()
	}
	return ""
}

// conclude says what came out: the highest level below the first that missed.
func (l *Ladder) conclude() Result {
	var res Result
	var held, missed *Rung
	judged := 0
	for i := range l.rungs {
		r := &l.rungs[i]
		if r.State != Measured {
			judged++
		}
		if r.State == Missed && (missed == nil || r.Level < missed.Level) {
			missed = r
		}
	}
	for i := range l.rungs {
		r := &l.rungs[i]
		if r.State == Held && (missed == nil || r.Level < missed.Level) && (held == nil || r.Level > held.Level) {
			held = r
		}
	}
	walked := fmt.Sprintf("%s measured, %s to %s", levels(len(l.rungs)), l.axis.Name(l.rungs[0].Level), l.axis.Name(l.rungs[len(l.rungs)-1].Level))
	if missed != nil {
		res.Missed, res.Binding = missed.Level, missed.Binding
	}
	if held != nil {
		res.Found, res.Level, res.Samples, res.Few = true, held.Level, held.N, held.Few
	}
	switch {
	case held != nil && missed != nil:
		res.Sentence = fmt.Sprintf("%s: %s held with %s, and at %s %s.", walked, l.axis.Name(held.Level), requests(held.N),
			l.axis.Name(missed.Level), missed.missed())
	case held != nil && judged < len(l.rungs):
		res.Sentence = fmt.Sprintf("%s: all %d that could be judged held, the highest %s with %s.", walked, judged,
			l.axis.Name(held.Level), requests(held.N))
	case held != nil:
		res.Sentence = fmt.Sprintf("%s: every one held, the highest with %s.", walked, requests(held.N))
	case missed != nil:
		res.Sentence = fmt.Sprintf("%s: none held; at %s %s.", walked, l.axis.Name(missed.Level), missed.missed())
	default:
		res.Sentence = walked + "."
	}
	return res
}

func levels(n int) string {
	if n == 1 {
		return "1 level"
	}
	return fmt.Sprintf("%d levels", n)
}

// Progress implements Pilot. The time left is not known of a ladder that may stop by itself.
func (l *Ladder) Progress(now time.Duration) Progress {
	p := Progress{Rungs: l.walked()}
	state := Todo
	if l.done {
		state = Skipped
	}
	todo := l.levels[min(len(p.Rungs), len(l.levels)):]
	for _, level := range todo {
		p.Rungs = append(p.Rungs, Rung{Level: level, State: state})
	}
	if l.done || !l.open {
		p.Left, p.LeftKnown = l.left(now, len(todo))
	}
	return p
}
