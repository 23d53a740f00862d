//go:build linux || darwin

package console

import (
	"os"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also is the console itself, in a child process on a terminal of its own; see terminal_test.go.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child())
	}
	debug.SetGCPercent(400) // frames are drawn by the thousand on a small heap: collecting it took as long as drawing them
	goleak.VerifyTestMain(m)
}
