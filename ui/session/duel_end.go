// This file ends a duel: with what its sides differ by, each one's report, and an exit status.

package session

import (
	"errors"
	"fmt"

	"tokdyno/engine/compare"
	"tokdyno/engine/duel"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/report"
)

// conclude makes the result of a duel that is over, and says how it ended.
func (d *Duel) conclude(held *duel.Duel, with *accompaniment[run.DuelDocument], interrupted bool, failed error) error {
	last := held.Snapshot()
	for _, s := range last.Duel.Sides {
		if s.Counts.Started == 0 {
			with.files.discard()
			if d.unjudged && failed == nil {
				return nil
			}
			return nothingSent(s, interrupted, failed)
		}
	}
	std, alpha := with.std, held.Alpha()
	result := run.NewDuel(last.Duel, std.Version, held.StageSeriesOf, alpha)
	if result.Differences != nil {
		result.Result.Winner = d.judge(result.Measured, std.Version, alpha)
	}
	text := with.text(std)
	kept := func(side int) error { return printKept(text, last.Duel.Sides[side]) }
	if err := report.WriteDuel(text, result, width(text), kept); err != nil {
		return fmt.Errorf("the report can't be printed: %w", err)
	}
	if err := with.files.write(result); err != nil {
		return err
	}
	return d.verdict(result.Result, interrupted, failed)
}

// judge holds the side that is to win against each of the others; nil where none is to.
func (d *Duel) judge(sides []compare.Measured, version string, alpha float64) *run.Winner {
	if d.side < 0 {
		return nil
	}
	var metrics []compare.Metric
	for i := range d.margin {
		metrics = append(metrics, d.margin[i].Metric)
	}
	w := &run.Winner{Side: snapshot.Letter(d.side), Verdict: compare.NotYetKnown}
	for i := range sides {
		if i == d.side {
			continue
		}
		document, err := compare.Sides(version, &sides[i], sides[d.side:d.side+1], metrics, compare.Noise, alpha)
		if err == nil {
			w.Judge(snapshot.Letter(i), document, d.margin)
		}
	}
	return w
}

// verdict turns the result into an exit status.
func (d *Duel) verdict(r *run.Duel, interrupted bool, failed error) error {
	if d.unjudged {
		return failed
	}
	if interrupted {
		return &failure{StatusInterrupted, errors.New("interrupted; the report covers what was measured until then")}
	}
	if failed != nil {
		return &failure{StatusUntrusted, failed}
	}
	worst := error(nil)
	for i, side := range r.Endpoints {
		err := verdict(side, false, 0)
		status := ExitStatus(err)
		if r.Winner != nil && status == StatusMissed || r.Winner != nil && status == StatusUntrusted && side.Distrust() == "" {
			continue // what a side holds by itself is not what was asked for
		}
		if err != nil && (worst == nil || status > ExitStatus(worst)) {
			worst = &failure{status, lettered(i, err)}
		}
	}
	switch {
	case worst != nil || r.Winner == nil:
		return worst
	case r.Winner.Verdict == compare.Missed:
		return &failure{StatusMissed, nil}
	case r.Winner.Verdict == compare.NotYetKnown:
		return &failure{StatusUntrusted, nil}
	}
	return nil
}

// lettered is an error of a side; nil where it says nothing.
func lettered(side int, err error) error {
	if err.Error() == "" {
		return nil
	}
	return fmt.Errorf("%s: %w", snapshot.Letter(side), err)
}
