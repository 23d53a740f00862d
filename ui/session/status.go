// This file is the exit statuses.

package session

import "errors"

// The exit statuses.
const (
	StatusOK          = 0
	StatusMissed      = 1   // an SLO was missed
	StatusUsage       = 2   // the command line, a file or the terminal is not as it has to be
	StatusEndpoint    = 3   // the endpoint can't be used
	StatusUntrusted   = 4   // the figures are not to be trusted
	StatusInterrupted = 130 // as shells have it for SIGINT
)

// failure is an error with an exit status. Its message is empty where everything has been said.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// ExitStatus is the exit status that fits what a command returned. An error of no particular kind is one of usage.
func ExitStatus(err error) int {
	if err == nil {
		return StatusOK
	}
	var f *failure
	if errors.As(err, &f) {
		return f.status
	}
	return StatusUsage
}
