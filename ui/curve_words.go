// This file says in sentences what follows from the curve: how much load holds the SLO, and which levels stand out.

package ui

import (
	"strconv"

	"tokdyno/engine/stage"
	"tokdyno/ui/theme"
)

// curveWords are the lines beneath the chart, the most important first.
func curveWords(v *Frame, w int) []string {
	rows := [][]piece{reachWords(v)}
	if pilot := pilotWords(v); pilot != nil && !v.shows(partPilot) {
		rows = append(rows, pilot)
	}
	rows = append(rows, kneeWords(v), bestWords(v))
	lines := make([]string, len(rows))
	for i, pieces := range rows {
		for len(pieces) > 1 && pieces[len(pieces)-1].role == theme.Muted && inset+pieceCells(pieces) > w {
			pieces = pieces[:len(pieces)-1] // an aside stands whole or not at all
		}
		lines[i] = newLine(v.th, w).skip(inset).pieces(pieces).String()
	}
	return lines
}

// reach is how far up the levels an SLO holds.
type reach struct {
	held   int // index of the highest level that held, below any that missed; -1: none did
	missed int // index of the lowest that missed; -1: none did
}

// sloReach looks at the settled points whose attainment is known.
func sloReach(v *Frame) reach {
	k := &v.shown.Knobs
	r := reach{-1, -1}
	for i := range v.shown.Curve {
		p := &v.shown.Curve[i]
		share, ok := p.Summary.Score.Attainment(k.SLO)
		if !p.Settled || !ok {
			continue
		}
		if share < k.Target {
			r.missed = i
			break
		}
		r.held = i
	}
	return r
}

// reachWords answers how much load holds the SLO, and what binds beyond it.
func reachWords(v *Frame) []piece {
	k, g := &v.shown.Knobs, &v.th.Glyphs
	if !k.SLO.Active() {
		return []piece{{theme.Muted, "SLO: none is set; :slo fit takes one from the present stage"}}
	}
	r := sloReach(v)
	if r.held < 0 && r.missed < 0 {
		return []piece{{theme.Muted, "SLO: no settled level has been judged yet"}}
	}
	var out []piece
	switch {
	case r.held < 0:
		out = []piece{{theme.Bad, g.Cross + " SLO holds at no level"}}
	default:
		p := &v.shown.Curve[r.held]
		out = []piece{{theme.Good, g.Check + " SLO holds up to " + levelName(*k, p.Level)}, {theme.Muted, judgedText(v, p)}}
		if r.missed < 0 {
			return append(out, piece{theme.Text, ", the highest so far"})
		}
	}
	p := &v.shown.Curve[r.missed]
	beyond := levelName(*k, p.Level)
	if binding := p.Summary.Score.Binding(k.SLO); binding != "" {
		beyond += ": " + binding + " binds"
	}
	return append(out, piece{theme.Text, "; "}, piece{theme.Bad, g.Cross + " " + beyond}, piece{theme.Muted, judgedText(v, p)})
}

// judgedText is the attainment of a point and the requests behind it: " (99.2 %, n=412)".
func judgedText(v *Frame, p *stage.Point) string {
	share, _ := p.Summary.Score.Attainment(v.shown.Knobs.SLO)
	return " (" + held(share).String() + ", n=" + grouped(int64(p.N)) + ")"
}

// kneeWords name the point from which on latency is paid for little throughput, or say why there is none.
func kneeWords(v *Frame) []piece {
	const needed = 4 // as stage.Curve.Knee asks for
	s := v.shown
	at, ok := s.Curve.Knee()
	if !ok {
		settled := 0
		for i := range s.Curve {
			if s.Curve[i].Settled {
				settled++
			}
		}
		if settled < needed {
			return []piece{{theme.Muted, "knee: needs 4 settled points, there are " + strconv.Itoa(settled)}}
		}
		return []piece{{theme.Muted, "knee: none; throughput and latency rise evenly so far"}}
	}
	p := &s.Curve[at]
	return append([]piece{
		{theme.Title, "knee " + levelName(s.Knobs, p.Level)},
		{theme.Muted, ": "},
		{theme.Text, approximate(v.shown, rate(p.Summary.Throughput.Output))},
		{theme.Muted, " tok/s, TTFT p95 "},
	}, latencyCell(&p.Summary.TTFT, 0.95)...)
}

// bestWords name the point of the highest goodput.
func bestWords(v *Frame) []piece {
	s := v.shown
	best, ok := s.Curve.BestGoodput()
	switch {
	case !s.Knobs.SLO.Active():
		return []piece{{theme.Muted, "best goodput: n/a, since no SLO is set"}}
	case !ok:
		return []piece{{theme.Muted, "best goodput: no settled level has any yet"}}
	}
	out := []piece{
		{theme.Title, "best goodput " + levelName(s.Knobs, s.Curve[best.Index].Level)},
		{theme.Muted, ": "},
		{theme.Text, rate(best.Goodput)},
		{theme.Muted, " req/s (n=" + grouped(int64(best.N)) + ")"},
	}
	if !best.Clear {
		out = append(out, piece{theme.Muted, ", within noise of a neighbour"})
	}
	return out
}
