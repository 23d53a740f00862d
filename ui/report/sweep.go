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
	p.blank()
	columns := []column{
		{head: s.Kind, left: true}, {head: s.Axis}, {left: true}, {head: "n"}, {head: "out tok/s"}, {head: "missed"}, {left: true, rank: 1},
	}
	var notes []string
	few := false
	for _, rung := range s.Rungs {
		if rung.Stage == nil {
			continue
		}
		level, missed := strconv.FormatFloat(rung.Level, 'f', -1, 64), cell.Unknown
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
		if rung.Note != "" {
			notes = append(notes, s.Axis+" "+level+": "+rung.Note)
		}
		for i, text := range []string{"", level, state, n, rateOrUnknown("", rung.Output), missed, behind(&rung)} {
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

// behind is what stands behind a level: what it missed, how many requests it needs, and how often it was looked at.
func behind(r *run.Rung) string {
	var words []string
	switch {
	case r.Note != "":
	case r.State == string(stage.Unknown) && r.Needed != nil:
		words = append(words, "needs "+cell.Grouped(int64(*r.Needed)))
	case r.Binding != nil:
		words = append(words, *r.Binding)
	}
	if r.Looks > 1 {
		words = append(words, fmt.Sprintf("in %d looks", r.Looks))
	}
	return strings.Join(words, ", ")
}
