// This file holds a check against an earlier run.

package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/compare"
	"tokdyno/engine/kept"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
)

// lastGood is the newest run of the same endpoint, model and shape that held its SLO; one that was marked as a baseline goes
// first.
const lastGood = "last-good"

// Against says what a check is held against besides its SLO.
type Against struct {
	Baseline   string // a run, or lastGood; "": nothing
	Regression string // by how much which metrics may be worse
	Confirm    bool   // a second run has to be worse too

	allowed []compare.Allowance
	before  []compare.Measured // what may be the baseline, one a model: which is loaded is not known before the load begins
}

// Bind adds the flags to a command.
func (a *Against) Bind(f *pflag.FlagSet) {
	f.StringVar(&a.Baseline, "baseline", "", "compare with this kept `run`; last-good: the newest of the same endpoint, model, load "+
		"and shape that held its SLO and was not worse itself, one marked by \"tokdyno runs baseline\" before others")
	f.StringVar(&a.Regression, "max-regression", "",
		"by how much `what` may be worse than the baseline, such as 'ttft p95 10%, output_tok_s 5%'")
	f.BoolVar(&a.Confirm, "confirm", false, "where it is worse, run once more, and believe it only if that is worse too")
}

// open finds the baseline before the load begins. Its errors are of usage.
func (a *Against) open(std Streams, first *snapshot.Snapshot) (err error) {
	switch {
	case a.Baseline == "" && (a.Regression != "" || a.Confirm):
		return errors.New("--max-regression and --confirm need a --baseline: a run, or last-good")
	case a.Confirm && a.Regression == "":
		return errors.New("--confirm needs --max-regression: by how much what may be worse")
	case a.Baseline == "":
		return nil
	}
	if a.Regression != "" {
		if a.allowed, err = compare.ParseAllowances(a.Regression); err != nil {
			return fmt.Errorf("--max-regression: %w", err)
		}
	}
	runs := kept.Runs{Folder: std.Runs}
	if a.Baseline != lastGood {
		return a.openNamed(std, first)
	}
	list, err := runs.List()
	if err != nil {
		return err
	}
	good := slices.DeleteFunc(list, func(r kept.Run) bool { return !isGood(&r, first) })
	slices.SortStableFunc(good, func(r, o kept.Run) int { return marked(&o) - marked(&r) })
	for i := range good {
		if slices.ContainsFunc(a.before, func(m compare.Measured) bool { return m.Model == good[i].Header.Model }) {
			continue
		}
		m, err := measuredRun(std, good[i].Path)
		if err == nil && m.Has(string(first.Knobs.Load.Mode), first.Knobs.Load.Level()) {
			a.before = append(a.before, *m)
		}
	}
	if len(a.before) == 0 {
		return noneGood(first.Endpoint.URL, first.Endpoint.Model)
	}
	return nil
}

// openNamed opens a baseline that was named, and refuses it where it is known already that it doesn't compare.
func (a *Against) openNamed(std Streams, first *snapshot.Snapshot) error {
	m, err := measuredRun(std, a.Baseline)
	if err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	now := run.NewMeasured(run.NewDocument(first, std.Version).Report, "this run", nil, compare.Side{})
	if now.Model == "" {
		now.Model = m.Model // it is found out when the load begins
	}
	if err := a.refuse(m, now); err != nil {
		return err
	}
	if k := &first.Knobs.Load; !m.Has(string(k.Mode), k.Level()) {
		return fmt.Errorf("--baseline %s was not measured at this load: it has %s", a.Baseline, m.LevelNames())
	}
	a.before = []compare.Measured{*m}
	return nil
}

// refuse says why a baseline doesn't compare with a run.
func (a *Against) refuse(before, now *compare.Measured) error {
	if unlike := compare.Unlike(before, now); len(unlike) > 0 {
		return fmt.Errorf("--baseline %s doesn't compare with this run: %s", a.Baseline, strings.Join(unlike, "; "))
	}
	return nil
}

// isGood reports whether a kept run may be the last good one of what is to be loaded.
func isGood(r *kept.Run, now *snapshot.Snapshot) bool {
	if r.Err != nil || r.Header.URL != now.Endpoint.URL || r.Header.ShapeHash != now.Knobs.ShapeHash() {
		return false
	}
	if now.Endpoint.Model != "" && r.Header.Model != now.Endpoint.Model {
		return false
	}
	sum, ok := r.Sum()
	return ok && (r.Said.Baseline || sum.Verdict == compare.Held && !r.Said.Worse)
}

func marked(r *kept.Run) int {
	if r.Said.Baseline {
		return 1
	}
	return 0
}

func noneGood(url, model string) error {
	of := url
	if model != "" {
		of = model + " at " + url
	}
	return fmt.Errorf("there is no good run to hold this one against: none that is kept is of %s with this load and shape, and "+
		"held an SLO; run a check with --slo, or mark one with \"tokdyno runs baseline RUN\"", of)
}

// compare holds a run that is over against the baseline. Its errors are of usage.
func (a *Against) compare(std Streams, eng *engine.Engine, r *run.Report) (*run.Baseline, error) {
	if a.Baseline == "" {
		return nil, nil
	}
	before := a.before[0]
	if a.Baseline == lastGood {
		i := slices.IndexFunc(a.before, func(m compare.Measured) bool { return m.Model == r.Endpoint.Model })
		if i < 0 {
			return nil, noneGood(r.Endpoint.URL, r.Endpoint.Model)
		}
		before = a.before[i]
	}
	before.Name = a.Baseline
	now := run.NewMeasured(r, "this run", eng.StageSeries, compare.Side{})
	if err := a.refuse(&before, now); err != nil {
		return nil, err
	}
	d, err := compare.Of(std.Version, []compare.Measured{before}, []compare.Measured{*now}, a.metrics(), compare.Noise)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	return run.NewBaseline(d, a.allowed), nil
}

// metrics are the usual ones, and those that something is asked of.
func (a *Against) metrics() []compare.Metric {
	list := compare.Usual()
	for i := range a.allowed {
		if m := &a.allowed[i].Metric; m.Minor {
			list = append(list, *m)
		}
	}
	return list
}

// remember notes down of a kept run that it was worse than its baseline, lest the next one be held against it.
func remember(path string) error {
	if path == "" {
		return nil
	}
	said := kept.Look(path).Said
	said.Worse = true
	return kept.Say(path, said)
}

// decide adds to a check's error what its baseline says: worse than allowed, or not known. Who misses an SLO has missed it,
// whatever was before.
func decide(r *run.Report, err error) error {
	status := ExitStatus(err)
	switch {
	case status != StatusOK && (status != StatusUntrusted || r.Distrust() != ""):
		return err
	case r.Baseline.Is(compare.Missed):
		return &failure{StatusMissed, nil}
	case r.Baseline.Is(compare.NotYetKnown) && err == nil:
		return &failure{StatusUntrusted, nil}
	}
	return err
}
