// This file plays a recording: it does again what was done to the run, in the same order.

package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// playback is a recording as far as it was played.
type playback struct {
	of *recording
	ledger
	ahead  *ahead
	batch  read         // the one that is being played
	feed   runfile.Feed // of it
	todo   []step       // likewise
	folds  []record.Instant
	shown  shownPieces
	now    record.Instant
	damage error // why the recording ends before the run did
	atEnd  bool
	own    snapshot.Knobs // the run's
	viewer *viewer        // nil: everything is as it was

	checkpoints checkpoints
	whole       bool // it has been at the end, so there are all
}

// step is one thing that is to be done again.
type step struct {
	at record.Instant
	do func() error
}

// newPlayback is at the beginning of a recording.
func newPlayback(of *recording, v *viewer) (*playback, error) {
	b := &playback{of: of, viewer: v}
	return b, b.rewind()
}

// rewind forgets all, and goes back to the beginning.
func (b *playback) rewind() error {
	b.close()
	h, set := &b.of.outline.Header, &b.of.settings
	b.checkpoints, b.whole = newCheckpoints(), false
	b.ledger = ledger{
		budget: set.Budget, seed: h.Seed, state: snapshot.Running, always: true,
		collector: stats.NewCollector(set.Created, set.Method, set.SLO),
		points:    points{target: set.Target},
		telemetry: telemetry{elsewhere: set.GPUElsewhere, note: set.GPUNote, prices: set.Prices, wall: b.wall, method: set.Method},
	}
	b.collector.AtOnce()
	if b.of.endOnly {
		b.collector.KeepCopies()
	} else {
		b.collector.Keep()
	}
	b.collector.Expect(b.of.requests)
	b.start, b.startWall = set.Start, h.Started
	b.folds, b.feed, b.shown = nil, runfile.Feed{}, shownPieces{}
	b.shown.endpoint.Profile.URL, b.shown.endpoint.Profile.Model, b.shown.endpoint.Profile.Server = h.URL, h.Model, h.Server
	b.now, b.damage = set.Start, nil
	return b.readFrom(nil)
}

// readFrom has the batches come from a mark on.
func (b *playback) readFrom(m *runfile.Mark) (err error) {
	b.close()
	b.ahead, m, err = startAhead(b.of.open, m, !b.of.endOnly)
	if err != nil {
		return err
	}
	b.atEnd, b.batch = false, read{}
	if len(b.checkpoints.list) == 0 && !b.of.endOnly {
		b.checkpoints.add(b.checkpoint(m))
	}
	return nil
}

// wall is what the wall clock showed at the instant that is shown.
func (b *playback) wall() time.Time {
	since, _ := b.now.Since(b.of.settings.Start)
	return b.of.outline.Header.Started.Add(since)
}

func (b *playback) close() {
	b.ahead.close()
	b.ahead, b.todo, b.atEnd = nil, nil, true
}

// play does again what was done up to an instant, that included. A recording that no tokdyno has written may ask for what
// can't be, so a panic is an error here.
func (b *playback) play(at record.Instant) (err error) {
	defer func() {
		if r := recover(); r != nil {
			b.atEnd, err = true, fmt.Errorf("the recording can't be played: %v", r)
		}
	}()
	for !b.atEnd {
		if len(b.todo) == 0 {
			if err := b.fetch(); err != nil {
				return err
			}
			continue
		}
		next := &b.todo[0]
		if next.at > at {
			break
		}
		b.now = max(b.now, next.at)
		if err := next.do(); err != nil {
			return err
		}
		b.todo = b.todo[1:]
	}
	if b.damage == nil { // else nothing comes after what was played
		b.now = min(max(b.now, at), max(b.of.outline.Last, b.now))
	}
	return nil
}

// fetch goes on to the next batch.
func (b *playback) fetch() error {
	if b.batch.mark != nil {
		if b.checkpoints.due(b.now) {
			b.checkpoints.add(b.checkpoint(b.batch.mark))
		}
		b.batch.mark = nil
	}
	if b.batch.Batch != nil {
		if !b.of.endOnly {
			b.batch.Keep() // the collector has some of its records
		}
		b.ahead.spare <- b.batch.Batch // there is room for all that are about
	}
	b.batch = <-b.ahead.batches
	if errors.Is(b.batch.err, io.EOF) {
		b.atEnd, b.whole, b.damage = true, true, b.batch.why
		return nil
	}
	if b.batch.err != nil {
		b.atEnd = true
		return b.batch.err
	}
	b.plan(b.batch.Batch, b.batch.readings)
	return nil
}

// plan makes steps of a batch, in the order in which they were done: what requests did is taken in when it was, what was done
// to the run comes after as many folds as it did, and what was shown beside came last.
func (b *playback) plan(batch *runfile.Batch, readings []keptReading) {
	first := len(b.folds) // of this batch
	b.folds = append(b.folds, batch.Tick.Folds...)
	b.feed.Fill(batch, b.folds)
	events, last := b.events(batch, readings), b.now
	eventsAfter := func(folds int) {
		for ; len(events) > 0 && events[0].after <= folds; events = events[1:] {
			b.todo = append(b.todo, events[0].step)
			last = max(last, events[0].at)
		}
	}
	eventsAfter(0)
	for i, at := range batch.Tick.Folds {
		b.todo = append(b.todo, step{at, func() error {
			b.fold(first+i, at)
			return nil
		}})
		last = max(last, at)
		eventsAfter(i + 1)
	}
	b.todo = append(b.todo, step{last, func() error {
		b.feed.Tell(b.collector, math.MaxInt) // nothing was folded after it
		return b.show(batch)
	}})
	if n := len(b.folds) - runfile.MostLate - 2; n > 0 {
		b.folds = slices.Delete(b.folds, 0, n)
	}
}

// placed is a step that comes after so many folds of its batch.
type placed struct {
	step
	after int
}

// events are what was done to the run, and the readings that came, in order.
func (b *playback) events(batch *runfile.Batch, readings []keptReading) []placed {
	var list []placed
	add := func(after *int, at record.Instant, do func() error) {
		if after == nil {
			n, _ := slices.BinarySearch(batch.Tick.Folds, at+1)
			after = &n
		}
		list = append(list, placed{step{at, do}, *after})
	}
	if !b.telemetry.begun { // what was read before is of no stage
		add(new(int), b.of.settings.Start, func() error {
			b.telemetry.begin()
			return nil
		})
	}
	for _, e := range batch.Events {
		add(e.After, e.At, func() error { return b.redo(e) })
	}
	for _, r := range readings {
		add(nil, r.At, func() error {
			if r.GPU != nil {
				b.telemetry.takeDevices(*r.GPU)
			}
			if r.Server != nil {
				b.telemetry.takeServer(*r.Server.reading())
			}
			if r.Canary != nil {
				b.telemetry.takeCanary(*r.Canary)
			}
			return nil
		})
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.after, b.after), cmp.Compare(a.at, b.at))
	})
	return list
}

// fold brings the statistics up to date, by what was taken in by a fold of a batch.
func (b *playback) fold(n int, at record.Instant) {
	b.collector.Advance(at)
	b.feed.Tell(b.collector, n)
	b.ledger.fold(at)
	b.telemetry.trend(at)
	if b.viewer.judging() && b.over == 0 && !b.knobs.Paused && (len(b.points.rows) > 1 || b.collector.Turnover().Steady) {
		b.judge(at)
	}
}

// show takes in what was shown beside the requests.
func (b *playback) show(batch *runfile.Batch) error {
	for name, text := range batch.Tick.Changed {
		if err := b.shown.take(name, text); err != nil {
			return fmt.Errorf("the recording's %q can't be read: %w", name, err)
		}
	}
	client := &b.shown.client
	b.collector.ClientLate(max(client.Recent.Late(), client.Run.Late()))
	return nil
}

// redo does once more what was done to the run.
func (b *playback) redo(e runfile.Event) (err error) {
	switch e.Do {
	case didTurn:
		var kept keptKnobs
		if err = json.Unmarshal(e.With, &kept); err != nil {
			break
		}
		var k snapshot.Knobs
		if k, err = kept.knobs(); err == nil {
			b.own = k
			b.turnTo(b.viewer.overlaid(k))
		}
	case didOpenStage:
		shown := b.knobs
		b.knobs = b.own // a stage is of the run's, whoever looks at it
		b.openStage(e.At)
		b.knobs = shown
	case didSettle:
		b.steady(e.At)
	case didEndMeasuring:
		b.endMeasuring(e.At)
	case didDisown:
		b.disown(e.At)
	case didStandStill:
		var gap time.Duration
		err = json.Unmarshal(e.With, &gap)
		b.standStill(e.At, gap)
	case didMark:
		var label string
		err = json.Unmarshal(e.With, &label)
		b.mark(e.At, label)
	case didJudge:
		if !b.viewer.judging() {
			b.judge(e.At)
		}
	case didFinish:
		b.finish(e.At)
	case didHappen:
		var events []snapshot.Event
		err = json.Unmarshal(e.With, &events)
		b.happen(events...)
	case didBecome:
		err = json.Unmarshal(e.With, &b.state)
	}
	if err != nil {
		return fmt.Errorf("the recording's %q can't be read: %w", e.Do, err)
	}
	return nil
}

// turnTo puts knobs into force, and scores by them what is stored.
func (b *playback) turnTo(k snapshot.Knobs) {
	b.turn(k, b.now)
	for !b.points.score(b.collector, &b.knobs) {
		continue
	}
	b.tracker.Set(k.Objectives)
}

// overlaid are knobs of the run, with what was turned since.
func (v *viewer) overlaid(k snapshot.Knobs) snapshot.Knobs {
	if v != nil {
		k.SLO, k.Target, k.Window = v.slo, v.target, v.window
	}
	if v.judging() {
		k.Objectives = v.objectives
	}
	return k
}

// judging reports whether there are other objectives than the run's.
func (v *viewer) judging() bool { return v != nil && v.judges }
