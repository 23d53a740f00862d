// This file keeps a run in a file.

package engine

import (
	"encoding/json"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Keep says where a run is kept.
type Keep struct {
	Version string // of the program
	// Open makes the file, when the load begins. Its error is a sentence; the load goes on without a file.
	Open func(runfile.Header) (*runfile.Recorder, error)
	// Texts has the file keep what requests said and were answered: those that are kept whole, once the run is over.
	Texts bool
	Duel  *runfile.Duel // that the run is a side of; nil: of none
}

// What can be done to a run. A recording has these names, so they stay.
const (
	didTurn         = "knobs" // with the knobs
	didOpenStage    = "stage"
	didSettle       = "steady"
	didEndMeasuring = "measured"
	didDisown       = "disowned"
	didStandStill   = "stood still" // with the time for which it did
	didMark         = "mark"        // with its label
	didJudge        = "judged"      // the objectives
	didFinish       = "over"
	didBecome       = "state"  // with the state that the run is in
	didHappen       = "events" // what was told of
	didLook         = "looks"  // how many were taken at the duel that the run is a side of
)

// keptRun is what of a run's settings a recording has beside the header's, so that it can be shown again.
type keptRun struct {
	Created      record.Instant  `json:"created"` // the statistics
	Start        record.Instant  `json:"start"`   // the load
	Method       stats.Method    `json:"percentiles"`
	SLO          slo.Criteria    `json:"slo"`
	Target       float64         `json:"target"`
	Budget       load.Budget     `json:"budget"`
	Insecure     bool            `json:"insecure"`
	GPUElsewhere bool            `json:"gpu_elsewhere"`
	GPUNote      string          `json:"gpu_note"`
	Prices       snapshot.Prices `json:"prices"`
}

// keeper keeps a run in a file. A nil keeper keeps nothing. Its methods belong to the ledger's owner; but for close, none of
// them waits for the disk.
type keeper struct {
	to       *Keep
	settings keptRun
	simulate bool
	recorder *runfile.Recorder // nil: there is no file
	problem  string            // why there is none
	state    snapshot.State    // that was told last
}

// newKeeper is nil where the run is not to be kept.
func newKeeper(cfg *Config, created record.Instant) *keeper {
	if cfg.Keep == nil {
		return nil
	}
	return &keeper{to: cfg.Keep, simulate: cfg.Simulated, settings: keptRun{
		Created: created, Method: cfg.Method, SLO: cfg.Knobs.SLO, Target: cfg.Knobs.Target, Budget: cfg.Budget,
		Insecure: cfg.Endpoint.Insecure, GPUElsewhere: cfg.GPUElsewhere, GPUNote: cfg.GPUNote, Prices: cfg.Prices,
	}}
}

// open begins the file, when the load has begun.
func (k *keeper) open(l *ledger, endpoint endpoint.Profile) {
	if k == nil {
		return
	}
	k.settings.Start = l.start
	k.settings.SLO, k.settings.Target = l.collector.Criteria(), l.points.target
	settings, err := json.Marshal(k.settings)
	if err == nil {
		k.recorder, err = k.to.Open(runfile.Header{
			Tokdyno: k.to.Version, Started: l.startWall,
			Host: runfile.Host(thisHost()),
			URL:  endpoint.URL, Model: endpoint.Model, Server: endpoint.Server,
			Simulated: k.simulate || endpoint.Server == simulatedServer,
			Load:      l.knobs.LoadString(), ShapeHash: l.knobs.ShapeHash(), Seed: l.seed, Duel: k.to.Duel, Run: settings,
		})
	}
	if err != nil {
		k.recorder, k.problem = nil, "the run is not kept: "+err.Error()
		return
	}
	l.collector.Tap(k.recorder)
	if len(l.happened) > 0 {
		k.event(l.start, didHappen, l.happened)
	}
}

// event keeps that something was done.
func (k *keeper) event(at record.Instant, do string, with any) {
	if k != nil && k.recorder != nil {
		k.recorder.Event(at, do, with)
	}
}

// show keeps a change of the run's state, and puts into a snapshot where the run is kept.
func (k *keeper) show(s *snapshot.Snapshot) {
	if k == nil {
		return
	}
	if s.State != k.state {
		k.state = s.State
		k.event(s.At, didBecome, s.State)
	}
	s.Kept.Problem = k.problem
	if k.recorder != nil {
		s.Kept.Path, s.Kept.Problem = k.recorder.Path(), k.recorder.Problem()
	}
}

// tick hands over what is due.
func (k *keeper) tick(l *ledger, s *snapshot.Snapshot) {
	if k != nil && k.recorder != nil {
		k.recorder.Tick(s.At, func() []runfile.Piece { return pieces(s, l.telemetry.hand()) })
	}
}

// close ends the file with the run's report. What it returns waits for the disk, and may be called from anywhere. A run in
// which nothing was sent leaves no file.
func (k *keeper) close(l *ledger, last *snapshot.Snapshot) (wait func()) {
	if k == nil || k.recorder == nil {
		return func() {}
	}
	recorder := k.recorder
	if last.Counts.Started == 0 {
		k.recorder = nil
		return func() { _ = recorder.Discard() } // if it stays, it is merely empty
	}
	report, err := json.Marshal(run.NewReport(last, k.to.Version))
	if err != nil {
		report = []byte("null")
	}
	if k.to.Texts {
		recorder.Texts(l.collector.Said())
	}
	end := recorder.Finish(pieces(last, l.telemetry.hand()), runfile.End{Ended: time.Now(), Report: report})
	return func() { _ = end() } // Problem tells
}

// Looked keeps how many looks were taken so far at the duel that the run is a side of, so that whoever compares the files of its
// sides knows what chance of error is left.
func (e *Engine) Looked(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.keep.event(e.fold(), didLook, n)
}
