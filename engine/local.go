// This file is this process as the generator of a load.

package engine

import (
	"context"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Local makes load in this process.
type Local struct {
	*load.Pool
	requests  requests
	client    client
	collector *stats.Collector
	probe     bool
}

// newLocal prepares a load for the endpoints of an account. Of the configuration, it takes what says which requests there are.
func newLocal(cfg *Config, m *Making, a *account, prompts *shape.Generator, lengths *shape.Calibration) *Local {
	l := &Local{
		requests: requests{
			clock: m.Clock, endpoints: a.endpoints, account: a, collector: m.Collector, prompts: prompts, beside: cfg.Beside != nil,
			texts: cfg.KeepText > 0, recorded: cfg.Keep != nil && cfg.Keep.Texts,
		},
		client: client{endpoints: a.endpoints}, collector: m.Collector, probe: !cfg.NoProbe,
	}
	l.requests.lengths.calibration = lengths
	l.Pool = load.NewPool(m.Clock, m.Seed, m.Knobs.Load, m.Budget, l.requests.run)
	l.requests.hold, l.requests.rest, l.requests.shed = l.Hold, l.Rest, l.Shed
	return l
}

// Prepare implements Generator: it finds out how long prompts are for the endpoint.
func (l *Local) Prepare(ctx context.Context, k *snapshot.Knobs) error {
	if !l.probe {
		return nil
	}
	return l.requests.measure(ctx, k.Shape)
}

// Open implements Generator.
func (l *Local) Open(stage int, _ record.Instant, k *snapshot.Knobs) { l.requests.open(stage, k) }

// Tick implements Generator.
func (l *Local) Tick(record.Instant) { l.client.monitor.Tick() }

// Settled implements Generator.
func (l *Local) Settled() { l.client.monitor.Restart() }

// Show implements Generator.
func (l *Local) Show(s *snapshot.Snapshot, now record.Instant) {
	lengths := &l.requests.lengths
	n := 0
	if len(s.Stages) > 0 {
		n = s.Stages[len(s.Stages)-1].Number
	}
	s.Prompts, s.Answers = lengths.report(n, s.Knobs.Shape)
	for i := range s.Stages {
		row := &s.Stages[i]
		row.Prompts, row.Answers = lengths.report(row.Number, row.Knobs.Shape)
	}
	l.client.show(s, l.collector, now)
}

// Close implements Generator.
func (l *Local) Close() {}
