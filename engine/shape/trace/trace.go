// Package trace reads recorded arrivals of requests from files.
package trace

import "time"

// Event is one request of a trace.
type Event struct {
	At          time.Duration // after the trace's first request; never falls
	Input       int           // tokens of the prompt
	Output      int           // tokens of the answer
	Blocks      []uint64      // ids of the prompt's blocks, where the trace tells which of them are shared; nil: it does not
	BlockTokens int           // tokens of a block; 0 without Blocks
}
