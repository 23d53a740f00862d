package record

import "time"

// Token is one token event of a running request.
type Token struct {
	At        Instant
	First     bool          // the request's first
	Opening   bool          // the first of its choice: it has no gap
	Gap       time.Duration // since the previous token event of the same choice
	Tokens    int64         // tokens that the chunk carried, where the server said (continuous usage); else 0
	Reasoning bool          // only reasoning
}

// Observer hears of one request while it runs, from the one goroutine that runs it and in order: Sent once (again if
// a stale connection had to be replaced), then every token event. The record, complete, follows by another way.
type Observer interface {
	Sent(at Instant)
	Token(Token)
}
