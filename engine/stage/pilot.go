// This file is what an autopilot sees, and what it says.

package stage

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// Pilot moves the load by itself. It is a pure state machine: it opens no stage and has no clock, so it serves a console, a
// sweep without a terminal, or a simulation alike.
//
// Its owner calls Next at every tick and does what the Decision says. A pilot is over when its owner forgets it or when it
// is Done; any knob turned by hand is a reason to forget it. It must not be used by two goroutines at once.
type Pilot interface {
	// Next takes in how the current level stands and decides. The first call always moves.
	Next(Status) Decision
	// Progress describes the way so far and ahead; now is on the clock of Status.Now.
	Progress(now time.Duration) Progress
	// Result is what came out; false until a Decision was Done.
	Result() (Result, bool)
}

// Status is how the current level stands. The zero Status is right before there is any load.
type Status struct {
	Now      time.Duration // on any clock that does not go back and stands still while the load is paused
	Stage    int           // the number of the current stage, which grows; 0: none so far
	Level    float64       // its level
	Age      time.Duration // since it opened
	Settled  bool
	Steady   time.Duration // how long its steady part is; 0 until a request of that has ended
	InFlight int           // requests in flight now
	Ended    int           // requests of the stage that completed or failed, also while it settled
	MeanE2EL time.Duration // of those that completed; 0: unknown

	// Of the steady part:
	Judged   int     // requests sent in it that completed or failed
	Requests float64 // completed a second
	Output   float64 // output tokens a second
	Goals    []Goal  // what it has to hold; none: there is no SLO
}

// Goal is one thing that a level has to hold: of the samples judged, at most the share Allowed may miss it. An SLO for
// single requests is one goal, of which 1 − target may miss; "P99 of TTFT ≤ 500 ms" is one, of which 1 % may.
type Goal struct {
	Name     string  // "ttft", or "ttft p99 <= 500ms"
	Allowed  float64 // 0–1
	Judged   int     // samples so far; 0: unknown, and neither held nor missed
	Missed   int     // those that missed; requests in flight that have already missed may be counted, here and in Judged
	PerToken bool    // the samples are tokens, not requests: how many there will be is not known
}

// ObjectiveGoal makes a goal of an objective, of which so many samples were judged and so many were over its limit. That a
// P99 is within a limit over a whole level means that at most 1 % of its samples are over it; window and target, which say
// how often that has to hold in a run that goes on, do not matter here.
func ObjectiveGoal(o slo.Objective, judged, missed int) Goal {
	g := Goal{Name: o.Short(), Allowed: 1 - o.Percentile, Judged: judged, Missed: missed, PerToken: o.Metric == slo.ITL}
	if o.Metric == slo.ErrorRate {
		g.Allowed = o.MaxErrors
	}
	return g
}

// CriteriaGoal makes a goal of an SLO for single requests: at most 1 − target of them may miss. It is named after the
// criterion that fails most requests, or after all of them where nothing fails. It is false where no SLO is set.
func CriteriaGoal(score slo.Tally, criteria slo.Criteria, target float64) (Goal, bool) {
	if !criteria.Active() {
		return Goal{}, false
	}
	g := Goal{Name: score.Binding(criteria), Allowed: 1 - target}
	if g.Name == "" {
		g.Name = criteria.String()
	}
	if _, ok := score.Attainment(criteria); ok {
		g.Judged = score.OK + score.Failed
		g.Missed = g.Judged - score.Good
	}
	return g, true
}

// Observe makes a Status of what the statistics say of the current stage, with the goal that the criteria are. s is the
// summary of stats.ThisStage. Now and Level are the caller's to fill in, and further goals to append.
func Observe(now record.Instant, t stats.Turnover, s *stats.Summary, inFlight int, criteria slo.Criteria, target float64) Status {
	age, _ := now.Since(t.Opened)
	st := Status{
		Stage:    s.Stage,
		Age:      age,
		Settled:  t.Steady,
		InFlight: inFlight,
		Ended:    t.Ended,
		MeanE2EL: t.MeanE2EL,
	}
	score := slo.Tally{}
	if t.Steady && !s.Settling {
		score = s.Score
		st.Steady = s.Spans
		st.Judged = s.Score.OK + s.Score.Failed
		st.Requests, st.Output = s.Throughput.Requests, s.Throughput.Output
	}
	if g, ok := CriteriaGoal(score, criteria, target); ok {
		st.Goals = []Goal{g}
	}
	return st
}

// Decision is what a pilot wants.
type Decision struct {
	Level float64 // to be at
	Moved bool    // open a new stage at Level, even if that is the level already
	Drain bool    // with Moved: the last level was more than the server takes, so let its requests end before the stage opens
	Done  bool    // the pilot has finished, and leaves the load at Level
	Why   string  // a clause for the screen: "c=16: 42 of 100 requests, steady 12 s"
}

// State is where a pilot stands with a level.
type State string

// The states.
const (
	Todo     State = "todo"
	Now      State = "now"
	Held     State = "held"     // every goal
	Missed   State = "missed"   // a goal, or nothing was answered
	Measured State = "measured" // there was no goal, or none that could be measured
	Skipped  State = "skipped"
)

// Rung is one level of a pilot's way.
type Rung struct {
	Level   float64
	State   State
	Stage   int           // the stage it was measured in; 0: not begun
	Took    time.Duration // until it was over
	N       int           // requests judged
	Few     bool          // fewer than were wanted, when its time was up
	Early   bool          // over before its time, since nothing could change the outcome
	Output  float64       // output tokens a second
	Binding string        // the goal that missed by the most; "" if none did
	Share   float64       // of the samples that missed Binding, or the goal nearest to missing; 0–1
	Allowed float64       // of them
	Note    string        // what else there is to say, as a clause; "" if nothing
}

// Progress is the way of a pilot, in the order it takes.
type Progress struct {
	Rungs     []Rung
	Left      time.Duration // about, until it is done; valid if LeftKnown
	LeftKnown bool
}

// Result is what a pilot found.
type Result struct {
	Found    bool    // a level held
	Level    float64 // the highest that did; valid if Found
	Missed   float64 // the lowest level that missed; 0: none did
	Binding  string  // the goal that missed there; "" if none did
	Samples  int     // requests judged at Level, in all looks at it
	Few      bool    // fewer than were wanted
	Doubtful bool    // a level held at first and missed at a second look
	Sentence string  // all that as one sentence
}
