// This file prints what an autopilot found.

package report

import (
	"fmt"
	"strconv"
	"strings"

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
	fmt.Fprintf(p.b, "\n%-*s%12s %-10s%8s%12s%10s  %s\n", labelWidth, s.Kind, s.Axis, "", "n", "out tok/s", "missed", "")
	for _, rung := range s.Rungs {
		if rung.Stage == nil {
			continue
		}
		output, missed := cell.Unknown, cell.Unknown
		if rung.Output != nil {
			output = cell.Rate(*rung.Output)
		}
		if rung.Share != nil {
			missed = fmt.Sprintf("%.1f %%", 100**rung.Share)
		}
		n := cell.Grouped(int64(rung.N))
		if rung.Few {
			n += "*"
		}
		fmt.Fprintf(p.b, "%-*s%12s %-10s%8s%12s%10s  %s\n", labelWidth, "",
			strconv.FormatFloat(rung.Level, 'f', -1, 64), rung.State, n, output, missed, rungNotes(&rung))
	}
	p.line("", "counted when each verdict was reached; the stages above also count what ended later")
	if s.Done {
		p.line("result", "%s", s.Sentence)
	} else {
		p.line("result", "the %s did not come to its end: %s", s.Kind, s.Sentence)
	}
}

// rungNotes is what else there is to say of a level.
func rungNotes(r *run.Rung) string {
	var notes []string
	switch {
	case r.Note != "":
		notes = append(notes, r.Note)
	case r.State == string(stage.Unknown) && r.Needed != nil:
		notes = append(notes, "needs "+cell.Grouped(int64(*r.Needed)))
	case r.Binding != nil:
		notes = append(notes, *r.Binding)
	}
	if r.Looks > 1 {
		notes = append(notes, fmt.Sprintf("in %d looks", r.Looks))
	}
	return strings.Join(notes, ", ")
}
