// This file draws the chosen point of the curve: all its figures, and how far its percentiles can be trusted.

package curve

import (
	"strconv"
	"strings"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// pointRows is how many lines the figures of a point take.
func pointRows(s *snapshot.Snapshot) int {
	const rows = 18
	if figure.Reasoned(s) {
		return rows + len(boundedQuantiles())
	}
	return rows
}

// pointPanel shows the point under the cursor.
func (p *Page) pointPanel(v *page.Frame) cell.Panel {
	s := v.Shown
	at, ok := p.chosen(s)
	if !ok {
		t := cell.Titled("Level")
		t.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, "no level yet") }
		return t
	}
	point := &s.Curve[at]
	t := cell.Titled(figure.LevelName(s.Knobs, point.Level))
	switch now, known := presentPoint(s); {
	case known && now == at:
		t.Aside = []cell.Piece{cell.Good(v.Theme.Glyphs.Run + " current level")}
	default:
		t.Aside = []cell.Piece{cell.Key("enter"), cell.Muted(" puts the load here")}
	}
	if !point.Settled {
		t.Coda = []cell.Piece{cell.Warn("settling")}
	}
	t.Foot = []cell.Piece{cell.Muted(stagesText(point.Stages))}
	if point.EarlierDiffer {
		t.Foot = append(t.Foot, cell.Muted("; "), cell.Warn("earlier stages differ"))
	}
	t.Body = func(w, h int) []string {
		lines := quantileLines(v, p, point, w)
		lines = append(lines, cell.Blank(w))
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
	for _, n := range cell.Last(stages, most) {
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
func quantileLines(v *page.Frame, p *Page, point *stage.Point, w int) []string {
	head := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "n=").Put(theme.Text, cell.Grouped(int64(point.N)))
	lines := []string{head.To(boundsAt).Put(theme.Muted, "95 % interval").String()}
	for _, latency := range []struct {
		name   string
		metric slo.Metric
	}{{"TTFT", slo.TTFT}, {"TTFA", slo.TTFA}, {"TPOT", slo.TPOT}, {"E2EL", slo.E2EL}} {
		if latency.metric == slo.TTFA && point.Summary.Reasoned == 0 {
			continue
		}
		d := figure.LatencyOf(point.Summary, latency.metric)
		for _, q := range boundedQuantiles() {
			l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Text, latency.name+" p"+strconv.Itoa(int(100*q+0.5)))
			value := figure.LatencyCell(d, q)
			l.To(quantileEnd - cell.WidthOf(value)).Pieces(value)
			if d.N > 0 {
				l.To(boundsAt).Pieces(p.bounds.words(v, latency.metric, q))
			}
			lines = append(lines, l.String())
		}
	}
	return lines
}

// pointLines are what the SLO makes of a point, and its rates.
func pointLines(v *page.Frame, point *stage.Point, w int) []string {
	row := snapshot.StageRow{Summary: point.Summary}
	verdict := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Text, "within SLO").Skip(3)
	lines := []string{verdict.Pieces(figure.Verdict(v, &row)).String()}
	for _, name := range []string{"out tok/s", "goodput/s", "req/s", "failed"} {
		for _, c := range figure.Columns(v.Shown) {
			if c.Name != name {
				continue
			}
			value := c.Cell(v, &row)
			l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Text, name)
			lines = append(lines, l.To(quantileEnd-cell.WidthOf(value)).Pieces(value).String())
		}
	}
	if trade, ok := tradeOf(v, point); ok {
		name := "tok/s per GPU"
		if gpusBehind(v.Shown) == 0 {
			name = "tok/s in total"
		}
		lines = append(lines, tradeLine(v, "tok/s per user", trade.PerUser, w), tradeLine(v, name, trade.PerGPU, w))
	}
	return lines
}

func tradeLine(v *page.Frame, name string, perSecond float64, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Text, name)
	return l.Flush(quantileEnd, theme.Text, figure.Approximate(v.Shown, cell.Rate(perSecond))).String()
}

// tradeOf is the place of a point between what a user gets and what the machine gives.
func tradeOf(v *page.Frame, point *stage.Point) (stage.Trade, bool) {
	for _, t := range v.Shown.Curve.Trades(gpusBehind(v.Shown)) {
		if v.Shown.Curve[t.Index].Level == point.Level {
			return t, true
		}
	}
	return stage.Trade{}, false
}
