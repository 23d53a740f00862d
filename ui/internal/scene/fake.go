// This file is an engine that remembers what it was told.

package scene

import (
	"sync"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/slo"
)

// Engine remembers what it was told and shows whatever snapshot it is given.
type Engine struct {
	Mu       sync.Mutex
	Latest   *engine.Snapshot
	applied  []engine.Knobs
	Refuse   error
	drains   int
	stops    int
	Marks    []string
	Stages   int
	Values   func(n int, m slo.Metric) []time.Duration
	Asked    int // how often values were
	Runs     []engine.AutopilotRun
	Releases int
}

// New returns an engine that shows a snapshot.
func New(s *engine.Snapshot) *Engine { return &Engine{Latest: s} }

// Snapshot is what it shows.
func (f *Engine) Snapshot() *engine.Snapshot {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.Latest
}

// Change publishes a changed copy of the snapshot.
func (f *Engine) Change(with func(*engine.Snapshot)) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	next := *f.Latest
	with(&next)
	f.Latest = &next
}

// Apply remembers knobs and shows them.
func (f *Engine) Apply(k engine.Knobs) error {
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
	f.Change(func(s *engine.Snapshot) {
		s.Knobs = k
		s.State = engine.Running
		if k.Paused {
			s.State = engine.Paused
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
func (f *Engine) StartAutopilot(run engine.AutopilotRun) error {
	pilot, err := engine.NewPilot(run, f.Snapshot().Knobs)
	if err != nil {
		return err
	}
	f.Change(func(s *engine.Snapshot) {
		f.Runs = append(f.Runs, run)
		s.Pilot = &engine.PilotView{Kind: run.Kind, Why: "takes over", Progress: pilot.Progress(0)}
	})
	return nil
}

// StopAutopilot counts.
// Stop counts.
func (f *Engine) StopAutopilot() {
	f.Change(func(s *engine.Snapshot) {
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

// Drain counts.
func (f *Engine) Drain() {
	f.Mu.Lock()
	f.drains++
	f.Mu.Unlock()
	f.Change(func(s *engine.Snapshot) { s.State = engine.Draining })
}

func (f *Engine) Stop() {
	f.Mu.Lock()
	f.stops++
	f.Mu.Unlock()
	f.Change(func(s *engine.Snapshot) { s.State = engine.Ended })
}

// Seen returns what the engine was told.
func (f *Engine) Seen() (applied []engine.Knobs, drains, stops int) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return append([]engine.Knobs(nil), f.applied...), f.drains, f.stops
}
