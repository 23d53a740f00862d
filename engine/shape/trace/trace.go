// This file is a trace once it is open, and its events.

package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"time"

	"tokdyno/engine/shape/lines"
)

// MaxTokens is the longest prompt, and the longest answer, that an event may have.
const MaxTokens = 1_000_000

// Event is one request of a trace.
type Event struct {
	At     time.Duration // after the trace's first request; never falls
	Input  int           // tokens of the prompt, from 1 to MaxTokens
	Output int           // tokens of the answer, from 1 to MaxTokens
	// Blocks are the ids of the prompt's blocks, where the trace tells which of them are shared; nil: it does not. There
	// are never more than Input has room for, the last perhaps in part; a trace may give fewer.
	Blocks      []uint64
	BlockTokens int // tokens of a block; 0 without Blocks
}

// Skipped says what of a file could not be used.
type Skipped = lines.Skipped

// Trace is what a file says about when requests came and how long they were. It holds no file open and needs no
// closing. Its methods may be called from many goroutines at once.
type Trace struct {
	path       string
	info       fs.FileInfo // when it was opened
	name       string
	hash       []byte
	format     Format
	reading    Reading
	events     int
	duration   time.Duration
	skipped    Skipped
	unanswered int
	clamped    int
}

// Name returns the file's name without its folder.
func (t *Trace) Name() string { return t.name }

// Path returns where the file is.
func (t *Trace) Path() string { return t.path }

// Hash returns twelve hexadecimal digits of a SHA-256 over all of the file's content; another one where its blocks are read
// in another size than the format is documented with, for then its prompts are others.
func (t *Trace) Hash() string {
	if b := t.reading.Block; b != 0 && b != t.format.documented().Block {
		sum := sha256.Sum256(fmt.Appendf(nil, "%x block %d\n", t.hash, b))
		return hex.EncodeToString(sum[:6])
	}
	return hex.EncodeToString(t.hash[:6])
}

// Reading returns how the file's numbers are read. What does not apply is 0: the unit of dates, and blocks where there are
// none.
func (t *Trace) Reading() Reading { return t.reading }

// Format returns the format that the file was read in, which is never "".
func (t *Trace) Format() Format { return t.format }

// Len returns the number of events, at least one.
func (t *Trace) Len() int { return t.events }

// Duration returns the time from the first event to the last; 0 for a single one.
func (t *Trace) Duration() time.Duration { return t.duration }

// Skipped returns what could not be used.
func (t *Trace) Skipped() Skipped { return t.skipped }

// Unanswered returns how many requests are left out because they got no answer: they have 0 tokens of output. They are
// not among the skipped.
func (t *Trace) Unanswered() int { return t.unanswered }

// Clamped returns how many events stand so far behind later ones in the file that they could not be put into order.
// Each is given the time of the event before it.
func (t *Trace) Clamped() int { return t.clamped }
