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
	"tokdyno/ui/report/form"
)

// accompaniment is what goes on beside a run or a duel, whose result is a D, of one Output.
type accompaniment[D any] struct {
	Output
	std       Streams
	forms     form.Table[D]
	records   recordFile
	files     *results[D]        // nil: not open yet
	exporters []*expose.Exporter // of each side; of a run alone, one. None: nothing is served
	server    *expose.Server
}

// take has records handed over: of a run, or of each side of a duel.
func (a *accompaniment[D]) take(configs ...*engine.Config) {
	switch {
	case a.Metrics == "":
	case len(configs) == 1:
		a.exporters = []*expose.Exporter{expose.New(a.std.Version)}
	default:
		a.exporters = expose.Sides(a.std.Version, len(configs))
	}
	for i, cfg := range configs {
		side := ""
		if len(configs) > 1 {
			side = snapshot.Letter(i)
		}
		cfg.Records = func(ended []*record.Record, start record.Instant) {
			if len(a.exporters) > 0 {
				a.exporters[i].Records(ended, start)
			}
			a.records.write(ended, start, side)
		}
	}
}

// open begins to serve, and opens the files, before the run: a name that can't be written or a port that is taken loses none. Of
// a second run, in the place of one that could not begin, they are those of the first.
func (a *accompaniment[D]) open(runs ...expose.Run) error {
	for i, x := range a.exporters {
		x.Follow(runs[i])
	}
	if a.files != nil {
		return nil
	}
	if len(a.exporters) > 0 {
		var err error
		if a.server, err = a.exporters[0].Listen(a.Metrics); err != nil {
			return fmt.Errorf("--serve-metrics: %w", err)
		}
		fmt.Fprintf(a.text(a.std), "figures are served at %s\n", a.server.URL())
	}
	var err error
	if a.files, err = openResults(a.Output, a.forms, a.std, &a.records); err != nil {
		a.close()
	}
	return err
}

// close ends the serving. It may be called again.
func (a *accompaniment[D]) close() {
	if a.server != nil {
		a.server.Close()
	}
}

// beside is what goes on beside a run.
type beside struct {
	accompaniment[run.Document]
	source query.Source // of single requests
}

// beside has a run's records handed over.
func (o Output) beside(cfg *engine.Config, std Streams) *beside {
	b := &beside{accompaniment: accompaniment[run.Document]{Output: o, std: std, forms: form.Reports()}}
	b.take(cfg)
	return b
}

// open is that of what goes on beside any run.
func (b *beside) open(eng *engine.Engine) error {
	b.source = eng
	return b.accompaniment.open(eng)
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

// onScreen refuses results that don't go together with a screen, where there is one.
func (o Output) onScreen(std Streams) error {
	if err := o.besideScreen(std); err != nil {
		return err
	}
	return validate(o, form.Reports())
}

// besideScreen refuses records that would be written into a console's screen.
func (o Output) besideScreen(std Streams) error {
	if o.Records == standard && std.Interactive() {
		return errors.New("--records - would write into the console's screen; name a file")
	}
	return nil
}
