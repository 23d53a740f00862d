// This file begins the report with its answer: whether the load held, how much of it does, and what to do next.

package report

import (
	"fmt"
	"math"
	"strings"

	"tokdyno/engine/load"
	"tokdyno/engine/run"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
)

// answer writes the answer, what is against it, and what to do.
func (p *sheet) answer(r *run.Report) {
	p.blank()
	switch {
	case r.Name == "", r.Requests.OK == 0:
		p.line("answer", "nothing was measured: %s", r.Distrust())
		return
	case r.Sweep != nil, len(r.Levels) > 1:
		p.ofLevels(r)
	default:
		p.ofOneLoad(r)
	}
	if doubt := Distrust(r); doubt != "" {
		p.line("doubt", "not to be trusted: %s", doubt)
	}
}

// Outcome is the answer in a word: of one load whether all that was asked for held, of several levels whether any held.
// slo.NoVerdict: nothing was asked for, or nothing was measured.
func Outcome(r *run.Report) slo.Verdict {
	switch {
	case r.Name == "", r.Requests.OK == 0:
		return slo.NoVerdict
	case r.Sweep == nil && len(r.Levels) <= 1:
		return r.SLO.Reached()
	case r.SLO.Text == "" && (r.Sweep == nil || !r.Sweep.Judged):
		return slo.NoVerdict
	case r.Reach.Held >= 0:
		return slo.Held
	case r.Reach.Missed >= 0:
		return slo.Missed
	}
	return slo.Unknown
}

// Distrust is why the answer is not to be trusted, in a sentence; "" where nothing is known against it.
func Distrust(r *run.Report) string {
	if r.Sweep != nil {
		return r.SweepDoubt()
	}
	return r.Distrust()
}

// ofOneLoad answers for a run of a single load.
func (p *sheet) ofOneLoad(r *run.Report) {
	s := &r.SLO
	switch s.Reached() {
	case slo.NoVerdict:
		p.unasked(r, r.Name+" gave "+output(&r.Figures))
	case slo.Held:
		text := "every objective held"
		if s.Text != "" {
			text = met(s)
		}
		p.line("answer", "%s held: %s", r.Name, text)
		p.line("next", "raise %s, or let tokdyno sweep --search find the highest that holds", knobOf(&r.Load))
	case slo.Missed:
		p.missed(r)
	default:
		p.line("answer", "%s", notYetKnown(r))
		if r.Distrust() == "" {
			p.line("next", "%s", r.Longer())
		}
	}
}

// unasked answers where there is no SLO.
func (p *sheet) unasked(r *run.Report, gave string) {
	p.line("answer", "no SLO is set, so nothing was held or missed; %s", gave)
	p.line("next", "set one, e.g. --slo 'ttft=500ms tpot=40ms'")
}

// missed answers for a load that missed what single requests or an objective had to hold.
func (p *sheet) missed(r *run.Report) {
	s := &r.SLO
	if s.Requests != slo.Missed {
		for i := range s.Objectives {
			if o := &s.Objectives[i]; o.Reached() == slo.Missed {
				p.line("answer", "%s MISSED an objective, %s: %s", r.Name, o.Text, objectiveWords(o))
				break
			}
		}
		p.line("next", "lower %s, or ask less of it", knobOf(&r.Load))
		return
	}
	p.line("answer", "%s MISSED%s: %s", r.Name, by(s), met(s))
	p.line("next", "%s", ease(r, "lower "+knobOf(&r.Load)))
}

// notYetKnown says of a single load that it has no verdict.
func notYetKnown(r *run.Report) string {
	s := &r.SLO
	switch {
	case s.Requests != slo.Unknown:
		return r.Open()
	case s.Why != nil && *s.Why == snapshot.Settling:
		return r.Name + " is not yet known: the load never settled, so nothing was judged by " + s.Text
	case s.N == 0 || s.Attainment == nil:
		return r.Name + " is not yet known: no request could be judged by " + s.Text
	case s.N >= *s.Needed:
		return r.Name + " is not yet known (" + *s.Why + "): " + met(s)
	}
	return fmt.Sprintf("%s is not yet known, with %s requests judged: %s", r.Name, countOf(s), met(s))
}

// ofLevels answers for a run of several levels: how far up them the SLO holds.
func (p *sheet) ofLevels(r *run.Report) {
	held, missed := levelAt(r, r.Reach.Held), levelAt(r, r.Reach.Missed)
	switch {
	case r.SLO.Text == "" && (r.Sweep == nil || !r.Sweep.Judged):
		p.unasked(r, mostOutput(r))
		return
	case held != nil:
		which := "is the highest level that held"
		switch {
		case missed == nil && r.Reach.Held == len(r.Levels)-1:
			which = "held, the highest level that was tried"
		case missed == nil || r.Reach.Missed > r.Reach.Held+1:
			which = "is the highest level known to have held"
		}
		p.line("answer", "%s %s: %s", held.Name, which, met(&held.SLO))
	case missed != nil:
		which := "no level held"
		if r.Reach.Missed > 0 {
			which = "no level is known to hold"
		}
		p.line("answer", "%s: %s MISSED%s: %s", which, missed.Name, by(&missed.SLO), met(&missed.SLO))
	case r.Sweep != nil && r.Sweep.Done:
		p.line("answer", "%s", r.Sweep.Sentence)
		return
	default:
		p.line("answer", "not yet known at any level%s", nearest(r))
	}
	if held != nil && missed != nil {
		though := ""
		if above := levelAt(r, r.Reach.Above); above != nil {
			though = ", though " + above.Name + " held"
		}
		p.line("beyond", "%s missed%s: %s%s", missed.Name, by(&missed.SLO), shareOf(&missed.SLO), though)
	}
	open := between(r)
	if len(open) > 0 {
		p.line("", "not yet known: %s", strings.Join(open, ", "))
	}
	if r.Sweep != nil && !r.Sweep.Done {
		p.line("", "the %s did not come to its end: that is as far as it got", r.Sweep.Kind)
	}
	switch {
	case held == nil && missed == nil, missed == nil && len(open) > 0:
		if r.SLO.Text == "" {
			p.line("next", "stay longer at each level")
			break
		}
		p.line("next", "stay at each level until %s requests of it are judged", cell.Grouped(int64(slo.Needed(r.SLO.Target))))
	case missed == nil && r.Sweep != nil && r.Sweep.Plateau:
		p.line("next", "stay at %s: no level missed, but output no longer grows with the load", held.Name)
	case missed == nil:
		p.line("next", "go higher: no level missed")
	case held == nil:
		p.line("next", "%s", ease(r, "try less load"))
	default:
		p.line("next", "%s", ease(r, "stay at "+held.Name+" or below"))
	}
}

// ease is what helps against the lowest level that missed: less load, or asking less of it.
func ease(r *run.Report, less string) string {
	b := r.Answer.Binding
	switch {
	case b != nil && *b == slo.Errors:
		return less + ", or find out why requests fail: see the failures below"
	case r.Answer.Relaxed != nil:
		return less + ", or raise " + strings.ReplaceAll(strings.ReplaceAll(*r.Answer.Relaxed, " ", " and "), "=", " to ")
	}
	return less
}

// between are the levels above the highest that held, and below the lowest that missed, of which nothing is known.
func between(r *run.Report) []string {
	const most = 3
	end := r.Reach.Missed
	if end < 0 {
		end = len(r.Levels)
	}
	var open []string
	if r.Reach.Held < 0 && r.Reach.Missed < 0 {
		return nil
	}
	for i := r.Reach.Held + 1; i < end; i++ {
		l := &r.Levels[i]
		if l.SLO.Requests == slo.Unknown {
			open = append(open, l.Name+" ("+judged(&l.SLO)+")")
		}
	}
	if n := len(open); n > most {
		open = append(open[:most], fmt.Sprintf("and %d more", n-most))
	}
	return open
}

// nearest is the level that comes nearest to a verdict.
func nearest(r *run.Report) string {
	var best *run.Level
	for i := range r.Levels {
		if l := &r.Levels[i]; l.SLO.Requests == slo.Unknown && (best == nil || l.SLO.N > best.SLO.N) {
			best = l
		}
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf(": %s comes nearest, with %s requests judged", best.Name, countOf(&best.SLO))
}

// mostOutput names the settled level of the highest output.
func mostOutput(r *run.Report) string {
	var best *run.Level
	for i := range r.Levels {
		l := &r.Levels[i]
		if out := l.Throughput.Output; l.Settled && out != nil && (best == nil || *out > *best.Throughput.Output) {
			best = l
		}
	}
	if best == nil {
		return "no level settled"
	}
	return "of the levels, " + best.Name + " gave the most output: " + output(&best.Figures)
}

// output is the throughput of output, and the latency at which it came.
func output(f *run.Figures) string {
	return fmt.Sprintf("%s of output at TTFT p95 %s", perSecond(roughly(f, ""), f.Throughput.Output, "tok/s"), latencyOrUnknown(f.TTFT.P95))
}

// met says how many requests were good: "99.2 % of 412 requests met ttft=500ms, 99 % asked for (95 % interval 97.8–99.7 %)".
func met(s *run.SLO) string {
	if s.Attainment == nil {
		return "no request could be judged by " + s.Text
	}
	return fmt.Sprintf("%s of %s requests met %s, %s asked for%s", cell.RoundDown(*s.Attainment), cell.Grouped(int64(s.N)), s.Text,
		cell.PercentExactly(s.Target), interval(s))
}

// shareOf is the same in short, where the rest has been said.
func shareOf(s *run.SLO) string {
	if s.Attainment == nil {
		return cell.Unknown
	}
	return fmt.Sprintf("%s of %s requests%s", cell.RoundDown(*s.Attainment), cell.Grouped(int64(s.N)), interval(s))
}

func interval(s *run.SLO) string {
	if len(s.Interval) != 2 {
		return ""
	}
	tenths := func(share float64, round func(float64) float64) string { return cell.Exactly(round(1000*share) / 10) }
	return fmt.Sprintf(" (95 %% interval %s–%s %%)", tenths(s.Interval[0], math.Floor), tenths(s.Interval[1], math.Ceil))
}

// by names the criterion that most requests missed.
func by(s *run.SLO) string {
	if s.Binding == nil {
		return ""
	}
	return " by " + *s.Binding
}

// countOf says how many requests were judged of those that are needed: "12 of 100".
func countOf(s *run.SLO) string {
	return cell.Grouped(int64(s.N)) + " of " + cell.Grouped(int64(*s.Needed))
}

// judged is the verdict of a row in a table: held, missed and by what, or how many were judged of those that are needed.
func judged(s *run.SLO) string {
	switch s.Requests {
	case slo.Held:
		return "held"
	case slo.Missed:
		return "missed" + by(s)
	case slo.Unknown:
		switch why := *s.Why; {
		case why == fmt.Sprintf("%d of %d", s.N, *s.Needed):
			return countOf(s)
		case len(why) > len("stream buffered"): // the column is narrow
			return "not measured"
		default:
			return why
		}
	}
	return ""
}

func levelAt(r *run.Report, i int) *run.Level {
	if i < 0 {
		return nil
	}
	return &r.Levels[i]
}

// knobOf names what turns a load up and down.
func knobOf(l *run.Load) string {
	switch load.Mode(l.Mode) {
	case load.Open:
		return "the rate"
	case load.Replay:
		return "--speed"
	}
	return "the concurrency"
}
