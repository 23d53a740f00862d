// This file says in sentences what follows from the curve: how much load holds the SLO, and which levels stand out.

package curve

import (
	"strconv"

	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// curveWords are the lines beneath the chart, the most important first.
func curveWords(v *page.Frame, w int) []string {
	rows := [][]cell.Piece{reachWords(v)}
	if v.Shown.Duel != nil {
		rows = sideWords(v)
	}
	if pilot := pilotWords(v); pilot != nil && !v.Shows(partPilot) {
		rows = append(rows, pilot)
	}
	rows = append(rows, kneeWords(v), bestWords(v))
	lines := make([]string, len(rows))
	for i, pieces := range rows {
		pieces = cell.Lead(pieces, func(left []cell.Piece) bool { // an aside stands whole or not at all
			return len(left) == 1 || left[len(left)-1].Role != theme.Muted || cell.Inset+cell.WidthOf(left) <= w
		})
		lines[i] = cell.NewLine(v.Theme, w).Skip(cell.Inset).Pieces(pieces).String()
	}
	return lines
}

// sloReach is how far up the levels the SLO holds.
func sloReach(v *page.Frame) slo.Reach {
	verdicts := make([]slo.Verdict, len(v.Shown.Curve))
	for i := range verdicts {
		verdicts[i] = v.Shown.Verdict(v.Shown.Curve[i].Summary).Verdict
	}
	return slo.NewReach(verdicts)
}

// reachWords answers how much load holds the SLO, and what binds beyond it.
func reachWords(v *page.Frame) []cell.Piece {
	k, g := &v.Shown.Knobs, &v.Theme.Glyphs
	if !k.SLO.Active() {
		return []cell.Piece{cell.Muted("SLO: none is set; :slo fit takes one from the present stage")}
	}
	r := sloReach(v)
	switch {
	case r.Held < 0 && r.Missed < 0 && r.Unknown < 0:
		return []cell.Piece{cell.Muted("SLO: no level has been judged yet")}
	case r.Held < 0 && r.Missed < 0:
		p := &v.Shown.Curve[r.Unknown]
		return []cell.Piece{cell.Muted("SLO: not yet known: " + figure.LevelName(*k, p.Level) + " " + v.Shown.Verdict(p.Summary).Why)}
	}
	var out []cell.Piece
	switch {
	case r.Held < 0 && r.Unknown >= 0 && r.Unknown < r.Missed:
		p := &v.Shown.Curve[r.Unknown]
		out = []cell.Piece{cell.Muted("SLO: not yet known: " + figure.LevelName(*k, p.Level) + " " + v.Shown.Verdict(p.Summary).Why)}
	case r.Held < 0:
		out = []cell.Piece{cell.Bad(g.Cross + " SLO holds at no level")}
	default:
		p := &v.Shown.Curve[r.Held]
		out = []cell.Piece{cell.Good(g.Check + " SLO holds up to " + figure.LevelName(*k, p.Level)), cell.Muted(judgedText(v, p))}
		if r.Missed < 0 {
			return append(out, cell.Text(", the highest so far"))
		}
	}
	p := &v.Shown.Curve[r.Missed]
	beyond := figure.LevelName(*k, p.Level)
	switch binding := p.Summary.Score.Binding(k.SLO); binding {
	case "":
	case slo.Errors:
		beyond += ": errors"
	default:
		beyond += " misses " + binding
	}
	out = append(out, cell.Text("; "), cell.Bad(g.Cross+" "+beyond), cell.Muted(judgedText(v, p)))
	if r.Above >= 0 {
		out = append(out, cell.Text(", though "+figure.LevelName(*k, v.Shown.Curve[r.Above].Level)+" held"))
	}
	return out
}

// judgedText is the attainment of a point and the requests behind it: " (99.2 %, n=412)".
func judgedText(v *page.Frame, p *stage.Point) string {
	share, _ := p.Summary.Score.Attainment(v.Shown.Knobs.SLO)
	return " (" + cell.RoundDown(share).String() + ", n=" + cell.Grouped(int64(p.N)) + ")"
}

// kneeWords name the point from which on latency is paid for little throughput, or say why there is none.
func kneeWords(v *page.Frame) []cell.Piece {
	const needed = 4 // as stage.Curve.Knee asks for
	s := v.Shown
	at, ok := s.Curve.Knee()
	if !ok {
		settled := 0
		for i := range s.Curve {
			if s.Curve[i].Settled {
				settled++
			}
		}
		if settled < needed {
			return []cell.Piece{cell.Muted("knee: needs 4 settled points, there are " + strconv.Itoa(settled))}
		}
		return []cell.Piece{cell.Muted("knee: none; throughput and latency rise evenly so far")}
	}
	p := &s.Curve[at]
	return append([]cell.Piece{
		cell.Title("knee " + figure.LevelName(s.Knobs, p.Level)),
		cell.Muted(": "),
		cell.Text(figure.Approximate(v.Shown, cell.Rate(p.Summary.Throughput.Output))),
		cell.Muted(" tok/s, TTFT p95 "),
	}, figure.LatencyCell(&p.Summary.TTFT, 0.95)...)
}

// bestWords name the point of the highest goodput.
func bestWords(v *page.Frame) []cell.Piece {
	s := v.Shown
	best, ok := s.Best()
	switch {
	case !s.Knobs.SLO.Active():
		return []cell.Piece{cell.Muted("best goodput: n/a, since no SLO is set")}
	case !ok:
		return []cell.Piece{cell.Muted("best goodput: no level has held yet")}
	}
	out := []cell.Piece{
		cell.Title("best goodput " + figure.LevelName(s.Knobs, s.Curve[best.Index].Level)),
		cell.Muted(": "),
		cell.Text(cell.Rate(best.Goodput)),
		cell.Muted(" req/s (n=" + cell.Grouped(int64(best.N)) + ")"),
	}
	if !best.Clear {
		out = append(out, cell.Muted(", within noise of a neighbour"))
	}
	return out
}
