package live

import (
	"strings"
	"testing"

	"tokdyno/engine/query"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
)

// From every panel that can have the focus one gets to requests, by a filter that there is, or is told why not.
func TestRequestsBehindAPanel(t *testing.T) {
	m := pagetest.Open(t, New(knob.NewDesk()), scene.Ladder(), 120, 36)
	shown := make(map[string]bool)
	for range focusable {
		m.Asked, m.Said = "", ""
		m.Press("b")
		filter, _, _ := strings.Cut(m.Asked, " by ")
		if _, err := query.Parse(filter); err != nil || (m.Asked == "") == (m.Said == "") {
			t.Errorf("it asks for %q, says %q: %v", m.Asked, m.Said, err)
		}
		shown[m.Asked] = true
		m.Press("tab")
	}
	if len(shown) != focusable || !shown["slow ttft stage 4 by ttft"] {
		t.Errorf("panels lead to %v", shown)
	}
}
