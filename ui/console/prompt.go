// This file is the command line: what is typed after a colon, its completion and its history.

package console

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// mostHistory is how many typed lines are remembered.
const mostHistory = 100

// prompt is the command line.
type prompt struct {
	open    bool
	entry   page.Entry
	history []string // oldest first
	at      int      // which of them shows; len(history): the line being typed
	draft   string   // that line, while another shows

	fits []string // the completions that tab goes through
	nth  int      // the one that shows
}

// show opens the command line with some text in it.
func (p *prompt) show(m *model, text string) {
	p.open, p.at, p.draft, p.fits = true, len(p.history), "", nil
	m.run.hush()
	p.entry.Begin(text)
}

func (p *prompt) hide(m *model) {
	p.open = false
	m.run.hush()
	p.entry.End()
}

// obey does what is typed; what can't be done is answered with a sentence, and stays to be corrected.
func (p *prompt) obey(m *model) tea.Cmd {
	typed := strings.TrimSpace(p.entry.Value())
	if typed == "" {
		p.hide(m)
		return nil
	}
	command, rest, err := findCommand(m.commands, typed)
	if err != nil {
		m.run.say(theme.Bad, "%s", cell.OneLine(err))
		return nil
	}
	if m.run.watches && !command.looks {
		m.run.say(theme.Muted, "%s", readOnly)
		return nil
	}
	m.run.hush()
	cmd, err := command.do(m, rest)
	if err != nil {
		m.run.say(theme.Bad, "%s", cell.OneLine(err))
		return nil
	}
	if n := len(p.history); n == 0 || p.history[n-1] != typed {
		p.history = cell.Last(append(p.history, typed), mostHistory)
	}
	p.open = false
	p.entry.End()
	return cmd
}

// recall shows what was typed before, or after.
func (p *prompt) recall(by int) {
	at := min(max(p.at+by, 0), len(p.history))
	if at == p.at {
		return
	}
	if p.at == len(p.history) {
		p.draft = p.entry.Value()
	}
	p.at = at
	if at == len(p.history) {
		p.entry.Begin(p.draft)
	} else {
		p.entry.Begin(p.history[at])
	}
}

// complete puts in the first completion; pressed again, the next.
func (p *prompt) complete(m *model) {
	if len(p.fits) > 0 && p.fits[p.nth] == p.entry.Value() {
		p.nth = (p.nth + 1) % len(p.fits)
	} else {
		p.fits, p.nth = p.completions(m), 0
	}
	if len(p.fits) > 0 {
		p.entry.Begin(p.fits[p.nth])
	}
}

// completions are the lines that the typed one may become: its last word completed.
func (p *prompt) completions(m *model) []string {
	typed := strings.TrimLeft(p.entry.Value(), " ")
	name, rest, named := strings.Cut(typed, " ")
	var fits []string
	add := func(before, word, begun, after string) {
		if len(word) >= len(begun) && strings.EqualFold(word[:len(begun)], begun) {
			fits = append(fits, before+word+after)
		}
	}
	if !named {
		for _, o := range m.commands {
			after := " "
			if o.takes == "" {
				after = ""
			}
			add("", o.name, name, after)
		}
		return fits
	}
	for _, o := range m.commands {
		if o.name != name || o.words == nil {
			continue
		}
		begun := rest[strings.LastIndex(rest, " ")+1:]
		before := name + " " + rest[:len(rest)-len(begun)]
		for _, word := range o.words(m) {
			if begun == rest || !strings.Contains(word, " ") { // a whole value completes no part of another
				add(before, word, begun, "")
			}
		}
	}
	return fits
}

// ghost is what tab would add to the typed line; "" for nothing.
func (p *prompt) ghost(m *model) string {
	typed := p.entry.Value()
	if typed == "" || !p.entry.AtEnd() {
		return ""
	}
	for _, fit := range p.completions(m) {
		if rest, ok := strings.CutPrefix(fit, typed); ok && rest != "" {
			return rest
		}
	}
	return ""
}

// promptLine draws the command line in place of the footer: what is typed, and its keys as far as they fit beside it.
func (v *screen) promptLine(w int) string {
	in, g := v.typed, &v.Theme.Glyphs
	l := cell.NewLine(v.Theme, w).Skip(1)
	before := in.before
	if room := l.Room() - 3; cell.Width(before) > room { // the place where the cursor stands is what must show
		before = g.Ellipsis + tail(before, room-1)
	}
	l.Put(theme.Key, ":").Put(theme.Title, before).Put(theme.Accent, g.AxisLine)
	l.Put(theme.Title, in.after).Put(theme.Muted, v.ghost)

	const gap = 4
	var all [][]cell.Piece
	for i := range v.working {
		if k := &v.working[i]; k.Footer > 0 {
			all = append(all, k.short(g))
		}
	}
	keys := slices.Concat(cell.Fill(all, l.Room()-gap, func(p *[]cell.Piece) int { return cell.WidthOf(*p) })...)
	return l.To(w - cell.WidthOf(keys)).Pieces(keys).String()
}

// tail returns the end of s, n cells of it at most.
func tail(s string, n int) string {
	r := []rune(s)
	for len(r) > 0 && cell.Width(string(r)) > n {
		r = r[1:]
	}
	return string(r)
}

// promptNote says what the command being typed takes, or which there are.
func (v *screen) promptNote() cell.Note {
	name, _, named := strings.Cut(strings.TrimLeft(v.typed.before+v.typed.after, " "), " ")
	var begun []string
	only := -1
	for i := range v.commands {
		if v.commands[i].name == name {
			begun, only = []string{name}, i
			break
		}
		if strings.HasPrefix(v.commands[i].name, name) {
			begun, only = append(begun, v.commands[i].name), i
		}
	}
	switch len(begun) {
	case 0:
		return cell.Note{Role: theme.Warn, Text: "there is no such command; esc leaves, and ? lists them all"}
	case 1:
		c := &v.commands[only]
		if named && c.hint != "" {
			return cell.Note{Role: theme.Accent, Text: c.name + ": " + c.hint}
		}
		return cell.Note{Role: theme.Accent, Text: c.usage() + ": " + c.explained()}
	}
	return cell.Note{Role: theme.Accent, Text: strings.Join(begun, "  ")}
}
