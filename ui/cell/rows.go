// This file puts lines below each other: as many as there is room for.

package cell

import (
	"slices"
	"strconv"

	"tokdyno/ui/theme"
)

// Centred writes a muted sentence into the middle of an empty panel.
func Centred(th *theme.Theme, w, h int, sentence string) []string {
	lines := Wrapped(sentence, w-2)
	out := Fitted(nil, w, max(0, (h-len(lines))/2))
	for _, s := range lines {
		out = append(out, NewLine(th, w).Skip((w-Width(s))/2).Put(theme.Muted, s).String())
	}
	return Fitted(out, w, h)
}

// FirstShown is the first of n rows in h lines: the chosen one is in sight, in the middle where it can be.
func FirstShown(chosen, n, h int) int { return min(max(chosen-h/2, 0), max(n-h, 0)) }

// Held keeps a list where it is while one of the rows in sight is chosen, as the mouse does: what was clicked stays under the
// pointer. The zero Held does not.
type Held struct{ from int }

// Keep keeps the list, whose first row in sight is given. Let lets it scroll again.
func (h *Held) Keep(first int) { h.from = first + 1 }

// Let lets the list scroll again.
func (h *Held) Let() { h.from = 0 }

// First is the first of n rows in so many lines, as FirstShown has it unless the list is kept.
func (h Held) First(chosen, n, lines int) int {
	if first := h.from - 1; first >= 0 && first <= max(n-lines, 0) && chosen >= first && chosen < first+lines {
		return first
	}
	return FirstShown(chosen, n, lines)
}

// Around returns the lines of those of n rows that have room in h lines: the row at is among them, and what comes after it has a
// third of the room. Each row is as many lines as it takes; of the row at, where it takes more than all, the first ones show. It
// returns the row of each line, too.
func Around(n, at, h int, row func(i int) []string) (lines []string, rows []int) {
	var up, down []string
	var upRows, downRows []int
	spare := h - len(row(at))
	if spare <= 0 {
		return row(at)[:h], slices.Repeat([]int{at}, h)
	}
	for i := at; i >= 0 && len(up) < h; i-- {
		of := row(i)
		up, upRows = append(of, up...), append(slices.Repeat([]int{i}, len(of)), upRows...)
	}
	for i := at + 1; i < n && len(down) < h; i++ {
		of := row(i)
		down, downRows = append(down, of...), append(downRows, slices.Repeat([]int{i}, len(of))...)
	}
	below := min(len(down), max(min(h/3, spare), h-len(up)))
	return Last(append(up, down[:below]...), h), Last(append(upRows, downRows[:below]...), h)
}

// Hidden says how many rows lie above and below those in sight; nothing where all are.
func Hidden(th *theme.Theme, above, below int) []Piece {
	var out []Piece
	if above > 0 {
		out = append(out, Piece{theme.Muted, FitGlyphs("↑ "+strconv.Itoa(above), &th.Glyphs)})
	}
	if below > 0 {
		if out != nil {
			out = append(out, Piece{theme.Muted, "  "})
		}
		out = append(out, Piece{theme.Muted, FitGlyphs("↓ "+strconv.Itoa(below), &th.Glyphs)})
	}
	if out != nil {
		out = append(out, Piece{theme.Muted, " more"})
	}
	return out
}

// Sentences writes each sentence over as many lines as it takes.
func Sentences(th *theme.Theme, w int, role theme.Role, all ...string) []string {
	var lines []string
	for _, s := range all {
		for _, part := range Wrapped(FitGlyphs(s, &th.Glyphs), w-2*Inset) {
			lines = append(lines, NewLine(th, w).Skip(Inset).Put(role, part).String())
		}
	}
	return lines
}

// Fitted returns exactly h lines: blank ones are added, surplus ones are cut.
func Fitted(lines []string, w, h int) []string {
	if h <= 0 {
		return nil
	}
	if len(lines) > h {
		return lines[:h]
	}
	for len(lines) < h {
		lines = append(lines, Blank(w))
	}
	return lines
}

// Last returns the last n elements, all of them where there are fewer.
func Last[T any](points []T, n int) []T { return points[max(0, len(points)-n):] }
