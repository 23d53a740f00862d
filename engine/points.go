// This file keeps the operating points of a run: its stages, one by one and pooled by load.

package engine

import (
	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// StageRow is one stage: a stretch of the run with one load. Its figures are of its steady part, or of all of it while
// it settles.
type StageRow struct {
	Number  int            // from 1
	Knobs   Knobs          // what it was opened with
	Opened  record.Instant // on the run's clock
	Closed  record.Instant // 0: it goes on
	Summary *stats.Summary // shared with other snapshots, so never to be changed
}

// Empty reports whether nothing happened in the stage: it was passed over while a knob was turned.
func (r *StageRow) Empty() bool {
	return r.Summary.Requests.Ended() == 0 && r.Summary.TTFT.N == 0
}

// points remembers summaries of stages, and computes only those anew that something has changed.
type points struct {
	rows     []StageRow
	versions []int
}

// open begins a row.
func (p *points) open(now record.Instant, k Knobs) {
	if n := len(p.rows); n > 0 {
		p.rows[n-1].Closed = now
	}
	p.rows = append(p.rows, StageRow{Number: len(p.rows) + 1, Knobs: k, Opened: now, Summary: &stats.Summary{Settling: true}})
	p.versions = append(p.versions, -1)
}

// list returns a row for every stage in which something happened, and for the current one. current is the summary of
// the latter.
func (p *points) list(from *stats.Collector, current *stats.Summary, now record.Instant) []StageRow {
	list := make([]StageRow, 0, len(p.rows))
	for i := range p.rows {
		row := &p.rows[i]
		switch version := from.StageVersion(row.Number); {
		case i == len(p.rows)-1:
			row.Summary = current
		case version != p.versions[i]:
			s := from.StageSummary(row.Number, now)
			row.Summary, p.versions[i] = &s, version
		}
		if i == len(p.rows)-1 || !row.Empty() {
			list = append(list, *row)
		}
	}
	return list
}
