// This file prints what an autopilot found.

package report

import (
	"fmt"
	"slices"
	"strconv"

	"tokdyno/engine/run"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
)

// sweep prints a line for every level that was visited, and what came of it.
func (p reportPrinter) sweep(r *run.Report) {
	s := r.Sweep
	if s == nil {
		return
	}
	p.blank()
	columns := []column{
		{head: s.Kind, left: true}, {head: s.Axis}, {left: true}, {head: "n"}, {head: "out tok/s", rank: 2}, {head: "missed"}, {left: true, rank: 1},
	}
	var notes []string
	few := false
	for _, rung := range s.Rungs {
		if rung.Stage == nil {
			continue
		}
		level, missed, binding := strconv.FormatFloat(rung.Level, 'f', -1, 64), cell.Unknown, ""
		if rung.Share != nil {
			missed = fmt.Sprintf("%.1f %%", 100**rung.Share)
		}
		n := cell.Grouped(int64(rung.N))
		if rung.Few {
			n, few = n+"*", true
		}
		state := rung.State
		if state == string(stage.Unknown) {
			state = "not yet known"
		}
		switch {
		case rung.Note != "":
			if note := s.Axis + " " + level + ": " + rung.Note; !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		case rung.Binding != nil:
			binding = *rung.Binding
		}
		for i, text := range []string{"", level, state, n, rateOrUnknown("", rung.Output), missed, binding} {
			columns[i].cells = append(columns[i].cells, text)
		}
	}
	if len(columns[0].cells) > 0 {
		p.table(columns)
		p.line("", "counted when each verdict was reached; the levels above also count what ended later")
	}
	if few {
		p.line("", "* fewer requests than were asked for")
	}
	for _, note := range notes {
		p.line("", "%s", note)
	}
	if s.Done {
		p.line("result", "%s", s.Sentence)
	} else {
		p.line("result", "the %s did not come to its end: %s", s.Kind, s.Sentence)
	}
}
