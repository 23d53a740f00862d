// This file is what an autopilot found, as a document.

package run

import (
	"fmt"
	"slices"
	"strconv"

	"tokdyno/engine/stage"
)

// Sweep is the way of an autopilot over levels of load, and what came of it.
type Sweep struct {
	Kind    string   `json:"kind"` // "ladder", "search" or "steps"
	Axis    string   `json:"axis"` // what levels are of: "concurrency", "req/s" or "speed"
	Rungs   []Rung   `json:"levels"`
	Done    bool     `json:"done"`    // false: it was stopped before it came to its end, and the rest says nothing
	Found   bool     `json:"found"`   // a level held what was asked for
	Level   *float64 `json:"level"`   // the highest that did
	Missed  *float64 `json:"missed"`  // the lowest that did not
	Binding *string  `json:"binding"` // what missed there
	Samples int      `json:"samples"` // requests behind Level
	// Of the samples of what was nearest to missing there: the share that held it, 0…1, and its 95 % interval, lower and upper
	// end; null: no level was found.
	Attainment *float64  `json:"attainment"`
	Interval   []float64 `json:"attainment_interval"`
	Doubtful   bool      `json:"doubtful"` // a level held at first and missed at a second look
	Plateau    bool      `json:"plateau"`  // nothing missed, and it went no higher since output no longer grew
	Sentence   string    `json:"sentence"` // all that for people
	Judged     bool      `json:"-"`        // there was something to hold

	remark string // what else is to be known of what was asked; ""
}

// unjudged reports whether no level held and that may be because it is not known: what was asked for can't be measured here,
// or a level below the lowest that missed had too few requests.
func (s *Sweep) unjudged() bool {
	if s.Found {
		return false
	}
	for i := range s.Rungs {
		if r := &s.Rungs[i]; r.State == string(stage.Unknown) && (s.Missed == nil || r.Level < *s.Missed) {
			return true
		}
	}
	return s.Missed == nil
}

// few reports whether some level is not known for nothing but want of requests.
func (s *Sweep) few() bool {
	return slices.ContainsFunc(s.Rungs, func(r Rung) bool { return r.Few && r.Needed != nil && r.N < *r.Needed })
}

// Remark says in one sentence what else a reader of Level should know: that levels got more requests than were asked for, since
// a verdict needs more, or that it was found with fewer, which makes it less certain and not wrong. It is "" where there is
// nothing to say; of fewer, the Sentence of a search says that itself.
func (s *Sweep) Remark() string {
	switch {
	case s == nil:
		return ""
	case s.remark != "":
		return s.remark
	case s.Level == nil || s.Kind == "search":
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
	Stage   *int     `json:"stage"`  // number, from 1, of the stage it was measured in; null: not visited
	State   string   `json:"state"`  // "held", "missed", "unknown", "measured", "skipped", "todo", "now"
	N       int      `json:"n"`      // requests judged, in all looks at the level
	Needed  *int     `json:"needed"` // the fewest that a verdict needs; null: nothing was asked for
	Looks   int      `json:"looks"`  // stages whose requests were judged together
	Few     bool     `json:"few"`    // fewer than were wanted
	Output  *float64 `json:"output_tok_per_s"`
	Share   *float64 `json:"missed_share"` // of the samples, by what was nearest to missing; null: nothing was asked for
	Binding *string  `json:"binding"`
	Note    string   `json:"note"`
}
