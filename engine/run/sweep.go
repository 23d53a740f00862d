// This file is what an autopilot found, as a document.

package run

import (
	"fmt"
	"strconv"
)

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

// unjudged reports whether what was asked for was held by no level and missed by none: it can't be measured here, or the
// way ended at a level where it can't.
func (s *Sweep) unjudged() bool { return !s.Found && s.Missed == nil }

// Remark says in one sentence what else a reader of Level should know: that it was found with fewer requests than were
// asked for, which makes it less certain and not wrong. It is "" where there is nothing to say, and for a search, whose
// Sentence says that itself.
func (s *Sweep) Remark() string {
	if s == nil || s.Level == nil || s.Kind == "search" {
		return ""
	}
	for _, r := range s.Rungs {
		if r.Level == *s.Level && r.Few {
			return fmt.Sprintf("%s %s was judged by fewer requests than were asked for: %d; give levels more time",
				s.Axis, strconv.FormatFloat(r.Level, 'f', -1, 64), r.N)
		}
	}
	return ""
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
