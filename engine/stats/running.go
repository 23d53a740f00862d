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
	answer  bool // it is not reasoning
	kernel  bool // at is the kernel's stamp, and the read returned lag later
	lag     time.Duration
}

func (s *shard) add(e event) {
	s.mu.Lock()
	s.events = append(s.events, e)
	s.mu.Unlock()
}

// roomy is how much room, in events, a buffer keeps however few come.
const roomy = 4096

// swap returns the events that have come since the last swap; they are valid until the next one. What they were about is held
// on to no longer.
func (s *shard) swap() []event {
	clear(s.spare)
	if cap(s.spare) > max(roomy, 8*len(s.spare)) {
		s.spare = nil
	}
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
	shard    *shard
	atOnce   *Collector // nil: its shard takes what it reports
	id       uint64
	slot     int32
	endpoint int32

	// What follows belongs to the collector's folding goroutine.
	scheduled  record.Instant
	began      record.Instant
	sent       record.Instant
	firstToken record.Instant
	answer     record.Instant // first token that is not reasoning
	last       record.Instant // latest token
	chunks     int32          // token events
	voices     int32          // choices that spoke
	firstSlice int            // index of the slice that its first token counts in
	stage      int            // 0 or less: none
	straddles  bool           // it was in flight when its stage ended
	residual   bool           // it is in no steady part, whenever it was sent
	inputGuess int64          // prompt tokens asked for, until the server says how many they were; 0: not known
	ttft       int64          // absolute position of its sample; -1: none
	handle     int            // what the collector's tap calls it
	runs       []gapRun       // what it has put into the slices, for correction at the end
	said       *Said          // nil: it was not kept
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

// packedGap is a gap in eight bytes: its nanoseconds, up to the last bucket of a Histogram, and the tokens it counts for.
type packedGap uint64

// The bits of a packed gap's tokens, above those of its time.
const (
	gapBits  = maxOctave
	mostGap  = 1<<gapBits - 1
	mostTold = 1<<(64-gapBits) - 1
)

func packGap(gap time.Duration, tokens int32) packedGap {
	return packedGap(min(max(gap, 0), mostGap)) | packedGap(min(max(tokens, 1), mostTold))<<gapBits
}

// gap is the time, at most mostGap.
func (g packedGap) gap() time.Duration { return time.Duration(g & mostGap) }

// tokens are at least 1.
func (g packedGap) tokens() int64 { return int64(g >> gapBits) }

// counted is where a gap counts: a chunk that is known to carry k tokens after a gap g counts as k samples of g/k.
type counted struct {
	gap, itl uint16 // buckets, of chunk gaps and per token
	tokens   int64
}

func (g packedGap) counted() counted {
	c := counted{gap: bucketOf(g.gap()), tokens: g.tokens()}
	if c.itl = c.gap; c.tokens > 1 {
		c.itl = bucketOf(g.gap() / time.Duration(c.tokens))
	}
	return c
}

// Begin tells the collector that a request is taken up. inputGuess is the number of prompt tokens asked for; 0 where that
// is not known.
func (c *Collector) Begin(rec *record.Record, inputGuess int) *Running {
	f := c.another()
	*f = Running{
		runs:       f.runs[:0],
		shard:      &c.shards[rec.ID%shards],
		id:         rec.ID,
		slot:       int32(rec.Slot),
		endpoint:   int32(rec.Endpoint),
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
		tokens: int32(t.Tokens), first: t.First, opening: t.Opening, answer: !t.Reasoning,
		kernel: t.Kernel, lag: t.Lag,
	})
}

// Said hands over what was said, before Finish: it is kept as long as the request is kept whole.
func (f *Running) Said(s Said) { f.said = &s }

// Finish hands over the complete record. The record must not change afterwards.
func (f *Running) Finish(rec *record.Record) {
	f.report(event{request: f, kind: eventFinish, at: rec.End, record: rec})
}

// Abandon is Finish for a request of which nothing is known any more: the record is completed by what it had told.
func (f *Running) Abandon(rec *record.Record) {
	rec.Stage, rec.Slot, rec.Endpoint, rec.Residual = max(f.stage, 0), int(f.slot), int(f.endpoint), f.residual
	rec.Scheduled, rec.Started, rec.Sent = f.scheduled, f.began, f.sent
	rec.FirstToken, rec.FirstAnswer, rec.LastToken, rec.Chunks = f.firstToken, f.answer, f.last, int(f.chunks)
	f.Finish(rec)
}
