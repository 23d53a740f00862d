// This file is the panels of throughput: requests, input, output and total, each under its own name.

package live

import (
	"fmt"

	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// rateRow is one rate.
type rateRow struct {
	name, number, unit string
}

func rateRows(v *page.Frame) []rateRow {
	live := &v.Shown.Live
	rows := []rateRow{
		{"requests", cell.Unknown, "req/s"},
		{"input", cell.Unknown, "tok/s"},
		{"output", cell.Unknown, "tok/s"},
		{"total", cell.Unknown, "tok/s"},
		{"goodput", cell.Unknown, "req/s"},
		{"per user", cell.Unknown, "tok/s"},
	}
	if live.Spans > 0 {
		t := &live.Throughput
		rows[0].number = cell.Rate(t.Requests)
		rows[1].number = figure.Approximate(v.Shown, cell.Rate(figure.InputRate(t)))
		rows[2].number = figure.Approximate(v.Shown, cell.Rate(t.Output))
		rows[3].number = figure.Approximate(v.Shown, cell.Rate(figure.TotalRate(t)))
	}
	if live.GoodputKnown {
		rows[4].number = cell.Rate(live.Goodput)
	}
	if live.TPOT.N > 0 && live.TPOT.Mean > 0 {
		rows[5].number = figure.Approximate(v.Shown, cell.Rate(1/live.TPOT.Mean.Seconds()))
	}
	return rows
}

// ratesPanel lists the rates, as many as there is room for.
func ratesPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("Throughput")
	p.Aside = []cell.Piece{cell.Muted(cell.WindowName(v.Shown.Knobs.Window))}
	p.Coda = answerPieces(v)
	p.Body = func(w, h int) []string {
		var lines []string
		for _, r := range rateRows(v) {
			lines = append(lines, rateLine(v, r, w))
		}
		return lines
	}
	return p
}

// answerPieces warn that answers are not as long as was asked for, so that throughput is of another load; nothing where they
// are.
func answerPieces(v *page.Frame) []cell.Piece {
	a := &v.Shown.Answers
	if !a.Amiss() {
		return nil
	}
	return []cell.Piece{cell.Warn(fmt.Sprintf("%s answers %.0f of %.0f", v.Theme.Glyphs.Alert, a.Achieved, a.Asked))}
}

func rateLine(v *page.Frame, r rateRow, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(1).Put(theme.Text, r.name)
	role := theme.Title
	if r.number == cell.Unknown {
		role = theme.Muted
	}
	return l.Flush(min(20, w-7), role, r.number).Skip(1).Put(theme.Muted, r.unit).String()
}

// throughputRows is how many lines of rates stand above the chart in the panel of throughput.
const throughputRows = 2

// throughputPanel shows the rates in two columns, and the output below over time; picked points at one of its points, nil at none.
func throughputPanel(v *page.Frame, sc *scales, picked *pick) cell.Panel {
	p := cell.Titled("Throughput")
	p.Aside = append([]cell.Piece{cell.Muted("output tok/s  ")}, legend(v, partOutput)...)
	p.Coda = answerPieces(v)
	p.Body = func(w, h int) []string {
		rows := rateRows(v)[:2*throughputRows]
		var lines []string
		for i := 0; i < len(rows) && len(lines) < h; i += 2 {
			l := cell.NewLine(v.Theme, w)
			l.Painted(rateLine(v, rows[i], w/2), w/2)
			l.Painted(rateLine(v, rows[i+1], w-w/2), w-w/2)
			lines = append(lines, l.String())
		}
		const leastChart = 3
		if rest := h - len(lines); rest >= leastChart {
			lines = append(lines, chartLines(v, sc, partOutput, picked, w, rest)...)
		}
		return lines
	}
	return p
}
