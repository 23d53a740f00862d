// This file is the page: its parts in order.

package web

import (
	"fmt"
	"io"
	"slices"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/slo"
	"tokdyno/presets"
	"tokdyno/ui/cell"
	"tokdyno/ui/report"
)

// Write writes the page of a run. It refers to nothing outside itself.
func Write(w io.Writer, d *run.Document) error {
	p := newPage(d)
	return p.write(w, "page.html", p, p.Curve, p.Spread, p.Requests, p.Machines)
}

// page is what the template is filled with.
type page struct {
	shell
	Sub []string

	answer
	Of    string // what the figures are of, in a sentence
	Tiles []tile
	Notes []string

	Levels, Sweep, Latencies, Rates, Endpoints, Telemetry, WholeRun, Load, Environment []report.Item
	Curve, Spread, Requests, Machines                                                  []chart
	Errors                                                                             []run.Problem
	Waterfalls                                                                         []waterfall
	Settings                                                                           []setting
	LevelAxis, Baseline                                                                string
	Against                                                                            []comparedLevel
}

// tile is a figure that stands out.
type tile struct{ Name, Number, Unit, More string }

// setting is one of the load's.
type setting struct{ Name, Value string }

func newPage(d *run.Document) *page {
	r, s := d.Report, d.Last
	c := report.ContentOf(r)
	p := &page{
		shell: shell{
			Heading: orElse(report.OneLine(r.Endpoint.Model), "unknown model"), Version: r.Tokdyno, Simulated: r.Simulated,
			axis: newTimeAxis(s),
		},
		Levels: c.Levels, Sweep: c.Sweep, Latencies: c.Latencies, Endpoints: c.Endpoints, Telemetry: c.Telemetry,
		Errors: slices.Clone(r.Errors), Curve: levelCharts(r), LevelAxis: levelAxis(r),
	}
	p.Rates = append(append(p.Rates, c.Figures...), c.Objectives...)
	for i := range p.Errors {
		p.Errors[i].Example = report.OneLine(p.Errors[i].Example)
	}
	p.Sub = []string{report.OneLine(cell.Host(r.Endpoint.URL))}
	if r.Endpoint.Server != nil {
		p.Sub = append(p.Sub, report.OneLine(*r.Endpoint.Server))
	}
	if r.Started != nil {
		p.Sub = append(p.Sub, r.Started.Format("2 January 2006, 15:04:05 MST"),
			"for "+cell.Clock(time.Duration(r.DurationS*float64(time.Second))))
	}
	p.answer = answerOf(r, append(c.Answer, c.Baseline...))
	if r.Baseline != nil {
		p.Baseline, p.Against = report.RunName(&r.Baseline.Run), comparedLevels("baseline", "B", r.Baseline.Levels)
	}
	for _, item := range c.Load {
		switch item.Label {
		case "note":
			p.Notes = append(p.Notes, item.Text)
		case "figures":
			p.Of = "Figures " + item.Text + "."
		default:
			p.Load = append(p.Load, item)
		}
	}
	for _, item := range c.WholeRun {
		if item.Label == "whole run" { // the failures stand in a table
			p.WholeRun = append(p.WholeRun, item)
		}
	}
	if r.Name != "" {
		p.Tiles = tiles(r)
		if spread, ok := spreadChart(r); ok {
			p.Spread = []chart{spread}
		}
	} else {
		p.Latencies, p.Rates = nil, nil
	}
	p.Requests, p.Machines = timeCharts(s)
	p.Waterfalls = waterfalls(d)
	p.Environment = environment(d, c.Client)
	for _, st := range presets.Settings() {
		if value := st.Print(s.Knobs); value != "" && !st.Off(s.Knobs) && st.Idle(s.Knobs) == "" {
			p.Settings = append(p.Settings, setting{st.FlagName(), value})
		}
	}
	return p
}

// answerOf is what a run's report begins with. Its first sentence stands out.
func answerOf(r *run.Report, items []report.Item) answer {
	a := answer{Verdict: report.Headline(r)}
	switch outcome := report.Outcome(r); {
	case report.Distrust(r) != "":
		a.Class = "doubted"
	case r.Baseline.Is(compare.Missed):
		a.Class = string(slo.Missed)
	case r.Baseline.Is(compare.NotYetKnown) && outcome != slo.Missed:
		a.Class = string(slo.Unknown)
	default:
		a.Class = string(outcome)
	}
	for _, item := range items {
		switch {
		case item.Text == "":
		case a.First == "":
			a.First = unbroken(item.Text)
		default:
			item.Text = unbroken(item.Text)
			a.Rest = append(a.Rest, item)
		}
	}
	return a
}

// tiles are the figures that are looked for first.
func tiles(r *run.Report) []tile {
	latency := func(name string, d *run.Distribution) tile {
		f := report.Latency(d.P95)
		return tile{
			name + " p95", f.Number, f.Unit, "p50 " + report.Latency(d.P50).String() + ", p99 " + report.Latency(d.P99).String(),
		}
	}
	mark := report.Mark(&r.Figures)
	rate := func(name, mark string, v *float64, unit, more string) tile {
		if v == nil {
			return tile{name, cell.Unknown, "", more}
		}
		return tile{name, mark + cell.Rate(*v), unit, more}
	}
	tpot := latency("TPOT", &r.TPOT)
	if tpot.Number != cell.Unknown {
		tpot.Number = mark + tpot.Number
	}
	all := []tile{
		latency("TTFT", &r.TTFT), tpot,
		rate("Output", mark, r.Throughput.Output, "tok/s", "total "+told(mark, r.Throughput.Total, "tok/s")),
	}
	if r.SLO.Text != "" {
		within := cell.Unknown
		if a := r.SLO.Attainment; a != nil {
			within = cell.RoundDown(*a).String()
		}
		all = append(all, rate("Goodput", "", r.SLO.Goodput, "req/s", within+" within the SLO"))
	} else {
		all = append(all, rate("Requests", "", r.Throughput.Requests, "req/s", cell.Grouped(int64(r.Judged))+" judged"))
	}
	failed := float64(0)
	if n := r.Requests.OK + r.Requests.Failed; n > 0 {
		failed = float64(r.Requests.Failed) / float64(n)
	}
	return append(all, tile{
		"Requests of the whole run", cell.Grouped(int64(r.Requests.OK)), "ok",
		cell.Grouped(int64(r.Requests.Failed)) + " failed (" + cell.RoundUp(failed).String() + ")",
	})
}

func told(mark string, v *float64, unit string) string {
	if v == nil {
		return cell.Unknown
	}
	return mark + cell.Rate(*v) + " " + unit
}

// environment is who made the load, and whether that can be trusted.
func environment(d *run.Document, client []report.Item) []report.Item {
	h := d.Last.Host
	facts := []string{"tokdyno " + d.Report.Tokdyno}
	if h.Cores > 0 {
		facts = append(facts, fmt.Sprintf("on %s/%s", h.OS, h.Arch), fmt.Sprintf("%d cores", h.Cores))
	}
	items := append([]report.Item{{Label: "generator", Facts: facts}}, client...)
	return append(items, report.Item{Label: "shape", Facts: []string{"hash " + d.Report.Load.ShapeHash}})
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
