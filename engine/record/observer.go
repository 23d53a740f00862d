// This file is what a running request tells while it runs.

package record

import "time"

// Token is one token event of a running request.
type Token struct {
	At        Instant       // arrival: when the kernel received it, where Kernel is set; else when the read returned
	First     bool          // the request's first
	Opening   bool          // the first of its choice: it has no gap
	Gap       time.Duration // since the previous token event of the same choice
	Tokens    int64         // tokens that the chunk carried, where the server said (continuous usage); else 0
	Reasoning bool          // only reasoning

	Kernel bool          // At is the kernel's receive time
	Lag    time.Duration // from At to the return of the read that brought the event; 0 unless Kernel is set
}

// Observer hears of one request while it runs, one call at a time and in order: Sent once (again if a stale connection
// had to be replaced), then every token event. Sent may come from another goroutine than the token events; what one
// call did is visible to the next. The record, complete, follows by another way.
type Observer interface {
	Sent(at Instant)
	Token(Token)
}
