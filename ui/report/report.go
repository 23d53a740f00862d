// This file prints a run's report as text: what is left on the screen when the console or a check is over.

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// Write prints a report for people: its answer, the levels, and the figures of the one that the answer is about. It holds no
// control characters, and no line is wider than width cells; see Narrowest.
func Write(w io.Writer, r *run.Report, width int) error {
	c := ContentOf(r)
	var all sheet
	for _, items := range [][]Item{
		c.Answer, c.Baseline, c.Levels, c.Sweep, c.Load, c.Latencies, c.Figures, c.Objectives, c.Endpoints, c.WholeRun, c.Telemetry, c.Client,
	} {
		all = append(all, items...)
	}
	return all.print(w, width)
}

// head says what the figures below are of.
func (p *sheet) head(r *run.Report) {
	p.blank()
	server := "unknown server"
	if r.Endpoint.Server != nil {
		server = *r.Endpoint.Server
	}
	p.facts("endpoint", server, r.Endpoint.Model, r.Endpoint.URL)
	load := append(strings.Split(r.Load.Text, "  "), fact("seed", r.Load.Seed.String()))
	if unlimited(r) {
		load = append(load, "NO OUTPUT LIMIT")
	}
	p.facts("load", load...)
	if r.Name != "" {
		text := "of " + r.Name
		if len(r.Levels) > 1 || len(r.Stages) > 1 {
			text += ", " + standing(r)
		}
		sent := "sent once the load had settled"
		if !r.Settled {
			sent = "the ramp included, for the load never settled"
		}
		p.line("figures", "%s: %s requests in %.1f s of %.1f s, %s", text, cell.Grouped(int64(r.Judged)), r.MeasuredS, r.DurationS, sent)
	}
	if r.Hidden > 0 {
		p.line("note", "TTFT of %s requests includes reasoning that was billed but not shown", cell.Grouped(int64(r.Hidden)))
	}
	for _, note := range r.Notes {
		p.line("note", "%s", note)
	}
	p.blank()
}

// unlimited reports whether any endpoint was sent requests without a limit on the length of their answers.
func unlimited(r *run.Report) bool {
	return r.Endpoint.Unlimited || slices.ContainsFunc(r.Endpoints, func(l run.EndpointLine) bool { return l.Unlimited })
}

// standing says why the figures are those of the load that they are of.
func standing(r *run.Report) string {
	switch {
	case r.At >= 0 && r.At == r.Reach.Held:
		return "the highest level that held"
	case r.At >= 0 && r.At == r.Reach.Missed:
		return "the lowest level that missed"
	case r.At >= 0 && r.Sweep != nil && r.Sweep.Level != nil && *r.Sweep.Level == r.Levels[r.At].Level:
		return "the level that the " + r.Sweep.Kind + " found"
	case r.Settled:
		return "the last load that settled"
	}
	return "the last load"
}

// latencies prints the table of percentiles. Percentiles of few samples are starred.
func (p *sheet) latencies(r *run.Report) {
	columns := []Column{
		{Left: true}, {Head: "n"}, {Head: "mean", Rank: 2}, {Head: "p50"}, {Head: "p90", Rank: 1}, {Head: "p95"}, {Head: "p99"}, {Head: "max"},
	}
	few := false
	row := func(label string, d run.Distribution) {
		cells, starred := latencyCells(label, d)
		few = few || starred
		for i := range columns {
			columns[i].Cells = append(columns[i].Cells, cells[i])
		}
	}
	row("TTFT", r.TTFT)
	if r.Reasoned > 0 {
		row("TTFA", r.TTFA)
	}
	if r.TTFTFromSchedule.N > 0 {
		row("  +lag", r.TTFTFromSchedule)
	}
	if r.ITLIsChunkGap {
		row("gap", r.ChunkGap)
	} else {
		row(roughly(&r.Figures, "ITL"), r.ITL)
	}
	row(roughly(&r.Figures, "TPOT"), r.TPOT)
	row("E2EL", r.E2EL)
	if r.E2ELFromSchedule.N > 0 {
		row("  +lag", r.E2ELFromSchedule)
	}
	row("dispatch", r.DispatchLag)
	p.table(columns)
	p.line("", "n: requests; of gaps between tokens, gaps")
	if few {
		p.line("", "* few samples: less than one is expected beyond it")
	}
	if r.ITLIsChunkGap {
		p.line("", "gap: between chunks, which carry %.2f tokens each; ITL is unknown", r.TokensPerChunk)
	}
	if r.TTFTFromSchedule.N > 0 {
		p.line("", "+lag: from the scheduled arrival, the wait inside tokdyno included")
	}
	p.blank()
}

// latencyCells are the cells of one distribution, in the unit that suits its median; it reports whether a star was needed.
func latencyCells(label string, d run.Distribution) (cells []string, few bool) {
	unit := "ms"
	if d.P50 != nil {
		unit = cell.LatencyUnit(cell.FromMilliseconds(*d.P50))
	}
	cells = []string{label + " " + unit, cell.Grouped(int64(d.N))}
	for _, value := range []struct {
		value *float64
		p     float64 // 0: no percentile
	}{{d.Mean, 0}, {d.P50, 0.50}, {d.P90, 0.90}, {d.P95, 0.95}, {d.P99, 0.99}, {d.Max, 0}} {
		text, star := cell.Unknown, ""
		if value.value != nil {
			text = cell.LatencyIn(unit, cell.FromMilliseconds(*value.value))
			if value.p > 0 && stats.Few(d.N, value.p) {
				star, few = "*", true
			}
		}
		cells = append(cells, text+star)
	}
	return cells, few
}

// figures prints the rates at the operating point.
func (p *sheet) figures(r *run.Report) {
	mark := roughly(&r.Figures, "")
	t := r.Throughput
	p.facts("throughput", fact("requests", perSecond("", t.Requests, "req/s")), fact("output", perSecond(mark, t.Output, "tok/s")),
		fact("input", perSecond(mark, t.Input, "tok/s")), fact("total", perSecond(mark, t.Total, "tok/s")))
	if q := r.Prompts; q.Asked != nil && q.Achieved != nil {
		p.line("prompts", "%s: asked for %.1f tokens, got %.1f on average, of %s requests, the ramp's included",
			q.Method, *q.Asked, *q.Achieved, cell.Grouped(int64(q.N)))
	}
	if a := r.Answers; a.Asked != nil && a.Achieved != nil && a.Early != nil {
		p.line("answers", "asked for %.1f tokens, got %.1f on average, of %s requests; %s stopped early",
			*a.Asked, *a.Achieved, cell.Grouped(int64(a.N)), cell.RoundUp(*a.Early))
	}
	s := r.SLO
	switch {
	case s.Text == "":
		p.line("goodput", "n/a: no SLO is set")
	case s.Attainment == nil:
		p.line("goodput", "n/a: no request could be judged by %s", s.Text)
	default:
		p.facts("goodput", perSecond("", s.Goodput, "good req/s"), fact("within SLO", cell.RoundDown(*s.Attainment).String()),
			fact("asked for", cell.PercentExactly(s.Target)), fact("requests judged", cell.Grouped(int64(s.N))))
	}
}

// wholeRun says what became of all requests.
func (p *sheet) wholeRun(r *run.Report) {
	q := r.Requests
	text := cell.Grouped(int64(q.OK)) + " ok"
	if q.Failed > 0 {
		share := cell.RoundUp(float64(q.Failed) / float64(q.OK+q.Failed))
		text += fmt.Sprintf(", %s failed (%s)", cell.Grouped(int64(q.Failed)), share)
	}
	if q.Cancelled > 0 {
		text += fmt.Sprintf(", %s cancelled at the end", cell.Grouped(int64(q.Cancelled)))
	}
	if q.InFlightAtEnd > 0 {
		text += fmt.Sprintf(", %s never ended", cell.Grouped(int64(q.InFlightAtEnd)))
	}
	if n := r.Client.Dropped; n > 0 {
		text += fmt.Sprintf(", %s arrivals never started: the load ended while they waited for a slot", cell.Grouped(int64(n)))
	}
	p.line("whole run", "%s", text)
	label := "failures"
	for _, problem := range r.Errors {
		p.line(label, "%s × %s: %s", cell.Grouped(int64(problem.Count)), problem.Kind, problem.Example)
		label = ""
	}
}

// roughly puts "~" before what rests on estimated token counts.
func roughly(f *run.Figures, text string) string {
	if s := f.Tokens.Source; s != nil && record.TokenSource(*s) == record.SourceEstimated {
		return "~" + text
	}
	return text
}

// perSecond is a rate with its unit.
func perSecond(mark string, v *float64, unit string) string {
	if v == nil {
		return cell.Unknown
	}
	return mark + cell.Rate(*v) + " " + unit
}

// rateOrUnknown is a rate without its unit, for columns.
func rateOrUnknown(mark string, v *float64) string {
	if v == nil {
		return cell.Unknown
	}
	return mark + cell.Rate(*v)
}

// latencyOrUnknown is a latency with its unit.
func latencyOrUnknown(ms *float64) string { return Latency(ms).String() }

// Latency is a latency of so many milliseconds as people read it; nil: it is not known.
func Latency(ms *float64) cell.Figure {
	if ms == nil {
		return cell.Figure{Number: cell.Unknown}
	}
	return cell.Latency(cell.FromMilliseconds(*ms))
}

// Mark is "~" where figures of tokens rest on estimates; else "".
func Mark(f *run.Figures) string { return roughly(f, "") }

// client says whether the figures can be trusted.
func (p *sheet) client(r *run.Report) {
	c := r.Client
	if c.Verdict == nil {
		return
	}
	p.facts("client", *c.Verdict, fact("stamps", c.Stamps), fact("lag p99", told(c.LagP99MS, cell.Digits, " ms")),
		fact("scheduler p99", told(c.SchedP99MS, cell.Digits, " ms")), fact("CPU cores", told(c.CPUCores, cell.Digits, "")),
		fact("merged reads", told(c.Merged, func(share float64) string { return cell.RoundUp(share).String() }, "")))
	if *c.Verdict != string(health.OK) {
		p.line("", "%s", c.Note)
	}
	if c.Reconnects > 0 {
		p.line("", "reconnects %s: kept connections were found closed, and their requests sent again on others", cell.Grouped(c.Reconnects))
	}
}
