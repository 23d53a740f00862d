// This file is the filter.

package journal

import (
	"strings"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// find is what the events have to have.
type find struct {
	text   string // "": all are kept
	words  []string
	entry  page.Entry
	typing bool
}

// keeps reports whether an event has all of the words, in its topic or in its sentence, whatever their case.
func (f *find) keeps(e *snapshot.Event) bool {
	if len(f.words) == 0 {
		return true
	}
	all := strings.ToLower(string(e.Topic) + " " + string(e.Weight) + " " + e.Text)
	for _, w := range f.words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// filter keeps the events that have some words.
func (p *Page) filter(text string) {
	p.find.text, p.find.words = text, strings.Fields(strings.ToLower(text))
	p.kept, p.seen, p.chosen = nil, 0, 0
}

func (p *Page) beginFilter(h page.Host) {
	p.find.typing = true
	p.find.entry.Begin(p.find.text)
	var topics []string
	for _, t := range snapshot.Topics() {
		topics = append(topics, string(t))
	}
	h.Say(theme.Muted, "words that an event has to have; the topics are %s", strings.Join(topics, ", "))
}

// Entry is the line that takes the keys; nil: none does.
func (p *Page) Entry() *page.Entry {
	if !p.find.typing {
		return nil
	}
	return &p.find.entry
}

// Enter takes the words.
func (p *Page) Enter(h page.Host) page.Work {
	p.filter(strings.TrimSpace(p.find.entry.Value()))
	p.Leave(h)
	return nil
}

// Leave takes no more text.
func (p *Page) Leave(h page.Host) {
	p.find.typing = false
	p.find.entry.End()
	h.Hush()
}

// pieces are the words that are being typed, with the place of the cursor.
func (f *find) pieces(v *page.Frame) []cell.Piece {
	before, after := f.entry.Split(&v.Theme.Glyphs)
	return []cell.Piece{cell.Key("/"), cell.Title(before), cell.Accent(v.Theme.Glyphs.AxisLine), cell.Title(after)}
}
