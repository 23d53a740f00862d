// This file prints a run's report as text: what is left on the screen when the console or a check is over.

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// Write prints a report for people. It holds no control characters.
func Write(w io.Writer, r *run.Report) error {
	var b strings.Builder
	p := reportPrinter{&b}
	p.head(r)
	p.latencies(r)
	p.requests(r)
	p.throughput(r)
	p.prompts(r)
	p.answers(r)
	p.goodput(r)
	p.objectives(r)
	p.problems(r)
	p.endpoints(r)
	p.stages(r)
	p.sweep(r)
	p.telemetry(r)
	p.client(r)
	_, err := io.WriteString(w, plain(b.String()))
	return err
}

// plain drops what a server may have slipped in that would mean something to a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// labelWidth is the width of the first column of the lines below the table.
const labelWidth = 12

type reportPrinter struct{ b *strings.Builder }

func (p reportPrinter) line(label, format string, args ...any) {
	fmt.Fprintf(p.b, "%-*s%s\n", labelWidth, label, fmt.Sprintf(format, args...))
}

func (p reportPrinter) head(r *run.Report) {
	p.b.WriteByte('\n')
	server := "unknown server"
	if r.Endpoint.Server != nil {
		server = *r.Endpoint.Server
	}
	p.line("endpoint", "%s  %s  %s", server, r.Endpoint.Model, r.Endpoint.URL)
	load := r.Load.Text
	if r.Points > 1 {
		load += fmt.Sprintf("  (stage %d of %d; all are listed below)", r.Point, r.Points)
	}
	if unlimited(r) {
		load += "  NO OUTPUT LIMIT"
	}
	p.line("load", "%s  seed %d", load, r.Load.Seed)
	measured := fmt.Sprintf("%.1f s of %.1f s", r.MeasuredS, r.DurationS)
	if r.Settled {
		p.line("measured", "%s, without the time in which the load settled", measured)
	} else {
		p.line("measured", "%s, the ramp included: the load never settled, so run longer", measured)
	}
	if r.Hidden > 0 {
		p.line("note", "TTFT of %s requests includes reasoning that was billed but not shown", cell.Grouped(int64(r.Hidden)))
	}
	for _, note := range r.Notes {
		p.line("note", "%s", note)
	}
	p.b.WriteByte('\n')
}

// unlimited reports whether any endpoint was sent requests without a limit on the length of their answers.
func unlimited(r *run.Report) bool {
	for i := range r.Endpoints {
		if r.Endpoints[i].Unlimited {
			return true
		}
	}
	return r.Endpoint.Unlimited
}

// latencies prints the table of percentiles. Percentiles of few samples are starred.
func (p reportPrinter) latencies(r *run.Report) {
	fmt.Fprintf(p.b, "%-*s", labelWidth, "")
	for _, head := range []string{"n", "mean", "p50", "p90", "p95", "p99", "max"} {
		fmt.Fprintf(p.b, "%10s", head)
	}
	p.b.WriteByte('\n')
	few := false
	row := func(label string, d run.Distribution) { few = p.row(label, d) || few }
	row("TTFT", r.TTFT)
	if r.TTFTFromSchedule.N > 0 {
		row("  +lag", r.TTFTFromSchedule)
	}
	if r.ITLIsChunkGap {
		row("gap", r.ChunkGap)
	} else {
		row(roughly(r, "ITL"), r.ITL)
	}
	row(roughly(r, "TPOT"), r.TPOT)
	row("E2EL", r.E2EL)
	if r.E2ELFromSchedule.N > 0 {
		row("  +lag", r.E2ELFromSchedule)
	}
	row("dispatch", r.DispatchLag)
	if few {
		fmt.Fprintf(p.b, "%*s* few samples: less than one is expected beyond it\n", labelWidth, "")
	}
	if r.ITLIsChunkGap {
		p.line("", "gap: between chunks, which carry %.2f tokens each; ITL is unknown", r.TokensPerChunk)
	}
	if r.TTFTFromSchedule.N > 0 {
		p.line("", "+lag: from the scheduled arrival, the wait inside tokdyno included")
	}
	p.b.WriteByte('\n')
}

// row prints one distribution, in the unit that suits its median; it reports whether a star was needed.
func (p reportPrinter) row(label string, d run.Distribution) (few bool) {
	unit := "ms"
	if d.P50 != nil {
		unit = cell.LatencyUnit(cell.FromMilliseconds(*d.P50))
	}
	fmt.Fprintf(p.b, "%-*s%10s", labelWidth, label+" "+unit, cell.Grouped(int64(d.N)))
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
		fmt.Fprintf(p.b, "%10s", text+star)
	}
	p.b.WriteByte('\n')
	return few
}

func (p reportPrinter) requests(r *run.Report) {
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
}

func (p reportPrinter) throughput(r *run.Report) {
	mark := roughly(r, "")
	t := r.Throughput
	p.line("throughput", "%s req/s   output %s   input %s   total %s tok/s",
		rateOrUnknown("", t.Requests), rateOrUnknown(mark, t.Output), rateOrUnknown(mark, t.Input), rateOrUnknown(mark, t.Total))
}

// prompts says how well prompts had the length that was asked for.
func (p reportPrinter) prompts(r *run.Report) {
	q := r.Prompts
	if q.Asked == nil || q.Achieved == nil {
		return
	}
	p.line("prompts", "%s: asked for %.1f tokens, got %.1f on average (n=%s)", q.Method, *q.Asked, *q.Achieved, cell.Grouped(int64(q.N)))
}

// answers says how well answers had the length that was asked for.
func (p reportPrinter) answers(r *run.Report) {
	a := r.Answers
	if a.Asked == nil || a.Achieved == nil || a.Early == nil {
		return
	}
	p.line("answers", "asked for %.1f tokens, got %.1f on average; %s stopped early (n=%s)", *a.Asked, *a.Achieved,
		cell.RoundUp(*a.Early), cell.Grouped(int64(a.N)))
}

// approximate puts "~" before what rests on estimated token counts.
func roughly(r *run.Report, text string) string {
	if s := r.Tokens.Source; s != nil && record.TokenSource(*s) == record.SourceEstimated {
		return "~" + text
	}
	return text
}

func rateOrUnknown(mark string, v *float64) string {
	if v == nil {
		return cell.Unknown
	}
	return mark + cell.Rate(*v)
}

func (p reportPrinter) goodput(r *run.Report) {
	s := r.SLO
	if s.Text == "" {
		p.line("goodput", "n/a: no SLO is set; give one, e.g. --slo 'ttft=500ms tpot=40ms'")
		return
	}
	if s.Attainment == nil {
		p.line("goodput", "n/a: no request could be judged by %s", s.Text)
		return
	}
	verdict := map[slo.Verdict]string{slo.Held: "held", slo.Missed: "MISSED", slo.Unknown: "not yet known"}[s.Requests]
	binding := ""
	if s.Binding != nil {
		binding = ", limited by " + *s.Binding
	}
	p.line("goodput", "%s req/s; %s of requests met %s (target %s): %s%s",
		rateOrUnknown("", s.Goodput), cell.RoundDown(*s.Attainment), s.Text, cell.RoundDown(s.Target), verdict, binding)
	if doubt := r.Doubt(); doubt != "" {
		p.line("", "not to be trusted: %s", doubt)
	}
}

func (p reportPrinter) problems(r *run.Report) {
	label := "failures"
	for _, problem := range r.Errors {
		p.line(label, "%s × %s: %s", cell.Grouped(int64(problem.Count)), problem.Kind, problem.Example)
		label = ""
	}
}

// stages prints a line per operating point where there were several.
func (p reportPrinter) stages(r *run.Report) {
	if len(r.Stages) < 2 {
		return
	}
	p.b.WriteByte('\n')
	t := tabwriter.NewWriter(p.b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "load\tmeasured\tn\tTTFT p50\tTTFT p95\tTPOT p50\tout tok/s\twithin SLO\t")
	for _, s := range r.Stages {
		measured := fmt.Sprintf("%.1f s", s.MeasuredS)
		if s.SettledS == nil {
			measured += " (settling)"
		}
		goodput := cell.Unknown
		if s.SLO.Attainment != nil {
			goodput = cell.RoundDown(*s.SLO.Attainment).String()
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", s.Load.Text, measured, s.E2EL.N,
			latencyOrUnknown(s.TTFT.P50), latencyOrUnknown(s.TTFT.P95), latencyOrUnknown(s.TPOT.P50),
			rateOrUnknown(roughly(r, ""), s.Throughput.Output), goodput)
	}
	_ = t.Flush() // a strings.Builder takes everything
}

func latencyOrUnknown(ms *float64) string {
	if ms == nil {
		return cell.Unknown
	}
	return cell.Latency(cell.FromMilliseconds(*ms)).String()
}

// client says whether the figures can be trusted.
func (p reportPrinter) client(r *run.Report) {
	c := r.Client
	if c.Verdict == nil {
		return
	}
	text := *c.Verdict
	if text != string(health.OK) {
		text += ": " + c.Note
	}
	value := func(v *float64, unit string) string {
		if v == nil {
			return cell.Unknown
		}
		return cell.Digits(*v) + unit
	}
	p.line("client", "%s   stamps %s   lag p99 %s   scheduler p99 %s   %s cores", text, c.Stamps,
		value(c.LagP99MS, " ms"), value(c.SchedP99MS, " ms"), value(c.CPUCores, ""))
	if c.Reconnects > 0 {
		p.line("", "%s kept connections were found closed, and their requests sent again on others", cell.Grouped(c.Reconnects))
	}
}
