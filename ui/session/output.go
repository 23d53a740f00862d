// This file writes results to files, or to standard output.

package session

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/pflag"

	"tokdyno/engine/record"
	"tokdyno/engine/wholefile"
	"tokdyno/ui/report/form"
)

// Output says where results go besides the screen. "-" is standard output, and people's text then goes to standard error;
// "" is nowhere.
type Output struct {
	JSON    string   // file for the report as JSON
	Reports []string // files for the report, each in the form that the ending of its name says; none is standard output
	Records string   // file for a line a request
	Metrics string   // address at which the figures are served while the run goes on; "": they are not
}

// Bind adds the flags to a command.
func (o *Output) Bind(f *pflag.FlagSet) {
	f.StringVar(&o.JSON, "json", "", "write the result as JSON to this `file`; - for standard output")
	f.StringArrayVar(&o.Reports, "report", nil, "write the report to this `file`, whose name ends in "+form.Reports().Endings()+"; repeatable")
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

// results are where the results of a run go, or those of a duel.
type results[D any] struct {
	documents []destination[D]
	records   *recordFile
	out       *os.File // standard output
}

// destination is where one form of a document goes.
type destination[D any] struct {
	flag, file string
	form       form.Form[D]
}

// destinations are those of a document that has these forms.
func destinations[D any](o Output, forms form.Table[D]) (all []destination[D], err error) {
	if o.JSON != "" {
		f, err := forms.Named("json")
		if err != nil {
			return nil, err
		}
		all = append(all, destination[D]{"--json", o.JSON, f})
	}
	for _, file := range o.Reports {
		f, err := forms.ForFile(file)
		if err != nil {
			return nil, fmt.Errorf("--report: %w", err)
		}
		all = append(all, destination[D]{"--report", file, f})
	}
	return all, nil
}

// validate refuses two results in one place, and a report whose form is not known.
func validate[D any](o Output, forms form.Table[D]) error {
	all, err := destinations(o, forms)
	if err != nil {
		return err
	}
	if o.Records != "" {
		all = append(all, destination[D]{flag: "--records", file: o.Records})
	}
	taken := make(map[string]string)
	for _, d := range all {
		file := filepath.Clean(d.file)
		switch other, ok := taken[file]; {
		case !ok:
			taken[file] = d.flag
		case d.file == standard:
			return fmt.Errorf("%s and %s can't both go to standard output; name a file for one of them", other, d.flag)
		default:
			return fmt.Errorf("%s and %s can't both go to %s; name another file for one of them", other, d.flag, d.file)
		}
	}
	return nil
}

// openResults sees before the run that the files can be written, so that it is not lost to a name that can't. What is in them
// stays until there is something to replace it by.
func openResults[D any](o Output, forms form.Table[D], std Streams, records *recordFile) (*results[D], error) {
	all, err := destinations(o, forms)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if d.file == standard {
			continue
		}
		if err := wholefile.Writable(d.file); err != nil {
			return nil, fmt.Errorf("%s can't be written: %w", d.flag, err)
		}
	}
	if records.sink, err = openSink(o.Records, std); err != nil {
		return nil, err
	}
	return &results[D]{all, records, std.Out}, nil
}

// write writes the results, each whatever became of the others.
func (r *results[D]) write(d *D) error {
	err := r.records.sink.complete(r.records.finish)
	for _, to := range r.documents {
		err = errors.Join(err, to.write(d, r.out))
	}
	return err
}

// write writes the document. The error says of which result it is.
func (to destination[D]) write(d *D, out *os.File) error {
	var err error
	if to.file == standard {
		err = to.form.Write(out, d)
	} else {
		err = to.form.Save(to.file, d)
	}
	if err != nil {
		return fmt.Errorf("%s %s can't be written: %w", to.flag, to.file, err)
	}
	return nil
}

// discard closes the files where nothing is to be written, and takes away those that were made for it.
func (r *results[D]) discard() { r.records.sink.discard() }

// sink is where records go. A nil sink takes nothing.
type sink struct {
	name string
	file *os.File
	ours bool // it is closed and replaced; standard output is not
	made bool // it did not exist before
}

// openSink opens what --records names.
func openSink(name string, std Streams) (*sink, error) {
	switch name {
	case "":
		return nil, nil
	case standard:
		return &sink{name: name, file: std.Out}, nil
	}
	_, missing := os.Stat(name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--records can't be written: %w", err)
	}
	return &sink{name: name, file: f, ours: true, made: errors.Is(missing, fs.ErrNotExist)}, nil
}

// complete writes what is left to be written, and closes.
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
	return fmt.Errorf("--records %s can't be written: %w", s.name, err)
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
	mu   sync.Mutex    // of what follows: the sides of a duel write to one file
	out  *bufio.Writer // nil: nothing has been replaced yet
	err  error         // the first that writing met
}

// write appends records and flushes: what has ended is in the file even if the process is killed. Of a duel, side says whose
// they are.
func (r *recordFile) write(records []*record.Record, start record.Instant, side string) {
	if r.sink == nil || len(records) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begin(); r.err != nil {
		return
	}
	for _, rec := range records {
		line, err := rec.Line(start, side)
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
