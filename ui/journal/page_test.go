package journal

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

func open(t *testing.T, p *Page) *pagetest.Screen {
	return pagetest.Open(t, p, scene.Eventful(), 120, 36)
}

// filtered types a filter, as the console does.
func filtered(m *pagetest.Screen, p *Page, text string) {
	m.Press("/")
	p.Entry().Press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
	p.Enter(m)
	m.Look()
}

func TestPanels(t *testing.T) {
	var events, failures pagetest.Sheet
	for _, s := range []struct {
		name string
		find string
		keys []string
	}{
		{"all", "", nil},
		{"one chosen", "", []string{"g", "j", "j"}},
		{"filtered", "failure 429", nil},
		{"no such words", "prefill", nil},
		{"among the errors", "", []string{"tab", "j"}},
	} {
		p := New()
		m := open(t, p)
		if s.find != "" {
			filtered(m, p, s.find)
		}
		m.Press(s.keys...)
		for _, w := range []int{80, 120} {
			events.AddPart(t, s.name, m, partEvents, w, 10)
		}
		if s.find == "" {
			failures.AddPart(t, s.name, m, partErrors, 80, 6)
			failures.AddPart(t, s.name, m, partErrors, 140, 6)
		}
	}
	events.Check(t, "events")
	failures.Check(t, "errors")
}

// The page follows the newest until an event is chosen, and again below the last one.
func TestAChosenEventStandsStill(t *testing.T) {
	p := New()
	m := open(t, p)
	m.Press("k", "k")
	if p.chosen != len(p.kept)-1 {
		t.Fatalf("two up from the newest is %d of %d", p.chosen, len(p.kept))
	}
	at := p.chosen
	m.Engine.Change(func(s *snapshot.Snapshot) {
		s.Events = append(s.Events, snapshot.Event{At: s.At, Topic: snapshot.OfRun, Text: "news"})
	})
	m.Look()
	if p.chosen != at {
		t.Errorf("the choice went from %d to %d", at, p.chosen)
	}
	m.Press("G")
	m.Shows("news")
	m.Press("k", "j", "j")
	if p.chosen != 0 {
		t.Errorf("below the last one it stands at %d", p.chosen)
	}
}

// A filter wants all of its words, of the topic or of the sentence; esc drops it.
func TestAFilterWantsAllWords(t *testing.T) {
	p := New()
	m := open(t, p)
	filtered(m, p, "Failure 10")
	if len(p.kept) != 1 {
		t.Errorf("kept %d of 10, not one", len(p.kept))
	}
	m.Shows("Failure 10", "1 of 10", "10 requests have failed")
	m.Press("esc")
	if len(p.kept) != 10 {
		t.Errorf("after esc %d are kept", len(p.kept))
	}
}

// A recording that goes back has fewer events.
func TestGoingBackShowsFewer(t *testing.T) {
	p := New()
	m := open(t, p)
	m.Press("k")
	m.Engine.Change(func(s *snapshot.Snapshot) { s.Events = s.Events[:2] })
	m.Look()
	if len(p.kept) != 2 || p.chosen != 0 {
		t.Errorf("%d are kept, and %d is chosen", len(p.kept), p.chosen)
	}
}

func TestEnterShowsTheRequestsThatFailedSo(t *testing.T) {
	p := New()
	m := open(t, p)
	m.Press("enter")
	if !strings.Contains(m.Said, "tab") {
		t.Errorf("among the events, enter says %q", m.Said)
	}
	m.Press("tab", "j", "enter")
	if m.Asked != "truncated by " {
		t.Errorf("it asked for %q", m.Asked)
	}
}

// A long sentence is never cut.
func TestSentencesWrap(t *testing.T) {
	p := New()
	m := pagetest.Open(t, p, scene.Eventful(), 60, 30)
	m.Press("g", "j", "j", "j", "j", "j")
	text := strings.Join(strings.Fields(strings.ReplaceAll(m.View(), "│", " ")), " ")
	if !strings.Contains(text, "and that is all") {
		t.Errorf("the end of the sentence is missing:\n%s", m.View())
	}
}

func TestEverySizeFits(t *testing.T) {
	scenes := []func() *snapshot.Snapshot{scene.Eventful, scene.Busy, scene.Starting}
	pagetest.EverySizeFits(t, func() page.Page { return New() }, scenes, "k", "g", "tab", "j", "G")
	pagetest.TilesEverywhere(t, New(), scene.Eventful(), "Log")
}
