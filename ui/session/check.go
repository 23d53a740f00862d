// This file runs a check: a load without a terminal, a report, and an exit status.

package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/ui"
)

// Output says where results go besides the screen.
type Output struct {
	JSON    string // file for the report; "-": standard output, and people's text goes to standard error; "": none
	Records string // file for a line a request; "": none
}

// Bind adds the flags to a command.
func (o *Output) Bind(f *pflag.FlagSet) {
	f.StringVar(&o.JSON, "json", "", "write the result as JSON to this `file`; - for standard output")
	f.StringVar(&o.Records, "records", "", "write a line of JSON for every request to this `file`")
}

// Check runs a load to its end and prints the report. The error carries the exit status.
func Check(ctx context.Context, cfg engine.Config, sources Sources, output Output, std Streams) error {
	done, err := sources.open(ctx, &cfg)
	if err != nil {
		return err
	}
	defer done()
	records := new(recordFile)
	cfg.Records = records.write
	eng, err := engine.New(cfg)
	if err != nil {
		return err // before any file is touched
	}
	document, err := openJSON(output.JSON, std)
	if err != nil {
		return err
	}
	if document != std.Out {
		defer document.Close()
	}
	if err := records.create(output.Records); err != nil {
		return err
	}
	defer records.close()

	text := std.Out
	if output.JSON == "-" {
		text = std.Err
	}
	interrupted, runErr := watch(ctx, eng, text)
	if eng.Snapshot().Counts.Started == 0 {
		records.remove()
		removeEmpty(document)
		if interrupted {
			runErr = &failure{StatusInterrupted, errors.New("interrupted before the load began")}
		}
		return endpointError(runErr)
	}
	report := eng.Report(std.Version)
	if err := write(report, document, records, output); err != nil {
		return err
	}
	if err := ui.WriteReport(text, report); err != nil {
		return fmt.Errorf("the report can't be printed: %w", err)
	}
	if runErr != nil {
		return &failure{StatusUntrusted, runErr}
	}
	return verdict(report, interrupted)
}

// endpointError gives an error that has no status yet that of an endpoint that can't be used.
func endpointError(err error) error {
	var f *failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	return &failure{StatusEndpoint, err}
}

// removeEmpty takes away a file that was opened for nothing.
func removeEmpty(f *os.File) {
	if f == nil {
		return
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		_ = os.Remove(f.Name()) // if it stays, it is merely empty
	}
}

// write completes the files, each whatever became of the other.
func write(report *run.Report, document *os.File, records *recordFile, output Output) error {
	var errs []error
	if output.JSON != "" {
		if err := writeJSON(report, document); err != nil {
			errs = append(errs, fmt.Errorf("--json %s can't be written: %w", output.JSON, err))
		}
	}
	if err := records.close(); err != nil {
		errs = append(errs, fmt.Errorf("--records %s can't be written: %w", output.Records, err))
	}
	return errors.Join(errs...)
}

// verdict turns a report into an exit status.
func verdict(r *run.Report, interrupted bool) error {
	failed := r.Requests.Failed > 0 && r.Requests.Failed >= r.Requests.OK
	doubt := r.Doubt()
	switch {
	case interrupted:
		return &failure{StatusInterrupted, errors.New("interrupted; the report covers what was measured until then")}
	case failed:
		return &failure{StatusEndpoint, fmt.Errorf("%d of %d requests failed; the first said: %s",
			r.Requests.Failed, r.Requests.Failed+r.Requests.OK, r.Errors[0].Example)}
	case r.Sweep != nil:
		return sweepVerdict(r)
	case doubt != "":
		return &failure{StatusUntrusted, errors.New("not to be trusted: " + doubt)}
	case r.SLO.Held != nil && !*r.SLO.Held:
		return &failure{StatusMissed, nil}
	}
	return nil
}

// sweepVerdict is that of an autopilot: whether a level held what was asked for, if anything was.
func sweepVerdict(r *run.Report) error {
	switch s := r.Sweep; {
	case !s.Done:
		return &failure{StatusUntrusted, fmt.Errorf("the %s did not come to its end; give it more time, or fewer levels", s.Kind)}
	case r.Client.Verdict != nil && *r.Client.Verdict == string(health.ClientBound):
		return &failure{StatusUntrusted, errors.New("not to be trusted: " + r.Doubt())}
	case s.Judged && !s.Found:
		return &failure{StatusMissed, nil}
	}
	return nil
}

// openJSON opens the report's file before the run, so that a run is not lost to a name that can't be written. What is
// in it stays until there is something to replace it by.
func openJSON(name string, std Streams) (*os.File, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return std.Out, nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--json can't be written: %w", err)
	}
	return f, nil
}

// writeJSON replaces what is in a file by the report; a pipe or a terminal just takes it.
func writeJSON(r *run.Report, document *os.File) error {
	info, err := document.Stat()
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		if err := document.Truncate(0); err != nil {
			return err
		}
	}
	return r.WriteJSON(document)
}

// recordFile takes a line for every request. Until it is created, it takes nothing.
type recordFile struct {
	file *os.File
	out  *bufio.Writer
	err  error // the first that writing met
}

// create opens the file; "" leaves the records to nobody.
func (r *recordFile) create(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("--records can't be written: %w", err)
	}
	r.file, r.out = f, bufio.NewWriter(f)
	return nil
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

// remove takes the file away if nothing was written to it.
func (r *recordFile) remove() {
	if r.file != nil {
		removeEmpty(r.file)
	}
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
