// This file is this process as the generator of a load.

package engine

import (
	"context"

	"tokdyno/engine/endpoint"
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
	own       *account // of a load that nobody else keeps account of; else nil
}

// NewLocal prepares a load in this process that no Engine commands; its Pool is the caller's to run. The Account of m is not told. Its
// errors are sentences.
func NewLocal(m Making) (*Local, error) {
	endpoints, err := newEndpoints(m.Endpoints, m.Clock)
	if err != nil {
		return nil, err
	}
	prompts := shape.NewGenerator(m.Seed)
	own := &account{endpoints: endpoints}
	l := newLocal(&Config{NoProbe: m.NoProbe}, &m, own, prompts, prompts.Calibration())
	l.own = own
	return l, nil
}

// Probe finds out what the endpoints take, and how long prompts are for them.
func (l *Local) Probe(ctx context.Context, k *snapshot.Knobs) error {
	if err := l.requests.endpoints.prepare(ctx, l.probe); err != nil {
		return err
	}
	return l.Prepare(ctx, k)
}

// Number has requests of a closed loop, and conversations, take the numbers that are handed over; see load.Pool.Join.
func (l *Local) Number(requests, conversations *load.Numbers, which uint64) {
	l.Join(requests, which)
	l.requests.numbers = conversations
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
func (l *Local) Tick(now record.Instant) {
	l.client.tick(now)
	if l.own != nil {
		l.own.outage.look(l.collector.InFlight(now).Answered > 0, now)
		l.own.finished.take()
	}
}

// Settled implements Generator.
func (l *Local) Settled() { l.client.settled() }

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
func (l *Local) Close() {
	if l.own != nil {
		l.requests.endpoints.close()
	}
}

// Again is what was sent again, and what waits to be.
func (l *Local) Again() endpoint.Again { return l.requests.endpoints.again() }
