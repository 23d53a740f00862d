// This file is what a page is to the console, and what the console is to a page.

package page

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/theme"
)

// Page is what stands between the header and the advice line. It holds its own state, such as a cursor, which only its
// keys and see change; arranging and drawing only read it.
type Page interface {
	// Keys returns the keys that mean something only here.
	Keys() []Key
	// See looks at a new snapshot.
	See(h Host) tea.Cmd
	// Arrange places the page's parts so that they tile the body.
	Arrange(a *Arranger, body Rect)
	// Draw returns the p.h lines of p.w cells of a part that arrange placed.
	Draw(v *Frame, p Place) []string
}

// Zoomer is a page that can enlarge one of its panels.
type Zoomer interface {
	Page
	// Zoomed reports whether one is.
	Zoomed() bool
	// Unzoom shows all of them again.
	Unzoom()
}

// Typist is a page that takes text.
type Typist interface {
	Page
	// Entry is the line that takes the keys; nil: none does.
	Entry() *Entry
	// Enter takes what was typed, and returns what is to be done beside the console.
	Enter(Host) Work
	// Leave takes no more text.
	Leave(Host)
}

// Finder is a page of single requests.
type Finder interface {
	Page
	// Find shows those that a filter keeps, the highest of a figure first; in the order in which they ended where by is "". The
	// error is a sentence.
	Find(filter string, by query.Figure) error
}

// Zoom says whether a page's key means something while one of its panels is enlarged.
type Zoom int

// A key that says nothing of it means something only while no panel is.
const (
	NotZoomed Zoom = iota
	ZoomedToo
	OnlyZoomed
)

// Key is a key with what it does.
type Key struct {
	Binding key.Binding // its help is the short form: the key and a word or two, for the footer
	Says    string      // the long form: one line of help
	Footer  int         // place in the footer, from 1; 0: not in it
	Repeats bool        // a held key that arrives as several in one message means several
	Leads   bool        // what arrives behind it in one message is typed, not pressed
	Zoom    Zoom
	Do      func(Host) // then the page sees what shows, as with a new snapshot
	// Why says in a sentence why the key does nothing at present; "" where it works. nil: it always does.
	Why func(Host) string
}

// Bind returns a binding: how it is shown, its word or two, and the keys as Bubble Tea names them.
func Bind(shown, word string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, word))
}

// Host is what a page's key may ask of the console.
type Host interface {
	// Frame is what is drawn at present, without the places of anything.
	Frame() *Frame
	// Now is the console's clock.
	Now() time.Time
	// Knobs are those that the engine has, without what is still being turned.
	Knobs() snapshot.Knobs
	// Set hands changed knobs to the engine, in place of what was being turned. The error is a sentence.
	Set(snapshot.Knobs) error
	// Uncontrollable says why the load can't be changed any more; "" where it can.
	Uncontrollable() string
	// ReadOnly says why this screen may change and write nothing; "" where it may.
	ReadOnly() string
	// StageValues are the latencies of a stage's requests. It may take a while: it is for work done later.
	StageValues(n int, m slo.Metric) []time.Duration
	// Requests are those of the run. What it answers may take a while: it is for work done later.
	Requests() query.Source
	// ShowRequests shows those that a filter keeps, on the page that has them; see Finder.
	ShowRequests(filter string, by query.Figure)
	// Copy puts a text into the clipboard of the person's terminal, where that takes it (OSC 52).
	Copy(text string)
	// StageSeries is what was measured of a stage once it had settled; nil: nothing was. For work done later, too.
	StageSeries(n int) *compare.Series
	// Say shows a sentence for a few seconds, in the place of the one that shows.
	Say(role theme.Role, format string, args ...any)
	// Hush takes away the sentence that shows.
	Hush()
}
