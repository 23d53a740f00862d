// This file runs the screen on a terminal.

package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/theme"
)

// Run shows the screen until the person has chosen or leaves; ok is false where they left. The terminal is then as it was. The
// error is that of ctx, or says that the terminal failed. mouse says whether the mouse clicks; the terminal then selects text only with
// shift.
func Run(
	ctx context.Context, in io.Reader, out io.Writer, th theme.Theme, mouse bool, sources Sources,
) (target Target, ok bool, err error) {
	asked, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(asked, th, sources, time.Now)
	options := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithoutSignalHandler()}
	if mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	program := tea.NewProgram(m, options...)
	told, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	defer context.AfterFunc(told, func() { program.Send(stopMsg{}) })()
	if _, err := program.Run(); err != nil && !errors.Is(err, tea.ErrProgramKilled) {
		return Target{}, false, fmt.Errorf("the terminal failed: %w", err)
	}
	return m.target, m.done, ctx.Err()
}
