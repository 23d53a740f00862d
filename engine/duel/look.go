// This file compares the sides while they run.

package duel

import (
	"context"
	"fmt"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/snapshot"
)

// found is what is known of the differences.
type found struct {
	looks  []compare.Look
	unlike string
	at     time.Duration // how far the run was
	// For how long the sides are measured, and are to be for the next look; see snapshot.Duel.
	measured, next time.Duration
}

// follow looks once a second whether a look is due, until the context ends.
func (d *Duel) follow(ctx context.Context) {
	if !d.watched {
		return
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			d.look()
		}
	}
}

// look takes a look where one is due.
func (d *Duel) look() {
	d.looking.Lock()
	defer d.looking.Unlock()
	before, now := d.found.Load(), new(found)
	if before != nil {
		*now = *before
	}
	first := d.sides[0].Snapshot()
	if first.Elapsed < now.at { // of a recording in which somebody went back
		*now, d.looks = found{}, compare.Looks{Sides: len(d.sides) - 1}
	}
	now.at, now.unlike = first.Elapsed, ""
	load := first.Knobs.LoadString()
	stages, least, longest := make([][]int, len(d.sides)), 0.0, 0.0
	for i := range d.sides {
		s := d.sides[i].Snapshot()
		if !s.Knobs.SameLoad(first.Knobs) {
			now.unlike = fmt.Sprintf("%s has %s, and %s has %s", snapshot.Letter(0), load, snapshot.Letter(i), s.Knobs.LoadString())
			now.looks = nil
			d.found.Store(now)
			return
		}
		var measured, request float64
		stages[i], measured, request = settled(s)
		longest = max(longest, request)
		if i == 0 || measured < least {
			least = measured
		}
	}
	if len(now.looks) > 0 && now.looks[0].Load != load {
		now.looks = nil
	}
	next := d.looks.Next(load, longest)
	now.measured, now.next = seconds(least), seconds(next)
	if least >= next {
		series := make([]*compare.Series, len(d.sides))
		for i := range d.sides {
			series[i] = d.seriesOf(i, stages[i])
		}
		now.looks = d.looks.Take(load, series[0], series[1:], compare.Watched())
		d.keepLooks()
	}
	d.found.Store(now)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// settled are the stages of a side at its present load that have settled, for how many seconds they were measured, and for how
// many a request was there on average.
func settled(s *snapshot.Snapshot) (stages []int, seconds, request float64) {
	sum, n := 0.0, 0
	for i := range s.Stages {
		if row := &s.Stages[i]; row.Knobs.SameLoad(s.Knobs) && !row.Summary.Settling {
			stages = append(stages, row.Number)
			seconds += row.Summary.Spans.Seconds()
			sum += row.Summary.E2EL.Mean.Seconds() * float64(row.Summary.E2EL.N)
			n += row.Summary.E2EL.N
		}
	}
	return stages, seconds, sum / float64(max(n, 1))
}

// seriesOf is what a side measured in some stages, end to end.
func (d *Duel) seriesOf(side int, stages []int) *compare.Series {
	var all []*compare.Series
	for _, n := range stages {
		all = append(all, d.sides[side].StageSeries(n))
	}
	return compare.Join(all)
}
