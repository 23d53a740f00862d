// This file compares runs that are kept.

package session

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/ui/report"
	"tokdyno/ui/report/form"
)

// Comparing says how runs are compared.
type Comparing struct {
	Metrics string // between commas; "": the usual ones
	Noise   string // a share
	Force   bool   // runs that don't compare, too
	File    string // "" and "-": standard output
	Format  string // the name of a form; "": what the file's name says, or text on standard output
}

// Bind adds the flags to a command.
func (c *Comparing) Bind(f *pflag.FlagSet) {
	f.StringVar(&c.Metrics, "metrics", "",
		"the `names` of what is compared, such as 'ttft p95, output_tok_s'; left out: the usual ones")
	f.StringVar(&c.Noise, "noise", units.Share(compare.Noise),
		"what differs by less than this `share` counts as the same; of shares, a fifth of it in points")
	f.BoolVar(&c.Force, "force", false, "compare runs of other shapes or models all the same, with a warning")
	f.StringVarP(&c.File, "output", "o", standard, "write it to this `file`; - for standard output")
	f.StringVar(&c.Format, "format", "", "`form`: "+form.Comparisons().Names()+"; what the file's name says unless given")
}

// onScreen reports whether it goes to standard output.
func (c *Comparing) onScreen() bool { return c.File == "" || c.File == standard }

// parse reads what is compared. Its errors are of usage.
func (c *Comparing) parse() (metrics []compare.Metric, noise float64, err error) {
	metrics = compare.Usual()
	if c.Metrics != "" {
		if metrics, err = compare.Parse(c.Metrics); err != nil {
			return nil, 0, fmt.Errorf("--metrics: %w", err)
		}
	}
	if noise, err = units.ParseShare(c.Noise); err != nil {
		return nil, 0, fmt.Errorf("--noise: %w", err)
	}
	if noise <= 0 || noise > 0.5 {
		return nil, 0, fmt.Errorf("--noise %s is no noise: it is above 0 and at most 50%%", c.Noise)
	}
	return metrics, noise, nil
}

// Compare compares runs with the first of them. That may be several, between commas, which are pooled.
func Compare(std Streams, baseline string, others []string, c Comparing) error {
	metrics, noise, err := c.parse()
	if err != nil {
		return err
	}
	as, err := chosen(form.Comparisons(), c.Format, c.File)
	if err != nil {
		return err
	}
	var a, b []compare.Measured
	for what := range strings.SplitSeq(baseline, ",") {
		m, err := measuredRun(std, strings.TrimSpace(what))
		if err != nil {
			return err
		}
		a = append(a, *m)
	}
	for _, what := range others {
		m, err := measuredRun(std, what)
		if err != nil {
			return err
		}
		b = append(b, *m)
	}
	d, err := c.compare(std, a, b, metrics, noise)
	if err != nil {
		return err
	}
	switch {
	case !c.onScreen():
		err = as.Save(c.File, d)
	case as.Name == "txt":
		return report.WriteComparison(std.Out, d, width(std.Out))
	default:
		return as.Write(std.Out, d)
	}
	if err != nil {
		return fmt.Errorf("-o %s can't be written: %w", c.File, err)
	}
	return nil
}

// compare compares runs, or sides of one duel, which need not be alike.
func (c *Comparing) compare(std Streams, a, b []compare.Measured, metrics []compare.Metric, noise float64) (*compare.Document, error) {
	if all := append(a[:1:1], b...); len(a) == 1 && compare.OneDuel(all) {
		return compare.Sides(std.Version, &a[0], b, metrics, noise, compare.Alpha)
	}
	if err := alike(append(a[1:len(a):len(a)], b...), &a[0]); err != nil && !c.Force {
		return nil, fmt.Errorf("%w; --force compares them all the same", err)
	}
	return compare.Of(std.Version, a, b, metrics, noise)
}

// alike refuses runs whose figures don't compare with those of a first one.
func alike(runs []compare.Measured, first *compare.Measured) error {
	for i := range runs {
		if unlike := compare.Unlike(first, &runs[i]); len(unlike) > 0 {
			return fmt.Errorf("%s and %s don't compare: %s", first.Name, runs[i].Name, strings.Join(unlike, "; "))
		}
	}
	return nil
}

// measuredRun plays a kept run to its end and takes what it measured.
func measuredRun(std Streams, what string) (*compare.Measured, error) {
	p, kept, err := openRun(std, what, engine.PlayToEnd)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	r := run.NewDocument(p.Snapshot(), p.Header().Tokdyno).Report
	if r.Started == nil {
		return nil, errors.New(what + " has no load that could be compared")
	}
	var side compare.Side
	if d := kept.Header.Duel; d != nil {
		side = compare.Side{ID: d.ID, Letter: d.Letter(), Turns: d.Mode == string(snapshot.Alternate)}
	}
	m := measuredSide(r, what, p.StageSeries, side)
	m.File = kept.File()
	return m, nil
}

// measured is a run as it goes into a comparison.
func measured(r *run.Report, name string, seriesOf func(stage int) *compare.Series) *compare.Measured {
	return measuredSide(r, name, seriesOf, compare.Side{})
}

// measuredSide is a side of a duel likewise. Where each had its turns, all turns of a load count, also those that differ from
// the others: to leave such out would make a side look steadier than it is, and be a choice by what was found.
func measuredSide(r *run.Report, name string, seriesOf func(stage int) *compare.Series, side compare.Side) *compare.Measured {
	m := &compare.Measured{
		Duel: side,
		Run: compare.Run{
			Name: name, URL: r.Endpoint.URL, Model: r.Endpoint.Model, Server: r.Endpoint.Server, Started: r.Started,
			Load: r.Load.Text, ShapeHash: r.Load.ShapeHash, Simulated: r.Simulated,
		},
		Asks:  asks(&r.Load.Shape),
		Doubt: r.Distrust(),
	}
	for i := range r.Levels {
		l := &r.Levels[i]
		var stages []*compare.Series
		numbers := l.Stages
		if side.Turns {
			numbers = slices.Concat(l.Apart, l.Stages)
		}
		for _, n := range numbers {
			stages = append(stages, seriesOf(n))
		}
		m.Levels = append(m.Levels, compare.MeasuredLevel{
			Name: l.Name, Axis: l.Load.Mode, Level: l.Level, Series: compare.Join(stages),
		})
	}
	if level, rest, ok := strings.Cut(m.Load, "  "); ok && len(m.Levels) > 1 && level != "" {
		m.Load = m.LevelNames() + "  " + rest // not only the last
	}
	return m
}

// asks is what makes up the shape of a run's requests.
func asks(s *run.Shape) []compare.Fact {
	text := func(of *string) string {
		if of == nil {
			return "none"
		}
		return *of
	}
	return []compare.Fact{
		{Name: "prompt tokens", Value: s.PromptTokens},
		{Name: "output tokens", Value: s.OutputTokens},
		{Name: "prefix overlap", Value: units.Share(s.PrefixOverlap)},
		{Name: "prefixes", Value: strconv.Itoa(s.Prefixes)},
		{Name: "text", Value: s.Text},
		{Name: "turns", Value: text(s.Turns)},
		{Name: "think time", Value: units.Number(s.ThinkS) + " s"},
		{Name: "data set", Value: text(s.Data)},
	}
}
