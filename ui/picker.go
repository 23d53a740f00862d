// This file is the choice of presets: a list that letters filter, and beside it what the chosen one is.

package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// Preset is a use case that can be switched to mid-run.
type Preset struct {
	Name    string   // as it is typed: "rag"
	Title   string   // "Retrieval-augmented answers"
	For     string   // whom or what it is for, in one line
	Own     bool     // the user's own, rather than built in
	Preview []string // what to know before choosing it: shape, load, SLO, where its numbers come from

	// Knobs returns the present knobs with the preset's load, shape and SLO. It may read files; the error is one sentence.
	Knobs func(engine.Knobs) (engine.Knobs, error)
}

// picker is the choice. What filters it is in the model's input.
type picker struct {
	open bool
	at   int // among the presets that the filter leaves
}

func (m *model) openPicker() tea.Cmd {
	if len(m.presets) == 0 {
		m.say(theme.Muted, "there are no presets")
		return nil
	}
	m.picker = picker{open: true}
	m.message = message{}
	m.enter("")
	return nil
}

func (m *model) closePicker() tea.Cmd {
	m.picker.open = false
	m.input.Blur()
	return nil
}

func (m *model) nextPreset() tea.Cmd     { return m.movePreset(+1) }
func (m *model) previousPreset() tea.Cmd { return m.movePreset(-1) }

func (m *model) movePreset(by int) tea.Cmd {
	m.picker.at = min(max(m.picker.at+by, 0), max(len(m.offered())-1, 0))
	return nil
}

// pick switches to the chosen preset.
func (m *model) pick() tea.Cmd {
	offered := m.offered()
	if len(offered) == 0 {
		m.say(theme.Muted, "no preset fits %q; backspace takes letters away", m.input.Value())
		return nil
	}
	chosen := offered[min(m.picker.at, len(offered)-1)]
	m.closePicker()
	return m.switchTo(chosen)
}

// offered are the presets that the filter leaves: every word of it stands in the name, the title or the use.
func (m *model) offered() []Preset {
	words := strings.Fields(strings.ToLower(m.input.Value()))
	var out []Preset
	for _, p := range m.presets {
		text := strings.ToLower(p.Name + " " + p.Title + " " + p.For)
		fits := true
		for _, word := range words {
			fits = fits && strings.Contains(text, word)
		}
		if fits {
			out = append(out, p)
		}
	}
	return out
}

// switchTo turns the knobs to a preset's. It may have to read a file, so that is not done here.
func (m *model) switchTo(p Preset) tea.Cmd {
	if !m.loaded() {
		return nil
	}
	now := m.dial.current(m.latest)
	return later(func() done {
		next, err := p.Knobs(now)
		return func(m *model) tea.Cmd {
			if err == nil {
				next.Paused, next.Window = m.dial.current(m.latest).Paused, m.dial.current(m.latest).Window
				err = m.set(next)
			}
			if err != nil {
				m.say(theme.Bad, "preset %s: %s", p.Name, oneLine(err))
				return nil
			}
			m.say(theme.Good, "preset %s: %s", p.Name, p.Title)
			return nil
		}
	})
}

func presetNames(m *model) []string {
	var names []string
	for _, p := range m.presets {
		names = append(names, p.Name)
	}
	return names
}

// orderPreset switches to the preset of a name.
func orderPreset(m *model, rest string) (tea.Cmd, error) {
	for _, p := range m.presets {
		if strings.EqualFold(p.Name, rest) {
			return m.switchTo(p), nil
		}
	}
	return nil, unknownPreset(m, rest)
}

func (v *view) pickerPanel() panel {
	p := titled("Presets")
	p.focused = true
	in := v.controls.input
	if in.before+in.after == "" {
		p.aside = []piece{{theme.Muted, "type to filter"}}
	} else {
		p.aside = []piece{{theme.Title, in.before}, {theme.Accent, v.th.Glyphs.AxisLine}, {theme.Title, in.after}}
	}
	_, h := v.inner(partPicker)
	first := firstShown(v.preset, len(v.offered), h)
	p.foot = v.hidden(first, len(v.offered)-first-h)
	p.body = func(w, h int) []string {
		if len(v.offered) == 0 {
			return v.centred(w, h, "no preset fits")
		}
		var lines []string
		for i := first; i < len(v.offered) && len(lines) < h; i++ {
			lines = append(lines, v.presetLine(i, w))
		}
		return lines
	}
	return p
}

// presetLine is one preset in the list; the user's own are marked.
func (v *view) presetLine(i, w int) string {
	const nameAt = 2
	p, g := &v.offered[i], &v.th.Glyphs
	l, role := newLine(v.th, w), theme.Text
	if i == v.preset {
		l.put(theme.Accent, g.Pointer)
		role = theme.Title
	}
	own := []piece{{theme.Accent, "own"}}
	l.to(nameAt).put(role, foreign(p.Name, g))
	if p.Own {
		return l.to(max(w-pieceCells(own)-1, l.at+1)).pieces(own).String()
	}
	return l.String()
}

// previewPanel says what the chosen preset is.
func (v *view) previewPanel() panel {
	if v.preset >= len(v.offered) {
		return panel{body: func(int, int) []string { return nil }}
	}
	chosen, g := &v.offered[v.preset], &v.th.Glyphs
	p := titled(foreign(chosen.Name, g))
	p.aside = []piece{{theme.Muted, "enter switches to it"}}
	p.body = func(w, h int) []string {
		var lines []string
		add := func(role theme.Role, sentence string) {
			for _, part := range wrapped(spaced(sentence, g), w-2*inset) {
				lines = append(lines, newLine(v.th, w).skip(inset).put(role, part).String())
			}
		}
		add(theme.Title, chosen.Title)
		add(theme.Muted, chosen.For)
		lines = append(lines, blank(w))
		for _, sentence := range chosen.Preview {
			add(theme.Text, sentence)
		}
		return lines
	}
	return p
}
