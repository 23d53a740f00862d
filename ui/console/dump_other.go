//go:build !unix

// This file is for systems without SIGQUIT.

package console

import tea "github.com/charmbracelet/bubbletea"

// dump has nothing to wait for.
func dump(*tea.Program, <-chan struct{}) {}
