// This file is what an autopilot found, as a document.

package run

// Sweep is the way of an autopilot over levels of load, and what came of it.
type Sweep struct {
	Kind     string   `json:"kind"` // "ladder", "search" or "steps"
	Axis     string   `json:"axis"` // what levels are of: "concurrency", "req/s" or "speed"
	Rungs    []Rung   `json:"levels"`
	Done     bool     `json:"done"`     // false: it was stopped before it came to its end, and the rest says nothing
	Found    bool     `json:"found"`    // a level held what was asked for
	Level    *float64 `json:"level"`    // the highest that did
	Missed   *float64 `json:"missed"`   // the lowest that did not
	Binding  *string  `json:"binding"`  // what missed there
	Samples  int      `json:"samples"`  // requests behind Level
	Doubtful bool     `json:"doubtful"` // a level held at first and missed at a second look
	Sentence string   `json:"sentence"` // all that for people
	Judged   bool     `json:"-"`        // there was something to hold
}

// Rung is one level of a sweep, in the order in which they were visited.
type Rung struct {
	Level   float64  `json:"level"`
	Stage   *int     `json:"stage"` // number, from 1, of the stage it was measured in; null: not visited
	State   string   `json:"state"` // "held", "missed", "measured", "skipped", "todo", "now"
	N       int      `json:"n"`     // requests judged
	Few     bool     `json:"few"`   // fewer than were wanted
	Output  *float64 `json:"output_tok_per_s"`
	Share   *float64 `json:"missed_share"` // of the samples, by what was nearest to missing; null: nothing was asked for
	Binding *string  `json:"binding"`
	Note    string   `json:"note"`
}
