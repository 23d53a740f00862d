// This file writes results to files, or to standard output.

package session

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
)

// Output says where results go besides the screen. "-" is standard output, and people's text then goes to standard error;
// "" is nowhere.
type Output struct {
	JSON    string // file for the report
	Records string // file for a line a request
	Metrics string // address at which the figures are served while the run goes on; "": they are not
}

// Bind adds the flags to a command.
func (o *Output) Bind(f *pflag.FlagSet) {
	f.StringVar(&o.JSON, "json", "", "write the result as JSON to this `file`; - for standard output")
	f.StringVar(&o.Records, "records", "", "write a line of JSON for every request to this `file`; - for standard output")
	f.StringVar(&o.Metrics, "serve-metrics", "", "serve the figures to Prometheus at this `address` while the run goes on, as 127.0.0.1:9464")
}

// standard is the name of standard output.
const standard = "-"

// text is where people's text goes.
func (o Output) text(std Streams) *os.File {
	if o.JSON == standard || o.Records == standard {
		return std.Err
	}
	return std.Out
}

// results are the files of an Output, open.
type results struct {
	document *sink
	records  *recordFile
}

// open opens the files before the run, so that a run is not lost to a name that can't be written. What is in them stays
// until there is something to replace it by.
func (o Output) open(std Streams, records *recordFile) (*results, error) {
	document, err := openSink("--json", o.JSON, std)
	if err != nil {
		return nil, err
	}
	if records.sink, err = openSink("--records", o.Records, std); err != nil {
		document.discard()
		return nil, err
	}
	return &results{document, records}, nil
}

// validate refuses two results in one place.
func (o Output) validate() error {
	switch {
	case o.JSON == "" || o.JSON != o.Records:
		return nil
	case o.JSON == standard:
		return errors.New("--json and --records can't both go to standard output; name a file for one of them")
	default:
		return fmt.Errorf("--json and --records can't both go to %s; name another file for one of them", o.JSON)
	}
}

// write completes the files, each whatever became of the other.
func (r *results) write(report *run.Report) error {
	return errors.Join(
		r.document.complete(func() error {
			if err := r.document.replace(); err != nil {
				return err
			}
			return report.WriteJSON(r.document.file)
		}),
		r.records.sink.complete(r.records.finish),
	)
}

// discard closes the files where nothing is to be written, and takes away those that were made for it.
func (r *results) discard() {
	r.document.discard()
	r.records.sink.discard()
}

// sink is where one result goes. A nil sink takes nothing.
type sink struct {
	flag, name string
	file       *os.File
	ours       bool // it is closed and replaced; standard output is not
	made       bool // it did not exist before
}

// openSink opens what a flag names.
func openSink(flag, name string, std Streams) (*sink, error) {
	switch name {
	case "":
		return nil, nil
	case standard:
		return &sink{flag: flag, name: name, file: std.Out}, nil
	}
	_, missing := os.Stat(name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s can't be written: %w", flag, err)
	}
	return &sink{flag: flag, name: name, file: f, ours: true, made: errors.Is(missing, fs.ErrNotExist)}, nil
}

// complete writes what is left to be written, and closes. The error says of which result it is.
func (s *sink) complete(write func() error) error {
	if s == nil {
		return nil
	}
	err := write()
	if s.ours {
		if closing := s.file.Close(); err == nil {
			err = closing
		}
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s can't be written: %w", s.flag, s.name, err)
}

// replace takes away what is in a file; a pipe or a terminal just takes what comes.
func (s *sink) replace() error {
	if !s.ours {
		return nil
	}
	info, err := s.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	return s.file.Truncate(0)
}

func (s *sink) discard() {
	if s == nil || !s.ours {
		return
	}
	_ = s.file.Close() // nothing was written
	if s.made {
		_ = os.Remove(s.name) // if it stays, it is merely empty
	}
}

// recordFile takes a line for every request. Without a sink, it takes nothing.
type recordFile struct {
	sink *sink
	out  *bufio.Writer // nil: nothing has been replaced yet
	err  error         // the first that writing met
}

// write appends records and flushes: what has ended is in the file even if the process is killed.
func (r *recordFile) write(records []*record.Record, start record.Instant) {
	if r.sink == nil || len(records) == 0 {
		return
	}
	if r.begin(); r.err != nil {
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

// begin makes room for the first record.
func (r *recordFile) begin() {
	if r.out == nil {
		r.err, r.out = r.sink.replace(), bufio.NewWriter(r.sink.file)
	}
}

// finish is for when all records were written: of a run in which no request ended, none is the result.
func (r *recordFile) finish() error {
	r.begin()
	return r.err
}
