// This file is the last line: what the keys do at present, and whether the load generator can be trusted.

package console

import (
	"cmp"
	"slices"

	"tokdyno/engine/health"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// footer draws the last line: keys as far as they fit, and whether the load generator itself can be trusted.
func (v *screen) footer(w int) string {
	if v.context.layer == onPrompt {
		return v.promptLine(w)
	}
	trust := v.client()
	room := w - cell.WidthOf(trust) - 3

	var shown []keyAction
	for _, c := range v.working {
		if c.Footer > 0 {
			shown = append(shown, c)
		}
	}
	slices.SortStableFunc(shown, func(a, b keyAction) int { return cmp.Compare(a.Footer, b.Footer) })

	l := cell.NewLine(v.Theme, w).Skip(1)
	stays := max(slices.IndexFunc(shown, func(k keyAction) bool { return k.Footer >= always }), 0)
	width := func(k *keyAction) int { return cell.WidthOf(k.short(&v.Theme.Glyphs)) }
	for i := range shown[stays:] {
		room -= width(&shown[stays+i])
	}
	for _, k := range append(cell.Fill(shown[:stays], room-l.At, width), shown[stays:]...) {
		v.Region(page.Region{Rect: page.Rect{X: l.At, Y: v.H - 1, W: width(&k) - 2, H: 1}, Key: k.clicked()})
		l.Pieces(k.short(&v.Theme.Glyphs))
	}
	if cell.WidthOf(trust) < l.Room() {
		l.To(w - cell.WidthOf(trust) - 1).Pieces(trust)
	}
	return l.String()
}

// clicked is the key that a click on it in the footer presses. Nobody is to end a run by a slip of the hand.
func (k *keyAction) clicked() string {
	if name := k.Binding.Keys()[0]; name != "q" {
		return name
	}
	return ""
}

// short is a key as the footer has it.
func (k *keyAction) short(g *theme.Glyphs) []cell.Piece {
	h := k.Binding.Help()
	return []cell.Piece{cell.Key(cell.FitGlyphs(h.Key, g)), cell.Text(" "), cell.Muted(h.Desc), cell.Text("  ")}
}

// client is the client's health: a word, after the sign that says how bad it is.
func (v *screen) client() []cell.Piece {
	g := &v.Theme.Glyphs
	switch verdict := v.Shown.Health.Verdict; verdict {
	case health.OK:
		return []cell.Piece{cell.Muted("client "), cell.Good(g.Check + " ok")}
	case health.Strained:
		return []cell.Piece{cell.Muted("client "), cell.Warn(g.Alert + " " + string(verdict))}
	case health.ClientBound:
		return []cell.Piece{cell.Bad(g.Cross + " " + string(verdict))}
	}
	return []cell.Piece{cell.Muted("client " + g.Ellipsis)}
}
