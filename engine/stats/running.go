// This file is the hot path: running requests hand their events to a shard, and never wait for each other for long.

package stats

import (
	"sync"
	"time"

	"tokdyno/engine/record"
)

// shards is the number of buffers that streams write to: enough that a lock is rarely contended on any machine.
const shards = 16

// shard buffers events between two folds.
type shard struct {
	mu     sync.Mutex
	events []event
	spare  []event
	_      [64]byte // keep neighbouring locks out of one cache line
}

type eventKind uint8

const (
	eventBegin eventKind = iota
	eventSent
	eventToken
	eventFinish
)

// event is one thing that happened to one running request.
type event struct {
	request *Running
	record  *record.Record // eventFinish
	at      record.Instant
	gap     time.Duration // eventToken
	tokens  int32         // eventToken: as the server said, 0 where it did not
	kind    eventKind
	first   bool
	opening bool
	kernel  bool // at is the kernel's stamp, and the read returned lag later
	lag     time.Duration
}

func (s *shard) add(e event) {
	s.mu.Lock()
	s.events = append(s.events, e)
	s.mu.Unlock()
}

// swap returns the events that have come since the last swap; they are valid until the next one.
func (s *shard) swap() []event {
	s.mu.Lock()
	events := s.events
	s.events = s.spare[:0]
	s.mu.Unlock()
	s.spare = events
	return events
}

// Running is the collector's handle on one running request. It implements record.Observer; its methods are called from
// the goroutine that runs the request.
type Running struct {
	shard  *shard
	atOnce *Collector // nil: its shard takes what it reports
	id     uint64

	// What follows belongs to the collector's folding goroutine.
	scheduled  record.Instant
	began      record.Instant
	sent       record.Instant
	firstToken record.Instant
	firstSlice int      // index of the slice that its first token counts in
	stage      int      // 0 or less: none
	straddles  bool     // it was in flight when its stage ended
	residual   bool     // it is in no steady part, whenever it was sent
	inputGuess int64    // prompt tokens asked for, until the server says how many they were; 0: not known
	ttft       int64    // absolute position of its sample; -1: none
	handle     int      // what the collector's tap calls it
	runs       []gapRun // what it has put into the slices, for correction at the end
}

// gapRun is what one request has put into one slice.
type gapRun struct {
	slice  int64         // absolute index
	chunks int64         // token events whose number of tokens is not known yet
	told   int64         // tokens that the server told of
	gaps   []packedGap   // its samples in the slice's histograms
	itlSum time.Duration // their exact sum, as ITL
	gapSum time.Duration // and as chunk gaps
}

// spareGaps are lists of requests that ended, for those that follow.
type spareGaps [][]packedGap

func (s *spareGaps) get() []packedGap {
	n := len(*s) - 1
	if n < 0 {
		return nil
	}
	gaps := (*s)[n]
	*s = (*s)[:n]
	return gaps
}

func (s *spareGaps) put(gaps []packedGap) {
	const most = 4096
	if cap(gaps) > 0 && len(*s) < most {
		*s = append(*s, gaps[:0])
	}
}

// packedGap is a gap in eight bytes: its bucket as a chunk gap, its bucket per token, and the tokens it counts for.
type packedGap struct {
	gap, itl uint16
	tokens   int32
}

// Begin tells the collector that a request is taken up. inputGuess is the number of prompt tokens asked for; 0 where that
// is not known.
func (c *Collector) Begin(rec *record.Record, inputGuess int) *Running {
	f := c.another()
	*f = Running{
		runs:       f.runs[:0],
		shard:      &c.shards[rec.ID%shards],
		id:         rec.ID,
		scheduled:  rec.Scheduled,
		began:      rec.Started,
		stage:      rec.Stage,
		residual:   rec.Residual,
		inputGuess: int64(inputGuess),
		ttft:       -1,
	}
	if c.atOnce {
		f.atOnce = c
	}
	f.report(event{request: f, kind: eventBegin, at: rec.Started})
	return f
}

// another is a request that nothing is known of.
func (c *Collector) another() *Running {
	n := len(c.ended) - 1
	if n < 0 {
		return new(Running)
	}
	f := c.ended[n]
	c.ended = c.ended[:n]
	return f
}

// report hands over an event.
func (f *Running) report(e event) {
	if f.atOnce != nil {
		f.atOnce.take(&e)
		return
	}
	f.shard.add(e)
}

// counted is the instant by which the request counts as sent: never, so in no steady part, where it is residual.
func (f *Running) counted() record.Instant {
	if f.residual {
		return 0
	}
	return f.sent
}

// Sent implements record.Observer.
func (f *Running) Sent(at record.Instant) {
	f.report(event{request: f, kind: eventSent, at: at})
}

// Token implements record.Observer.
func (f *Running) Token(t record.Token) {
	f.report(event{
		request: f, kind: eventToken, at: t.At, gap: t.Gap,
		tokens: int32(t.Tokens), first: t.First, opening: t.Opening,
		kernel: t.Kernel, lag: t.Lag,
	})
}

// Finish hands over the complete record. The record must not change afterwards.
func (f *Running) Finish(rec *record.Record) {
	f.report(event{request: f, kind: eventFinish, at: rec.End, record: rec})
}
