// This file draws requests as bars on a time axis.

package requests

import (
	"strings"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// axis is a stretch of time on so many cells.
type axis struct {
	from   record.Instant
	span   time.Duration
	cells  int
	begins bool // it is counted from the beginning of each request; else it ends at the present
}

// column is the cell boundary that is nearest to an instant, within the axis.
func (a *axis) column(at record.Instant) int {
	if a.span <= 0 {
		return 0
	}
	x := float64(at-a.from) / float64(a.span) * float64(a.cells)
	return int(min(max(x+0.5, 0), float64(a.cells)))
}

// nice is the next time that a person would choose for an axis: 1, 2 or 5 times a power of ten.
func nice(d time.Duration) time.Duration {
	for step := time.Millisecond; ; step *= 10 {
		for _, m := range [...]time.Duration{1, 2, 5} {
			if d <= m*step {
				return m * step
			}
		}
	}
}

// stripe is what stands in the cells of a line of bars: 0 nothing, else one more than a mark.
type stripe []byte

// The marks of a stripe beyond the phases.
const (
	markStall  = byte(query.Phases) + 1
	markFailed = markStall + 1
	markEnd    = markFailed + 1 // cancelled
)

// put draws a request into the cells.
func (s stripe) put(r *query.Row, a *axis) {
	from, ends := r.Bar()
	if a.begins {
		shifted := *a
		shifted.from = from
		a = &shifted
	}
	left := a.column(from)
	begin := left
	last := query.Wait // of a bar that is shorter than a cell
	for phase := range query.Phases {
		until := a.column(ends[phase])
		if ends[phase] > from {
			last = phase
		}
		for ; left < until; left++ {
			s[left] = byte(phase) + 1
		}
		from = max(from, ends[phase])
	}
	if left == begin && begin < len(s) && from >= a.from {
		s[begin] = byte(last) + 1
		left++
	}
	for _, stall := range r.Stalls {
		first := a.column(stall.From)
		for c := first; c < max(a.column(stall.To()), first+1) && c < left; c++ {
			s[c] = markStall
		}
	}
	switch {
	case r.Running || left >= len(s):
	case r.Ending == slo.Failed:
		s[left] = markFailed
	case r.Ending == slo.Cancelled:
		s[left] = markEnd
	}
}

// phaseRole is the colour of a phase.
func phaseRole(p query.Phase) theme.Role {
	return [query.Phases]theme.Role{theme.Series5, theme.Series4, theme.Series2, theme.Series3, theme.Series1}[p]
}

// look is how a cell is drawn.
func look(mark byte, th *theme.Theme) (theme.Role, string) {
	g := &th.Glyphs
	switch mark {
	case 0:
		return theme.Text, " "
	case markStall:
		return theme.Bad, g.Stall
	case markFailed:
		return theme.Bad, g.Cross
	case markEnd:
		return theme.Muted, g.AxisLine
	}
	phase := query.Phase(mark - 1)
	return phaseRole(phase), g.Phases[phase]
}

// paint draws the cells, a run of equal ones at a time.
func (s stripe) paint(l *cell.Line, th *theme.Theme) {
	for i := 0; i < len(s); {
		n := 1
		for i+n < len(s) && s[i+n] == s[i] {
			n++
		}
		if s[i] == 0 {
			l.Skip(n)
		} else {
			role, glyph := look(s[i], th)
			l.Painted(th.Paint(role, strings.Repeat(glyph, n)), n)
		}
		i += n
	}
}

// legend names the phases.
func legend(th *theme.Theme) []cell.Piece {
	var out []cell.Piece
	for phase := range query.Phases {
		out = append(out, cell.In(phaseRole(phase), th.Glyphs.Phases[phase]), cell.Muted(" "+phase.String()+"  "))
	}
	return append(out, cell.Bad(th.Glyphs.Stall), cell.Muted(" stall"))
}

// labels writes the axis: how long ago, or how long after the beginning, at times that a person would choose.
func (a *axis) labels(l *cell.Line) {
	const apart = 12 // cells from a label to the next, at least
	start, most := l.At, max(a.cells/apart, 1)
	step := nice(a.span / time.Duration(most))
	for k := int(a.span / step); k >= 0; k-- {
		after := step * time.Duration(k)
		text, at := "-"+cell.AxisTime(cell.Milliseconds(after)), a.column(a.from.Add(a.span-after))
		if a.begins {
			after = a.span/step*step - after
			text, at = "+"+cell.AxisTime(cell.Milliseconds(after)), a.column(a.from.Add(after))
		}
		switch {
		case after == 0 && a.begins:
			text = "0"
		case after == 0:
			text = "now"
		}
		if at = start + min(at, a.cells-cell.Width(text)); at > l.At || at == start {
			l.To(at).Put(theme.Muted, text)
		}
	}
}
