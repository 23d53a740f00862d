// This file runs what may fail by a fault of its own beside what has to be tidied up then.

package engine

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Start runs a load in a goroutine of its own; the channel yields its error when it is over. A fault of tokdyno's own is an error with
// its stack: nothing else may end the process while a terminal has to be given back, and a file to be closed.
func Start(ctx context.Context, run func(context.Context) error) <-chan error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("the load stopped by a fault of tokdyno's own: %v\n%s", r, debug.Stack())
			}
		}()
		done <- run(ctx)
	}()
	return done
}
