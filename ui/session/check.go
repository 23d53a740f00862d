// This file runs a check: a load without a terminal, a report, and an exit status.

package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/compare"
	"tokdyno/engine/kept"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/report"
	"tokdyno/ui/report/form"
)

// Check runs a load to its end and prints the report. The error carries the exit status.
func Check(ctx context.Context, cfg engine.Config, sources Sources, output Output, std Streams) error {
	return CheckAgainst(ctx, cfg, sources, output, Against{}, std)
}

// CheckAgainst is Check that holds the run against an earlier one before it prints the report.
func CheckAgainst(ctx context.Context, cfg engine.Config, sources Sources, output Output, against Against, std Streams) error {
	if err := validate(output, form.Reports()); err != nil {
		return err
	}
	done, err := sources.open(ctx, &cfg)
	if err != nil {
		return err
	}
	defer done()
	with := output.beside(&cfg, std)
	eng, err := engine.New(cfg)
	if err != nil {
		return err // before any file is touched
	}
	if err := against.open(std, eng.Snapshot()); err != nil {
		return err
	}
	if err := with.open(eng); err != nil {
		return err
	}
	defer with.close()
	text := output.text(std)
	ran, err := check(ctx, eng, &against, text, std)
	if err == nil && ran.Report.Baseline.Is(compare.Missed) && against.Confirm && ran.err == nil && !ran.interrupted {
		fmt.Fprintln(text, "it is worse than its baseline; once more, to confirm that")
		first := ran.Report.Baseline.Criteria
		if eng, err = engine.New(cfg); err == nil {
			err = with.open(eng)
		}
		if err == nil {
			ran, err = check(ctx, eng, &against, text, std)
		}
		if err == nil {
			ran.Report.Baseline.First = first
		}
	}
	if err != nil {
		with.files.discard()
		return err
	}
	if err := with.conclude(ran.Document, ran.Last, text); err != nil {
		return err
	}
	if ran.err != nil {
		return &failure{StatusUntrusted, ran.err}
	}
	limit := 0
	if cfg.AnyBudget {
		limit = ran.Last.Budget.Requests
	}
	return decide(ran.Report, verdict(ran.Report, ran.interrupted, limit))
}

// checked is a run that is over.
type checked struct {
	*run.Document
	interrupted bool
	err         error // why it ended early
}

// check runs a load to its end. The error says why there is nothing to report.
func check(ctx context.Context, eng *engine.Engine, against *Against, text *os.File, std Streams) (*checked, error) {
	interrupted, runErr := watch(ctx, eng, text)
	last := eng.Snapshot()
	if last.Counts.Started == 0 {
		return nil, nothingSent(last, interrupted, runErr)
	}
	c := &checked{run.NewDocument(last, std.Version), interrupted, runErr}
	var err error
	if !interrupted && runErr == nil {
		c.Report.Baseline, err = against.compare(std, eng, c.Report)
	}
	if c.Report.Baseline.Is(compare.Missed) {
		err = errors.Join(err, remember(last.Kept.Path))
	}
	return c, err
}

// printReport prints a run's report, and where the run is kept.
func printReport(w io.Writer, width int, last *snapshot.Snapshot, r *run.Report) error {
	return errors.Join(report.Write(w, r, width), printKept(w, last))
}

// printKept prints where a run is kept; nothing where it is not.
func printKept(w io.Writer, last *snapshot.Snapshot) (err error) {
	if last.Kept.Path != "" && last.Kept.Problem == "" {
		_, err = fmt.Fprintf(w, "kept        tokdyno replay %s\n", strings.TrimSuffix(filepath.Base(last.Kept.Path), kept.Suffix))
	}
	return err
}

// nothingSent says why a run ended before its first request.
func nothingSent(last *snapshot.Snapshot, interrupted bool, err error) error {
	switch {
	case interrupted && len(last.Again.Refused) > 0:
		return &failure{StatusInterrupted, fmt.Errorf("interrupted before the load began: %s", last.Again.Refused[0].Example)}
	case interrupted:
		return &failure{StatusInterrupted, errors.New("interrupted before the load began")}
	case err != nil:
		return endpointError(err)
	}
	return &failure{StatusUntrusted, fmt.Errorf("no request was due in %.1f s; run for longer, or with a higher rate", last.Elapsed.Seconds())}
}

// endpointError gives an error that has no status yet that of an endpoint that can't be used.
func endpointError(err error) error {
	var f *failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	return &failure{StatusEndpoint, err}
}

// verdict turns a report into an exit status. limit is the number of requests that an endpoint got because nobody chose
// another; 0: it was not held back.
func verdict(r *run.Report, interrupted bool, limit int) error {
	distrust := r.Distrust()
	switch {
	case interrupted:
		return &failure{StatusInterrupted, errors.New("interrupted; the report covers what was measured until then")}
	case unusable(r):
		return &failure{StatusEndpoint, fmt.Errorf("%d of %d requests failed; the first said: %s",
			r.Requests.Failed, r.Requests.Failed+r.Requests.OK, r.Errors[0].Example)}
	case r.Sweep != nil:
		return sweepVerdict(r, limit)
	case distrust != "":
		return untrusted(distrust)
	case r.Open() != "": // as the report says
		return &failure{StatusUntrusted, nil}
	case r.SLO.Held != nil && !*r.SLO.Held:
		return &failure{StatusMissed, nil}
	}
	return nil
}

// unusable reports whether too many requests failed for the endpoint to count as one. To find where requests fail is what
// an autopilot goes up for: there, a single one that completed says that the endpoint can be used.
func unusable(r *run.Report) bool {
	if r.Sweep != nil {
		return r.Requests.Failed > 0 && r.Requests.OK == 0
	}
	return r.Requests.Failed > 0 && r.Requests.Failed >= r.Requests.OK
}

func untrusted(doubt string) error {
	return &failure{StatusUntrusted, errors.New("not to be trusted: " + doubt)}
}

// sweepVerdict is that of an autopilot: whether a level held what was asked for, if anything was. That a level was found
// with fewer requests than were asked for, or held at only one of two looks, the report says: it is found all the same.
func sweepVerdict(r *run.Report, limit int) error {
	doubt := r.SweepDoubt()
	switch s := r.Sweep; {
	case !s.Done:
		return &failure{StatusUntrusted, unfinished(r, limit)}
	case doubt != "":
		return untrusted(doubt)
	case s.Judged && !r.LevelHeld():
		return &failure{StatusMissed, nil}
	}
	return nil
}

// unfinished says why an autopilot did not come to its end, and what would help.
func unfinished(r *run.Report, limit int) error {
	q, s := &r.Requests, r.Sweep
	if sent := q.OK + q.Failed + q.Cancelled + q.InFlightAtEnd; limit > 0 && sent >= limit {
		return fmt.Errorf("the %s did not come to its end: unless told otherwise, an endpoint that is not on this machine or network "+
			"gets %d requests; allow more with --requests, or any number with --requests 0", s.Kind, limit)
	}
	return fmt.Errorf("the %s did not come to its end; give it more time, or fewer levels", s.Kind)
}
