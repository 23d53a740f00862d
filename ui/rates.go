// This file is the panels of throughput: requests, input, output and total, each under its own name.

package ui

import (
	"math"

	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// rateRow is one rate.
type rateRow struct {
	name, number, unit string
}

func rateRows(v *Frame) []rateRow {
	live := &v.shown.Live
	rows := []rateRow{
		{"requests", unknown, "req/s"},
		{"input", unknown, "tok/s"},
		{"output", unknown, "tok/s"},
		{"total", unknown, "tok/s"},
		{"goodput", unknown, "req/s"},
		{"per user", unknown, "tok/s"},
	}
	if live.Spans > 0 {
		t := &live.Throughput
		rows[0].number = rate(t.Requests)
		rows[1].number = approximate(v.shown, rate(inputRate(t)))
		rows[2].number = approximate(v.shown, rate(t.Output))
		rows[3].number = approximate(v.shown, rate(totalRate(t)))
	}
	if live.GoodputKnown {
		rows[4].number = rate(live.Goodput)
	}
	if live.TPOT.N > 0 && live.TPOT.Mean > 0 {
		rows[5].number = approximate(v.shown, rate(1/live.TPOT.Mean.Seconds()))
	}
	return rows
}

// ratesPanel lists the rates, as many as there is room for.
func ratesPanel(v *Frame) panel {
	p := titled("Throughput")
	p.aside = []piece{{theme.Muted, windowName(v.shown.Knobs.Window)}}
	p.body = func(w, h int) []string {
		var lines []string
		for _, r := range rateRows(v) {
			lines = append(lines, rateLine(v, r, w))
		}
		return lines
	}
	return p
}

func rateLine(v *Frame, r rateRow, w int) string {
	l := newLine(v.th, w).skip(1).put(theme.Text, r.name)
	role := theme.Title
	if r.number == unknown {
		role = theme.Muted
	}
	return l.flush(min(20, w-7), role, r.number).skip(1).put(theme.Muted, r.unit).String()
}

// throughputPanel shows the rates in two columns, and the output below over time.
func throughputPanel(v *Frame, sc *scales) panel {
	p := titled("Throughput")
	p.aside = append([]piece{{theme.Muted, "output tok/s  "}}, legend(v, partOutput)...)
	p.body = func(w, h int) []string {
		rows := rateRows(v)[:4]
		var lines []string
		for i := 0; i < len(rows) && len(lines) < h; i += 2 {
			l := newLine(v.th, w)
			l.painted(rateLine(v, rows[i], w/2), w/2)
			l.painted(rateLine(v, rows[i+1], w-w/2), w-w/2)
			lines = append(lines, l.String())
		}
		const leastChart = 3
		if rest := h - len(lines); rest >= leastChart {
			lines = append(lines, chartLines(v, sc, partOutput, w, rest)...)
		}
		return lines
	}
	return p
}

// inputRate is input tokens per second; NaN where the server does not count them and nothing stands in for its count.
func inputRate(t *stats.Throughput) float64 {
	if !t.InputKnown {
		return math.NaN()
	}
	return t.Input
}

// totalRate is input and output tokens per second; NaN where the input is unknown.
func totalRate(t *stats.Throughput) float64 { return inputRate(t) + t.Output }
