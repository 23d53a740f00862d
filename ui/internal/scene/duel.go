// This file is duels.

package scene

import (
	"sync"

	"tokdyno/engine/compare"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Duel is a side of a duel, of which B is slower: A's TTFT p95 is told from B's, and little else is.
func Duel() *snapshot.Snapshot {
	a, b := Busy(), Busy()
	b.Endpoint.URL, b.Endpoint.Server = "http://gpu-2.local:8000/v1/chat/completions", "SGLang 0.5.1"
	b.Live.TTFT = distribution(1010, 214, 352, 402, 551, 1033, 239)
	b.Live.Throughput.Output, b.Live.Goodput = 3610, 5.2
	b.History = append([]stats.Point(nil), b.History...)
	for i := range b.History {
		b.History[i].TTFTP95, b.History[i].OutputTokens = b.History[i].TTFTP95*6/5, b.History[i].OutputTokens*9/10
	}
	looks := new(compare.Looks).Take("c=32", Minute(1, 1, false), []*compare.Series{Minute(2, 1.2, false)}, compare.Watched())
	a.Duel = &snapshot.Duel{Mode: snapshot.Together, Sides: []*snapshot.Snapshot{a, b}, Looks: looks}
	return a
}

// NewDuel is a duel by turns of four sides, of which nothing is known yet.
func NewDuel() *snapshot.Snapshot {
	a := Busy()
	a.State = snapshot.Paused
	a.Duel = &snapshot.Duel{Mode: snapshot.Alternate, Sides: []*snapshot.Snapshot{a, Settling(), Starting(), Down()}, Turn: 1}
	return a
}

// Sides is a duel that remembers what it was told.
type Sides struct {
	*Engine
	mu   sync.Mutex
	all  []*snapshot.Snapshot
	Only map[int]snapshot.Knobs // what was turned on one side alone
}

// NewSides returns a duel that shows a snapshot's sides.
func NewSides(s *snapshot.Snapshot) *Sides {
	return &Sides{Engine: New(s), all: s.Duel.Sides, Only: make(map[int]snapshot.Knobs)}
}

// Show shows another side.
func (f *Sides) Show(side int) {
	f.Change(func(s *snapshot.Snapshot) {
		view := *s.Duel
		view.Side = side
		*s = *f.all[side]
		s.Duel = &view
	})
}

// StageSeriesOf is that of the run that it is made of.
func (f *Sides) StageSeriesOf(_, n int) *compare.Series { return f.StageSeries(n) }

// Spend is all there is.
func (f *Sides) Spend() float64 { return compare.Alpha }

// ApplyTo remembers.
func (f *Sides) ApplyTo(side int, k snapshot.Knobs) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Refuse != nil {
		return f.Refuse
	}
	f.Only[side] = k
	return nil
}
