// This file runs a check: a load without a terminal, a report, and an exit status.

package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"tokdyno/engine"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/ui"
)

// Output says where results go besides the screen.
type Output struct {
	JSON    string // file for the report; "-": standard output, and people's text goes to standard error; "": none
	Records string // file for a line a request; "": none
}

// Check runs a load to its end and prints the report. The error carries the exit status.
func Check(ctx context.Context, cfg engine.Config, output Output, std Streams) error {
	records, err := createRecords(output.Records)
	if err != nil {
		return err
	}
	defer records.close()
	cfg.Records = records.write
	document, err := createJSON(output.JSON, std)
	if err != nil {
		return err
	}
	defer document.Close()
	eng, err := engine.New(cfg)
	if err != nil {
		return err
	}

	text := std.Out
	if output.JSON == "-" {
		text = std.Err
	}
	interrupted, err := watch(ctx, eng, text)
	if err != nil {
		return &failure{StatusEndpoint, err}
	}
	report := eng.Report(std.Version)
	if err := ui.WriteReport(text, report); err != nil {
		return fmt.Errorf("the report can't be printed: %w", err)
	}
	if output.JSON != "" {
		if err := errors.Join(report.WriteJSON(document), document.Close()); err != nil {
			return fmt.Errorf("--json %s can't be written: %w", output.JSON, err)
		}
	}
	if err := records.close(); err != nil {
		return fmt.Errorf("--records %s can't be written: %w", output.Records, err)
	}
	return verdict(report, interrupted)
}

// verdict turns a report into an exit status.
func verdict(r *run.Report, interrupted bool) error {
	switch {
	case interrupted:
		return &failure{StatusInterrupted, errors.New("interrupted; the report covers what was measured until then")}
	case r.Requests.OK == 0 && r.Requests.Failed > 0:
		return &failure{StatusEndpoint, fmt.Errorf("all %d requests failed; the first said: %s", r.Requests.Failed, r.Errors[0].Example)}
	case r.Requests.OK == 0:
		return &failure{StatusUntrusted, fmt.Errorf("no request completed in %.1f s; run for longer, or ask for fewer output tokens", r.DurationS)}
	case r.SLO.Text == "":
		return nil
	case r.SLO.Held == nil:
		return &failure{StatusUntrusted, fmt.Errorf("no request could be judged by %s", r.SLO.Text)}
	case !*r.SLO.Held:
		return &failure{StatusMissed, nil}
	}
	return nil
}

// createJSON opens the report's file before the run, so that a run is not lost to a name that can't be written.
func createJSON(name string, std Streams) (*os.File, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return std.Out, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--json can't be written: %w", err)
	}
	return f, nil
}

// recordFile takes a line for every request. The zero recordFile takes nothing.
type recordFile struct {
	file *os.File
	out  *bufio.Writer
	err  error // the first that writing met
}

func createRecords(name string) (*recordFile, error) {
	if name == "" {
		return &recordFile{}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--records can't be written: %w", err)
	}
	return &recordFile{file: f, out: bufio.NewWriter(f)}, nil
}

// write appends records and flushes: what has ended is in the file even if the process is killed.
func (r *recordFile) write(records []*record.Record, start record.Instant) {
	if r.file == nil || r.err != nil {
		return
	}
	for _, rec := range records {
		line, err := rec.Line(start)
		if err == nil {
			_, err = r.out.Write(append(line, '\n'))
		}
		if err != nil {
			r.err = err
			return
		}
	}
	r.err = r.out.Flush()
}

// close may be called more than once.
func (r *recordFile) close() error {
	if r.file == nil {
		return r.err
	}
	err := errors.Join(r.err, r.file.Close())
	r.file = nil
	return err
}
