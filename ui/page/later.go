// This file does work that must not hold up the screen: reading a file, comparing many samples.

package page

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
)

// StageValues returns the latencies of a stage's requests.
type StageValues = func(n int, m slo.Metric) []time.Duration

// Done is the message that work ends with: what is done about its result, where nothing else is.
type Done func()

// Work is done beside the console; what is returned is done with its result. nil: there is none.
type Work func() Done

// Fault is the message that work ends with which failed in a way that nobody foresaw.
type Fault struct{ Reason any }

// Later returns a command that does the work beside the console. Bubble Tea owns its goroutine. A fault in it ends the
// console with an error, as one in Update does.
func Later(work Work) tea.Cmd {
	if work == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if reason := recover(); reason != nil {
				msg = Fault{reason}
			}
		}()
		return work()
	}
}
