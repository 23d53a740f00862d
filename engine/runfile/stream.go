// This file is what running requests do, as a stream of small integers.

package runfile

import (
	"time"

	"tokdyno/engine/record"
)

// Doing is one thing that a running request did.
type Doing struct {
	ID    uint64
	Sent  bool         // it was sent, at Token.At; else it is a token event
	Token record.Token // how late a read was, and whether it is reasoning, is not kept
	// Late is how many times the statistics were brought up to date between the event's instant and when it was taken in; -1
	// where that was when they stood at an earlier instant, because the event came while they were being brought up to date.
	Late int
}

// What a stream says of an event that is out of the ordinary, which is a chunk that comes some time after the one before
// and has as many tokens as that.
const (
	saysSent    = 1 << iota // it was sent; to the nanosecond
	saysFirst               // the first token; to the nanosecond
	saysOpening             // the first of its choice
	saysGap                 // a gap of its own, because several choices are mixed
	saysTokens              // so many tokens from now on
	saysLate
	saysRun // several chunks, of which this is the last, and none has a gap
)

const microsecond = record.Instant(time.Microsecond)

// course is where a request stands, for its writer as for its reader.
type course struct {
	id     uint64
	at     record.Instant // of the last event, as a reader knows it
	step   int64          // what is expected of the next chunk: µs after the one before
	tokens int64

	sent, first record.Instant
	chunks      int
	gapMax      time.Duration

	// Of the writer alone:
	begun  Begun
	slot   int
	exact  record.Instant // of the last token event
	fine   []byte         // since the last hand-over, of each event the low bits, which are noise,
	stream payload        // and the rest, which can be compressed
	run    run
}

// run is a row of chunks that are kept by number only.
type run struct {
	chunks, tokens int64
	last           record.Instant
}

func zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// put appends an event that is taken in now.
func (c *course) put(sent bool, t record.Token, in *folds) {
	says := 0
	if sent {
		says |= saysSent
	} else {
		if t.First {
			says |= saysFirst
		}
		if t.Opening {
			says |= saysOpening
		} else if t.Gap != time.Duration(t.At-c.exact) {
			says |= saysGap
		}
		if t.Tokens != c.tokens {
			says |= saysTokens
		}
		c.exact = t.At
	}
	at := t.At
	if says&(saysSent|saysFirst) == 0 {
		at = c.at + c.since(at)*microsecond // which a reader will look for among the folds
	}
	late := in.late(at)
	if late != 0 {
		says |= saysLate
	}
	c.write(says, t, late)
}

// since is how many whole microseconds, rounded, lie between the last event, as a reader knows it, and an instant.
func (c *course) since(at record.Instant) record.Instant {
	if at < c.at {
		return (at - c.at - microsecond/2) / microsecond
	}
	return (at - c.at + microsecond/2) / microsecond
}

// write appends an event that says so much.
func (c *course) write(says int, t record.Token, late int) {
	from, µs := c.at, c.since(t.At)
	c.at += µs * microsecond
	ordinary := uint64(0)
	if says != 0 {
		ordinary = 1
	}
	head := zigzag(int64(µs)-c.step)<<1 | ordinary
	c.fine = append(c.fine, byte(head))
	c.stream.uint(head >> 8)
	if says == 0 {
		c.follow(int64(µs))
		c.chunk(time.Duration(c.at - from))
		return
	}
	c.stream.uint(uint64(says))
	gap := time.Duration(c.at - from)
	if says&(saysSent|saysFirst) != 0 {
		c.stream.int(int64(t.At - c.at))
		c.at = t.At
	}
	if says&saysGap != 0 {
		gap = t.Gap.Round(time.Microsecond)
		c.stream.int(int64(gap / time.Microsecond))
	}
	if says&saysTokens != 0 {
		c.tokens = t.Tokens
		c.stream.int(c.tokens)
	}
	if says&saysLate != 0 {
		c.stream.int(int64(late))
	}
	switch {
	case says&saysRun != 0:
		c.stream.uint(uint64(c.run.chunks))
		c.stream.int(c.run.tokens)
		c.chunks += int(c.run.chunks)
	case says&saysSent != 0:
		c.sent = c.at
	default:
		if says&saysFirst != 0 {
			c.first = c.at
		}
		if says&saysOpening != 0 {
			gap = 0
		} else if says&saysGap == 0 {
			c.follow(int64(µs))
		}
		c.chunk(gap)
	}
}

// follow learns from a chunk what to expect of the next: mostly what it was, and a little of what has come. Before the
// first there is nothing to go by.
func (c *course) follow(µs int64) {
	if c.step == 0 {
		c.step = µs
		return
	}
	c.step += (µs - c.step) / 16
}

func (c *course) chunk(gap time.Duration) {
	c.chunks++
	c.gapMax = max(c.gapMax, gap)
}

// count takes a chunk into a row of those that are kept by number only.
func (c *course) count(t record.Token) {
	c.exact = t.At
	c.run.chunks++
	c.run.tokens += t.Tokens
	c.run.last = t.At
	c.gapMax = max(c.gapMax, t.Gap)
}

// endRun writes the row, if there is one.
func (c *course) endRun() {
	if c.run.chunks > 0 {
		c.write(saysRun, record.Token{At: c.run.last}, 0)
		c.run = run{}
	}
}

// read takes the next event from a stream; fine is its low bits. A row of chunks becomes as many events, evenly spaced.
func (c *course) read(fine byte, s *source, to []Doing) []Doing {
	from := c.at
	head := s.uint()<<8 | uint64(fine)
	µs := unzigzag(head>>1) + c.step
	c.at += record.Instant(µs) * microsecond
	says := 0
	if head&1 != 0 {
		says = int(s.uint() & 0xff)
	}
	if says&(saysSent|saysFirst) != 0 {
		c.at += record.Instant(s.int())
	}
	gap := time.Duration(c.at - from)
	if says&saysGap != 0 {
		gap = time.Duration(s.int()) * time.Microsecond
	}
	if says&saysTokens != 0 {
		c.tokens = s.int()
	}
	late := 0
	if says&saysLate != 0 {
		late = lateness(s.int())
	}
	switch {
	case says&saysRun != 0:
		return c.readRun(s, from, to)
	case says&saysSent != 0:
		c.sent = c.at
		return append(to, Doing{ID: c.id, Sent: true, Token: record.Token{At: c.at}, Late: late})
	case says&saysFirst != 0:
		c.first = c.at
	}
	if says&saysOpening != 0 {
		gap = 0
	} else if says&saysGap == 0 {
		c.follow(µs)
	}
	c.chunk(gap)
	return append(to, Doing{ID: c.id, Late: late, Token: record.Token{
		At: c.at, First: says&saysFirst != 0, Opening: says&saysOpening != 0, Gap: gap, Tokens: c.tokens,
	}})
}

// mostRun is how many chunks of one request a second may have.
const mostRun = 1 << 16

func (c *course) readRun(s *source, from record.Instant, to []Doing) []Doing {
	n, tokens := s.uint(), s.int()
	if n == 0 || n > mostRun || tokens < 0 {
		s.fail()
		return to
	}
	c.chunks += int(n)
	for i := range int64(n) {
		done, next := tokens*i/int64(n), tokens*(i+1)/int64(n)
		to = append(to, Doing{ID: c.id, Token: record.Token{
			At:      from + (c.at-from)*record.Instant(i+1)/record.Instant(n),
			Opening: true, Tokens: next - done,
		}})
	}
	return to
}
