package figure

import (
	"slices"
	"testing"

	"tokdyno/engine"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Requests that move in step are told of on the screen, and those that don't are not.
func TestRequestsInStepAreNoted(t *testing.T) {
	note := cell.Note{Role: theme.Warn, Text: "8 requests move in step: R = 0.97; vary lengths, or ramp"}
	for r, want := range map[float64]bool{0.97: true, 0.2: false} {
		s := &engine.Snapshot{State: engine.Running}
		s.Stage.InStep = stats.InStep{Requests: 8, N: 20, R: r}
		if notes := Notes(&page.Frame{Theme: new(theme.Theme), Shown: s, Latest: s}); slices.Contains(notes, note) != want {
			t.Errorf("R = %v: notes %v", r, notes)
		}
	}
}
