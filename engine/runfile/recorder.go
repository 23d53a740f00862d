// This file gathers what a collector takes in, until a second of it is written.

package runfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

const (
	// handOver is how long a batch is: with ticks of 100 ms, no more than a second is lost whenever the process is killed.
	handOver = 900 * time.Millisecond
	// longestWait is how much of a run waits in memory for a disk that does not take it, before the file is given up.
	longestWait = time.Minute
	// ChunksUpTo is the length of a file from which on chunks are kept by number only, unless told otherwise.
	ChunksUpTo = 64 << 20
)

// Options say what of a run is kept. The zero Options keep everything.
type Options struct {
	NoGaps     bool          // chunks are kept by number only
	ChunksUpTo int64         // the file's length from which on they are; 0: ChunksUpTo
	Every      time.Duration // how long a batch is at least; 0: about a second
	MostChunks int           // after a batch of more, chunks are kept by number only until there are fewer again; 0: any
}

// Piece is something that is shown beside the requests, such as a reading. It must be fit for JSON and not change.
type Piece struct {
	Name      string
	Value     any
	Telemetry bool // may be left out where the disk is slow
}

// Recorder keeps a run in a file. It is the tap of a stats.Collector, and its methods, but for Problem and Path, belong to
// one goroutine at a time. None of them waits for the disk, but Close.
type Recorder struct {
	writer *writer
	path   string
	opt    Options

	batch    *pending
	courses  []course
	free     []int
	folds    folds
	counting bool // chunks are kept by number only
	thinned  int
	chunks   int            // of the batch
	since    record.Instant // of the batch
	dead     bool
}

// pending is a batch that is not written yet.
type pending struct {
	begun       []Begun
	ids, counts payload // of chunks, as they will stand
	streams     payload
	fine        []byte
	requests    int // in those
	id          uint64
	ended       []ending
	gaps        map[stretch]*gapCount
	events      []waiting
	pieces      []Piece
	tick        Tick
	texts       []stats.SaidBy // of the last batch
}

// waiting is an event that is not encoded yet.
type waiting struct {
	at   record.Instant
	do   string
	with any
	// after is how many folds of the batch came before.
	after int
}

// stretch is what gaps are counted over: a second at most, in which nothing was done to the run.
type stretch struct {
	second record.Instant
	events int // before it, in the batch
}

type gapCount struct {
	at        record.Instant // of the last, or when it was taken in
	gaps, itl stats.Histogram
}

// Path is the file's name.
func (r *Recorder) Path() string { return r.path }

// Problem says in a sentence why the file does not go on; "" while it does. It may be called from anywhere.
func (r *Recorder) Problem() string {
	if p := r.writer.problem.Load(); p != nil {
		return *p
	}
	return ""
}

// Begun implements stats.Tap.
func (r *Recorder) Begun(of stats.Begun) int {
	if r.dead {
		return 0
	}
	b := Begun{
		ID: of.ID, Stage: of.Stage, Slot: of.Slot, Endpoint: of.Endpoint, Scheduled: of.Scheduled, Started: of.Started,
		Residual: of.Residual, InputGuess: of.InputGuess, Late: r.folds.late(of.Started),
	}
	r.batch.begun = append(r.batch.begun, b)
	slot := len(r.courses)
	if n := len(r.free); n > 0 {
		slot, r.free = r.free[n-1], r.free[:n-1]
	} else {
		r.courses = append(r.courses, course{})
	}
	c := &r.courses[slot]
	*c = course{id: of.ID, at: of.Started, begun: b, slot: slot, fine: c.fine[:0], stream: c.stream[:0]}
	return slot
}

// Sent implements stats.Tap.
func (r *Recorder) Sent(slot int, at record.Instant) {
	if !r.dead {
		r.courses[slot].put(true, record.Token{At: at}, &r.folds)
	}
}

// Token implements stats.Tap.
func (r *Recorder) Token(slot int, t record.Token) {
	if r.dead {
		return
	}
	r.chunks++
	c := &r.courses[slot]
	if r.counting && !t.First && !t.Opening {
		c.count(t)
		r.count(t)
		return
	}
	c.endRun()
	if r.counting {
		if !t.Opening {
			r.count(t)
		}
		t.Opening = true // its gap is counted elsewhere
	}
	c.put(false, t, &r.folds)
}

// count takes a gap into the histogram of the second.
func (r *Recorder) count(t record.Token) {
	in := stretch{t.At / record.Instant(time.Second), len(r.batch.events)}
	g := r.batch.gaps[in]
	if g == nil {
		g = new(gapCount)
		r.batch.gaps[in] = g
	}
	g.at = max(g.at, min(t.At, r.folds.last(1))) // what was done to the run since comes after it
	g.gaps.Add(t.Gap, 1)
	k := max(t.Tokens, 1)
	g.itl.Add(t.Gap/time.Duration(k), k)
}

// Ended implements stats.Tap.
func (r *Recorder) Ended(slot int, rec *record.Record) {
	if r.dead {
		return
	}
	c := &r.courses[slot]
	r.batch.take(c)
	from := *c // its place is another one's soon
	r.batch.ended = append(r.batch.ended, ending{Ended: Ended{Record: rec, Late: r.folds.late(rec.End)}, from: &from})
	c.id = 0
	r.free = append(r.free, slot)
}

// Folding implements stats.Tap.
func (r *Recorder) Folding(now record.Instant) {
	if r.dead || !r.folds.add(now) {
		return
	}
	r.batch.tick.Folds = append(r.batch.tick.Folds, now)
	if r.since == 0 {
		r.since = now
	}
}

// Event keeps that something was done to the run. with must be fit for JSON and not change; nil: there is nothing to say.
func (r *Recorder) Event(at record.Instant, do string, with any) {
	if r.dead {
		return
	}
	for i := range r.courses { // a row of chunks that are kept by number only is of one time
		r.courses[i].endRun()
	}
	r.batch.events = append(r.batch.events, waiting{at, do, with, len(r.batch.tick.Folds)})
}

// Tick hands over what has come together, where that is due. pieces says what is shown beside the requests.
func (r *Recorder) Tick(now record.Instant, pieces func() []Piece) {
	if age, _ := now.Since(r.since); !r.dead && age >= r.opt.Every {
		r.batch.pieces = pieces()
		r.pass(now, age)
	}
}

// pass hands the batch over; where nobody takes it, it goes on growing for a while.
func (r *Recorder) pass(now record.Instant, age time.Duration) {
	if r.dead = r.Problem() != ""; r.dead {
		r.forget()
		return
	}
	if r.writer.slow() {
		n := len(r.batch.pieces)
		r.batch.pieces = slices.DeleteFunc(r.batch.pieces, func(p Piece) bool { return p.Telemetry })
		r.thinned += n - len(r.batch.pieces)
	}
	if r.writer.full() {
		if age > longestWait {
			r.writer.fail(fmt.Errorf("the disk did not take anything for %.0f s", age.Seconds()))
		}
		return
	}
	for i := range r.courses {
		if c := &r.courses[i]; c.id != 0 {
			r.batch.take(c)
		}
	}
	r.batch.tick.Thinned, r.batch.tick.Counted = r.thinned, r.counting
	r.writer.queue <- r.batch // there is room, and nobody else sends
	r.batch, r.since = newPending(), now
	if r.opt.MostChunks > 0 {
		r.counting = r.chunks > r.opt.MostChunks
	} else {
		r.counting = r.counting || r.writer.size.Load() > r.opt.ChunksUpTo
	}
	r.chunks = 0
}

// forget lets go of what a dead recorder holds.
func (r *Recorder) forget() { r.batch, r.courses, r.free = newPending(), nil, nil }

func newPending() *pending { return &pending{gaps: make(map[stretch]*gapCount)} }

// take moves what a request did into the batch.
func (p *pending) take(c *course) {
	c.endRun()
	if len(c.fine) == 0 {
		return
	}
	p.ids.int(int64(c.id - p.id))
	p.counts.uint(uint64(len(c.fine)))
	p.streams, p.fine = append(p.streams, c.stream...), append(p.fine, c.fine...)
	p.requests++
	p.id, c.fine, c.stream = c.id, c.fine[:0], c.stream[:0]
}

// counted are the gaps that were kept by number only, in order.
func (p *pending) counted() (list []Gaps) {
	order := func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.events, b.events), cmp.Compare(a.second, b.second))
	}
	for _, in := range slices.SortedFunc(maps.Keys(p.gaps), order) {
		g := p.gaps[in]
		list = append(list, Gaps{At: g.at, Gaps: g.gaps.Sparse(), ITL: g.itl.Sparse()})
	}
	return list
}

// Discard closes the file and takes it away: there was nothing worth to be kept.
func (r *Recorder) Discard() error {
	r.dead = true
	r.writer.fail(errors.New("nothing happened in it"))
	_ = r.writer.close(newPending(), End{}) // it is gone anyway
	return os.Remove(r.path)
}

// Close writes what is left and the end, and closes the file. The error is Problem as one.
func (r *Recorder) Close(pieces []Piece, end End) error { return r.Finish(pieces, end)() }

// Finish ends the recording. What it returns writes what is left and the end and closes the file, as Close does; it may be
// called from anywhere, and waits for the disk.
func (r *Recorder) Finish(pieces []Piece, end End) (close func() error) {
	last := r.batch
	if !r.dead {
		for i := range r.courses {
			if c := &r.courses[i]; c.id != 0 {
				last.take(c)
			}
		}
		last.pieces = pieces
	}
	last.tick.Thinned, last.tick.Counted = r.thinned, r.counting
	r.dead = true
	r.forget()
	return func() error { return r.writer.close(last, end) }
}
