// This file draws the screen.

package connect

import (
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// draw draws the screen: exactly h lines of w cells.
func (m *model) draw() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	th := &m.theme
	lines := []string{cell.NewLine(th, m.w).Skip(1).Put(theme.Title, "tokdyno").Skip(2).
		Put(theme.Muted, "puts load on an LLM inference endpoint and shows what that does").String()}
	p := m.panel()
	var below []string
	if m.problem != "" {
		below = cell.NoteLines(th, cell.Note{Role: theme.Bad, Text: cell.Sanitise(m.problem, &th.Glyphs)}, m.w)
	}
	room := m.h - len(lines) - len(below) - 1
	m.drawn = nil
	if room >= 3 {
		lines = append(lines, p.Render(m.w, room, th)...)
	}
	lines = append(append(lines, below...), m.footer())
	return strings.Join(cell.Fitted(lines, m.w, m.h), "\n")
}

// footer says what keys do at present.
func (m *model) footer() string {
	keys := [][2]string{{"↑↓", "choose"}, {"enter", "connect"}, {"a-z", "type a URL"}, {"esc", "leave"}}
	switch m.step {
	case asking:
		keys = [][2]string{{"esc", "give up"}}
	case choosingModel:
		keys = [][2]string{{"↑↓", "choose"}, {"enter", "begin"}, {"esc", "back"}}
	case namingModel, typingKey:
		keys = [][2]string{{"enter", "go on"}, {"esc", "back"}}
	}
	l := cell.NewLine(&m.theme, m.w).Skip(1)
	for _, k := range keys {
		l.Put(theme.Key, cell.FitGlyphs(k[0], &m.theme.Glyphs)).Skip(1).Put(theme.Muted, k[1]).Skip(2)
	}
	return l.String()
}

// panel is what the step is about.
func (m *model) panel() cell.Panel {
	p := cell.Titled("Connect")
	p.Focused = true
	if m.looking && m.step == choosing {
		p.Aside = []cell.Piece{cell.Muted("looking for servers on this machine" + m.theme.Glyphs.Ellipsis)}
	}
	switch m.step {
	case asking:
		p.Body = func(w, h int) []string {
			return cell.Centred(&m.theme, w, h, "asking "+m.shown(m.target.URL)+" for its models"+m.theme.Glyphs.Ellipsis)
		}
	case choosingModel:
		p.Title = append(p.Title, cell.Muted("  "+m.shown(m.target.URL)+" serves "+strconv.Itoa(len(m.models))+" models; which one?"))
		p.Body = func(w, h int) []string {
			return m.around(len(m.models), m.model, h, func(i int) []string {
				return []string{m.pointed(w, i == m.model).Put(theme.Text, m.shown(m.models[i])).String()}
			})
		}
	case namingModel:
		p.Body = m.question("this endpoint has no list of models; the id of the model:", &m.name, false)
	case typingKey:
		p.Body = m.question(m.shown(m.target.URL)+" wants an API key. It is used for this run and kept nowhere; later, put it into OPENAI_API_KEY.", &m.key, true)
	default:
		p.Body = m.list
	}
	return p
}

func (m *model) shown(text string) string { return cell.Sanitise(text, &m.theme.Glyphs) }

// pointed is the beginning of a row, with the pointer where it is chosen.
func (m *model) pointed(w int, chosen bool) *cell.Line {
	l := cell.NewLine(&m.theme, w)
	if chosen {
		l.Skip(1).Put(theme.Accent, m.theme.Glyphs.Pointer)
	}
	return l.To(3)
}

// question asks for a line of text; what is typed in secret shows as dots.
func (m *model) question(sentence string, e *page.Entry, secret bool) func(w, h int) []string {
	return func(w, h int) []string {
		lines := append([]string{cell.Blank(w)}, cell.Sentences(&m.theme, w, theme.Text, sentence)...)
		before, after := e.Split(&m.theme.Glyphs)
		if secret {
			dot := m.theme.Glyphs.Bullet
			before, after = strings.Repeat(dot, cell.Width(before)), strings.Repeat(dot, cell.Width(after))
		}
		l := m.typed(m.pointed(w, true), before, after)
		return append(lines, cell.Blank(w), l.String())
	}
}

// typed writes what is being typed, from its end where there is too much of it.
func (m *model) typed(l *cell.Line, before, after string) *cell.Line {
	if over := cell.Width(before) + 2 - l.Room(); over > 0 {
		runes := []rune(before)
		before = string(runes[min(over, len(runes)):])
	}
	return l.Put(theme.Title, before).Put(theme.Accent, m.theme.Glyphs.AxisLine).Put(theme.Title, after)
}

// list is the choices under their headings.
func (m *model) list(w, h int) []string {
	return m.around(len(m.rows), m.at, h, func(i int) []string {
		var lines []string
		if i == 0 || m.rows[i-1].in != m.rows[i].in {
			if i > 0 {
				lines = append(lines, cell.Blank(w))
			}
			lines = append(lines, cell.Row(&m.theme, w, theme.Muted, " "+string(m.rows[i].in)))
		}
		return append(lines, m.row(w, i))
	})
}

// around is cell.Around, and notes for the mouse which line is of which row.
func (m *model) around(n, at, h int, row func(i int) []string) (lines []string) {
	lines, m.drawn = cell.Around(n, at, h, row)
	return lines
}

// urlCells are those of the column of URLs.
const urlCells = 26

// row is one choice: what it is, and what is known of it.
func (m *model) row(w, i int) string {
	c := &m.rows[i]
	l := m.pointed(w, i == m.at)
	if c.typed {
		l.Put(theme.Muted, "URL: ")
		if before, after := m.url.Split(&m.theme.Glyphs); i == m.at || before+after != "" {
			m.typed(l, before, after)
		}
		return l.String()
	}
	if c.target.Demo {
		return l.Put(theme.Text, c.name).Put(theme.Simulated, "  SIMULATED").String()
	}
	role := theme.Text
	if i == m.at {
		role = theme.Title
	}
	l.Put(role, m.shown(c.target.URL)).To(max(3+urlCells, l.At+2))
	for _, fact := range m.facts(c) {
		l.Pieces(fact).Skip(2)
	}
	return l.String()
}

// facts are what is known of a choice.
func (m *model) facts(c *choice) [][]cell.Piece {
	var out [][]cell.Piece
	if c.name != "" {
		out = append(out, []cell.Piece{cell.Text(m.shown(c.name))})
	}
	switch n := len(c.models); {
	case c.locked:
		out = append(out, []cell.Piece{cell.Warn("wants a key")})
	case n == 1:
		out = append(out, []cell.Piece{cell.Text(m.shown(c.models[0]))})
	case n > 1:
		out = append(out, []cell.Piece{cell.Text(strconv.Itoa(n) + " models")})
	}
	r := c.recent
	if r == nil {
		return out
	}
	if c.in == lately && r.Model != "" {
		out = append(out, []cell.Piece{cell.Text(m.shown(r.Model))})
	}
	out = append(out, []cell.Piece{cell.Muted(humanize.RelTime(r.When, m.now(), "ago", "from now"))})
	g := &m.theme.Glyphs
	switch r.Verdict {
	case slo.Held:
		out = append(out, []cell.Piece{cell.Good(strings.TrimSpace(g.Check + " held " + r.Best))})
	case slo.Missed:
		out = append(out, []cell.Piece{cell.Bad(g.Cross + " missed")})
	}
	return out
}
