// This file says what a search found.

package stage

import (
	"fmt"
	"math"

	"tokdyno/engine/units"
)

// found is the result where a level held.
func (p *Search) found(best Rung) Result {
	res := Result{
		Found: true, Level: best.Level, Samples: best.N, Judged: best.Judged, Few: best.Few,
		Plateau: p.hi.Level == 0 && p.flat.reached(),
	}
	p.bound(&res)
	name, behind, all := p.axis.Name(best.Level), best.held(), p.hi.Level == 0 && p.lo.Level <= best.Level
	text := fmt.Sprintf("%s is the highest load that held: %s", name, behind)
	switch {
	case all && res.Plateau:
		text = fmt.Sprintf("%s held: %s; it went no higher, since output no longer grows (%s tok/s at %s, %s at %s) and nothing missed",
			name, behind, whole(p.top.Output), p.axis.Name(p.top.Level), whole(p.lo.Output), p.axis.Name(p.lo.Level))
	case all:
		text = fmt.Sprintf("%s held: %s; it was the most to be tried, and nothing missed up to there", name, behind)
	case p.look > 1 && p.doubted().State == Missed:
		doubted := p.doubted()
		res.Doubtful = true
		text += fmt.Sprintf("; %s looked well at first but at a second look %s", p.axis.Name(doubted.Level), doubted.missed())
	case p.hi.State == Missed:
		text += fmt.Sprintf("; at %s %s", p.axis.Name(p.hi.Level), p.hi.missed())
	case p.hi.State == Unknown:
		text += "; " + p.open(&p.hi)
	}
	if p.lo.Level > best.Level {
		text += "; " + p.open(&p.lo)
	}
	res.Sentence = text + "."
	return res
}

// bound says what was missed at the lowest level that was.
func (p *Search) bound(res *Result) {
	if p.hi.State == Missed {
		res.Missed, res.Binding = p.hi.Level, p.hi.Binding
	}
}

// open says of a level that it is not yet known.
func (p *Search) open(r *Rung) string {
	return fmt.Sprintf("%s is not yet known (%s)", p.axis.Name(r.Level), r.unknown())
}

// doubted is the second look, which missed, at a level that held at first.
func (p *Search) doubted() *Rung { return &p.rungs[len(p.rungs)-p.look] }

// nothing is the result where no level held.
func (p *Search) nothing() Result {
	if p.hi.State == Unknown {
		return p.undecided()
	}
	res := Result{
		Doubtful: p.look > 1,
		Sentence: fmt.Sprintf("Even %s does not hold the SLO: %s.", p.axis.Name(p.hi.Level), p.hi.missed()),
	}
	p.bound(&res)
	return res
}

// undecided is the result where of no level it is known that it held.
func (p *Search) undecided() Result {
	var res Result
	p.bound(&res)
	r := &p.lo
	if r.Level == 0 {
		r = &p.hi
	}
	res.Sentence = fmt.Sprintf("Whether any load holds the SLO is not yet known: %s when the time of a level was up; give levels more time.", p.open(r))
	return res
}

// unjudged is the result where a level can't be judged, however many requests are sent.
func (p *Search) unjudged(r Rung) Result {
	why := r.Note
	if why == "" {
		why = "none of its metrics could be measured"
	}
	if best := p.best(); best.Level > 0 {
		res := p.found(best)
		res.Sentence = fmt.Sprintf("%s is the highest load that held: %s; %s can't be judged: %s.",
			p.axis.Name(best.Level), best.held(), p.axis.Name(r.Level), why)
		return res
	}
	res := Result{Sentence: fmt.Sprintf("The SLO can't be judged here: at %s %s.", p.axis.Name(r.Level), why)}
	p.bound(&res)
	return res
}

// whole writes a number of tokens a second.
func whole(v float64) string { return units.Count(int(math.Round(v))) }
