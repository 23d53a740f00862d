// This file is the page of a comparison.

package web

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tokdyno/engine/compare"
	"tokdyno/engine/units"
	"tokdyno/ui/cell"
	"tokdyno/ui/report"
)

// WriteComparison writes the page of a comparison. It refers to nothing outside itself.
func WriteComparison(w io.Writer, d *compare.Document) error {
	p := newComparison(d)
	var charts []chart
	for i := range p.Runs {
		for j := range p.Runs[i].Levels {
			charts = append(charts, p.Runs[i].Levels[j].Charts...)
		}
	}
	return p.write(w, "comparison.html", p, charts)
}

// comparison is what the template is filled with.
type comparison struct {
	shell
	Sub      []string
	Baseline []report.Item
	Notes    []string
	Runs     []comparedRun
	Several  bool
}

// comparedRun is one run against the baseline.
type comparedRun struct {
	answer
	Name   string
	Run    []report.Item
	Glance []report.Column // of several levels: every answer
	Levels []comparedLevel
}

// comparedLevel is a load under which both were measured.
type comparedLevel struct {
	Name, Measured string
	forest
	Charts []chart
}

func newComparison(d *compare.Document) *comparison {
	p := &comparison{shell: shell{Version: d.Tokdyno}, Several: len(d.Runs) > 1}
	var names, models []string
	about := func(r *compare.Run) {
		p.Simulated = p.Simulated || r.Simulated
		if model := report.OneLine(r.Model); !slices.Contains(models, model) {
			models = append(models, model)
		}
	}
	for i := range d.Baseline {
		r := &d.Baseline[i]
		about(r)
		names = append(names, report.OneLine(r.Name))
		label := "A"
		if i > 0 {
			label = ""
		}
		p.Baseline = append(p.Baseline, report.RunFacts(label, r))
	}
	for i := range d.Runs {
		c := &d.Runs[i]
		about(&c.Run)
		p.Runs = append(p.Runs, newComparedRun(c, i))
		if p.Several {
			p.Runs[i].Whose = p.Runs[i].Name
		}
	}
	p.Heading = fmt.Sprintf("%s against %s", p.Runs[0].Name, strings.Join(names, ", "))
	if p.Several {
		p.Heading = fmt.Sprintf("%d runs against %s", len(p.Runs), strings.Join(names, ", "))
	}
	p.Sub = append(models, "within "+units.Share(d.Noise)+" counts as the same")
	for _, note := range d.Notes {
		p.Notes = append(p.Notes, report.OneLine(note))
	}
	return p
}

// newComparedRun is the n-th run of a comparison.
func newComparedRun(c *compare.Comparison, n int) comparedRun {
	standing, words := report.Standing(c)
	r := comparedRun{
		answer: answer{Class: string(standing) + " comparison", Verdict: words},
		Name:   report.OneLine(c.Run.Name), Run: []report.Item{report.RunFacts(c.Letter, &c.Run)},
		Levels: comparedLevels(fmt.Sprintf("run%d", n), c.Letter, c.Levels), Glance: glance(c.Levels),
	}
	differs := report.Says(c)
	if len(differs) == 1 {
		r.First = differs[0]
		differs = report.Counts(c, compare.Same, compare.Unknown)
	} else {
		r.First = strings.Join(report.Counts(c, compare.Worse, compare.Better, compare.Same, compare.Unknown), "; ")
	}
	r.First = unbroken(r.First)
	for _, text := range differs {
		r.Rest = append(r.Rest, report.Item{Text: unbroken(text)})
	}
	for _, text := range c.Warnings {
		r.Rest = append(r.Rest, report.Item{Label: "warning", Text: report.OneLine(text)})
	}
	if len(c.Unpaired) > 0 {
		text := strings.Join(c.Unpaired, ", ") + ": only one of the two has it"
		r.Rest = append(r.Rest, report.Item{Label: "left out", Text: report.OneLine(text)})
	}
	return r
}

// comparedLevels are levels of a comparison. The name tells their charts from those of others.
func comparedLevels(name, letter string, levels []compare.Level) []comparedLevel {
	var list []comparedLevel
	for i := range levels {
		l := &levels[i]
		list = append(list, comparedLevel{
			Name: report.OneLine(l.Name), Measured: "Measured " + report.MeasuredFor(l) + ".", forest: newForest(l, letter),
			Charts: distributionCharts(fmt.Sprintf("%s-level%d", name, i), letter, l.Distributions),
		})
	}
	return list
}

// glance is a table of all figures at all levels; none of a single level.
func glance(levels []compare.Level) []report.Column {
	if len(levels) < 2 {
		return nil
	}
	columns := []report.Column{{Head: "figure", Left: true}}
	for i := range levels {
		columns = append(columns, report.Column{Head: report.OneLine(levels[i].Name)})
		for _, row := range report.ComparedRows(&levels[i]) {
			at := slices.Index(columns[0].Cells, row.Title)
			if at < 0 {
				at = len(columns[0].Cells)
				columns[0].Cells = append(columns[0].Cells, row.Title)
			}
			cells := &columns[i+1].Cells
			for len(*cells) <= at {
				*cells = append(*cells, cell.Unknown)
			}
			if d := row.Difference; d.Answer != compare.Absent {
				(*cells)[at] = report.Sign(d.Answer) + " " + row.Change
			}
		}
	}
	for i := range columns {
		for len(columns[i].Cells) < len(columns[0].Cells) {
			columns[i].Cells = append(columns[i].Cells, cell.Unknown)
		}
	}
	return columns
}

// distributionCharts show both sides over each other: the share of requests within a latency. Those that neither side has are
// left out.
func distributionCharts(name, letter string, all []compare.Distribution) []chart {
	var kept []chart
	for _, d := range all {
		c := chart{
			ID: name + "-" + d.Metric, Title: strings.ToUpper(d.Metric) + ": share of requests within a latency",
			Over: overValues, Unit: inPercent, Log: true,
		}
		if d.Metric == "itl" {
			c.Title = "ITL: share of gaps within a latency"
		}
		c.X = slices.Concat(numbers(d.A), numbers(d.B))
		slices.Sort(c.X)
		least := axisBegin(median(d.A), median(d.B))
		c.X = slices.DeleteFunc(slices.Compact(c.X), func(v float64) bool { return v < least })
		for _, side := range []struct {
			name      string
			quantiles []float64
		}{{"A", d.A}, {letter, d.B}} {
			y := make(numbers, len(c.X))
			for i, v := range c.X {
				y[i] = 100 * compare.Within(side.quantiles, v)
			}
			c.Series = append(c.Series, series{side.name, y})
		}
		if c, ok := c.drawn(); ok {
			kept = append(kept, c)
		}
	}
	return kept
}

// median is that of quantiles at equal distances; 0 of none.
func median(quantiles []float64) float64 {
	if len(quantiles) == 0 {
		return 0
	}
	return quantiles[len(quantiles)/2]
}
