// This file is the gauges: a number, what to make of it, and its trend; boxed, or one to a line.

package live

import (
	"math"
	"slices"
	"strconv"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// gauge is what there is to say of one figure.
type gauge struct {
	name   string
	figure cell.Figure
	few    bool           // too few samples for this percentile
	status [][]cell.Piece // what to make of it, the most important first; a group is shown whole or not at all
	aside  []cell.Piece   // what stands between the status's groups in a line, and before the foot of a box
	foot   []cell.Piece   // what else to know: at the foot of the box
	alarm  []cell.Piece   // the foot where it can't wait: also in one line
	trend  []float64
	first  int // second of the run of trend[0]
	top    float64
	role   theme.Role
	judged bool // by the SLO or an objective
	grey   bool // the figures are not of the present load: it settles, or the endpoint is down
}

func gaugeOf(v *page.Frame, wait waits, p page.Part) gauge {
	var g gauge
	switch p {
	case partGaugeTTFT:
		g = gaugeTTFT(v)
	case partGaugeTPOT:
		g = gaugeTPOT(v)
	case partGaugeITL:
		g = gaugeITL(v)
	case partGaugeOutput:
		g = gaugeOutput(v)
	case partGaugeGoodput:
		g = gaugeGoodput(v)
	default:
		return gaugeInFlight(v, wait) // which is of now, whatever happens
	}
	if since, down := v.Shown.Down(); down {
		g.quench("down " + cell.Age(since))
	} else if v.Shown.Live.Settling && g.judged {
		g.quench(v.Theme.Glyphs.Ellipsis + " settling")
	}
	return g
}

// quench makes a gauge grey for a reason, because what it shows is not of the present load: nothing is judged by it.
func (g *gauge) quench(why string) {
	g.grey, g.role = true, theme.Muted
	g.status = said(cell.Muted(why))
	g.foot = slices.Clone(g.foot)
	for i := range g.foot {
		g.foot[i].Role = theme.Muted
	}
}

// numeral is the look of the number.
func (g *gauge) numeral() theme.Role {
	if g.grey {
		return theme.Muted
	}
	return theme.Title
}

func trending(v *page.Frame, g gauge, of func(*stats.Point) float64) gauge {
	points := cell.Last(v.Shown.History, figure.SparkReach)
	g.trend, g.first = figure.Series(points, of), figure.Second(points)
	return g
}

func gaugeTTFT(v *page.Frame) gauge {
	s := v.Shown
	g := latencyGauge("TTFT p95", &s.Live.TTFT)
	g.status, g.judged = criterion(v, slo.TTFT), s.Knobs.SLO[slo.TTFT] > 0
	if d := s.Live.TTFTFromSchedule; s.Knobs.Load.Arrives() && d.N > 0 {
		g.foot = []cell.Piece{cell.Muted("TTFT+lag "), cell.Text(cell.Latency(d.P95).String())}
	} else {
		g.foot = median(v, &s.Live.TTFT)
	}
	return trending(v, g, ttftP95)
}

func gaugeITL(v *page.Frame) gauge {
	s := v.Shown
	g := latencyGauge(figure.GapName(v.Shown)+" p95", &s.Live.ITL)
	if s.Live.ITLIsChunkGap() { // a chunk of several tokens may take longer than a token may
		g.status = said(cell.Warn(cell.Digits(s.Live.TokensPerChunk) + " tok/chunk"))
	} else if o := itlObjective(s); o != nil { // no request is judged by ITL, only an objective is
		role, sign := figure.Sign(v.Theme, o.Verdict)
		g.status, g.judged = said(cell.In(role, sign+" "+v.Theme.Glyphs.AtMost+cell.Limit(o.Objective.Limit))), true
	}
	g.foot = median(v, &s.Live.ITL)
	return trending(v, g, itlP95)
}

// itlObjective is how the first objective on ITL stands; nil: there is none.
func itlObjective(s *snapshot.Snapshot) *slo.Standing {
	for i := range s.Objectives {
		if o := &s.Objectives[i]; o.Objective.Metric == slo.ITL {
			return o
		}
	}
	return nil
}

func gaugeTPOT(v *page.Frame) gauge {
	g := latencyGauge("TPOT p95", &v.Shown.Live.TPOT)
	g.status, g.judged = criterion(v, slo.TPOT), v.Shown.Knobs.SLO[slo.TPOT] > 0
	g.foot = median(v, &v.Shown.Live.TPOT)
	return trending(v, g, tpotP95)
}

func latencyGauge(name string, d *stats.Distribution) gauge {
	g := gauge{name: name, figure: cell.Figure{Number: cell.Unknown}, role: theme.Series2}
	if d.N > 0 {
		g.figure, g.few = cell.Latency(d.P95), stats.Few(d.N, 0.95)
	}
	return g
}

func median(v *page.Frame, d *stats.Distribution) []cell.Piece {
	if d.N == 0 {
		return nil
	}
	return []cell.Piece{cell.Muted("p50 "), cell.Text(cell.Latency(d.P50).String())}
}

// criterion is the verdict on the requests that the gauge shows by one limit of the SLO; nil where it has none.
func criterion(v *page.Frame, m slo.Metric) [][]cell.Piece {
	j := v.Shown.VerdictOn(m, &v.Shown.Live)
	if j.Verdict == slo.NoVerdict {
		return nil
	}
	role, sign := figure.Sign(v.Theme, j.Verdict)
	limit := v.Theme.Glyphs.AtMost + cell.Limit(v.Shown.Knobs.SLO[m])
	if j.Verdict == slo.Missed && v.Shown.Live.Score.MissedByErrors(m, v.Shown.Knobs.Target) {
		limit = "errors" // the percentile beside it is within the limit
	}
	status := said(cell.In(role, sign+" "+limit))
	switch share, _ := j.Share(); j.Verdict {
	case slo.Missed:
		return append(status, []cell.Piece{cell.Text(" " + cell.RoundDown(share).String())})
	case slo.Unknown:
		return append(status, []cell.Piece{cell.Muted(" " + j.Why)})
	}
	return status
}

func gaugeOutput(v *page.Frame) gauge {
	s := v.Shown
	g := gauge{name: "Output", figure: cell.Figure{Number: cell.Unknown, Unit: "tok/s"}, role: theme.Series1}
	if s.Live.Spans > 0 {
		g.figure.Number = figure.Approximate(v.Shown, cell.Rate(s.Live.Throughput.Output))
		g.foot = []cell.Piece{
			cell.Muted("total "),
			cell.Text(figure.Approximate(v.Shown, cell.Rate(figure.TotalRate(&s.Live.Throughput)))),
			cell.Muted(" tok/s"),
		}
	}
	if change, ok := figure.Drift(s.History, outputRate); ok {
		g.status = said(changed(v, change))
	}
	return trending(v, g, outputRate)
}

// changed writes a drift with its direction: in percent up to twice as much, as a multiple up to ten times; one within the
// noise is said to be flat.
func changed(v *page.Frame, to float64) cell.Piece {
	const noise, most = 0.02, 10
	g := &v.Theme.Glyphs
	percent := func(by float64) string { return strconv.Itoa(int(math.Round(100*by))) + " %" }
	switch {
	case to > most:
		return cell.Muted(g.Rising + " >" + g.Times + "10")
	case to >= 2:
		return cell.Muted(g.Rising + " " + g.Times + strconv.FormatFloat(to, 'f', 1, 64))
	case to > 1+noise:
		return cell.Muted(g.Rising + " " + percent(to-1))
	case to < 1-noise:
		return cell.Muted(g.Falling + " " + percent(1-to))
	}
	return cell.Muted("flat")
}

func gaugeGoodput(v *page.Frame) gauge {
	s, g := v.Shown, &v.Theme.Glyphs
	out := gauge{name: "Goodput", figure: cell.Figure{Number: cell.Unknown}, role: theme.Series1, top: 100}
	criteria := s.Knobs.SLO
	j := s.Verdict(&s.Live)
	out.judged = criteria.Active()
	if share, ok := s.Live.Score.Attainment(criteria); ok {
		out.figure = cell.RoundDown(share)
	}
	switch j.Verdict {
	case slo.NoVerdict:
		out.status = said(cell.Muted("no SLO set"))
	case slo.Unknown:
		out.status = said(cell.Muted(g.Ellipsis + " " + j.Why))
	default:
		role, sign := figure.Sign(v.Theme, j.Verdict)
		out.status = said(cell.In(role, sign+" "+g.AtLeast+cell.PercentExactly(s.Knobs.Target)))
		if binding := s.Live.Score.Binding(criteria); binding != "" {
			out.status = append(out.status, []cell.Piece{cell.Text(" " + binding)})
		}
	}
	if s.Live.GoodputKnown {
		out.foot = []cell.Piece{
			cell.Text(cell.Rate(s.Live.Goodput)),
			cell.Muted(" of "),
			cell.Text(cell.Rate(s.Live.Throughput.Requests)),
			cell.Muted(" req/s"),
		}
	}
	return trending(v, out, attained)
}

func gaugeInFlight(v *page.Frame, wait waits) gauge {
	s := v.Shown
	in := s.InFlight
	g := gauge{name: "In flight", figure: cell.Figure{Number: cell.Grouped(int64(in.Total))}, role: theme.Series1}
	if most := meantInFlight(s.Knobs); most > 0 {
		g.figure.Number += "/" + cell.Grouped(int64(most))
		g.top = float64(most)
	}
	if n := min(wait.requests, in.Total); n > 0 {
		g.status = [][]cell.Piece{
			{cell.Text(cell.Grouped(int64(n))), cell.Muted(" wait")},
			{cell.Text(" " + cell.Latency(wait.oldest).String())},
		}
	} else if in.Total > 0 {
		g.status = said(cell.Muted("all decoding"))
	}
	if s.Thinking > 0 { // conversations whose next turn is not due
		g.aside = []cell.Piece{cell.Text(cell.Grouped(int64(s.Thinking))), cell.Muted(" think")}
	}
	backOff := figure.BackOff(v)
	switch {
	case backOff != "":
		g.alarm = []cell.Piece{cell.Warn(v.Theme.Glyphs.Alert + " " + backOff)}
		g.foot = g.alarm
	case s.Knobs.Load.Arrives() && s.Backlog > 0:
		g.alarm = []cell.Piece{cell.Warn(v.Theme.Glyphs.Alert + " backlog " + cell.Grouped(int64(s.Backlog)))}
		g.foot = g.alarm
	case s.Knobs.Load.Arrives():
		g.foot = []cell.Piece{cell.Muted("backlog 0")}
	case in.Total > 0:
		g.foot = []cell.Piece{cell.Muted("oldest "), cell.Text(cell.Latency(in.Oldest).String())}
	}
	return trending(v, g, inFlight)
}

// meantInFlight is the concurrency, or the open loop's cap; 0: no number in particular.
func meantInFlight(k snapshot.Knobs) int {
	if k.Load.Arrives() {
		return k.Load.MaxInFlight
	}
	return k.Load.Concurrency
}

// box draws the gauge in a frame.
func (g *gauge) box(w, h int, th *theme.Theme) []string {
	title := g.name
	if g.figure.Unit == "tok/s" {
		title += " tok/s" // constant, so it stands in the heading and leaves the line to the number
	}
	p := cell.Titled(title)
	p.Foot = g.foot
	if g.aside != nil && g.alarm == nil {
		p.Foot = append(append(slices.Clone(g.aside), cell.Text("  ")), g.foot...)
	}
	const corners = 6
	p.Foot = cell.Lead(p.Foot, func(left []cell.Piece) bool { return cell.WidthOf(left) <= w-corners })
	p.Body = func(w, h int) []string {
		lines := g.tallLines(w, h-1, th)
		if lines == nil {
			head := cell.NewLine(th, w).Skip(cell.Inset).Put(g.numeral(), g.figure.Number)
			g.putUnit(head)
			g.putStatus(head, 2)
			lines = cell.Fitted([]string{head.String()}, w, h-1)
		}
		return append(lines, cell.Blank(cell.Inset)+g.spark(w-2*cell.Inset, th)+cell.Blank(cell.Inset))
	}
	return p.Render(w, h, th)
}

// putUnit writes the mark of few samples and the unit.
func (g *gauge) putUnit(l *cell.Line) {
	if g.few && g.figure.Known() {
		l.Put(theme.Warn, "*")
	}
	if unit := g.figure.Unit; unit != "" && unit != "tok/s" {
		l.Put(theme.Muted, " "+unit)
	}
}

// tallLines is the number in tall digits with its unit at the foot and the status beside it; nil where there is no room.
func (g *gauge) tallLines(w, h int, th *theme.Theme) []string {
	const beside = 7 // cells that the inset and the unit need
	digits, ok := tallNumber(g.figure.Number)
	if !ok || h < tall || !th.Glyphs.Braille || cell.Width(digits[0])+beside > w {
		return nil
	}
	var lines []string
	for i, d := range digits {
		l := cell.NewLine(th, w).Skip(cell.Inset).Put(g.numeral(), d)
		switch i {
		case 0:
			g.putStatus(l, 3)
		case tall - 1:
			g.putUnit(l)
		}
		lines = append(lines, l.String())
	}
	return cell.Fitted(lines, w, h)
}

// said returns a status of pieces that can each stand without those behind it.
func said(pieces ...cell.Piece) [][]cell.Piece {
	groups := make([][]cell.Piece, len(pieces))
	for i := range pieces {
		groups[i] = pieces[i : i+1]
	}
	return groups
}

// putStatus writes as many groups of the status as fit, after a gap that shrinks before anything is left out.
func (g *gauge) putStatus(l *cell.Line, gap int) {
	width := 0
	groups := cell.Lead(g.status, func(left [][]cell.Piece) bool {
		width = cell.WidthOf(slices.Concat(left...))
		return width < l.Room()
	})
	if len(groups) > 0 {
		l.Skip(min(gap, l.Room()-width)).Pieces(slices.Concat(groups...))
	}
}

// line draws the gauge in one line: name, number, status and trend in columns.
func (g *gauge) line(w int, th *theme.Theme) string {
	const number, status = 22, 28 // columns where the number ends and the status begins
	l := cell.NewLine(th, w)
	l.Put(theme.Muted, " ").Put(theme.Text, g.name)
	figure := g.figure.Number
	if g.few && g.figure.Known() {
		figure += "*"
	}
	l.Flush(number, g.numeral(), figure)
	if g.figure.Unit != "" {
		l.Skip(1).Put(theme.Muted, g.figure.Unit)
	}
	l.To(status)
	beside := cell.NewLine(th, min(25, w-status-1))
	if g.alarm != nil {
		beside.Skip(2).Pieces(g.alarm)
	}
	if g.aside != nil {
		aside := append([]cell.Piece{cell.Text(" ")}, g.aside...)
		g.status = slices.Insert(slices.Clone(g.status), min(1, len(g.status)), aside)
	}
	g.putStatus(beside, 2)
	l.Painted(beside.String(), beside.Width).Skip(1)
	l.Painted(g.spark(l.Room()-1, th), l.Room()-1)
	return l.String()
}

func (g *gauge) spark(w int, th *theme.Theme) string {
	return figure.Spark(figure.Squeezed(g.trend, g.first, figure.SparkSeconds, w), w, g.top, g.role, th)
}
