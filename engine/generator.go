// This file is the seam between an engine and what makes its load.

package engine

import (
	"context"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// Generator makes the load that an engine commands: this process itself, as Local does, or others on its behalf. What requests do,
// the collector is told, by whatever way it came. Run is called once; all other methods may be called from anywhere and
// return at once, but for Prepare and Close.
type Generator interface {
	// Prepare returns when the load can begin. The endpoints are known by then.
	Prepare(context.Context, *snapshot.Knobs) error
	// Open has requests that start from now on belong to a stage, and ask for what its knobs say.
	Open(stage int, now record.Instant, k *snapshot.Knobs)
	// Run makes the load until a budget is spent or a drain is complete; see load.Pool.Run.
	Run(context.Context) error
	// Set, Pause, Drain, State and Level are those of a load.Pool.
	Set(load.Setting)
	Pause(bool)
	Drain()
	State() load.State
	Level() (now float64, ramping bool)
	// Tick is called ten times a second.
	Tick(now record.Instant)
	// Settled says that the rush of the first requests is over: what was seen of the generator before is not to be judged.
	Settled()
	// Show puts into a snapshot what is known of the generator itself.
	Show(s *snapshot.Snapshot, now record.Instant)
	// Close lets go of everything, after Run or instead of it.
	Close()
}

// Making is what a generator makes load of, and whom it tells.
type Making struct {
	Clock     record.Clock
	Collector *stats.Collector // which only the engine folds
	Account   Account
	Seed      uint64
	Knobs     snapshot.Knobs // that the load begins with
	Budget    load.Budget
	Endpoints []wire.Endpoint
	NoProbe   bool
}

// Account is told of each request, beside the collector.
type Account interface {
	Began(*record.Record)
	Ended(*record.Record)
}
