// This file shows runs that are kept: on the screen again, or as a report.

package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/duel"
	"tokdyno/engine/kept"
	"tokdyno/engine/run"
	"tokdyno/engine/runfile"
	"tokdyno/ui/cell"
	"tokdyno/ui/console"
	"tokdyno/ui/report"
	"tokdyno/ui/report/form"
)

// player opens a recording: engine.NewPlayer, engine.PlayToEnd.
type player func(open func() (io.ReadCloser, error)) (*engine.Player, error)

// openRun opens a run by what a person calls it: a name, last, last~1, a file.
func openRun(std Streams, what string, as player) (*engine.Player, kept.Run, error) {
	path, err := kept.Runs{Folder: std.Runs}.Find(what)
	if err != nil {
		return nil, kept.Run{}, err
	}
	open, err := recording(path, std.Version)
	if err != nil {
		return nil, kept.Run{}, fmt.Errorf("%s can't be read: %w", path, err)
	}
	p, err := as(open)
	if err != nil {
		return nil, kept.Run{}, fmt.Errorf("%s can't be read: %w", path, err)
	}
	return p, kept.Look(path), nil
}

// Replay opens the console on a run that is kept, and plays it.
func Replay(ctx context.Context, what string, look Look, std Streams) error {
	if !std.Interactive() {
		return errors.New("a replay needs a terminal to draw on; \"tokdyno report\" prints a run without one")
	}
	th, err := look.choose()
	if err != nil {
		return err
	}
	p, run, err := openRun(std, what, engine.NewPlayer)
	if err != nil {
		return err
	}
	defer p.Close()
	shown := playable(p)
	if sides := sidesOf(std, &run); sides != nil {
		held, err := openSides(std, sides)
		if err != nil {
			return err
		}
		held.Show(run.Header.Duel.Side)
		shown = held
	}
	if err := shown.Play(true); err != nil {
		return err
	}
	runErr, _, drawErr := draw(ctx, shown, console.Options{
		Theme: th, In: std.In, Out: std.Out, Mouse: look.Mouse.on(os.Getenv), Version: p.Header().Tokdyno,
	}, look.Share)
	return errors.Join(runErr, drawErr)
}

// playable is a recording, or those of a duel.
type playable interface {
	duel.Side
	console.Playback
}

// sidesOf are the kept runs of the sides of a run's duel, from A on; nil where there was none, or not all of them are kept.
func sidesOf(std Streams, one *kept.Run) []kept.Run {
	of := one.Header.Duel
	if of == nil {
		return nil
	}
	list, err := kept.Runs{Folder: filepath.Dir(one.Path)}.List()
	if err != nil {
		return nil
	}
	sides := make([]kept.Run, of.Sides)
	found := 0
	for i := range list {
		if d := list[i].Header.Duel; list[i].Err == nil && d != nil && d.ID == of.ID && d.Side >= 0 && d.Side < of.Sides {
			sides[d.Side] = list[i]
			found++
		}
	}
	if found != of.Sides {
		return nil
	}
	return sides
}

// openSides opens the recordings of a duel. They are closed when it has been played.
func openSides(std Streams, sides []kept.Run) (*duel.Replay, error) {
	var players []*engine.Player
	for i := range sides {
		p, _, err := openRun(std, sides[i].Path, engine.NewPlayer)
		if err != nil {
			for _, opened := range players {
				opened.Close()
			}
			return nil, err
		}
		players = append(players, p)
	}
	return duel.NewReplay(players), nil
}

// ShowRun prints what is known of a run that is kept, and its report.
func ShowRun(std Streams, what string) error {
	p, kept, err := openRun(std, what, engine.PlayToEnd)
	if err != nil {
		return err
	}
	defer p.Close()
	h := p.Header()
	said := kept.Said.Name
	if kept.Said.Baseline {
		said = strings.TrimSpace(said + " (baseline)")
	}
	fmt.Fprintf(std.Out, "%-12s%s\n", "run", report.OneLine(kept.File()+"  "+said))
	fmt.Fprintf(std.Out, "%-12s%s\n", "begun", begun(&h))
	fmt.Fprintf(std.Out, "%-12s%s, %s\n", "file", report.OneLine(kept.Path), humanize.Bytes(uint64(kept.Size)))
	return report.Write(std.Out, run.NewDocument(p.Snapshot(), h.Tokdyno).Report, width(std.Out))
}

// begun says when a run began, and what made its load, as far as that is known.
func begun(h *runfile.Header) string {
	if h.Started.IsZero() {
		return cell.Unknown
	}
	text := h.Started.Local().Format(time.DateTime)
	if h.Host.Cores > 0 {
		text += fmt.Sprintf(", by tokdyno %s on %s/%s with %d cores", h.Tokdyno, h.Host.OS, h.Host.Arch, h.Host.Cores)
	}
	return text
}

// ReportForm says how a report is written, and where.
type ReportForm struct {
	File   string // "" and "-": standard output
	Format string // the name of a form; "": what the file's name says, or text on standard output
}

// Bind adds the flags to a command.
func (f *ReportForm) Bind(flags *pflag.FlagSet) {
	flags.StringVarP(&f.File, "output", "o", standard, "write it to this `file`; - for standard output")
	flags.StringVar(&f.Format, "format", "", "`form`: "+form.Reports().Names()+"; what the file's name says unless given")
}

// chosen is the form of a table that somebody asked for: by name, or else by a file's name, or else text for standard output.
// Its error is of usage.
func chosen[D any](forms form.Table[D], name, file string) (form.Form[D], error) {
	switch {
	case name != "":
		return forms.Named(name)
	case file == "" || file == standard:
		return forms.Named("txt")
	}
	return forms.ForFile(file)
}

// Report writes the report of a run that is kept.
func Report(std Streams, what string, f ReportForm) error {
	as, err := chosen(form.Reports(), f.Format, f.File)
	if err != nil {
		return err
	}
	p, _, err := openRun(std, what, engine.PlayToEnd)
	if err != nil {
		return err
	}
	defer p.Close()
	h := p.Header()
	d := run.NewDocument(p.Snapshot(), h.Tokdyno)
	d.Header, d.Requests = h, p.Recorded()
	d.Source, d.Texts = p, true
	d.Warn = func(sentence string) { fmt.Fprintln(std.Err, "tokdyno: "+sentence) }
	to := destination[run.Document]{flag: "-o", file: f.File, form: as}
	if to.file == "" {
		to.file = standard
	}
	return to.write(d, std.Out)
}
