// Bars: a fraction of a whole, such as memory in use.

package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/theme"
)

// notAvailable is what stands for a number that is not known.
const notAvailable = "n/a"

// Bar draws a fraction of 0 to 1 as a bar of w cells in eighths of a cell, the rest as a muted track. What lies outside
// is drawn as 0 or 1; NaN and infinities as a muted n/a. Only nothing is drawn empty, and only the whole is drawn full.
func Bar(fraction float64, w int, role theme.Role, th theme.Theme) string {
	if w <= 0 {
		return ""
	}
	if !drawable(fraction) {
		text := ansi.Truncate(notAvailable, w, "")
		return th.Paint(theme.Muted, text) + strings.Repeat(" ", w-len(text))
	}

	const eighths = len(th.Glyphs.Eighths)
	filled := int(math.Floor(min(max(fraction, 0), 1) * float64(w*eighths)))
	if filled == 0 && fraction > 0 {
		filled = 1
	}
	bar := strings.Repeat(cellOf(th.Glyphs.Eighths[eighths-1]), filled/eighths)
	if part := filled % eighths; part > 0 {
		bar += cellOf(th.Glyphs.Eighths[part-1])
	}
	track := w - (filled+eighths-1)/eighths
	return th.Paint(role, bar) + th.Paint(theme.Muted, strings.Repeat(cellOf(th.Glyphs.Track), track))
}

// cellOf returns a glyph, a blank for those of the zero theme.
func cellOf(glyph string) string {
	if glyph == "" {
		return " "
	}
	return glyph
}
