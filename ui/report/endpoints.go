// This file prints the figures of each of several endpoints.

package report

import (
	"fmt"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
)

// endpoints prints a line for each; nothing where there is only one.
func (p reportPrinter) endpoints(r *run.Report) {
	if len(r.Endpoints) == 0 {
		return
	}
	fmt.Fprintf(p.b, "\n%-*s%8s%8s%12s%12s%12s%12s\n", labelWidth, "endpoints", "ok", "failed", "TTFT p50", "TTFT p95", "TPOT p50", "out tok/s")
	for i := range r.Endpoints {
		e := &r.Endpoints[i]
		fmt.Fprintf(p.b, "%-*s%8s%8s%12s%12s%12s%12s  %s\n", labelWidth, "", cell.Grouped(int64(e.OK)), cell.Grouped(int64(e.Failed)),
			inUnits(e.TTFT.P50), inUnits(e.TTFT.P95), inUnits(e.TPOT.P50), rateOrUnknown("", e.Output), e.URL)
	}
}

// inUnits is a latency with its unit.
func inUnits(ms *float64) string {
	if ms == nil {
		return cell.Unknown
	}
	return cell.Latency(cell.FromMilliseconds(*ms)).String()
}
