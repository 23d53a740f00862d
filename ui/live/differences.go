// This file is the lines of what the sides of a duel differ by.

package live

import (
	"math"
	"slices"
	"strconv"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// differenceLines are what each of the others differs by from A, a line each: first what is known to differ.
func differenceLines(v *page.Frame, w, h int) []string {
	d := v.Shown.Duel
	var lines []string
	for i := range d.Sides[1:] {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Pieces(figure.SideMark(&v.Theme.Glyphs, i+1)).Skip(2)
		switch {
		case d.Unlike != "":
			l.Put(theme.Warn, cell.FitGlyphs("not compared: "+d.Unlike, &v.Theme.Glyphs))
		case i >= len(d.Looks):
			l.Put(theme.Muted, firstLook(d))
		default:
			look := &d.Looks[i]
			end := cell.Muted("after " + compare.Length(min(look.SecondsA, look.SecondsB)))
			room := l.Room() - cell.Width(end.Text) - 2
			for _, group := range cell.Fill(differences(v, look), room, func(g *[]cell.Piece) int { return cell.WidthOf(*g) }) {
				l.Pieces(group)
			}
			l.Pieces([]cell.Piece{end})
		}
		lines = append(lines, l.String())
	}
	return cell.Fitted(lines, w, h)
}

// firstLook says when a side is compared with A for the first time, as far as that is known.
func firstLook(d *snapshot.Duel) string {
	if d.NextLook <= 0 {
		return "not yet compared with A"
	}
	whole := func(t time.Duration) string { return strconv.Itoa(int(math.Ceil(t.Seconds()))) + " s" }
	return "compared with A for the first time once " + whole(d.NextLook) + " are measured of each: " +
		strconv.Itoa(int(d.Measured.Seconds())) + " s so far"
}

// differences are those of a look in words: "TTFT p95 −18 % [−24, −11] ✓ better".
func differences(v *page.Frame, look *compare.Look) [][]cell.Piece {
	g := &v.Theme.Glyphs
	rank := func(d *compare.Difference) int {
		place := slices.Index([]string{"ttft_p95", "goodput_s", "attainment", "output_tok_s", "tpot_p95", "e2el_p95"}, d.Metric)
		if place < 0 {
			place = 9
		}
		if d.Answer != compare.Better && d.Answer != compare.Worse {
			place += 20
		}
		return place
	}
	var list []*compare.Difference
	for i := range look.Differences {
		if d := &look.Differences[i]; d.Answer != compare.Absent && d.Change != nil {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *compare.Difference) int { return rank(a) - rank(b) })
	var groups [][]cell.Piece
	for _, d := range list {
		unit := "%"
		if d.Unit == "" {
			unit = "pt"
		}
		group := []cell.Piece{cell.Text(d.Title + " "), cell.Title(cell.FitGlyphs(cell.SignedShare(*d.Change), g) + " " + unit)}
		if d.Low != nil || d.High != nil {
			group = append(group, cell.Muted(cell.FitGlyphs(" ["+bound(d.Low)+", "+bound(d.High)+"]", g)))
		}
		group = append(group, cell.Text(" "))
		switch d.Answer {
		case compare.Better:
			group = append(group, cell.Good(g.Check+" better"))
		case compare.Worse:
			group = append(group, cell.Bad(g.Cross+" worse"))
		case compare.Same:
			group = append(group, cell.Muted("= same"))
		default:
			group = append(group, cell.Muted("? "+d.String()))
		}
		groups = append(groups, append(group, cell.Text("  ")))
	}
	return groups
}

// bound writes a bound of an interval; "?" where it may be anything.
func bound(v *float64) string {
	if v == nil {
		return "?"
	}
	return cell.SignedShare(*v)
}
