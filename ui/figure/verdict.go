// This file writes verdicts: the judge's answer as glyph, colour and number, the same on every page.

package figure

import (
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// Sign is the glyph and the colour of a verdict.
func Sign(th *theme.Theme, v slo.Verdict) (theme.Role, string) {
	switch v {
	case slo.Held:
		return theme.Good, th.Glyphs.Check
	case slo.Missed:
		return theme.Bad, th.Glyphs.Cross
	}
	return theme.Muted, th.Glyphs.Ellipsis
}

// Judged is a verdict with the share behind it, "✓ 99.2 %", or why it is not yet known, "… 12 of 100"; n/a where nothing is
// asked for.
func Judged(th *theme.Theme, j slo.Judgement) []cell.Piece {
	if j.Verdict == slo.NoVerdict {
		return cell.NA()
	}
	role, sign := Sign(th, j.Verdict)
	if j.Verdict == slo.Unknown {
		return []cell.Piece{cell.In(role, sign+" "+j.Why)}
	}
	share, _ := j.Share()
	return []cell.Piece{cell.In(role, sign+" "+cell.RoundDown(share).String())}
}

// CountOf says how many requests were judged of those that are needed: "12 of 100".
func CountOf(n, needed int) string {
	return cell.Grouped(int64(n)) + " of " + cell.Grouped(int64(needed))
}
