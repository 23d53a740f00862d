// This file puts drawings of one panel below each other into one golden file.

package pagetest

import (
	"fmt"
	"strings"
	"testing"

	"tokdyno/engine/golden"
	"tokdyno/ui/page"
)

// Sheet is drawings of a panel in several states and sizes, one below the other.
type Sheet struct{ out strings.Builder }

// Add adds a drawing of w by h cells under a name.
func (s *Sheet) Add(t testing.TB, name, drawn string, w, h int) {
	t.Helper()
	Fits(t, drawn, w, h)
	fmt.Fprintf(&s.out, "# %s, %d×%d\n%s\n\n", name, w, h, drawn)
}

// AddPart adds a part of a page as it stands.
func (s *Sheet) AddPart(t testing.TB, name string, on *Screen, p page.Part, w, h int) {
	t.Helper()
	s.Add(t, name, on.Panel(p, w, h), w, h)
}

// Check compares the sheet with what was found good.
func (s *Sheet) Check(t *testing.T, name string) {
	t.Helper()
	golden.Check(t, name, strings.TrimSpace(s.out.String()))
}
