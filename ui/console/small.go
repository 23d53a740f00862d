// This file is what a screen shows that is too small for a page: where the run stands, the SLO, TTFT, output, and the way out.

package console

import (
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/theme"
)

// fact is a line of a small screen.
type fact struct {
	name  string
	value []cell.Piece
}

// small draws as many of the facts as there are lines for, the most important first.
func (v *screen) small() []string {
	s := v.Shown
	quit := []cell.Piece{cell.Key("q"), cell.Muted(" quit")}
	head := cell.NewLine(v.Theme, v.W).Pieces([]cell.Piece{v.state()})
	fits := func(text string) bool { return head.Room() >= cell.Width(text)+cell.WidthOf(quit)+2 }
	if s.Simulated {
		mark := "SIMULATED"
		if !fits(mark) {
			mark = "SIM"
		}
		head.Skip(1).Put(theme.Simulated, mark)
	}
	if clock := cell.Clock(s.Elapsed); fits(clock) {
		head.Skip(1).Put(theme.Muted, clock)
	}
	if head.Room() > cell.WidthOf(quit) {
		head.To(v.W - cell.WidthOf(quit)).Pieces(quit)
	}
	lines := []string{head.String()}
	for _, f := range v.facts() {
		l := cell.NewLine(v.Theme, v.W).Put(theme.Muted, f.name)
		if at := v.W - cell.WidthOf(f.value); at > l.At {
			l.To(min(at, max(l.At+1, 10)))
		}
		lines = append(lines, l.Pieces(f.value).String())
	}
	lines = cell.Fitted(lines, v.W, v.H)
	if v.context.layer == onPrompt {
		lines[v.H-1] = v.promptLine(v.W)
	}
	return lines
}

// facts are what there is room for on a small screen.
func (v *screen) facts() []fact {
	s := v.Shown
	live := &s.Live
	out := []cell.Piece{cell.Muted(cell.Unknown)}
	if live.Spans > 0 {
		out = []cell.Piece{cell.Title(figure.Approximate(s, cell.Rate(live.Throughput.Output)))}
	}
	latency := func(d *stats.Distribution) []cell.Piece { return figure.LatencyCell(d, 0.95) }
	list := []fact{
		{"SLO", figure.Judged(v.Theme, s.Verdict(live))},
		{"TTFT p95", latency(&live.TTFT)},
		{"tok/s", out},
		{"TPOT p95", latency(figure.LatencyOf(live, slo.TPOT))},
		{"load", cell.Plain(cell.SanitiseColumns(figure.LoadPoint(s.Knobs), &v.Theme.Glyphs))},
	}
	if s.Counts.Failed > 0 {
		list = append(list, fact{"failed", []cell.Piece{cell.Bad(cell.Grouped(int64(s.Counts.Failed)))}})
	}
	return append(list, fact{"", []cell.Piece{cell.Muted(cell.FitGlyphs("pages need 60×16", &v.Theme.Glyphs))}})
}
