package console

import (
	"strings"
	"testing"

	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
)

func everyKey() ([]numbered, []keyAction) {
	desk := knob.NewDesk()
	pages := allPages(desk)
	return pages, allKeys(pages, desk)
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	_, table := everyKey()
	for i, c := range table {
		for _, other := range table[:i] {
			for _, k := range c.Binding.Keys() {
				for _, o := range other.Binding.Keys() {
					if k == o && c.in&other.in != 0 && (c.page == other.page || c.page*other.page == 0) {
						t.Errorf("%q both does %q and %q", k, c.Says, other.Says)
					}
				}
			}
		}
	}
}

func TestEveryCommandIsExplained(t *testing.T) {
	_, table := everyKey()
	for _, c := range table {
		if len(c.Binding.Keys()) == 0 || c.Says == "" || c.Do == nil && c.own == nil || c.in == 0 || c.Binding.Help().Key == "" || c.Binding.Help().Desc == "" {
			t.Errorf("command %q is incomplete", c.Says)
		}
	}
}

func TestKeysMarkdownHasEveryCommand(t *testing.T) {
	doc := keysMarkdown()
	_, table := everyKey()
	for _, c := range table {
		if !strings.Contains(doc, c.Says) {
			t.Errorf("%q is not in it", c.Says)
		}
	}
	for i, line := range strings.Split(strings.TrimSpace(doc), "\n") {
		if strings.Count(line, "|") != 4 {
			t.Errorf("line %d is no row of three columns: %s", i+1, line)
		}
	}
}

// The escape key must lead out of every state, and ctrl+c out of the program.
func TestThereIsAlwaysAWayOut(t *testing.T) {
	pages, table := everyKey()
	for at := range pages {
		for _, layer := range []layer{onHelp, onTyping, onPrompt, onPicker} {
			if lookup(table, keyContext{layer, at}, "esc") == nil {
				t.Errorf("esc does nothing in layer %d over at %d", layer, at)
			}
		}
		if _, ok := pages[at].Page.(page.Zoomer); ok && lookup(table, keyContext{onZoom, at}, "esc") == nil {
			t.Errorf("esc does nothing with a panel of at %d enlarged", at)
		}
		for layer := onTyping; layer <= onPage; layer <<= 1 {
			if lookup(table, keyContext{layer, at}, "ctrl+c") == nil {
				t.Errorf("ctrl+c does nothing in layer %d over at %d", layer, at)
			}
		}
	}
}

func TestEveryPageIsInTheTableOnce(t *testing.T) {
	pages, _ := everyKey()
	numbers := map[int]bool{}
	for _, p := range pages {
		if p.number < 1 || p.number > 9 || numbers[p.number] || p.name == "" || p.says == "" {
			t.Errorf("page %d (%s) is incomplete, or there twice", p.number, p.name)
		}
		numbers[p.number] = true
	}
}

// A key that would do nothing is not offered, and says why when it is pressed all the same.
func TestADisabledKeySaysWhyAndIsNotOffered(t *testing.T) {
	footer := func(m *model) string {
		lines := strings.Split(m.View(), "\n")
		return lines[len(lines)-1]
	}
	disabled := 0
	for _, s := range aroundPages() {
		m := s.shoot(t, 200, 50, plain(t))
		for i := range m.keys {
			k := &m.keys[i]
			why := ""
			if k.meant(m.context()) {
				why = k.barred(m)
			}
			if why == "" {
				continue
			}
			disabled++
			if h := k.Binding.Help(); k.Footer > 0 && strings.Contains(footer(m), " "+h.Key+" "+h.Desc+" ") {
				t.Errorf("%s: %q is offered, and would refuse: %s", s.name, h.Desc, why)
			}
			before := *m.run.engine.(*scene.Engine).Snapshot()
			press(m, k.Binding.Keys()[0])
			if m.run.message.text != why {
				t.Errorf("%s: %q says %q, want %q", s.name, k.Says, m.run.message.text, why)
			}
			if after := m.run.engine.(*scene.Engine).Snapshot(); after.Knobs != before.Knobs || after.State != before.State {
				t.Errorf("%s: %q does something all the same", s.name, k.Says)
			}
		}
	}
	if disabled < 30 {
		t.Errorf("only %d keys were disabled in any of the states", disabled)
	}
}

func TestAnEndedRunOffersNoKeyOfTheLoad(t *testing.T) {
	s := shot{"ended", scene.Ended, nil}
	m := s.shoot(t, 200, 50, plain(t))
	for _, gone := range []string{"space pause", "+/- turn", "e type", "a autopilot", "n new stage", "m mark", "p presets"} {
		if strings.Contains(m.View(), gone) {
			t.Errorf("the run has ended, and the footer offers %q", gone)
		}
	}
	press(m, "a")
	says(t, m, "the run has ended; q leaves")
}
