// This file is what is chosen before a run.

package engine

import (
	"context"
	"fmt"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
)

// Config is everything that is chosen before a run. The zero value of a field is its default where one is named.
type Config struct {
	Endpoint  wire.Endpoint
	Others    []wire.Endpoint // requests go round all of them in turn
	Simulated bool            // the endpoint is the embedded simulator
	NoProbe   bool            // send requests without finding out first what the endpoint takes

	Knobs snapshot.Knobs
	// Where nobody chose a load, a public endpoint gets one request at a time; where nobody chose a budget, 100 in all.
	AnyLoad, AnyBudget bool
	Budget             load.Budget
	Enough             time.Duration          // once so long has passed, the run ends as soon as its verdict is known; 0: only Budget ends it
	Autopilot          *snapshot.AutopilotRun // an autopilot moves the load, and the run ends with it; nil: it is not
	Warmup             time.Duration          // the first stage settles for at least this long
	Seed               uint64                 // of prompts, lengths and arrivals
	Method             stats.Method           // of percentiles

	GPU          gpu.Source    // nil: none; the caller closes it after Run returned
	GPUNote      string        // why there is none, in a sentence
	GPUInterval  time.Duration // between two readings; 0: gpu.DefaultInterval
	GPUElsewhere bool          // the accelerators are not known to be behind the endpoint: nothing follows from them
	Metrics      scrape.Reader // the inference server's own figures; nil: none; the caller closes it after Run returned
	Prices       snapshot.Prices

	// KeepText is of how many requests prompt and answer are kept in memory, for those who look at single ones: of the latest,
	// the failed and the slowest as many each. 0: of none.
	KeepText int

	Keep *Keep // where the run is kept; nil: nowhere

	// Generator makes the load instead of this process, which keeps no texts then; nil: this process does.
	Generator func(Making) (Generator, error)

	Beside *Beside // what the run shares with those that are held side by side with it; nil: it is alone

	// Records is handed every request that ended, in order, at least every tick (100 ms), from one goroutine, with the
	// instant at which the load began. It must not keep the slice. nil: nobody wants them.
	Records func(ended []*record.Record, start record.Instant)
}

// Beside is what a run shares with those that are held side by side with it, so that each of their endpoints gets the same
// load: the same prompts in the same order, from the same instant on.
type Beside struct {
	Clock record.Clock // of all
	// Prompts makes the prompts of all. What it knows of lengths when the load begins it knows for good: a prompt that grew
	// with what one endpoint counts would be another one than the other's.
	Prompts *shape.Generator
	Public  bool // one of the endpoints is neither on this machine nor in a private network
	Turns   bool // each has its turn: what pauses this one is not a person's doing, and no mark
	// Ready is called when the endpoint can take the load, with what its counts say of lengths, and returns when all can. Its
	// error ends the run before it began.
	Ready func(context.Context, *shape.Calibration) error
}

func (c Config) validate() error {
	if err := c.Knobs.Validate(); err != nil {
		return err
	}
	if c.Budget.Duration < 0 || c.Budget.Requests < 0 {
		return fmt.Errorf("a run's duration and number of requests can't be negative; 0 means no limit")
	}
	if c.Warmup < 0 {
		return fmt.Errorf("--warmup %s can't be negative", c.Warmup)
	}
	if c.Budget.Duration > 0 && c.Warmup >= c.Budget.Duration {
		return fmt.Errorf("--warmup %s leaves nothing to measure of a run of %s; make the run longer", c.Warmup, c.Budget.Duration)
	}
	return nil
}
