// This file is an engine that remembers what it was told.

package scene

import (
	"sync"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Engine remembers what it was told and shows whatever snapshot it is given.
type Engine struct {
	Mu       sync.Mutex
	Latest   *snapshot.Snapshot
	applied  []snapshot.Knobs
	Refuse   error
	drains   int
	stops    int
	Marks    []string
	Stages   int
	Store    *stats.Collector // what is asked of single requests is answered from it; nil: there are none
	Queries  int              // how often they were asked for
	Values   func(n int, m slo.Metric) []time.Duration
	Asked    int // how often values were
	Runs     []snapshot.AutopilotRun
	Releases int
}

// New returns an engine that shows a snapshot.
func New(s *snapshot.Snapshot) *Engine { return &Engine{Latest: s} }

// Snapshot is what it shows.
func (f *Engine) Snapshot() *snapshot.Snapshot {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.Latest
}

// Change publishes a changed copy of the snapshot.
func (f *Engine) Change(with func(*snapshot.Snapshot)) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	next := *f.Latest
	with(&next)
	f.Latest = &next
}

// Apply remembers knobs and shows them.
func (f *Engine) Apply(k snapshot.Knobs) error {
	if err := k.Validate(); err != nil {
		return err
	}
	f.Mu.Lock()
	refuse := f.Refuse
	if refuse == nil {
		f.applied = append(f.applied, k)
	}
	f.Mu.Unlock()
	if refuse != nil {
		return refuse
	}
	f.Change(func(s *snapshot.Snapshot) {
		s.Knobs = k
		s.State = snapshot.Running
		if k.Paused {
			s.State = snapshot.Paused
		}
	})
	return nil
}

// NewStage counts.
func (f *Engine) NewStage() {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Stages++
}

// StartAutopilot remembers what it is to do.
func (f *Engine) StartAutopilot(run snapshot.AutopilotRun) error {
	pilot, err := snapshot.NewPilot(run, f.Snapshot().Knobs)
	if err != nil {
		return err
	}
	f.Change(func(s *snapshot.Snapshot) {
		f.Runs = append(f.Runs, run)
		s.Pilot = &snapshot.PilotView{Kind: run.Kind, Why: "takes over", Progress: pilot.Progress(0)}
	})
	return nil
}

// StopAutopilot counts.
// Stop counts.
func (f *Engine) StopAutopilot() {
	f.Change(func(s *snapshot.Snapshot) {
		f.Releases++
		p := *s.Pilot
		p.Over, p.Released, p.Why = true, true, "stopped by hand"
		s.Pilot = &p
	})
}

// Mark remembers.
func (f *Engine) Mark(label string) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Marks = append(f.Marks, label)
}

// StageValues are those that Values gives.
func (f *Engine) StageValues(n int, m slo.Metric) []time.Duration {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Asked++
	if f.Values == nil {
		return nil
	}
	return f.Values(n, m)
}

// Requests answers from what it has.
func (f *Engine) Requests(q query.Query) *query.View {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Queries++
	if f.Store == nil {
		return query.Answer(stats.Ended{}, nil, f.Latest.At, q)
	}
	return query.Answer(f.Store.Ended(), f.Store.Unfinished(q.Unfinished(), q.Slots), f.Latest.At, q)
}

// EachRequest tells of what it has.
func (f *Engine) EachRequest(q query.Query, tell func(*query.Row) error) error {
	return query.Each(f.Store.Ended(), q, tell)
}

// OpenRequest opens one of what it has.
func (f *Engine) OpenRequest(id uint64) (stats.Opened, bool) { return f.Store.Open(id) }

// StageSeries has the latencies that Values gives, sent evenly over a hundred seconds.
func (f *Engine) StageSeries(n int) *compare.Series {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Asked++
	if f.Values == nil {
		return nil
	}
	s := &compare.Series{Seconds: 100}
	for metric, to := range map[slo.Metric]*compare.Values{slo.TTFT: &s.TTFT, slo.TPOT: &s.TPOT, slo.E2EL: &s.E2EL} {
		values := f.Values(n, metric)
		for i, v := range values {
			to.Add(s.Seconds*float64(i)/float64(len(values)), float64(v)/float64(time.Millisecond), 1)
		}
	}
	return s
}

// Drain counts.
func (f *Engine) Drain() {
	f.Mu.Lock()
	f.drains++
	f.Mu.Unlock()
	f.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Draining })
}

func (f *Engine) Stop() {
	f.Mu.Lock()
	f.stops++
	f.Mu.Unlock()
	f.Change(func(s *snapshot.Snapshot) { s.State = snapshot.Ended })
}

// Seen returns what the engine was told.
func (f *Engine) Seen() (applied []snapshot.Knobs, drains, stops int) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return append([]snapshot.Knobs(nil), f.applied...), f.drains, f.stops
}
