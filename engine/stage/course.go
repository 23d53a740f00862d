// This file is what all pilots share: going to a level, waiting for its stage, and taking down how it went.

package stage

import (
	"fmt"
	"time"
)

// course is the way of a pilot.
type course struct {
	axis  Axis
	watch watch

	level   float64 // where the load is to be
	before  int     // the stage that was open when the pilot asked for another
	because string  // why it begins there, behind a colon; "": nothing is to be said of that
	started bool
	since   time.Duration // when it asked
	rungs   []Rung        // those that are over
	done    bool
	why     string // of the last decision
	result  Result
}

// next is Pilot.Next: judge is called with each level that is over, and goes on from there, by goTo or finish.
func (c *course) next(s Status, judge func(s Status, r Rung, why string) Decision) Decision {
	switch {
	case c.done:
		return Decision{Level: c.level, Done: true, Why: c.why}
	case !c.started:
		c.started = true
		return c.goTo(s, c.level, "begins at "+c.axis.Name(c.level)+c.because)
	case s.Stage == c.before:
		return Decision{Level: c.level, Why: c.why}
	case !c.axis.Same(s.Level, c.level):
		return c.finish(Result{Sentence: fmt.Sprintf("The autopilot stopped at %s: the load was changed by hand to %s.",
			c.axis.Name(c.level), c.axis.Name(s.Level))}, s.Level, "stopped: the load was changed by hand")
	}
	r, over, why := c.watch.look(s)
	r.Level = c.level
	why = c.axis.Name(c.level) + ": " + why
	if !over {
		c.why = why
		return Decision{Level: c.level, Why: why}
	}
	r.Took = s.Now - c.since
	c.rungs = append(c.rungs, r)
	return judge(s, r, why)
}

// goTo asks for a stage at a level. After arrivals that came faster than they were answered, a queue is left that would
// be taken for the next level's; a closed loop leaves none.
func (c *course) goTo(s Status, level float64, why string) Decision {
	n := len(c.rungs)
	drain := n > 0 && c.rungs[n-1].State == Missed && c.axis != Concurrency
	c.level, c.before, c.since, c.why = level, s.Stage, s.Now, why
	return Decision{Level: level, Moved: true, Drain: drain, Why: why}
}

// finish ends the pilot, with the load at a level.
func (c *course) finish(r Result, level float64, why string) Decision {
	c.done, c.result, c.level, c.why = true, r, level, why
	return Decision{Level: level, Done: true, Why: why}
}

// Result implements Pilot.
func (c *course) Result() (Result, bool) { return c.result, c.done }

// walked returns the rungs that are over and, unless the pilot is done, the present one.
func (c *course) walked() []Rung {
	rungs := append([]Rung(nil), c.rungs...)
	if c.started && !c.done {
		rungs = append(rungs, Rung{Level: c.level, State: Now})
	}
	return rungs
}

// left estimates the time for so many more levels after the present one, from those that are over.
func (c *course) left(now time.Duration, levels int) (time.Duration, bool) {
	if c.done {
		return 0, true
	}
	each := c.watch.dwell
	if each == 0 {
		if len(c.rungs) == 0 {
			return 0, false
		}
		for i := range c.rungs {
			each += c.rungs[i].Took
		}
		each /= time.Duration(len(c.rungs))
	}
	var present time.Duration
	if c.started {
		present = max(each-(now-c.since), 0)
	}
	return present + time.Duration(levels)*each, true
}

// plateau counts levels in a row at which output did not grow, though the load did.
type plateau int

const (
	flatGrowth = 0.05 // output tokens a second that grow by less than this do not grow
	flatLevels = 2
)

// next takes in the output of a level and that of the one before.
func (p *plateau) next(output, before float64) {
	if output > 0 && output < (1+flatGrowth)*before {
		*p++
	} else {
		*p = 0
	}
}

// reached reports whether more load gives no more output.
func (p plateau) reached() bool { return p >= flatLevels }
