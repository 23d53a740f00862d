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

	Doubt string // why nothing is to be judged by its figures, as a clause: "client-bound"; "": they can be trusted

	// Of the steady part:
	Judged   int     // requests sent in it that completed or failed
	Requests float64 // completed a second
	Output   float64 // output tokens a second
	Goals    []Goal  // what it has to hold; none: there is no SLO
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

// Progress is the way of a pilot, in the order it takes.
type Progress struct {
	Rungs     []Rung
	IfHeld    float64       // where it goes from the present level if that holds; 0: nowhere, or that is not known
	IfMissed  float64       // and if not
	Left      time.Duration // about, until it is done; valid if LeftKnown
	LeftKnown bool
	AtMost    bool // Left is the most that it may take, and less is likely
}

// Result is what a pilot found.
type Result struct {
	Found    bool          // a level held
	Level    float64       // the highest that did; valid if Found
	Missed   float64       // the lowest level that missed; 0: none did
	Binding  string        // the goal that missed there; "" if none did
	Samples  int           // requests judged at Level, in all looks at it
	Judged   slo.Judgement // of the goal that was nearest to missing there
	Few      bool          // fewer than were wanted
	Doubtful bool          // a level held at first and missed at a second look
	Plateau  bool          // nothing missed, and it went no higher since output no longer grew
	Sentence string        // all that as one sentence
}
