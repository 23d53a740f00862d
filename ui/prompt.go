// This file is the command line: what is typed after a colon, its completion and its history.

package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/theme"
)

// mostHistory is how many typed lines are remembered.
const mostHistory = 100

// prompt is the command line. What is typed is in the model's input.
type prompt struct {
	open    bool
	history []string // oldest first
	at      int      // which of them shows; len(history): the line being typed
	draft   string   // that line, while another shows

	fits []string // the completions that tab goes through
	nth  int      // the one that shows
}

// openPrompt opens the command line.
func (m *model) openPrompt() tea.Cmd { return m.openPromptWith("") }

// openMark opens it to name a mark.
func (m *model) openMark() tea.Cmd { return m.openPromptWith("mark ") }

func (m *model) openPromptWith(text string) tea.Cmd {
	m.prompt.open, m.prompt.at, m.prompt.draft, m.prompt.fits = true, len(m.prompt.history), "", nil
	m.message = message{}
	m.enter(text)
	return nil
}

// enter begins to take text, for whichever purpose.
func (m *model) enter(text string) {
	m.input.SetValue(text)
	m.input.CursorEnd()
	m.input.Focus() // its command blinks the cursor, which is drawn here and does not
}

func (m *model) closePrompt() tea.Cmd {
	m.prompt.open = false
	m.message = message{}
	m.input.Blur()
	return nil
}

// obeyPrompt does what is typed; what can't be done is answered with a sentence, and stays to be corrected.
func (m *model) obeyPrompt() tea.Cmd {
	typed := strings.TrimSpace(m.input.Value())
	if typed == "" {
		return m.closePrompt()
	}
	order, rest, err := findOrder(m.orders, typed)
	if err != nil {
		m.say(theme.Bad, "%s", oneLine(err))
		return nil
	}
	m.message = message{}
	cmd, err := order.do(m, rest)
	if err != nil {
		m.say(theme.Bad, "%s", oneLine(err))
		return nil
	}
	p := &m.prompt
	if n := len(p.history); n == 0 || p.history[n-1] != typed {
		p.history = last(append(p.history, typed), mostHistory)
	}
	p.open = false
	m.input.Blur()
	return cmd
}

// earlierOrder shows what was typed before.
func (m *model) earlierOrder() tea.Cmd { return m.recall(-1) }

// laterOrder shows what was typed after.
func (m *model) laterOrder() tea.Cmd { return m.recall(+1) }

func (m *model) recall(by int) tea.Cmd {
	p := &m.prompt
	at := min(max(p.at+by, 0), len(p.history))
	if at == p.at {
		return nil
	}
	if p.at == len(p.history) {
		p.draft = m.input.Value()
	}
	p.at = at
	if at == len(p.history) {
		m.enter(p.draft)
	} else {
		m.enter(p.history[at])
	}
	return nil
}

// completePrompt puts in the first completion; pressed again, the next.
func (m *model) completePrompt() tea.Cmd {
	p := &m.prompt
	if len(p.fits) > 0 && p.fits[p.nth] == m.input.Value() {
		p.nth = (p.nth + 1) % len(p.fits)
	} else {
		p.fits, p.nth = m.completions(), 0
	}
	if len(p.fits) > 0 {
		m.enter(p.fits[p.nth])
	}
	return nil
}

// completions are the lines that the typed one may become: its last word completed.
func (m *model) completions() []string {
	typed := strings.TrimLeft(m.input.Value(), " ")
	name, rest, named := strings.Cut(typed, " ")
	var fits []string
	add := func(before, word, begun, after string) {
		if len(word) >= len(begun) && strings.EqualFold(word[:len(begun)], begun) {
			fits = append(fits, before+word+after)
		}
	}
	if !named {
		for _, o := range m.orders {
			after := " "
			if o.takes == "" {
				after = ""
			}
			add("", o.name, name, after)
		}
		return fits
	}
	for _, o := range m.orders {
		if o.name != name || o.words == nil {
			continue
		}
		begun := rest[strings.LastIndex(rest, " ")+1:]
		before := name + " " + rest[:len(rest)-len(begun)]
		for _, word := range o.words(m) {
			add(before, word, begun, "")
		}
	}
	return fits
}

// ghost is what tab would add to the typed line; "" for nothing.
func (m *model) ghost() string {
	typed := m.input.Value()
	if typed == "" || m.input.Position() != len([]rune(typed)) {
		return ""
	}
	for _, fit := range m.completions() {
		if rest, ok := strings.CutPrefix(fit, typed); ok && rest != "" {
			return rest
		}
	}
	return ""
}

// promptLine draws the command line in place of the footer: what is typed, and its keys as far as they fit beside it.
func (v *view) promptLine(w int) string {
	in, g := v.controls.input, &v.th.Glyphs
	l := newLine(v.th, w).skip(1)
	before := in.before
	if room := l.room() - 3; cells(before) > room { // the place where the cursor stands is what must show
		before = g.Ellipsis + tail(before, room-1)
	}
	l.put(theme.Key, ":").put(theme.Title, before).put(theme.Accent, g.AxisLine)
	l.put(theme.Title, in.after).put(theme.Muted, v.ghost)

	var keys []piece
	for _, c := range v.commands {
		if c.in&onPrompt == 0 || c.footer == 0 {
			continue
		}
		h := c.keys.Help()
		next := []piece{{theme.Key, own(h.Key, g)}, {theme.Muted, " " + h.Desc + "  "}}
		if pieceCells(keys)+pieceCells(next)+4 <= l.room() {
			keys = append(keys, next...)
		}
	}
	return l.to(w - pieceCells(keys)).pieces(keys).String()
}

// tail returns the end of s, n cells of it at most.
func tail(s string, n int) string {
	r := []rune(s)
	for len(r) > 0 && cells(string(r)) > n {
		r = r[1:]
	}
	return string(r)
}

// promptNote says what the command being typed takes, or which there are.
func (v *view) promptNote() note {
	name, _, _ := strings.Cut(strings.TrimLeft(v.controls.input.before+v.controls.input.after, " "), " ")
	var begun []string
	only := -1
	for i := range v.orders {
		if v.orders[i].name == name {
			begun, only = []string{name}, i
			break
		}
		if strings.HasPrefix(v.orders[i].name, name) {
			begun, only = append(begun, v.orders[i].name), i
		}
	}
	switch len(begun) {
	case 0:
		return note{theme.Warn, "there is no such command; esc leaves, and ? lists them all"}
	case 1:
		return note{theme.Accent, v.orders[only].usage() + ": " + v.orders[only].says}
	}
	return note{theme.Accent, strings.Join(begun, "  ")}
}
