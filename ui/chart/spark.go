// Sparklines: one line of blocks, the trend beside a number.

package chart

import (
	"math"
	"strings"

	"tokdyno/ui/theme"
)

// Spark draws the newest w values, one a cell, the newest at the right; with fewer values the left stays blank.
// A full block is top; where top is not positive, it is the largest of the values shown. Zero is the lowest block, NaN
// and infinities are blank. The result is w cells wide, empty if w is not positive.
func Spark(values []float64, w int, top float64, role theme.Role, th theme.Theme) string {
	if w <= 0 {
		return ""
	}
	values = values[max(0, len(values)-w):]
	if !positive(top) {
		top = 0
		for _, v := range values {
			if positive(v) {
				top = max(top, v)
			}
		}
	}

	open := th.Open(role)
	var line strings.Builder
	line.Grow(w*3 + len(open) + len(th.Close(role)))
	for range w - len(values) {
		line.WriteByte(' ')
	}
	line.WriteString(open)
	for _, v := range values {
		if block := th.Glyphs.Blocks[level(v, top, len(th.Glyphs.Blocks))]; drawable(v) && block != "" {
			line.WriteString(block)
		} else {
			line.WriteByte(' ')
		}
	}
	line.WriteString(th.Close(role))
	return line.String()
}

// level returns which of n blocks shows v, from 0 for zero to n-1 for top.
func level(v, top float64, n int) int {
	if !positive(v) {
		return 0
	}
	return int(math.Round(min(v/top, 1) * float64(n-1)))
}
