//go:build linux || darwin

package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/muesli/termenv"
	"go.uber.org/goleak"
	"golang.org/x/term"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// childVariable makes the test binary run the console; its value is the scene.
const childVariable = "TOKDYNO_UI_TEST_CHILD"

// patience is how long a test waits for what should be there at once, before it gives up.
const patience = 20 * time.Second

// child runs the console on a fake engine and prints what the engine was told.
func child() int {
	s := scene.Busy()
	if os.Getenv(childVariable) == "unusable" {
		s.State, s.Err, s.Counts = snapshot.Ended, fmt.Errorf("connection refused"), stats.Counts{}
	}
	fake := scene.New(s)
	_, err := Run(context.Background(), fake, Options{Frame: 20 * time.Millisecond, Mouse: os.Getenv(childVariable) == "mouse"})
	applied, drains, stops := fake.Seen()
	concurrency := 0
	if len(applied) > 0 {
		concurrency = applied[len(applied)-1].Load.Concurrency
	}
	fmt.Printf("left: err=%v applied=%d c=%d drains=%d stops=%d\n", err, len(applied), concurrency, drains, stops)
	return 0
}

// terminal is a console on a pseudo-terminal.
type terminal struct {
	t        *testing.T
	tty, pty *os.File
	command  *exec.Cmd
	before   *term.State

	mu     sync.Mutex
	output bytes.Buffer
	wrote  chan struct{}
	closed chan struct{}
}

func launch(t *testing.T, shot string, w, h uint16) *terminal {
	t.Helper()
	t.Parallel() // it waits for a child more than it works
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	s := &terminal{t: t, pty: master, tty: slave, wrote: make(chan struct{}, 1), closed: make(chan struct{})}
	s.resize(w, h)
	if s.before, err = term.GetState(int(slave.Fd())); err != nil {
		t.Fatal(err)
	}
	s.command = exec.Command(os.Args[0])
	// TERM=screen keeps the colour library from asking the terminal for its background, which nobody answers here.
	s.command.Env = append(os.Environ(), childVariable+"="+shot, "TERM=screen-256color", "NO_COLOR=")
	s.command.Stdin, s.command.Stdout, s.command.Stderr = slave, slave, slave
	s.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	go s.collect()
	t.Cleanup(func() {
		_ = s.command.Process.Kill()
		_ = s.tty.Close()
		_ = s.pty.Close()
		<-s.closed
	})
	return s
}

func (s *terminal) collect() {
	defer close(s.closed)
	buffer := make([]byte, 64<<10)
	for {
		n, err := s.pty.Read(buffer)
		s.mu.Lock()
		s.output.Write(buffer[:n])
		s.mu.Unlock()
		select {
		case s.wrote <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (s *terminal) resize(w, h uint16) {
	s.t.Helper()
	if err := pty.Setsize(s.pty, &pty.Winsize{Cols: w, Rows: h}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *terminal) send(keys string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for text that comes after everything that was waited for before.
func (s *terminal) until(text string) string {
	s.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		s.mu.Lock()
		if i := strings.Index(s.output.String(), text); i >= 0 {
			seen := string(s.output.Next(i + len(text)))
			s.mu.Unlock()
			return seen
		}
		s.mu.Unlock()
		select {
		case <-s.wrote:
		case <-deadline.C:
			s.mu.Lock()
			defer s.mu.Unlock()
			s.t.Fatalf("the screen never showed %q; it showed\n%s", text, ansi.Strip(s.output.String()))
		}
	}
}

// left waits for the console to end and checks that it left the terminal as it found it.
func (s *terminal) left(want string) {
	s.t.Helper()
	s.restored(s.until("left: "))
	if line := strings.TrimSpace(s.until("\n")); line != want {
		s.t.Errorf("the console left with %q, want %q", line, want)
	}
	if err := s.command.Wait(); err != nil {
		s.t.Errorf("the process ended with %v", err)
	}
}

// restored checks that the terminal is as it was found, by what was written to it and by its mode.
func (s *terminal) restored(seen string) {
	s.t.Helper()
	for _, sequence := range []struct{ what, on, off string }{
		{"the alternate screen", "\x1b[?1049h", "\x1b[?1049l"},
		{"the hidden cursor", "\x1b[?25l", "\x1b[?25h"},
		{"bracketed paste", "\x1b[?2004h", "\x1b[?2004l"},
		{"the mouse", "\x1b[?1003h", "\x1b[?1003l"},
	} {
		if strings.LastIndex(seen, sequence.off) < strings.LastIndex(seen, sequence.on) {
			s.t.Errorf("%s is still on", sequence.what)
		}
	}
	after, err := term.GetState(int(s.tty.Fd()))
	if err != nil {
		s.t.Fatal(err)
	}
	if *after != *s.before {
		s.t.Error("the terminal's mode is not what it was")
	}
}

func TestTerminalKnobResizeQuit(t *testing.T) {
	s := launch(t, "busy", 80, 24)
	s.until("\x1b[?1049h")
	s.until("concurrency")
	s.send("+")
	s.until("36")
	s.until("live") // applied: the panel says so again
	s.resize(120, 36)
	s.until("closed loop") // only a wide screen has room for that
	s.send("q")
	s.until("DRAINING")
	s.send("q")
	s.left("err=<nil> applied=1 c=36 drains=1 stops=1")
}

func TestTerminalPagesAndCommandLine(t *testing.T) {
	s := launch(t, "busy", 80, 24)
	s.until("concurrency")
	s.send("5")
	s.until("no stage yet")
	s.send(":c 64\r")
	s.until("c=64")
	s.send("\x03")
	s.left("err=<nil> applied=1 c=64 drains=0 stops=1")
}

func TestTerminalMouse(t *testing.T) {
	s := launch(t, "mouse", 80, 24)
	s.until("\x1b[?1003h")
	s.until("concurrency")
	s.send("\x1b[<0;76;1M\x1b[<0;76;1m") // on the 5 of the tabs
	s.until("no stage yet")
	s.send("\x03")
	s.left("err=<nil> applied=0 c=0 drains=0 stops=1")
}

func TestTerminalControlC(t *testing.T) {
	s := launch(t, "busy", 80, 24)
	s.until("concurrency")
	s.send("\x03")
	s.left("err=<nil> applied=0 c=0 drains=0 stops=1")
}

func TestTerminalPaste(t *testing.T) {
	s := launch(t, "busy", 80, 24)
	s.until("concurrency")
	s.send("\x1b[200~qqq+++\x1b[201~")
	s.send("?") // the console still answers
	s.until("esc closes")
	s.send("\x03")
	s.left("err=<nil> applied=0 c=0 drains=0 stops=1")
}

func TestTerminalSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			s := launch(t, "busy", 80, 24)
			s.until("concurrency")
			if err := s.command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			s.left("err=<nil> applied=0 c=0 drains=0 stops=2")
		})
	}
}

func TestTerminalIsRestoredBeforeADump(t *testing.T) {
	s := launch(t, "busy", 80, 24)
	shown := s.until("concurrency")
	if err := s.command.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	shown += s.until("SIGQUIT: quit")
	s.until("goroutine ")
	if err := s.command.Wait(); err == nil {
		t.Error("the process goes on")
	}
	s.restored(shown)
}

func TestTerminalLeavesAnUnusableEndpoint(t *testing.T) {
	s := launch(t, "unusable", 80, 24)
	s.left("err=<nil> applied=0 c=0 drains=0 stops=0")
}

// inProcess runs the console in this process, on a pseudo-terminal, until use has returned and Run with it.
func inProcess(t *testing.T, eng Engine, use func(cancel context.CancelCauseFunc, shown <-chan struct{})) error {
	t.Helper()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	shown, closed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(closed)
		var seen bytes.Buffer
		buffer := make([]byte, 64<<10)
		for announced := false; ; {
			n, err := master.Read(buffer)
			seen.Write(buffer[:n])
			if !announced && bytes.Contains(seen.Bytes(), []byte("concurrency")) {
				announced = true
				close(shown)
			}
			if err != nil {
				return
			}
		}
	}()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	used := make(chan struct{})
	go func() {
		defer close(used)
		use(cancel, shown)
	}()
	_, err = Run(ctx, eng, Options{Theme: pagetest.Theme(t, theme.Dark, termenv.ANSI, false), In: slave, Out: slave, Frame: 10 * time.Millisecond})
	<-used
	_, _ = slave.Close(), master.Close()
	<-closed
	return err
}

func TestRunEndsWithItsContext(t *testing.T) {
	fake := scene.New(scene.Busy())
	cause := errors.New("the caller has had enough")
	err := inProcess(t, fake, func(cancel context.CancelCauseFunc, shown <-chan struct{}) {
		<-shown
		cancel(cause)
	})
	if !errors.Is(err, cause) {
		t.Errorf("Run returned %v", err)
	}
	if _, _, stops := fake.Seen(); stops == 0 {
		t.Error("the engine was not stopped")
	}
}

// faulty is an engine whose snapshots stop coming.
type faulty struct {
	*scene.Engine
	broken atomic.Bool
}

func (f *faulty) Snapshot() *snapshot.Snapshot {
	if f.broken.Load() {
		panic("a fault of the engine")
	}
	return f.Engine.Snapshot()
}

func TestRunReportsAFault(t *testing.T) {
	eng := &faulty{Engine: scene.New(scene.Busy())}
	err := inProcess(t, eng, func(_ context.CancelCauseFunc, shown <-chan struct{}) {
		<-shown
		eng.broken.Store(true)
	})
	if err == nil || !strings.Contains(err.Error(), "a fault of the engine") {
		t.Errorf("Run returned %v", err)
	}
	if _, _, stops := eng.Seen(); stops == 0 {
		t.Error("the engine was not stopped")
	}
}
