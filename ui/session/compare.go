// This file compares runs that are kept.

package session

import (
	"errors"
	"fmt"
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
		looks := 0
		for i := range all {
			looks = max(looks, all[i].Duel.Looks)
		}
		return compare.Sides(std.Version, &a[0], b, metrics, noise, compare.After(looks))
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
		side = compare.Side{ID: d.ID, Letter: d.Letter(), Turns: d.Mode == string(snapshot.Alternate), Looks: p.Looks()}
	}
	m := run.NewMeasured(r, what, p.StageSeries, side)
	m.File = kept.File()
	return m, nil
}
