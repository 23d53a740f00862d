// This file draws a lane for each slot: waves, head-of-line blocking, and stalls that befall several at once.

package requests

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

const (
	laneCells = 6 // of the number of a lane, with a blank
	waveLines = 3 // of sentences, at most
)

// laneSpan is how far lanes look back: the window of the live figures, or as far as the stage or the run has come.
func laneSpan(s *snapshot.Snapshot) time.Duration {
	if d := s.Knobs.Window.Duration(); d > 0 {
		return min(d, max(nice(s.Elapsed), time.Second))
	}
	const most = 10 * time.Minute
	return min(max(nice(s.Elapsed), time.Second), most)
}

// lanesPanel shows what each slot did.
func (p *Page) lanesPanel(v *page.Frame) cell.Panel {
	t := p.frame(v)
	view := p.view
	if view == nil || view.Slots == 0 {
		sentence := "no request in the window yet"
		if view == nil {
			sentence = "looking" + v.Theme.Glyphs.Ellipsis
		}
		t.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, sentence) }
		return t
	}
	t.Title = append(t.Title, cell.Muted("  a lane for each slot"))
	if words := p.spotWords(v); words != nil && !p.input.open() {
		t.Foot = words
	} else if !p.chosen.still() {
		t.Coda = []cell.Piece{cell.Key("[ ]"), cell.Muted(" window")}
	}
	t.Body = func(w, h int) []string {
		a := axis{from: view.At.Add(-laneSpan(v.Shown)), span: laneSpan(v.Shown), cells: w - laneCells - cell.Inset}
		said := cell.Sentences(v.Theme, w, theme.Warn, waveSentences(view)...)
		lanes := h - headLines - 1
		lanes = max(min(lanes-len(said), view.Slots-p.firstSlot), 1)
		head := cell.NewLine(v.Theme, w).Put(theme.Muted, "  slot").To(laneCells + cell.Inset)
		a.labels(head)
		out := []string{head.String(), p.marks(v, &a, w)}
		p.laneRegions(v, &a, lanes, len(out))
		out = append(out, p.laneLines(v, &a, lanes, w)...)
		out = cell.Fitted(out, w, h-len(said))
		return append(out, said...)
	}
	return t
}

// laneLines are so many lanes, from the first that shows.
func (p *Page) laneLines(v *page.Frame, a *axis, n, w int) []string {
	lanes := make([]stripe, n)
	for i := range lanes {
		lanes[i] = make(stripe, a.cells)
	}
	put := func(rows []query.Row) {
		for i := range rows {
			if k := rows[i].Slot - 1 - p.firstSlot; k >= 0 && k < n {
				lanes[k].put(&rows[i], a)
			}
		}
	}
	put(p.view.Rows)
	put(p.view.Running)
	var out []string
	for i := range lanes {
		l := cell.NewLine(v.Theme, w)
		if p.firstSlot+i+1 == p.spot.slot {
			l.Put(theme.Accent, v.Theme.Glyphs.Pointer)
		}
		l.Flush(laneCells-1, theme.Muted, strconv.Itoa(p.firstSlot+i+1)).To(laneCells + cell.Inset)
		lanes[i].paint(l, v.Theme)
		out = append(out, l.String())
	}
	return out
}

// marks mark on the axis where several streams stood together or, while a request is chosen, from when until when it was.
func (p *Page) marks(v *page.Frame, a *axis, w int) string {
	view := p.view
	if r, _ := p.atSpot(); r != nil {
		l := cell.NewLine(v.Theme, w).To(laneCells + cell.Inset)
		from, to := a.column(r.Began), a.column(r.End)
		return l.Skip(from).Put(theme.Accent, strings.Repeat(v.Theme.Glyphs.Solid, max(to-from, 1))).String()
	}
	l := cell.NewLine(v.Theme, w).To(laneCells + cell.Inset)
	start := l.At
	for i := range view.Waves {
		wave := &view.Waves[i]
		if wave.To < a.from {
			continue
		}
		from, to := a.column(wave.From), a.column(wave.To)
		if at := start + from; at >= l.At {
			l.To(at).Put(theme.Warn, strings.Repeat(v.Theme.Glyphs.Falling, max(to-from, 1)))
		}
	}
	return l.String()
}

// waveSentences say of the latest what stood together, and why, the last last.
func waveSentences(view *query.View) []string {
	var said []string
	for i := max(len(view.Waves)-waveLines, 0); i < len(view.Waves); i++ {
		said = append(said, waveSentence(&view.Waves[i], view))
	}
	return said
}

func waveSentence(w *query.Wave, view *query.View) string {
	who := fmt.Sprintf("%d of %d streams", w.Streams, w.Decoding)
	if w.Streams == w.Decoding {
		who = fmt.Sprintf("all %d streams", w.Streams)
	}
	if w.Endpoint > 0 {
		who += fmt.Sprintf(" of endpoint %d", w.Endpoint)
	}
	ago, _ := view.At.Since(w.From)
	text := fmt.Sprintf("%s ago %s stood %s", cell.Latency(ago), who, cell.Latency(w.Length()))
	switch {
	case w.Prefilled == 0:
		return text + ", and no prefill ended then"
	case w.Prompt >= 0:
		text += fmt.Sprintf(" when #%d was prefilled, %s prompt tokens", w.Prefilled, cell.Grouped(w.Prompt))
	default:
		text += fmt.Sprintf(" when #%d was prefilled", w.Prefilled)
	}
	if w.Others > 0 {
		text += fmt.Sprintf(", and %d more", w.Others)
	}
	return text
}
