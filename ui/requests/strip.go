// This file draws the gaps between the chunks of a request as a strip chart.

package requests

import (
	"fmt"
	"time"

	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// gapLines draws the gaps in the order in which they came, the longest of each cell as its bar, with their percentiles above:
// h lines.
func gapLines(v *page.Frame, whole *stats.Opened, w, h int) []string {
	n := len(whole.Gaps)
	if n == 0 {
		return cell.Sentences(v.Theme, w, theme.Muted, "no gaps: it had fewer than two chunks, or several choices, or they were not kept")
	}
	lengths := make([]time.Duration, n)
	for i, g := range whole.Gaps {
		lengths[i] = g.Length
	}
	limit, stalls := stats.StallBeyond(lengths)
	cells := min(w-2*cell.Inset-9, n)
	tops := make([]time.Duration, max(cells, 1))
	for i, g := range lengths {
		k := i * len(tops) / n
		tops[k] = max(tops[k], g)
	}
	d := stats.Inverted.Describe(lengths)
	head := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Title, "Chunk gaps")
	head.Put(theme.Muted, fmt.Sprintf("  n=%s  p50 %s  p99 %s  max %s", cell.Grouped(int64(n)), cell.Latency(d.P50), cell.Latency(d.P99), cell.Latency(d.Max)))
	if stalls {
		head.Put(theme.Muted, "  stalls are beyond "+cell.Latency(limit).String())
	}
	if whole.Cut {
		head.Put(theme.Warn, "  only the first are kept")
	}
	lines := []string{head.String()}
	rows := max(h-1, 1)
	top := max(d.Max, 1)
	for row := rows - 1; row >= 0; row-- {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset)
		if row == rows-1 {
			l.Flush(cell.Inset+7, theme.Muted, cell.AxisTime(cell.Milliseconds(top.Round(time.Millisecond/10))))
		}
		l.To(cell.Inset+8).Put(theme.Border, v.Theme.Glyphs.AxisLine)
		for k := 0; k < len(tops); {
			level := eighth(tops[k], top, rows, row)
			role := theme.Series1
			if stalls && tops[k] > limit {
				role = theme.Bad
			}
			text, n := "", 0
			for ; k < len(tops) && eighth(tops[k], top, rows, row) == level && (stalls && tops[k] > limit) == (role == theme.Bad); k++ {
				n++
				if level == 0 {
					text += " "
				} else {
					text += v.Theme.Glyphs.Blocks[level-1]
				}
			}
			l.Painted(v.Theme.Paint(role, text), n)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// eighth is how much of the cell of a row, from the bottom, a bar fills: 0 to 8.
func eighth(d, top time.Duration, rows, row int) int {
	filled := int(float64(d) / float64(top) * float64(rows*8))
	return min(max(filled-8*row, 0), 8)
}
