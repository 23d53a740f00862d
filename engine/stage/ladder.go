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
	decisiveMiss = 0.5 // a level at which more than this share missed ends an open ladder
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
	flat   plateau
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
	last := &l.rungs[n-1]
	if n > 1 {
		l.flat.next(last.Output, l.rungs[n-2].Output)
	}
	switch {
	case l.flat.reached():
		return "output no longer grows"
	case last.State == Missed && last.Share > decisiveMiss:
		return last.missed()
	}
	return ""
}

// conclude says what came out: the highest level that held below the first that missed.
func (l *Ladder) conclude() Result {
	var res Result
	var held, missed, unknown *Rung
	measured, unknowns := 0, 0
	for i := range l.rungs {
		r := &l.rungs[i]
		switch r.State {
		case Missed:
			if missed == nil || r.Level < missed.Level {
				missed = r
			}
		case Unknown:
			unknown, unknowns = r, unknowns+1
		case Measured:
			measured++
		}
	}
	for i := range l.rungs {
		r := &l.rungs[i]
		if r.State == Held && (missed == nil || r.Level < missed.Level) && (held == nil || r.Level > held.Level) {
			held = r
		}
	}
	if missed != nil {
		res.Missed, res.Binding = missed.Level, missed.Binding
	}
	if held != nil {
		res.Found, res.Level, res.Samples, res.Judged, res.Few = true, held.Level, held.N, held.Judged, held.Few
	}
	last := l.rungs[len(l.rungs)-1]
	text := fmt.Sprintf("%s measured, %s to %s", levels(len(l.rungs)), l.axis.Name(l.rungs[0].Level), l.axis.Name(last.Level))
	switch {
	case measured == len(l.rungs):
		res.Sentence = text + "."
		return res
	case held != nil && missed == nil && unknown == nil:
		text += fmt.Sprintf(": every one held, the highest by %s", held.held())
	case held != nil:
		text += fmt.Sprintf(": %s is the highest that held: %s", l.axis.Name(held.Level), held.held())
	case unknown == nil:
		text += ": none held"
	default:
		text += ": none is known to hold"
	}
	if missed != nil {
		text += fmt.Sprintf("; at %s %s", l.axis.Name(missed.Level), missed.missed())
	}
	if unknown != nil {
		text += fmt.Sprintf("; %s not yet known, such as %s: %s", areLevels(unknowns), l.axis.Name(unknown.Level), unknown.unknown())
	}
	res.Sentence = text + "."
	return res
}

func areLevels(n int) string {
	if n == 1 {
		return "1 level is"
	}
	return fmt.Sprintf("%d levels are", n)
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
	if len(todo) > 0 && !l.done {
		p.IfHeld, p.IfMissed = todo[0], todo[0]
	}
	if l.done || !l.open {
		p.Left, p.LeftKnown = l.left(now, len(todo))
	}
	return p
}
