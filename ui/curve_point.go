// This file draws the chosen point of the curve: all its figures, and how far its percentiles can be trusted.

package ui

import (
	"strconv"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/engine/stage"
	"tokdyno/ui/theme"
)

// pointRows is how many lines the figures of a point take.
const pointRows = 18

// pointPanel shows the point under the cursor.
func (p *curvePage) pointPanel(v *Frame) panel {
	s := v.shown
	at, ok := p.chosen(s)
	if !ok {
		t := titled("Level")
		t.body = func(w, h int) []string { return centred(v.th, w, h, "no level yet") }
		return t
	}
	point := &s.Curve[at]
	t := titled(levelName(s.Knobs, point.Level))
	switch now, known := presentPoint(s); {
	case known && now == at:
		t.aside = []piece{{theme.Good, v.th.Glyphs.Run + " the present level"}}
	default:
		t.aside = []piece{{theme.Key, "enter"}, {theme.Muted, " puts the load here"}}
	}
	if !point.Settled {
		t.coda = []piece{{theme.Warn, "settling"}}
	}
	t.foot = []piece{{theme.Muted, stagesText(point.Stages)}}
	t.body = func(w, h int) []string {
		lines := quantileLines(v, p, point, w)
		lines = append(lines, blank(w))
		return append(lines, pointLines(v, point, w)...)
	}
	return t
}

// stagesText names the stages that are pooled in a point, the newest where there are many.
func stagesText(stages []int) string {
	const most = 4
	if len(stages) == 1 {
		return "stage " + strconv.Itoa(stages[0])
	}
	var names []string
	for _, n := range last(stages, most) {
		names = append(names, strconv.Itoa(n))
	}
	text := "stages " + strings.Join(names, ", ")
	if more := len(stages) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " before"
	}
	return text
}

// The columns of the percentiles: where their values end, and where their intervals begin.
const (
	quantileEnd = 24
	boundsAt    = 27
)

// quantileLines are the percentiles, each with its interval.
func quantileLines(v *Frame, p *curvePage, point *stage.Point, w int) []string {
	head := newLine(v.th, w).skip(inset).put(theme.Muted, "n=").put(theme.Text, grouped(int64(point.N)))
	lines := []string{head.to(boundsAt).put(theme.Muted, "95 % sure").String()}
	for _, latency := range []struct {
		name   string
		metric slo.Metric
	}{{"TTFT", slo.TTFT}, {"TPOT", slo.TPOT}, {"E2E", slo.E2EL}} {
		d := latencyOf(point.Summary, latency.metric)
		for _, q := range boundedQuantiles() {
			l := newLine(v.th, w).skip(inset).put(theme.Text, latency.name+" p"+strconv.Itoa(int(100*q+0.5)))
			value := latencyCell(d, q)
			l.to(quantileEnd - pieceCells(value)).pieces(value)
			if d.N > 0 {
				l.to(boundsAt).pieces(p.bounds.words(v, latency.metric, q))
			}
			lines = append(lines, l.String())
		}
	}
	return lines
}

// pointLines are what the SLO makes of a point, and its rates.
func pointLines(v *Frame, point *stage.Point, w int) []string {
	row := engine.StageRow{Summary: point.Summary}
	verdict := newLine(v.th, w).skip(inset).put(theme.Text, "within SLO").skip(3)
	lines := []string{verdict.pieces(stageVerdict(v, &row)).String()}
	for _, name := range []string{"out tok/s", "goodput/s", "req/s", "failed"} {
		for _, c := range stageColumns() {
			if c.name != name {
				continue
			}
			value := c.cell(v, &row)
			l := newLine(v.th, w).skip(inset).put(theme.Text, name)
			lines = append(lines, l.to(quantileEnd-pieceCells(value)).pieces(value).String())
		}
	}
	if trade, ok := tradeOf(v, point); ok {
		name := "tok/s per GPU"
		if gpusBehind(v.shown) == 0 {
			name = "tok/s in total"
		}
		lines = append(lines, tradeLine(v, "tok/s per user", trade.PerUser, w), tradeLine(v, name, trade.PerGPU, w))
	}
	return lines
}

func tradeLine(v *Frame, name string, perSecond float64, w int) string {
	l := newLine(v.th, w).skip(inset).put(theme.Text, name)
	return l.flush(quantileEnd, theme.Text, approximate(v.shown, rate(perSecond))).String()
}

// tradeOf is the place of a point between what a user gets and what the machine gives.
func tradeOf(v *Frame, point *stage.Point) (stage.Trade, bool) {
	for _, t := range v.shown.Curve.Trades(gpusBehind(v.shown)) {
		if v.shown.Curve[t.Index].Level == point.Level {
			return t, true
		}
	}
	return stage.Trade{}, false
}
