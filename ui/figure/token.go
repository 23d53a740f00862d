// This file writes figures that rest on token counts.

package figure

import (
	"math"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// Estimated reports whether token figures rest on our own estimate.
func Estimated(s *snapshot.Snapshot) bool { return s.Live.Tokens.Source == record.SourceEstimated }

// Approximate puts "~" before a token figure that rests on an estimate.
func Approximate(s *snapshot.Snapshot, number string) string {
	if Estimated(s) && number != cell.Unknown {
		return "~" + number
	}
	return number
}

// InputRate is input tokens per second; NaN where the server does not count them and nothing stands in for its count.
func InputRate(t *stats.Throughput) float64 {
	if !t.InputKnown {
		return math.NaN()
	}
	return t.Input
}

// TotalRate is input and output tokens per second; NaN where the input is unknown.
func TotalRate(t *stats.Throughput) float64 { return InputRate(t) + t.Output }
