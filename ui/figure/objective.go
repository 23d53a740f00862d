// This file is the objectives on the screen: how each stands, the worst first, and how they are set.

package figure

import (
	"cmp"
	"slices"

	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// WorstFirst returns the standings with those first that a person should look at: what misses its target, then what is
// over its limit now, then what has least of its budget left. What has no verdict comes last.
func WorstFirst(all []slo.Standing) []slo.Standing {
	rank := func(s *slo.Standing) int {
		switch overall := s.Overall().Verdict; {
		case overall == slo.Missed:
			return 0
		case s.Verdict == slo.Missed:
			return 1
		case overall == slo.Held:
			return 2
		}
		return 3
	}
	left := func(s *slo.Standing) float64 {
		share, ok := s.Budget()
		if !ok {
			return 1
		}
		return share
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b slo.Standing) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(left(&a), left(&b)))
	})
	return sorted
}

// ObjectiveVerdict is the verdict of the latest second, as glyph, word and colour; grey while the load settles.
func ObjectiveVerdict(v *page.Frame, s *slo.Standing) cell.Piece {
	verdict, word := s.Verdict, string(s.Verdict)
	_, down := v.Shown.Down()
	switch {
	case down:
		verdict, word = slo.Unknown, "down"
	case v.Shown.Stage.Settling:
		verdict, word = slo.Unknown, "settling"
	case verdict == slo.Unknown:
		word = CountOf(s.Latest.N, s.Objective.Needed())
	}
	role, sign := Sign(v.Theme, verdict)
	return cell.In(role, sign+" "+word)
}

// ObjectiveValue is what the latest second compared with the limit.
func ObjectiveValue(s *slo.Standing) []cell.Piece {
	switch {
	case s.Latest.N == 0:
		return cell.NA()
	case s.Objective.Metric == slo.ErrorRate:
		return cell.Plain(cell.RoundUp(s.Latest.Errors).String())
	}
	return cell.Plain(cell.Latency(s.Latest.Latency).String())
}

// StandingPieces are how an objective stands so far: its attainment against the target, and the budget that is left.
func StandingPieces(v *page.Frame, s *slo.Standing) []cell.Piece {
	share, ok := s.Attainment()
	if !ok {
		return []cell.Piece{cell.Muted("no verdict yet")}
	}
	role := theme.Good
	if s.Overall().Verdict == slo.Missed {
		role = theme.Bad
	}
	out := []cell.Piece{
		cell.Muted("so far "),
		cell.In(role, cell.RoundDown(share).String()),
		cell.Muted(" " + v.Theme.Glyphs.AtLeast + cell.PercentExactly(s.Objective.Target)),
	}
	left, ok := s.Budget()
	switch {
	case !ok:
		return out
	case left <= 0:
		return append(out, cell.Bad("  budget spent"))
	}
	return append(out, cell.Muted("  budget left "), cell.Text(cell.RoundDown(left).String()))
}
