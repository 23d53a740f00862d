// This file runs the console on a terminal: start, signals, faults, and leaving the terminal as it was found.

package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/theme"
)

// Engine is the run that the console shows and turns.
type Engine = snapshot.Engine

// The intervals between frames.
const (
	DefaultFrame = 100 * time.Millisecond
	RemoteFrame  = 250 * time.Millisecond // over ssh, where every frame crosses the network
)

// Options are what a console may be told. The zero Options run it on the process's own terminal.
type Options struct {
	Theme theme.Theme      // the zero Theme is chosen by the environment
	In    io.Reader        // nil: standard input
	Out   io.Writer        // nil: standard output
	Frame time.Duration    // between frames; 0: DefaultFrame, or RemoteFrame where SSH_CONNECTION is set
	Clock func() time.Time // nil: time.Now
	Mouse bool             // it clicks and points; the terminal then selects text only with shift

	Drawn func(late time.Duration) // told of every frame that stands, how long after it was due; nil: nobody is

	Version string   // of the program that made the run, for its report
	Presets []Preset // that can be switched to, in the order in which they are listed

	Shared   string          // where the run can be watched, in a sentence; "": nowhere
	Watching func() []string // who watches at present, by names that are told apart; nil: nobody can
}

// withDefaults fills in what was not said.
func (o Options) withDefaults() (Options, error) {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Frame <= 0 {
		o.Frame = DefaultFrame
		if os.Getenv("SSH_CONNECTION") != "" {
			o.Frame = RemoteFrame
		}
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Theme.Name == "" {
		chosen, err := theme.Choose(theme.Terminal{Getenv: os.Getenv, LineCells: theme.LineCells()})
		if err != nil {
			return o, fmt.Errorf("choose a theme: %w", err)
		}
		o.Theme = chosen
	}
	return o, nil
}

// Run shows a run that somebody else started, and lets the person control it, until they leave; ended is whether the run had
// come to its own end by then. Its error is nil whether the run was stopped, had ended, or never began because the endpoint
// can't be used; the caller then waits for the engine and prints its summary. When Run returns, the terminal is as it was and
// the engine has been told to stop or drain.
//
// While it runs, SIGINT, SIGTERM and SIGHUP are Run's own: the first stops the engine and leaves, the second leaves
// without waiting for the screen; SIGQUIT writes its stacks onto a terminal that shows them. The error is that of ctx when it
// ended, or a fault of the console itself.
func Run(ctx context.Context, eng Engine, opt Options) (ended bool, err error) {
	opt, err = opt.withDefaults()
	if err != nil {
		return false, err
	}
	faulty, fault := context.WithCancelCause(ctx)
	defer fault(nil)

	m := newModel(eng, opt.Theme, opt.Clock)
	m.picker.all = opt.Presets
	m.run.version, m.mouse, m.told = opt.Version, opt.Mouse, opt.Drawn
	m.run.audience.watching, m.run.audience.shared = opt.Watching, opt.Shared
	options := []tea.ProgramOption{
		tea.WithInput(opt.In), tea.WithOutput(opt.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(fps(opt.Frame)),
	}
	if opt.Mouse {
		options = append(options, tea.WithMouseAllMotion()) // also without a button: the charts read out where it points
	}
	program := tea.NewProgram(m, options...)

	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	crew := crew{done: make(chan struct{}), fault: fault}
	crew.work(func(done <-chan struct{}) { frames(program, opt.Frame, done) })
	crew.work(func(done <-chan struct{}) { end(faulty, program, done) })
	crew.work(func(done <-chan struct{}) { obey(program, eng, signals, done) })
	crew.work(func(done <-chan struct{}) { dump(program, done) })

	_, err = program.Run()
	crew.dismiss()
	ended = !m.run.early && m.run.latest.State == snapshot.Ended
	if m.run.leaving != gone {
		eng.Stop() // the person didn't leave, the console did
	}
	return ended, outcome(ctx, faulty, m, err)
}

// crew is what works beside a program, and ends with it.
type crew struct {
	done    chan struct{}
	fault   context.CancelCauseFunc // told of what none of them foresaw
	workers sync.WaitGroup
}

// work has something done until done is closed.
func (c *crew) work(do func(done <-chan struct{})) {
	c.workers.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				c.fault(fmt.Errorf("the console failed: %v", r))
			}
		}()
		do(c.done)
	})
}

// dismiss waits until all of it has ended.
func (c *crew) dismiss() {
	close(c.done)
	c.workers.Wait()
}

// fps is how often Bubble Tea looks for a new frame to write: a few times per frame, so that a key shows soon.
func fps(frame time.Duration) int {
	return min(max(int(4*time.Second/frame), 10), 60)
}

// frames asks for a frame at an interval; a console that can't keep up is asked less often.
func frames(program *tea.Program, every time.Duration, done <-chan struct{}) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	due := time.Now()
	for {
		program.Send(frameMsg{due})
		select {
		case due = <-ticker.C:
		case <-done:
			return
		}
	}
}

// end leaves when the context does. Bubble Tea is not given the context itself: killed by one, it leaves its reader of
// keys behind.
func end(ctx context.Context, program *tea.Program, done <-chan struct{}) {
	select {
	case <-ctx.Done():
		program.Quit()
	case <-done:
	}
}

// obey answers signals: the first stops the run and leaves, the second leaves whatever the console is doing. A third
// finds nobody listening and ends the process.
func obey(program *tea.Program, eng Engine, signals chan os.Signal, done <-chan struct{}) {
	select {
	case <-signals:
	case <-done:
		return
	}
	eng.Stop() // even if the console hangs
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		program.Send(signalMsg{})
	}()
	select {
	case <-signals:
		signal.Stop(signals)
		program.Kill()
	case <-done:
	}
	<-sent
}

// outcome is the error that Run returns.
func outcome(ctx, faulty context.Context, m *model, err error) error {
	switch {
	case m.err != nil:
		return m.err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case faulty.Err() != nil:
		return context.Cause(faulty)
	case err == nil, m.run.leaving == gone, err == tea.ErrProgramKilled: // bare, it is the second signal
		return nil
	}
	return fmt.Errorf("the console lost its terminal: %w", err)
}
