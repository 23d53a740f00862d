// This file shows a run to somebody who only looks.

package console

import (
	"context"
	"errors"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// readOnly answers those who only watch when they ask for more.
const readOnly = "read only: you are watching a run that somebody else controls"

// Size is that of a terminal, in cells.
type Size struct{ W, H int }

// Watcher is somebody at another terminal who looks at a run.
type Watcher struct {
	In    io.Reader
	Out   io.Writer
	Theme theme.Theme
	Sizes <-chan Size // of the terminal: the first at once, then each that it takes
	// Watching is who else watches; nil: it is not shown.
	Watching func() []string
}

// Watch shows a run that somebody else controls, on a console of its own that can change nothing of it, until the watcher
// leaves or ctx ends. Its error is that of ctx, or a fault of this console.
func Watch(ctx context.Context, eng Engine, w Watcher) error {
	faulty, fault := context.WithCancelCause(ctx)
	defer fault(nil)
	m := newModel(newOnlooker(eng), w.Theme, time.Now)
	m.run.watches, m.run.audience.watching = true, w.Watching
	program := tea.NewProgram(m, tea.WithInput(w.In), tea.WithOutput(w.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(fps(RemoteFrame)))

	crew := crew{done: make(chan struct{}), fault: fault}
	crew.work(func(done <-chan struct{}) { frames(program, RemoteFrame, done) })
	crew.work(func(done <-chan struct{}) { end(faulty, program, done) })
	crew.work(func(done <-chan struct{}) { resize(program, w.Sizes, done) })
	_, err := program.Run()
	crew.dismiss()
	return outcome(ctx, faulty, m, err)
}

// resize tells the console of each size that its terminal takes.
func resize(program *tea.Program, sizes <-chan Size, done <-chan struct{}) {
	for {
		select {
		case s, ok := <-sizes:
			if !ok {
				return
			}
			program.Send(tea.WindowSizeMsg{Width: s.W, Height: s.H})
		case <-done:
			return
		}
	}
}

// Windows is what an Engine can do besides that shows its latest moment over any window; *engine.Engine is one.
type Windows interface {
	// Over is Snapshot with all that is over Knobs.Window over another one.
	Over(stats.Window) *snapshot.Snapshot
}

// onlooker is a run as those see it who only watch. What would change it is refused here, whatever the console does.
type onlooker struct {
	of      Engine
	windows Windows      // nil: it has that of the knobs
	window  stats.Window // the watcher's own
	own     bool         // it was chosen
}

func newOnlooker(of Engine) *onlooker {
	o := &onlooker{of: of}
	o.windows, _ = of.(Windows)
	return o
}

// look chooses a window for this watcher alone.
func (o *onlooker) look(w stats.Window) { o.window, o.own = w, true }

func (o *onlooker) Snapshot() *snapshot.Snapshot {
	if o.own {
		return o.windows.Over(o.window)
	}
	return o.of.Snapshot()
}

func (o *onlooker) StageValues(n int, m slo.Metric) []time.Duration { return o.of.StageValues(n, m) }

func (o *onlooker) StageSeries(n int) *compare.Series { return o.of.StageSeries(n) }

func (o *onlooker) Requests(q query.Query) *query.View { return o.of.Requests(q) }

func (o *onlooker) EachRequest(q query.Query, tell func(*query.Row) error) error {
	return o.of.EachRequest(q, tell)
}

func (o *onlooker) OpenRequest(id uint64) (stats.Opened, bool) { return o.of.OpenRequest(id) }

func (o *onlooker) Apply(snapshot.Knobs) error { return errors.New(readOnly) }

func (o *onlooker) StartAutopilot(snapshot.AutopilotRun) error { return errors.New(readOnly) }

func (o *onlooker) NewStage() {}

func (o *onlooker) StopAutopilot() {}

func (o *onlooker) Mark(string) {}

func (o *onlooker) Drain() {}

func (o *onlooker) Stop() {}
