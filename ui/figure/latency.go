// This file picks latencies out of what was measured, and writes them.

package figure

import (
	"time"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// GapName is what the samples between tokens are: ITL, or chunk gaps where chunks carry other than one token.
func GapName(s *snapshot.Snapshot) string {
	if s.Live.ITLIsChunkGap() {
		return "Chunk gap"
	}
	return "ITL"
}

// LatencyOf is the distribution of a latency of single requests.
func LatencyOf(s *stats.Summary, m slo.Metric) *stats.Distribution {
	switch m {
	case slo.TPOT:
		return &s.TPOT
	case slo.E2EL:
		return &s.E2EL
	}
	return &s.TTFT
}

// Quantile is one percentile of one latency.
type Quantile struct {
	Metric slo.Metric
	P      float64
}

// LatencyCell writes a percentile with its unit; one of too few samples is starred.
func LatencyCell(d *stats.Distribution, p float64) []cell.Piece {
	if d.N == 0 {
		return cell.NA()
	}
	f := cell.Latency(QuantileOf(d, p))
	out := cell.Plain(f.Number)
	if stats.Few(d.N, p) {
		out = append(out, cell.Warn("*"))
	}
	return append(out, cell.Muted(" "+f.Unit))
}

// QuantileOf picks one of the percentiles that a distribution has.
func QuantileOf(d *stats.Distribution, p float64) (q time.Duration) {
	switch p {
	case 0.50:
		return d.P50
	case 0.90:
		return d.P90
	case 0.95:
		return d.P95
	}
	return d.P99
}
