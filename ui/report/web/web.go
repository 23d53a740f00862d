// This file is the page: its parts in order.

package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"tokdyno/engine/run"
	"tokdyno/presets"
	"tokdyno/ui/cell"
	"tokdyno/ui/report"
)

//go:embed page.html page.css page.js uplot
var files embed.FS

// Write writes the page of a run. It refers to nothing outside itself.
func Write(w io.Writer, d *run.Document) error {
	p, err := newPage(d)
	if err != nil {
		return err
	}
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"filled": filled, "rows": rowsOf, "add": func(a, b int) int { return a + b },
		"grouped": func(n int) string { return cell.Grouped(int64(n)) },
		"still":   func(c chart) template.HTML { return still(&c, &p.axis) },
	}).ParseFS(files, "page.html")
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// page is what the template is filled with.
type page struct {
	Title, Version, Model string
	Sub                   []string
	Simulated             bool

	Class, Verdict, First string
	Rest                  []report.Item
	Of                    string // what the figures are of, in a sentence
	Tiles                 []tile
	Notes                 []string

	Levels, Sweep, Latencies, Rates, Endpoints, Telemetry, WholeRun, Load, Environment []report.Item
	Curve, Spread, Requests, Machines                                                  []chart
	Errors                                                                             []run.Problem
	Settings                                                                           []setting

	Policy              string
	ChartStyle, Style   template.CSS
	ChartScript, Script template.JS
	Data                template.JS

	axis timeAxis
}

// tile is a figure that stands out.
type tile struct{ Name, Number, Unit, More string }

// setting is one of the load's.
type setting struct{ Name, Value string }

func newPage(d *run.Document) (*page, error) {
	r, s := d.Report, d.Last
	c := report.ContentOf(r)
	p := &page{
		Version: r.Tokdyno, Model: orElse(report.OneLine(r.Endpoint.Model), "unknown model"), Simulated: r.Simulated,
		Levels: c.Levels, Sweep: c.Sweep, Latencies: c.Latencies, Endpoints: c.Endpoints, Telemetry: c.Telemetry,
		Errors: slices.Clone(r.Errors), Curve: levelCharts(r), axis: newTimeAxis(s),
	}
	p.Rates = append(append(p.Rates, c.Figures...), c.Objectives...)
	p.Title = p.Model + " · tokdyno"
	for i := range p.Errors {
		p.Errors[i].Example = report.OneLine(p.Errors[i].Example)
	}
	p.Sub = []string{report.OneLine(host(r.Endpoint.URL))}
	if r.Endpoint.Server != nil {
		p.Sub = append(p.Sub, report.OneLine(*r.Endpoint.Server))
	}
	if r.Started != nil {
		p.Sub = append(p.Sub, r.Started.Format("2 January 2006, 15:04:05 MST"),
			"for "+cell.Clock(time.Duration(r.DurationS*float64(time.Second))))
	}
	p.answer(r, append(c.Answer, c.Baseline...))
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
	p.Environment = environment(d, c.Client)
	for _, st := range presets.Settings() {
		if value := st.Print(s.Knobs); value != "" && !st.Off(s.Knobs) && st.Idle(s.Knobs) == "" {
			p.Settings = append(p.Settings, setting{st.FlagName(), value})
		}
	}
	return p, p.embed()
}

// embed puts in the styles, the scripts and what they draw.
func (p *page) embed() error {
	read := func(name string) string {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // it is compiled in
		}
		return string(b)
	}
	p.ChartStyle, p.Style = template.CSS(read("uplot/uPlot.min.css")), template.CSS(read("page.css"))
	p.ChartScript, p.Script = template.JS(read("uplot/uPlot.iife.min.js")), template.JS(read("page.js"))
	drawn := []chart{}
	for _, charts := range [][]chart{p.Curve, p.Spread, p.Requests, p.Machines} {
		drawn = append(drawn, charts...)
	}
	data, err := json.Marshal(map[string]any{"charts": drawn, "time": p.axis})
	if err != nil {
		return err
	}
	p.Data = template.JS(data) // json.Marshal escapes what could end the element
	p.Policy = fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src %s %s", hash(p.ChartScript), hash(p.Script))
	return nil
}

// hash names a script in a Content-Security-Policy, which lets no other run: not even one that came in with a server's text.
func hash(script template.JS) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// answer puts in the answer, of which the first sentence stands out.
func (p *page) answer(r *run.Report, items []report.Item) {
	p.Verdict = report.Headline(r)
	switch outcome := report.Outcome(r); {
	case report.Distrust(r) != "":
		p.Class = "doubted"
	default:
		p.Class = string(outcome)
	}
	for _, item := range items {
		switch {
		case item.Text == "":
		case p.First == "":
			p.First = item.Text
		default:
			p.Rest = append(p.Rest, item)
		}
	}
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

// host is a URL's, with its port.
func host(of string) string {
	if u, err := url.Parse(of); err == nil && u.Host != "" {
		return u.Host
	}
	return of
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// XName says what the x axis of a chart is.
func (c chart) XName() string {
	return map[over]string{overTime: "time", overLevels: "level", overValues: "latency"}[c.Over]
}

// Rows are those of its table.
func (c chart) Rows() [][]string { return c.rows() }

// tableCell is one of a table, with how it looks.
type tableCell struct{ Text, Class string }

// filled leaves out columns that have nothing in any row.
func filled(columns []report.Column) []report.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c report.Column) bool {
		return !slices.ContainsFunc(c.Cells, func(text string) bool { return text != "" })
	})
}

// rowsOf turns columns round.
func rowsOf(columns []report.Column) (rows [][]tableCell) {
	for j := range columns[0].Cells {
		var row []tableCell
		for i := range columns {
			c := tableCell{Text: columns[i].Cells[j]}
			switch {
			case columns[i].Left && strings.HasPrefix(c.Text, "held"):
				c.Class = "text held"
			case columns[i].Left && strings.HasPrefix(c.Text, "missed"):
				c.Class = "text missed"
			case columns[i].Left:
				c.Class = "text"
			}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	return rows
}
