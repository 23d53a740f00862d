// This file runs the console, or what takes its place where there is no terminal.

package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/charmbracelet/lipgloss"
	"golang.org/x/term"

	"tokdyno/engine"
	"tokdyno/engine/duel"
	"tokdyno/engine/kept"
	"tokdyno/engine/run"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
	"tokdyno/presets"
	"tokdyno/ui/console"
	"tokdyno/ui/report"
	"tokdyno/ui/theme"
)

// Streams are where a command reads and writes, and what it calls itself.
type Streams struct {
	In, Out, Err *os.File
	Version      string
	Runs         string // the folder in which runs are kept; "": they are not

	Drawn func(late time.Duration) // see console.Options; nil: nobody is told
}

// Std returns the process's own streams, and the user's folder of runs.
func Std(version string) Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Version: version, Runs: kept.Folder()}
}

// Interactive reports whether there is a terminal to draw on and to read keys from.
func (s Streams) Interactive() bool {
	return term.IsTerminal(int(s.In.Fd())) && term.IsTerminal(int(s.Out.Fd())) && os.Getenv("TERM") != "dumb"
}

// Look is how the user wants the console to look, and what it offers.
type Look struct {
	Theme     theme.Name    // --theme; "": what the configuration says, or the terminal suggests
	Preferred theme.Name    // of the configuration; "": nothing
	Themes    *theme.Themes // that there are; nil: those built in
	ASCII     bool          // --ascii
	Unicode   bool          // --ascii=false
	Mouse     Mouse
	Presets   *presets.Library // to be picked from; nil: none
	// KeepText is of how many requests the texts are kept, to be looked at; see engine.Config.
	KeepText int
	Share    Share // who else may watch
}

func (l Look) choose() (theme.Theme, error) {
	return theme.Choose(theme.Terminal{
		Flag:            l.Theme,
		Preferred:       l.Preferred,
		Themes:          l.Themes,
		ASCII:           l.ASCII,
		Unicode:         l.Unicode,
		NoLocale:        runtime.GOOS == "windows",
		Getenv:          os.Getenv,
		LightBackground: !lipgloss.HasDarkBackground(),
		LineCells:       theme.LineCells(),
	})
}

// Demo opens the console on a simulated server and accelerator of its own.
func Demo(ctx context.Context, cfg engine.Config, simulator sim.Config, output Output, look Look, std Streams) error {
	if err := output.onScreen(std); err != nil {
		return err
	}
	done, err := simulate(&cfg, simulator)
	if err != nil {
		return err
	}
	defer done()
	with := output.beside(&cfg, std)
	return onScreen(ctx, cfg, with, look, std, false)
}

// simulate starts a simulated server and puts it into a configuration. The function that it returns ends it, after the run.
func simulate(cfg *engine.Config, simulator sim.Config) (done func(), err error) {
	server, err := sim.Start(simulator)
	if err != nil {
		return nil, err
	}
	page, err := scrape.New(server.URL(), scrape.Options{})
	if err != nil {
		return nil, errors.Join(err, server.Close())
	}
	source := engine.SimulatedGPU(server)
	cfg.Endpoint.URL, cfg.Endpoint.NoProxy, cfg.Simulated = server.URL(), true, true
	cfg.GPU, cfg.Metrics = source, page
	return func() {
		_, _, _ = page.Close(), source.Close(), server.Close() // nothing was written
	}, nil
}

// Console runs the live console until the person leaves it, then prints the report. Without a terminal it prints a line
// a second instead, until the run ends or is interrupted. The error carries the exit status: the verdict of a run that its
// time or its number of requests ended, as Check has it, and none of a run that a person ended.
func Console(ctx context.Context, cfg engine.Config, sources Sources, output Output, look Look, std Streams) error {
	if err := output.onScreen(std); err != nil {
		return err
	}
	done, err := sources.open(ctx, &cfg)
	if err != nil {
		return err
	}
	defer done()
	with := output.beside(&cfg, std)
	return onScreen(ctx, cfg, with, look, std, true)
}

// onScreen runs a console. Judged says whether the verdict is for anybody: that on the demo's simulated server is not.
func onScreen(ctx context.Context, cfg engine.Config, with *beside, look Look, std Streams, judged bool) error {
	th, err := look.choose()
	if err != nil {
		return err
	}
	cfg.KeepText = look.KeepText
	eng, err := engine.New(cfg)
	if err != nil {
		return err
	}
	if err := with.open(eng); err != nil {
		return err
	}
	defer with.close()
	if !std.Interactive() {
		text := with.text(std)
		fmt.Fprintln(text, "there is no terminal to draw on: a line a second instead, until the run ends or is interrupted")
		interrupted, err := watch(ctx, eng, text)
		last := eng.Snapshot()
		if last.Counts.Started == 0 {
			with.files.discard()
			return nothingSent(last, interrupted, err)
		}
		return with.leave(last, endpointError(err), judged && !interrupted, std)
	}

	runErr, ended, drawErr := draw(ctx, eng, console.Options{
		Theme: th, In: std.In, Out: std.Out, Mouse: look.Mouse.on(os.Getenv), Version: std.Version, Presets: choices(look.Presets),
		Drawn: std.Drawn,
	}, look.Share)
	var many *wire.ManyModelsError
	if errors.As(runErr, &many) && drawErr == nil {
		if cfg.Endpoint.Model, err = askModel(std.In, std.Out, many.IDs); err != nil {
			with.files.discard()
			return &failure{StatusEndpoint, err}
		}
		for i := range cfg.Others {
			cfg.Others[i].Model = cfg.Endpoint.Model
		}
		return onScreen(ctx, cfg, with, look, std, judged)
	}
	last, err := eng.Snapshot(), errors.Join(drawErr, endpointError(runErr))
	if last.Counts.Started == 0 {
		with.files.discard()
		return err
	}
	return with.leave(last, err, judged && ended, std)
}

// leave writes the results, whatever became of the run, and prints what a console leaves behind. Its error is the run's, or else
// the verdict where the run is judged: where its own budget ended it.
func (b *beside) leave(last *snapshot.Snapshot, failed error, judged bool, std Streams) error {
	document, text := run.NewDocument(last, std.Version), b.text(std)
	if failed != nil {
		document.Source = b.source
		return errors.Join(failed, b.files.write(document))
	}
	if err := b.conclude(document, last, text); err != nil {
		return err
	}
	if !judged || !last.Complete() {
		return nil
	}
	return verdict(document.Report, false, 0)
}

// draw runs an engine under the console until the person leaves it; then nothing of either runs any more. It reports
// whether the run had ended before.
func draw(ctx context.Context, eng duel.Side, options console.Options, to Share) (runErr error, ended bool, drawErr error) {
	done, err := to.open(eng, &options)
	if err != nil {
		return nil, false, err
	}
	defer done()
	running := engine.Start(ctx, eng.Run)
	ended, drawErr = console.Run(ctx, eng, options)
	eng.Stop()
	return <-running, ended, drawErr
}

// watch runs an engine and prints a line a second. It reports whether it was interrupted; a second interrupt ends the
// process.
func watch(ctx context.Context, eng duel.Side, out *os.File) (interrupted bool, err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)()

	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	done := make(chan struct{})
	running := engine.Start(ctx, eng.Run)
	go func() {
		defer close(done)
		err = <-running
	}()
	cells := 0
	if term.IsTerminal(int(out.Fd())) {
		cells = width(out)
	}
	report.Progress(out, eng, cells, ticker.C, done)
	<-done
	return ctx.Err() != nil, err
}

// width is how many cells a line of a file has: those of its terminal, or as few as a report is made for.
func width(f *os.File) int {
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return report.Narrowest
}
