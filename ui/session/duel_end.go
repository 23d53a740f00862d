// This file ends a duel: with what its sides differ by, each one's report, and an exit status.

package session

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tokdyno/engine/compare"
	"tokdyno/engine/duel"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/report"
	"tokdyno/ui/report/form"
)

// conclude makes the result of a duel that is over, and says how it ended.
func (d *Duel) conclude(held *duel.Duel, output Output, interrupted bool, failed error, std Streams) error {
	last, text := held.Snapshot(), output.text(std)
	sides := make([]compare.Measured, held.Sides())
	result := run.Duel{
		Schema: run.Schema, Tokdyno: std.Version, Mode: string(last.Duel.Mode), Differences: []compare.Comparison{}, Notes: []string{},
	}
	for i, s := range last.Duel.Sides {
		if s.Counts.Started == 0 {
			if d.unjudged && failed == nil {
				return nil
			}
			return nothingSent(s, interrupted, failed)
		}
		r := run.NewDocument(s, std.Version).Report
		result.Endpoints = append(result.Endpoints, r)
		sides[i] = *measuredSide(r, "side "+snapshot.Letter(i), func(n int) *compare.Series { return held.StageSeriesOf(i, n) },
			compare.Side{ID: "this", Letter: snapshot.Letter(i), Turns: last.Duel.Mode == snapshot.Alternate})
	}
	differences, err := compare.Sides(std.Version, &sides[0], sides[1:], compare.Usual(), compare.Noise, held.Alpha())
	if err != nil {
		result.Notes = append(result.Notes, err.Error())
		differences = nil
	} else {
		result.Differences, result.Notes = differences.Runs, differences.Notes
		result.Winner = d.judge(sides, std.Version, held.Alpha())
	}
	if err := d.print(text, &result, differences, last); err != nil {
		return err
	}
	if err := output.writeDuel(&result, differences, std.Out); err != nil {
		return err
	}
	return d.verdict(&result, interrupted, failed)
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

// print prints the result for people.
func (d *Duel) print(to *os.File, r *run.Duel, differences *compare.Document, last *snapshot.Snapshot) error {
	width := width(to)
	err := report.WriteSides(to, r, width)
	if differences != nil {
		err = errors.Join(err, report.WriteComparison(to, differences, width))
	}
	for i, of := range r.Endpoints {
		_, more := fmt.Fprintf(to, "\n%s  %s\n", snapshot.Letter(i), of.Endpoint.URL)
		err = errors.Join(err, more, printReport(to, width, last.Duel.Sides[i], of))
	}
	if err != nil {
		return fmt.Errorf("the report can't be printed: %w", err)
	}
	return nil
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

// inDuel refuses results that are of single runs.
func (o Output) inDuel() error {
	switch {
	case o.Records != "":
		return errors.New("--records is of one run, and a duel has several: its runs are kept, and \"tokdyno report\" writes each one's")
	case o.Metrics != "":
		return errors.New("--serve-metrics serves one run, and a duel has several")
	}
	for _, file := range o.Reports {
		if _, err := form.Comparisons().ForFile(file); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
		if err := form.Writable(file); err != nil {
			return fmt.Errorf("--report can't be written: %w", err)
		}
	}
	if o.JSON != "" && o.JSON != standard {
		if err := form.Writable(o.JSON); err != nil {
			return fmt.Errorf("--json can't be written: %w", err)
		}
	}
	return o.validate()
}

// writeDuel writes the results of a duel to files, each whatever became of the others.
func (o Output) writeDuel(r *run.Duel, differences *compare.Document, out io.Writer) (err error) {
	switch o.JSON {
	case "":
	case standard:
		err = r.WriteJSON(out)
	default:
		if err = form.WriteFile(o.JSON, r.WriteJSON); err != nil {
			err = fmt.Errorf("--json %s can't be written: %w", o.JSON, err)
		}
	}
	for _, file := range o.Reports {
		if differences == nil {
			return errors.Join(err, fmt.Errorf("--report %s: there is nothing to compare", file))
		}
		as, problem := form.Comparisons().ForFile(file)
		if problem == nil {
			problem = as.Save(file, differences)
		}
		if problem != nil {
			err = errors.Join(err, fmt.Errorf("--report %s can't be written: %w", file, problem))
		}
	}
	return err
}
