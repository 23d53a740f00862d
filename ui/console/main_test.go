//go:build linux || darwin

package console

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also is the console itself, in a child process on a terminal of its own; see terminal_test.go.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child())
	}
	goleak.VerifyTestMain(m)
}
