//go:build linux || darwin

package session

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
)

// The console's exit status is the verdict where the run's own budget ended it, and none where a person did.
func TestTheConsolesExitStatus(t *testing.T) {
	t.Parallel()
	const missed = time.Microsecond
	for name, c := range map[string]struct {
		budget load.Budget
		limit  time.Duration // of E2EL
		leave  string        // what is on the screen when q is pressed
		want   int
		duel   bool
		once   bool // q is pressed but once, and the running requests end
	}{
		"its number of requests ended it, held":   {load.Budget{Requests: 100}, time.Minute, "ENDED", StatusOK, false, false},
		"its number of requests ended it, missed": {load.Budget{Requests: 100}, missed, "ENDED", StatusMissed, false, false},
		"its time ended it, missed":               {load.Budget{Duration: time.Second}, missed, "ENDED", StatusMissed, false, false},
		"a person left, and it came to its end":   {load.Budget{}, missed, "RUN", StatusOK, false, true},
		"a person left while it ran":              {load.Budget{}, missed, "RUN", StatusOK, false, false},
		"its number of requests ended a duel":     {load.Budget{Requests: 100}, missed, "ENDED", StatusMissed, true, false},
		"a person left a duel while it ran":       {load.Budget{}, missed, "RUN", StatusOK, true, false},
		"a person left a duel before its load":    {load.Budget{}, missed, "PROBING", StatusOK, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, _ := config(t)
			cfg.Budget, cfg.Knobs.SLO = c.budget, slo.Criteria{slo.E2EL: c.limit}
			keyboard, terminal, err := pty.Open()
			if err != nil {
				t.Skipf("no pseudo-terminal: %v", err)
			}
			defer terminal.Close()
			if err := pty.Setsize(terminal, &pty.Winsize{Cols: 90, Rows: 30}); err != nil {
				t.Fatal(err)
			}
			var screen bytes.Buffer
			read := make(chan struct{})
			go func() { // presses q when the run is where it is to be left, and again until it has been heard
				defer close(read)
				buffer, left := make([]byte, 64<<10), false
				for {
					n, err := keyboard.Read(buffer)
					screen.Write(buffer[:n])
					if err != nil {
						return
					}
					if bytes.Contains(screen.Bytes(), []byte(c.leave)) && !(c.once && left) {
						left = true
						_, _ = keyboard.WriteString("q")
					}
				}
			}()
			std := streams(t)
			std.In, std.Out = terminal, terminal
			got := error(nil)
			if c.duel {
				other, _ := config(t)
				cfg.Others = []wire.Endpoint{other.Endpoint}
				got = ConsoleDuel(t.Context(), cfg, noSources, Output{}, Duel{Mode: snapshot.Together}, Look{}, std)
			} else {
				got = Console(t.Context(), cfg, noSources, Output{}, Look{}, std)
			}
			_ = terminal.Close()
			<-read
			_ = keyboard.Close()
			if status := ExitStatus(got); status != c.want {
				t.Errorf("status %d (%v), want %d", status, got, c.want)
			}
			if text := screen.String(); c.leave != "PROBING" && !strings.Contains(text, "answer ") {
				t.Errorf("it leaves no answer behind: %q", text[max(0, len(text)-2000):])
			}
		})
	}
}

// Without a terminal nobody leaves but by an interrupt: the budget ends the run.
func TestTheExitStatusOfAConsoleWithoutATerminal(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t)
	cfg.Knobs.SLO = slo.Criteria{slo.E2EL: time.Microsecond}
	std := streams(t)
	if err := Console(t.Context(), cfg, noSources, Output{}, Look{}, std); ExitStatus(err) != StatusMissed {
		t.Errorf("status %d (%v), want that of a check", ExitStatus(err), err)
	}
	if out := text(t, std.Out); !strings.Contains(out, "MISSED by e2el") {
		t.Errorf("printed %s", out)
	}
}
