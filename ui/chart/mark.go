// Marks: vertical lines with a label at the top.

package chart

import "tokdyno/ui/theme"

// leastLabel is the number of cells below which a cut label says nothing.
const leastLabel = 4

// markLines draws the lines, from top to bottom.
func (p plot) markLines(marks []Mark) {
	for _, m := range marks {
		if x, ok := p.markColumn(m); ok {
			for y := range p.cells.h {
				p.cells.set(x, y, first(p.glyphs.Mark), theme.Muted)
			}
		}
	}
}

// markLabels writes the labels on the top row, the newest first: each right of its line, else left of it, else, if a
// newer label is in the way, not at all.
func (p plot) markLabels(marks []Mark) {
	taken := make([]bool, p.left+p.width)
	for i := len(marks) - 1; i >= 0; i-- {
		x, ok := p.markColumn(marks[i])
		if !ok {
			continue
		}
		label := legible(marks[i].Label, p.glyphs)
		if start, fits := p.place(x, &label, taken); fits {
			p.cells.write(start, 0, label, theme.Text)
			// A blank on either side keeps neighbours apart.
			for at := max(start-1, p.left); at < min(start+len(label)+1, len(taken)); at++ {
				taken[at] = true
			}
		}
		if !taken[x] { // else it is under a newer mark's label
			p.cells.set(x, 0, first(p.glyphs.Mark), theme.Muted)
			taken[x] = true
		}
	}
}

// place finds room for a label at the line in column x, cutting the label if the plot is too narrow for it.
func (p plot) place(x int, label *[]rune, taken []bool) (start int, fits bool) {
	right, left := len(taken)-1-x, x-p.left
	if room := max(right, left); len(*label) > room {
		if room < leastLabel {
			return 0, false
		}
		*label = append((*label)[:room-1], first(p.glyphs.Ellipsis))
	}
	for _, start := range []int{x + 1, x - len(*label)} {
		if start >= p.left && start+len(*label) <= len(taken) && free(taken[start:start+len(*label)]) {
			return start, len(*label) > 0
		}
	}
	return 0, false
}

func free(taken []bool) bool {
	for _, t := range taken {
		if t {
			return false
		}
	}
	return true
}

// markColumn returns the column of cells of a mark, and whether it is in the window.
func (p plot) markColumn(m Mark) (x int, ok bool) {
	if m.Step < 0 || m.Step >= p.window.steps {
		return 0, false
	}
	column := p.window.column(m.Step)
	if column < 0 {
		return 0, false
	}
	return p.left + column/p.window.perCell, true
}
