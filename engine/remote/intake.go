// This file takes in what a worker reports: the requests of one of its parts of a run, on the console's clock.

package remote

import (
	"bytes"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/stats"
)

// intake is what has come of one incarnation of a worker.
type intake struct {
	next   uint64 // the number of the report that comes next
	blocks bytes.Buffer
	reader *runfile.Reader // nil: nothing has come
	feed   runfile.Feed
	began  map[uint64]beginning // of the requests that run
	broken error                // why nothing more can be read
}

// beginning is what was so when a request began, and holds for all that it does.
type beginning struct {
	ahead record.Instant // of the worker's clock
	stage int
}

func newIntake() *intake { return &intake{next: 1, began: make(map[uint64]beginning)} }

// read reads the batch of a report that is the next one; nil: it has none.
func (i *intake) read(blocks []byte) *runfile.Batch {
	if len(blocks) == 0 || i.broken != nil {
		return nil
	}
	i.blocks.Write(blocks)
	if i.reader == nil {
		i.reader, i.broken = runfile.NewReader(&i.blocks)
		return nil // the header comes alone
	}
	b, err := i.reader.Next()
	if err != nil {
		i.broken = i.reader.Damage()
		return nil
	}
	return b
}

// tell tells a collector of a batch. ahead is by how much the worker's clock is at present, stages how many the run has had.
func (i *intake) tell(b *runfile.Batch, ahead record.Instant, stages int, to *engine.Making) {
	for k := range b.Begun {
		x := &b.Begun[k]
		if x.Stage < 0 || x.Stage > stages { // it is of another console's
			x.Stage = 0
		}
		i.began[x.ID] = beginning{ahead, x.Stage}
		shift(ahead, &x.Started, &x.Scheduled)
		to.Account.Began(&record.Record{ID: x.ID, Endpoint: x.Endpoint})
	}
	for k := range b.Doings {
		shift(i.began[b.Doings[k].ID].ahead, &b.Doings[k].Token.At)
	}
	for k := range b.Gaps {
		shift(ahead, &b.Gaps[k].At)
	}
	for k := range b.Ended {
		r := b.Ended[k].Record
		began := i.began[r.ID]
		r.Stage = began.stage
		shift(began.ahead, &r.Scheduled, &r.Started, &r.Sent, &r.FirstToken, &r.FirstAnswer, &r.LastToken, &r.End)
		delete(i.began, r.ID)
	}
	i.feed.Fill(b, nil)
	i.feed.TellAll(to.Collector)
	for k := range b.Ended {
		to.Account.Ended(b.Ended[k].Record)
	}
}

// shift puts instants of a worker's clock on the console's; those that never were stay so.
func shift(ahead record.Instant, all ...*record.Instant) {
	for _, at := range all {
		if *at != 0 {
			*at = max(*at-ahead, 1)
		}
	}
}

// giveUp ends the requests that run: what they did counts, and how they went on nobody knows. It returns how many there were.
func (i *intake) giveUp(why string, now record.Instant, to *engine.Making) int {
	n := 0
	for id, r := range i.feed.Running() {
		rec := &record.Record{ID: id, End: now, Outcome: record.Cancelled, Error: why}
		r.Abandon(rec)
		to.Account.Ended(rec)
		n++
	}
	i.feed.Resume(make(map[uint64]*stats.Running))
	return n
}

// rates are bytes and numbers a second, over about the last second.
type rate struct {
	since time.Time
	n     int
	per   float64
}

func (r *rate) add(now time.Time, n int) {
	r.n += n
	if age := now.Sub(r.since); age >= time.Second {
		if !r.since.IsZero() {
			r.per = float64(r.n) / age.Seconds()
		}
		r.since, r.n = now, 0
	}
}
