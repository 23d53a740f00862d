// This file prints what an autopilot found.

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tokdyno/engine/run"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
)

// sweep prints a line for every level that was visited, and what came of it.
func (p *sheet) sweep(r *run.Report) {
	s := r.Sweep
	if s == nil {
		return
	}
	p.blank()
	columns := []Column{
		{Head: s.Kind, Left: true}, {Head: s.Axis}, {Left: true}, {Head: "n"}, {Head: "out tok/s", Rank: 2}, {Head: "missed"}, {Left: true, Rank: 1},
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
			if note := s.Axis + " " + level + ": " + rung.Note; !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		for i, text := range []string{"", level, state, n, rateOrUnknown("", rung.Output), missed, rungRemark(&rung)} {
			columns[i].Cells = append(columns[i].Cells, text)
		}
	}
	if len(columns[0].Cells) > 0 {
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

// rungRemark is what else there is to say of a level in a few words; what takes more stands beneath the table.
func rungRemark(r *run.Rung) string {
	var remarks []string
	switch {
	case r.Note != "":
	case r.State == string(stage.Unknown) && r.Needed != nil:
		remarks = append(remarks, "needs "+cell.Grouped(int64(*r.Needed)))
	case r.Binding != nil:
		remarks = append(remarks, *r.Binding)
	}
	if r.Looks > 1 {
		remarks = append(remarks, fmt.Sprintf("in %d looks", r.Looks))
	}
	return strings.Join(remarks, ", ")
}
