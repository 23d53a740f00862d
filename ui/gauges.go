// This file is the gauges: a number, what to make of it, and its trend; boxed, or one to a line.

package ui

import (
	"math"
	"slices"
	"strconv"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// sparkSeconds is what a sparkline shows.
const sparkSeconds = 60

// sparkReach is the most seconds that a sparkline can need: a group of seconds per cell may not divide a minute.
const sparkReach = 4 * sparkSeconds

// inset is how far text stands off a frame.
const inset = 1

// gauge is what there is to say of one figure.
type gauge struct {
	name   string
	figure figure
	few    bool      // too few samples for this percentile
	status [][]piece // what to make of it, the most important first; a group is shown whole or not at all
	foot   []piece   // what else to know: at the foot of the box
	alarm  []piece   // the foot where it can't wait: also in one line
	trend  []float64
	first  int // second of the run of trend[0]
	top    float64
	role   theme.Role
}

func gaugeOf(v *Frame, p part) gauge {
	switch p {
	case partGaugeTTFT:
		return gaugeTTFT(v)
	case partGaugeITL:
		return gaugeITL(v)
	case partGaugeOutput:
		return gaugeOutput(v)
	case partGaugeGoodput:
		return gaugeGoodput(v)
	}
	return gaugeInFlight(v)
}

func trending(v *Frame, g gauge, of func(*stats.Point) float64) gauge {
	points := last(v.shown.History, sparkReach)
	g.trend, g.first = series(points, of), second(points)
	return g
}

func gaugeTTFT(v *Frame) gauge {
	s := v.shown
	g := latencyGauge("TTFT p95", &s.Live.TTFT)
	g.status = verdict(v, s.Live.TTFT.P95, s.Live.TTFT.N, s.Knobs.SLO[slo.TTFT], "")
	if d := s.Live.TTFTFromSchedule; arriving(s.Knobs) && d.N > 0 {
		g.foot = []piece{{theme.Muted, "TTFT+lag "}, {theme.Text, latency(d.P95).String()}}
	} else {
		g.foot = median(v, &s.Live.TTFT)
	}
	return trending(v, g, ttftP95)
}

func gaugeITL(v *Frame) gauge {
	s := v.shown
	g := latencyGauge(gapName(v.shown)+" p95", &s.Live.ITL)
	if s.Live.ITLIsChunkGap() {
		// A chunk of several tokens may take longer than a token may.
		g.status = said(piece{theme.Warn, digits(s.Live.TokensPerChunk) + " tok/chunk"})
	} else {
		// The limit is one of requests, so it is TPOT that is held against it; a late token does not break it.
		g.status = verdict(v, s.Live.TPOT.P95, s.Live.TPOT.N, s.Knobs.SLO[slo.TPOT], "tpot ")
	}
	g.foot = median(v, &s.Live.ITL)
	return trending(v, g, itlP95)
}

func latencyGauge(name string, d *stats.Distribution) gauge {
	g := gauge{name: name, figure: figure{number: unknown}, role: theme.Series2}
	if d.N > 0 {
		g.figure, g.few = latency(d.P95), stats.Few(d.N, 0.95)
	}
	return g
}

func median(v *Frame, d *stats.Distribution) []piece {
	if d.N == 0 {
		return nil
	}
	return []piece{{theme.Muted, "p50 "}, {theme.Text, latency(d.P50).String()}}
}

// verdict compares a percentile with a limit. of names the figure where it is not the gauge's own.
func verdict(v *Frame, d time.Duration, n int, most time.Duration, of string) [][]piece {
	if most == 0 || n == 0 {
		return nil
	}
	g := &v.th.Glyphs
	role, sign := theme.Good, g.Check
	if d > most {
		role, sign = theme.Bad, g.Cross
	}
	return said(piece{theme.Muted, of}, piece{role, sign + " " + g.AtMost + limit(most)})
}

func gaugeOutput(v *Frame) gauge {
	s := v.shown
	g := gauge{name: "Output", figure: figure{unknown, "tok/s"}, role: theme.Series1}
	if s.Live.Spans > 0 {
		g.figure.number = approximate(v.shown, rate(s.Live.Throughput.Output))
		g.foot = []piece{
			{theme.Muted, "total "},
			{theme.Text, approximate(v.shown, rate(totalRate(&s.Live.Throughput)))},
			{theme.Muted, " tok/s"},
		}
	}
	if change, ok := drift(s.History, outputRate); ok {
		g.status = said(changed(v, change))
	}
	return trending(v, g, outputRate)
}

// changed writes a drift with its direction; one within the noise is said to be flat.
func changed(v *Frame, by float64) piece {
	const noise = 0.02
	g := &v.th.Glyphs
	amount := strconv.Itoa(int(math.Round(100*min(math.Abs(by), 9.99)))) + " %"
	switch {
	case by > noise:
		return piece{theme.Muted, g.Rising + " " + amount}
	case by < -noise:
		return piece{theme.Muted, g.Falling + " " + amount}
	}
	return piece{theme.Muted, "flat"}
}

func gaugeGoodput(v *Frame) gauge {
	s, g := v.shown, &v.th.Glyphs
	out := gauge{name: "Goodput", figure: figure{number: unknown}, role: theme.Series1, top: 100}
	criteria := s.Knobs.SLO
	share, ok := s.Live.Score.Attainment(criteria)
	switch {
	case !criteria.Active():
		out.status = said(piece{theme.Muted, "no SLO set"})
	case !ok:
		out.status = said(piece{theme.Muted, "none judged"})
	default:
		out.figure = held(share)
		role, sign := theme.Good, g.Check
		if share < s.Knobs.Target {
			role, sign = theme.Bad, g.Cross
		}
		out.status = said(piece{role, sign + " " + g.AtLeast + percentExactly(s.Knobs.Target)})
		if binding := s.Live.Score.Binding(criteria); binding != "" {
			out.status = append(out.status, []piece{{theme.Text, " " + binding}})
		}
	}
	if s.Live.GoodputKnown {
		out.foot = []piece{
			{theme.Text, rate(s.Live.Goodput)},
			{theme.Muted, " of "},
			{theme.Text, rate(s.Live.Throughput.Requests)},
			{theme.Muted, " req/s"},
		}
	}
	return trending(v, out, attained)
}

func percentExactly(fraction float64) string { return exactly(100*fraction) + " %" }

func gaugeInFlight(v *Frame) gauge {
	s := v.shown
	in := s.InFlight
	g := gauge{name: "In flight", figure: figure{number: grouped(int64(in.Total))}, role: theme.Series1}
	if most := meantInFlight(s.Knobs); most > 0 {
		g.figure.number += "/" + grouped(int64(most))
		g.top = float64(most)
	}
	if in.Waiting > 0 {
		g.status = [][]piece{
			{{theme.Text, grouped(int64(in.Waiting))}, {theme.Muted, " wait"}},
			{{theme.Text, " " + latency(in.OldestWait).String()}},
		}
	} else if in.Total > 0 {
		g.status = said(piece{theme.Muted, "all decoding"})
	}
	if s.Thinking > 0 { // conversations whose next turn is not due
		thinking := []piece{{theme.Text, " " + grouped(int64(s.Thinking))}, {theme.Muted, " think"}}
		g.status = slices.Insert(g.status, min(1, len(g.status)), thinking)
	}
	switch {
	case arriving(s.Knobs) && s.Backlog > 0:
		g.alarm = []piece{{theme.Warn, v.th.Glyphs.Alert + " backlog " + grouped(int64(s.Backlog))}}
		g.foot = g.alarm
	case arriving(s.Knobs):
		g.foot = []piece{{theme.Muted, "backlog 0"}}
	case in.Total > 0:
		g.foot = []piece{{theme.Muted, "oldest "}, {theme.Text, latency(in.Oldest).String()}}
	}
	return trending(v, g, inFlight)
}

// meantInFlight is the concurrency, or the open loop's cap; 0: no number in particular.
func meantInFlight(k engine.Knobs) int {
	if arriving(k) {
		return k.Load.MaxInFlight
	}
	return k.Load.Concurrency
}

// box draws the gauge in a frame.
func (g *gauge) box(w, h int, th *theme.Theme) []string {
	title := g.name
	if g.figure.unit == "tok/s" {
		title += " tok/s" // constant, so it stands in the heading and leaves the line to the number
	}
	p := titled(title)
	p.foot = g.foot
	p.body = func(w, h int) []string {
		lines := g.tallLines(w, h-1, th)
		if lines == nil {
			head := newLine(th, w).skip(inset).put(theme.Title, g.figure.number)
			g.putUnit(head)
			g.putStatus(head, 2)
			lines = fitted([]string{head.String()}, w, h-1)
		}
		return append(lines, blank(inset)+g.spark(w-2*inset, th)+blank(inset))
	}
	return p.render(w, h, th)
}

// putUnit writes the mark of few samples and the unit.
func (g *gauge) putUnit(l *line) {
	if g.few && g.figure.known() {
		l.put(theme.Warn, "*")
	}
	if unit := g.figure.unit; unit != "" && unit != "tok/s" {
		l.put(theme.Muted, " "+unit)
	}
}

// tallLines is the number in tall digits with its unit at the foot and the status beside it; nil where there is no room.
func (g *gauge) tallLines(w, h int, th *theme.Theme) []string {
	const beside = 7 // cells that the inset and the unit need
	digits, ok := tallNumber(g.figure.number)
	if !ok || h < tall || !th.Glyphs.Braille || cells(digits[0])+beside > w {
		return nil
	}
	var lines []string
	for i, d := range digits {
		l := newLine(th, w).skip(inset).put(theme.Title, d)
		switch i {
		case 0:
			g.putStatus(l, 3)
		case tall - 1:
			g.putUnit(l)
		}
		lines = append(lines, l.String())
	}
	return fitted(lines, w, h)
}

// said returns a status of pieces that can each stand without those behind it.
func said(pieces ...piece) [][]piece {
	groups := make([][]piece, len(pieces))
	for i := range pieces {
		groups[i] = pieces[i : i+1]
	}
	return groups
}

// putStatus writes as many groups of the status as fit, after a gap that shrinks before anything is left out.
func (g *gauge) putStatus(l *line, gap int) {
	for n := len(g.status); n > 0; n-- {
		width := 0
		for _, group := range g.status[:n] {
			width += pieceCells(group)
		}
		if space := min(gap, l.room()-width); space > 0 {
			l.skip(space)
			for _, group := range g.status[:n] {
				l.pieces(group)
			}
			return
		}
	}
}

// line draws the gauge in one line: name, number, status and trend in columns.
func (g *gauge) line(w int, th *theme.Theme) string {
	const number, status = 22, 28 // columns where the number ends and the status begins
	l := newLine(th, w)
	l.put(theme.Muted, " ").put(theme.Text, g.name)
	figure := g.figure.number
	if g.few && g.figure.known() {
		figure += "*"
	}
	l.flush(number, theme.Title, figure)
	if g.figure.unit != "" {
		l.skip(1).put(theme.Muted, g.figure.unit)
	}
	l.to(status)
	beside := newLine(th, min(25, w-status-1))
	if g.alarm != nil {
		beside.skip(2).pieces(g.alarm)
	}
	g.putStatus(beside, 2)
	l.painted(beside.String(), beside.width).skip(1)
	l.painted(g.spark(l.room()-1, th), l.room()-1)
	return l.String()
}

func (g *gauge) spark(w int, th *theme.Theme) string {
	return spark(squeezed(g.trend, g.first, sparkSeconds, w), w, g.top, g.role, th)
}

// spark draws a sparkline that never fills its cells to the brim: rows of them stay apart.
func spark(values []float64, w int, top float64, role theme.Role, th *theme.Theme) string {
	if w <= 0 {
		return ""
	}
	if !(top > 0) {
		for _, v := range values {
			if v > top && !math.IsInf(v, 0) {
				top = v
			}
		}
	}
	return chart.Spark(values, w, top*8/7, role, *th)
}
