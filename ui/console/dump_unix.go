//go:build unix

// This file leaves the terminal as it was found before SIGQUIT writes its stacks and ends the process.

package console

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// dump waits for SIGQUIT, gives the terminal back, and lets the signal do what it does in every Go program.
func dump(program *tea.Program, done <-chan struct{}) {
	const long = time.Second // for a console that hangs, too, is looked into by this signal
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	defer signal.Stop(quit)
	select {
	case <-quit:
	case <-done:
		return
	}
	released := make(chan struct{})
	go func() {
		defer close(released)
		_ = program.ReleaseTerminal() // the stacks matter more
	}()
	late := time.NewTimer(long)
	defer late.Stop()
	select {
	case <-released:
	case <-late.C:
	}
	signal.Reset(syscall.SIGQUIT)
	_ = syscall.Kill(os.Getpid(), syscall.SIGQUIT)
	<-done
}
