// This file prints how objectives came off.

package report

import (
	"fmt"
	"strings"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
)

// objectives prints a line for each.
func (p *sheet) objectives(r *run.Report) {
	for i, o := range r.SLO.Objectives {
		label := ""
		if i == 0 {
			label = "objectives"
		}
		p.line(label, "%s: %s", o.Text, objectiveWords(&o))
	}
}

// objectiveWords says whether an objective held: "held, in 58 of 60 s (96.7 %); 312 ms in the last".
func objectiveWords(o *run.Objective) string {
	if o.Held == nil || o.Attainment == nil {
		return fmt.Sprintf("not yet known: no window held the %d samples it needs (%d in the last)", *o.Needed, o.N)
	}
	verdict := "missed"
	if *o.Held {
		verdict = "held"
	}
	var b strings.Builder
	held := int(*o.Attainment*float64(o.Judged) + 0.5)
	fmt.Fprintf(&b, "%s, in %s of %s s (%.3g %%)", verdict, cell.Grouped(int64(held)), cell.Grouped(int64(o.Judged)), 100**o.Attainment)
	switch {
	case o.ValueMS != nil:
		fmt.Fprintf(&b, "; %s in the last", cell.Latency(cell.FromMilliseconds(*o.ValueMS)))
	case o.ValueShare != nil:
		fmt.Fprintf(&b, "; %.3g %% in the last", 100**o.ValueShare)
	}
	return b.String()
}
