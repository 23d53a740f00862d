// This file goes to any moment of a recording: to the checkpoint before it, and from there on by playing.

package engine

import (
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// checkpoint is a playback at a moment, between two batches.
type checkpoint struct {
	at        record.Instant
	mark      *runfile.Mark
	collector *stats.Checkpoint
	folds     []record.Instant
	shown     shownPieces

	// Of the ledger:
	own       snapshot.Knobs
	knobs     snapshot.Knobs
	state     snapshot.State
	err       error
	points    points
	tracker   slo.Tracker
	marks     []snapshot.Mark
	happened  []snapshot.Event
	telemetry told
	over      record.Instant
	stood     time.Duration
	folded    record.Instant
}

// checkpoint is the playback as it is now.
func (b *playback) checkpoint(m *runfile.Mark) *checkpoint {
	return &checkpoint{
		at: b.now, mark: m, collector: b.collector.Checkpoint(), folds: slices.Clone(b.folds), shown: b.shown,
		own: b.own, knobs: b.knobs, state: b.state, err: b.err, points: b.points.clone(), tracker: b.tracker.Clone(),
		marks: slices.Clip(b.marks), happened: slices.Clip(b.happened), telemetry: b.telemetry.told.clone(), over: b.over, stood: b.stood, folded: b.folded,
	}
}

// restore goes to a checkpoint, before or after what is shown; ok is false where what it needs is no longer there.
func (b *playback) restore(k *checkpoint) (ok bool, err error) {
	known, ok := b.collector.Restore(k.collector)
	if !ok {
		return false, nil
	}
	b.feed.Resume(known)
	b.now, b.folds, b.shown, b.damage = k.at, slices.Clone(k.folds), k.shown, nil
	b.own, b.knobs, b.state, b.err, b.points, b.tracker = k.own, k.knobs, k.state, k.err, k.points.clone(), k.tracker.Clone()
	b.marks, b.happened, b.live, b.over, b.stood, b.folded = k.marks, k.happened, costly{}, k.over, k.stood, k.folded
	b.telemetry.told = k.telemetry.clone()
	if b.viewer != nil {
		b.turnTo(b.viewer.overlaid(b.own))
	}
	return true, b.readFrom(k.mark)
}

// approach goes to where one gets to an instant from by playing on, by the shortest way.
func (b *playback) approach(at record.Instant) error {
	if k := b.checkpoints.before(at); k != nil && (at < b.now || b.ahead == nil || k.at > b.now) {
		if ok, err := b.restore(k); ok || err != nil {
			return err
		}
	}
	if at < b.now || b.ahead == nil {
		return b.rewind()
	}
	return nil
}

const (
	// firstApart is how far checkpoints are apart at first: so much is played within a few hundredths of a second.
	firstApart = 20 * time.Second
	// mostCheckpoints is how many there are, each of some hundred kilobytes. Where there would be more, every other one goes.
	mostCheckpoints = 200
)

// checkpoints are those of a playback, in order, from its beginning to where it has ever been.
type checkpoints struct {
	list  []*checkpoint
	apart time.Duration
}

func newCheckpoints() checkpoints { return checkpoints{apart: firstApart} }

// last is where the last one is; 0: there is none.
func (c *checkpoints) last() record.Instant {
	if len(c.list) == 0 {
		return 0
	}
	return c.list[len(c.list)-1].at
}

// due reports whether it is time for another one.
func (c *checkpoints) due(now record.Instant) bool { return now >= c.last().Add(c.apart) }

// reaches reports whether it is not far to an instant.
func (b *playback) reaches(at record.Instant) bool {
	const far = 3 * firstApart
	return at <= max(b.checkpoints.last(), b.now).Add(far) && (at >= b.now || len(b.checkpoints.list) > 0)
}

func (c *checkpoints) add(k *checkpoint) {
	if c.list = append(c.list, k); len(c.list) > mostCheckpoints {
		n := 0
		c.list = slices.DeleteFunc(c.list, func(*checkpoint) bool { n++; return n%2 == 0 })
		c.apart *= 2
	}
}

// before is the last one that is not later than an instant; nil: there is none.
func (c *checkpoints) before(at record.Instant) *checkpoint {
	i, _ := slices.BinarySearchFunc(c.list, at+1, func(k *checkpoint, at record.Instant) int { return int(k.at - at) })
	if i == 0 {
		return nil
	}
	return c.list[i-1]
}

// clone is the same points, which can go on by themselves.
func (p *points) clone() points {
	c := *p
	c.rows, c.versions, c.pools = slices.Clone(p.rows), slices.Clone(p.versions), slices.Clone(p.pools)
	for i := range c.pools {
		c.pools[i].stages = slices.Clip(c.pools[i].stages)
	}
	return c
}
