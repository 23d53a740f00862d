// This file is the objectives on the screen: how each stands, the worst first, and how they are set.

package ui

import (
	"cmp"
	"slices"

	"tokdyno/engine/slo"
	"tokdyno/ui/theme"
)

// worstFirst returns the standings with those first that a person should look at: what misses its target, then what is
// over its limit now, then what has least of its budget left. What has no verdict comes last.
func worstFirst(all []slo.Standing) []slo.Standing {
	rank := func(s *slo.Standing) int {
		met, judged := s.Met()
		switch {
		case judged && !met:
			return 0
		case s.Verdict == slo.Over:
			return 1
		case judged:
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

// objectiveVerdict is the verdict of the latest second, as glyph, word and colour.
func objectiveVerdict(v *Frame, s *slo.Standing) piece {
	g := &v.th.Glyphs
	switch s.Verdict {
	case slo.Held:
		return piece{theme.Good, g.Check + " held"}
	case slo.Over:
		return piece{theme.Bad, g.Cross + " over"}
	}
	return piece{theme.Muted, unknown}
}

// objectiveValue is what the latest second compared with the limit.
func objectiveValue(s *slo.Standing) []piece {
	switch {
	case s.Latest.N == 0:
		return unknownCell()
	case s.Objective.Metric == slo.ErrorRate:
		return plainCell(lost(s.Latest.Errors).String())
	}
	return plainCell(latency(s.Latest.Latency).String())
}

// standingPieces are how an objective stands so far: its attainment against the target, and the budget that is left.
func standingPieces(v *Frame, s *slo.Standing) []piece {
	share, ok := s.Attainment()
	if !ok {
		return []piece{{theme.Muted, "no verdict yet"}}
	}
	role := theme.Good
	if met, _ := s.Met(); !met {
		role = theme.Bad
	}
	out := []piece{
		{theme.Muted, "so far "},
		{role, held(share).String()},
		{theme.Muted, " " + v.th.Glyphs.AtLeast + percentExactly(s.Objective.Target)},
	}
	left, ok := s.Budget()
	switch {
	case !ok:
		return out
	case left <= 0:
		return append(out, piece{theme.Bad, "  budget spent"})
	}
	return append(out, piece{theme.Muted, "  budget left "}, piece{theme.Text, held(left).String()})
}

// objectiveRows is how many lines objectives get on the Live page.
func (a *liveLayout) objectiveRows() int {
	switch a.class {
	case compact:
		return min(a.objectives, 1)
	case standard:
		return min(a.objectives, 2)
	}
	return min(a.objectives, 4)
}

// objectiveLines are the worst objectives, a line each; the last line says how many more there are.
func objectiveLines(v *Frame, w, h int) []string {
	all := worstFirst(v.shown.Objectives)
	var lines []string
	for i := range all[:min(h, len(all))] {
		s := &all[i]
		l := newLine(v.th, w).skip(inset).pieces([]piece{objectiveVerdict(v, s), {theme.Muted, "  "}})
		l.put(theme.Text, own(s.Objective.Short(), &v.th.Glyphs)).put(theme.Muted, " over "+span(s.Objective.Window)+"  now ")
		l.pieces(objectiveValue(s)).skip(2)
		more := []piece{}
		if rest := len(all) - h; i == h-1 && rest > 0 {
			more = []piece{{theme.Muted, "  +" + grouped(int64(rest)) + " more"}}
		}
		standing := standingPieces(v, s)
		for len(standing) > 0 && pieceCells(standing)+pieceCells(more) > l.room() {
			standing = standing[:len(standing)-1]
		}
		lines = append(lines, l.pieces(standing).pieces(more).String())
	}
	return fitted(lines, w, h)
}
