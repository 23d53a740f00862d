// This file is what goes on beside a run: its results, and its figures while it runs.

package session

import (
	"errors"
	"fmt"
	"os"

	"tokdyno/engine"
	"tokdyno/engine/expose"
	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
)

// beside is what goes on beside a run, of one Output.
type beside struct {
	Output
	std      Streams
	records  recordFile
	files    *results         // nil: not open yet
	source   query.Source     // of single requests
	exporter *expose.Exporter // nil: nothing is served
	server   *expose.Server
}

// beside has a run's records handed over.
func (o Output) beside(cfg *engine.Config, std Streams) *beside {
	b := &beside{Output: o, std: std}
	if o.Metrics != "" {
		b.exporter = expose.New(std.Version)
	}
	cfg.Records = func(ended []*record.Record, start record.Instant) {
		if b.exporter != nil {
			b.exporter.Records(ended, start)
		}
		b.records.write(ended, start)
	}
	return b
}

// open begins to serve, and opens the files, before the run: a name that can't be written or a port that is taken loses none. Of
// a second run, in the place of one that could not begin, they are those of the first.
func (b *beside) open(eng *engine.Engine) error {
	b.source = eng
	if b.exporter != nil {
		b.exporter.Follow(eng)
	}
	if b.files != nil {
		return nil
	}
	if b.exporter != nil {
		var err error
		if b.server, err = b.exporter.Listen(b.Metrics); err != nil {
			return fmt.Errorf("--serve-metrics: %w", err)
		}
		fmt.Fprintf(b.text(b.std), "figures are served at %s\n", b.server.URL())
	}
	var err error
	if b.files, err = b.Output.open(b.std, &b.records); err != nil {
		b.close()
	}
	return err
}

// conclude writes the results and prints the report: that is what is left of the run where a result can't be written.
func (b *beside) conclude(d *run.Document, last *snapshot.Snapshot, text *os.File) error {
	d.Source = b.source
	err := b.files.write(d)
	if printing := printReport(text, width(text), last, d.Report); printing != nil {
		err = errors.Join(err, fmt.Errorf("the report can't be printed: %w", printing))
	}
	return err
}

// close ends the serving. It may be called again.
func (b *beside) close() {
	if b.server != nil {
		b.server.Close()
	}
}

// onScreen refuses results that don't go together with a screen, where there is one.
func (o Output) onScreen(std Streams) error {
	if o.Records == standard && std.Interactive() {
		return errors.New("--records - would write into the console's screen; name a file")
	}
	return o.validate()
}
