// This file puts text into the clipboard of the terminal.

package console

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

// clip is what is on its way into the clipboard.
type clip struct {
	sequence string
	until    time.Time
}

// shownFor is how long the sequence stands before the frame: Bubble Tea writes a frame now and then, and of it the lines that
// have changed, so that it is written once or twice.
const shownFor = 300 * time.Millisecond

// before is what stands before the frame at present.
func (c *clip) before(now time.Time) string {
	if now.After(c.until) {
		return ""
	}
	return c.sequence
}

// Copy puts a text into the clipboard, by the terminal (OSC 52); whether it takes it, it does not say.
func (m *model) Copy(text string) {
	m.clip = clip{ansi.SetSystemClipboard(text), m.run.now().Add(shownFor)}
}
