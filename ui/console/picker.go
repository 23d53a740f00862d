// This file is the choice of presets: a list that letters filter, and beside it what the chosen one is.

package console

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
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
	Knobs func(snapshot.Knobs) (snapshot.Knobs, error)
}

// picker is the choice.
type picker struct {
	open  bool
	all   []Preset
	entry page.Entry // what filters them
	at    int        // among those that the filter leaves
	held  cell.Held
}

// noPresets says why there is nothing to choose; "" where there is.
func noPresets(m *model) string {
	if len(m.picker.all) == 0 {
		return "there are no presets"
	}
	return m.run.uncontrollable()
}

func (p *picker) show(m *model) {
	p.open, p.at = true, 0
	m.run.hush()
	p.entry.Begin("")
}

func (p *picker) hide() {
	p.open = false
	p.entry.End()
}

func (p *picker) move(by int) {
	p.held.Let()
	p.at = min(max(p.at+by, 0), max(len(p.offered())-1, 0))
}

// noneOffered says why none can be switched to; "" where one can.
func noneOffered(m *model) string {
	if len(m.picker.offered()) == 0 {
		return fmt.Sprintf("no preset fits %q; backspace takes letters away", m.picker.entry.Value())
	}
	return m.run.uncontrollable()
}

// pick switches to the chosen preset.
func (p *picker) pick(m *model) tea.Cmd {
	offered := p.offered()
	chosen := offered[min(p.at, len(offered)-1)]
	p.hide()
	return m.run.switchTo(chosen)
}

// offered are the presets that the filter leaves: every word of it stands in the name, the title or the use.
func (p *picker) offered() []Preset {
	words := strings.Fields(strings.ToLower(p.entry.Value()))
	var out []Preset
	for _, one := range p.all {
		text := strings.ToLower(one.Name + " " + one.Title + " " + one.For)
		fits := true
		for _, word := range words {
			fits = fits && strings.Contains(text, word)
		}
		if fits {
			out = append(out, one)
		}
	}
	return out
}

// switchTo turns the knobs to a preset's. It may have to read a file, so that is not done here.
func (c *control) switchTo(p Preset) tea.Cmd {
	now := c.desk.Current(c.latest)
	return page.Later(func() page.Done {
		next, err := p.Knobs(now)
		return func() {
			if err == nil {
				next.Paused, next.Window = c.desk.Current(c.latest).Paused, c.desk.Current(c.latest).Window
				err = c.set(next)
			}
			if err != nil {
				c.say(theme.Bad, "preset %s: %s", p.Name, cell.OneLine(err))
				return
			}
			c.say(theme.Good, "preset %s: %s", p.Name, p.Title)
		}
	})
}

func presetNames(m *model) []string {
	var names []string
	for _, p := range m.picker.all {
		names = append(names, p.Name)
	}
	return names
}

// commandPreset switches to the preset of a name.
func commandPreset(m *model, rest string) (tea.Cmd, error) {
	for _, p := range m.picker.all {
		if strings.EqualFold(p.Name, rest) {
			if why := m.run.uncontrollable(); why != "" {
				return nil, errors.New(why)
			}
			return m.run.switchTo(p), nil
		}
	}
	return nil, unknownPreset(m, rest)
}

func (v *screen) pickerPanel() cell.Panel {
	p := cell.Titled("Presets")
	p.Focused = true
	in := v.typed
	if in.before+in.after == "" {
		p.Aside = []cell.Piece{cell.Muted("type to filter")}
	} else {
		p.Aside = []cell.Piece{cell.Title(in.before), cell.Accent(v.Theme.Glyphs.AxisLine), cell.Title(in.after)}
	}
	_, h := v.Inner(partPicker)
	first := v.picker.held.First(v.preset, len(v.offered), h)
	p.Foot = cell.Hidden(v.Theme, first, len(v.offered)-first-h)
	p.Body = func(w, h int) []string {
		if len(v.offered) == 0 {
			return cell.Centred(v.Theme, w, h, "no preset fits")
		}
		var lines []string
		for i := first; i < len(v.offered) && len(lines) < h; i++ {
			v.Rows(len(lines), 1, v.presetRegion(i, first))
			lines = append(lines, v.presetLine(i, w))
		}
		return lines
	}
	return p
}

// presetRegion is what the mouse does on a preset: a click chooses it, and another switches to it.
func (v *screen) presetRegion(i, first int) page.Region {
	r := page.Region{Key: "enter", Up: "up", Down: "down"}
	if p := v.picker; i != v.preset {
		r.Key, r.Hit = "", func(page.Host) {
			p.at = i
			p.held.Keep(first)
		}
	}
	return r
}

// presetLine is one preset in the list; the user's own are marked.
func (v *screen) presetLine(i, w int) string {
	const nameAt = 2
	p, g := &v.offered[i], &v.Theme.Glyphs
	l, role := cell.NewLine(v.Theme, w), theme.Text
	if i == v.preset {
		l.Put(theme.Accent, g.Pointer)
		role = theme.Title
	}
	own := []cell.Piece{cell.Accent("own")}
	l.To(nameAt).Put(role, cell.Sanitise(p.Name, g))
	if p.Own {
		return l.To(max(w-cell.WidthOf(own)-1, l.At+1)).Pieces(own).String()
	}
	return l.String()
}

// previewPanel says what the chosen preset is.
func (v *screen) previewPanel() cell.Panel {
	if v.preset >= len(v.offered) {
		return cell.Panel{Body: func(int, int) []string { return nil }}
	}
	chosen, g := &v.offered[v.preset], &v.Theme.Glyphs
	p := cell.Titled(cell.Sanitise(chosen.Name, g))
	p.Aside = []cell.Piece{cell.Muted("enter switches to it")}
	p.Body = func(w, h int) []string {
		var lines []string
		add := func(role theme.Role, sentence string) {
			for _, part := range cell.Wrapped(cell.SanitiseColumns(sentence, g), w-2*cell.Inset) {
				lines = append(lines, cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(role, part).String())
			}
		}
		add(theme.Title, chosen.Title)
		add(theme.Muted, chosen.For)
		lines = append(lines, cell.Blank(w))
		for _, sentence := range chosen.Preview {
			add(theme.Text, sentence)
		}
		return lines
	}
	return p
}
