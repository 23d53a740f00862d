// This file prints the figures of each of several endpoints.

package report

import (
	"strconv"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
)

// endpoints prints a line for each; nothing where there is only one.
func (p *sheet) endpoints(r *run.Report) {
	if len(r.Endpoints) == 0 {
		return
	}
	p.blank()
	columns := []Column{
		{Head: "endpoint", Left: true},
		{Head: "ok"},
		{Head: "failed"},
		{Head: "TTFT p50", Rank: 2},
		{Head: "TTFT p95"},
		{Head: "TPOT p50", Rank: 1},
		{Head: "out tok/s"},
	}
	for i := range r.Endpoints {
		e := &r.Endpoints[i]
		for j, text := range []string{
			strconv.Itoa(i + 1), cell.Grouped(int64(e.OK)), cell.Grouped(int64(e.Failed)), latencyOrUnknown(e.TTFT.P50),
			latencyOrUnknown(e.TTFT.P95), latencyOrUnknown(e.TPOT.P50), rateOrUnknown("", e.Output),
		} {
			columns[j].Cells = append(columns[j].Cells, text)
		}
	}
	p.table(columns)
	p.line("", "of the last stage, its ramp included")
	for i := range r.Endpoints {
		p.line("endpoint "+strconv.Itoa(i+1), "%s", r.Endpoints[i].URL)
	}
	p.blank()
}
