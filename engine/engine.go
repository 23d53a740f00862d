// This file runs a load from beginning to end.

package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

const (
	// tickEvery is how often requests' events are folded and a snapshot is published.
	tickEvery = 100 * time.Millisecond
	// stall is how late a tick may be. A later one means that the process was suspended or starved, and that what it
	// measured meanwhile is the machine's doing, not the endpoint's.
	stall = 2 * time.Second
	// Where nobody chose otherwise, an endpoint that is not on this host or network gets gentleRequests requests, one
	// at a time: it may be somebody else's, and cost money.
	gentleConcurrency = 1
	gentleRequests    = 100
)

// Engine is one run. New makes it, Run runs it once; the other methods may be called from anywhere at any time.
type Engine struct {
	cfg       Config
	clock     record.Clock
	endpoints *endpoints
	generator Generator
	account   *account
	lengths   *shape.Calibration // what is known of how long prompts are
	snapshot  atomic.Pointer[snapshot.Snapshot]
	quit      chan struct{} // closed by Stop
	quitOnce  sync.Once

	mu sync.Mutex // what follows; also held while a snapshot is made, so that all of it is of one moment
	ledger
	autopilot autopilot
	scoring   chan struct{} // closed when a goroutine has scored what is stored by the knobs' SLO; nil: there is none
	counsel   counsel
	settling  settling
	canary    *canary
	drained   bool           // no new request will start
	ticked    record.Instant // the last tick; 0: none yet
	pausedAt  record.Instant // where it is paused; 0: it has been from the beginning
	paused    time.Duration  // since the load began, by pauses that are over
	besides   besides
}

// fits says why this machine can't hold as many streams open as are asked for. An embedded simulator holds the other
// end of each in the same process; workers say themselves how many they hold.
func (c *Config) fits(k snapshot.Knobs) error {
	if c.Generator != nil {
		_, err := PackKnobs(k)
		return err
	}
	wanted := k.Load.Target()
	if k.Load.Mode != load.Closed {
		wanted = k.Load.MaxInFlight
	}
	streams, bound := wire.StreamsThatFit()
	if c.Simulated {
		streams /= 2
	}
	if wanted > streams {
		return fmt.Errorf("%d requests in flight don't fit on this machine: %s", wanted, bound)
	}
	return nil
}

// New checks a configuration and prepares a run. It raises the limit of open files as far as the system grants; else it
// starts nothing and touches no network. Errors are one sentence.
func New(cfg Config) (*Engine, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	_, _ = wire.RaiseFileLimit() // if it stays as it was: whether it suffices is looked at next
	if err := cfg.fits(cfg.Knobs); err != nil {
		return nil, err
	}
	clock, prompts, lengths := record.NewClock(), shape.NewGenerator(cfg.Seed), new(shape.Calibration)
	public := false
	if b := cfg.Beside; b != nil {
		clock, prompts, public = b.Clock, b.Prompts, b.Public
	} else {
		lengths = prompts.Calibration()
	}
	configured := append([]wire.Endpoint{cfg.Endpoint}, cfg.Others...)
	for i := range configured {
		configured[i].Concurrency = max(configured[i].Concurrency, cfg.Knobs.Load.Concurrency)
		configured[i].OutputTokens = cfg.Knobs.Shape.Output.Reach()
	}
	endpoints, err := newEndpoints(configured, clock)
	if err != nil {
		return nil, err
	}
	if public || !endpoints.local() {
		cfg.beGentle()
	}
	var pilot stage.Pilot
	if f := cfg.Autopilot; f != nil {
		if pilot, err = newPilot(*f, cfg.Knobs, &cfg); err != nil {
			endpoints.close()
			return nil, err
		}
	}
	e := &Engine{
		cfg:       cfg,
		clock:     clock,
		endpoints: endpoints,
		account:   &account{endpoints: endpoints},
		ledger:    newLedger(&cfg, clock()),
		autopilot: autopilot{whole: cfg.Autopilot != nil, turns: cfg.Beside != nil && cfg.Beside.Turns},
		lengths:   lengths,
		quit:      make(chan struct{}),
	}
	e.canary = newCanary(configured, endpoints, clock, cfg.Seed, e.telemetry.takeCanary)
	if cfg.Keep != nil {
		e.telemetry.clock = clock
		if cfg.Keep.Texts && cfg.KeepText == 0 {
			cfg.KeepText = stats.Openable
		}
	}
	if cfg.KeepText > 0 {
		e.collector.KeepWhole(cfg.KeepText)
	}
	making := &Making{
		Clock: clock, Collector: e.collector, Account: e.account, Seed: cfg.Seed, Knobs: cfg.Knobs, Budget: cfg.Budget,
		Endpoints: configured, NoProbe: cfg.NoProbe,
	}
	if cfg.Generator == nil {
		e.generator = newLocal(&cfg, making, e.account, prompts, lengths)
	} else if e.generator, err = cfg.Generator(*making); err != nil {
		endpoints.close()
		return nil, err
	}
	e.tracker.Set(cfg.Knobs.Objectives)
	if pilot != nil {
		e.autopilot.take(cfg.Autopilot, pilot, &cfg.Knobs, e.generator.State())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.publish(clock())
	return e, nil
}

// newLedger is that of a run that has not begun.
func newLedger(cfg *Config, created record.Instant) ledger {
	return ledger{
		keep:      newKeeper(cfg, created),
		budget:    cfg.Budget,
		seed:      cfg.Seed,
		knobs:     cfg.Knobs,
		state:     snapshot.Probing,
		collector: stats.NewCollector(created, cfg.Method, cfg.Knobs.SLO),
		points:    points{target: cfg.Knobs.Target},
		telemetry: telemetry{elsewhere: cfg.GPUElsewhere, note: cfg.GPUNote, prices: cfg.Prices, wall: time.Now, method: cfg.Method},
	}
}

// beGentle is for an endpoint that may be somebody else's: it gets little where nobody chose how much.
func (c *Config) beGentle() {
	if c.AnyLoad {
		c.Knobs.Load.Concurrency = gentleConcurrency
	}
	if c.AnyBudget {
		c.Budget.Requests = gentleRequests
	}
}

// Run makes the load until ctx ends, a budget is spent, Stop is called, or a Drain is complete. When it returns, no
// request runs any more and the last Snapshot is final. The error says why an endpoint could not be used at all, or, if
// requests were started, that tokdyno itself failed; a run that was merely ended, by whatever, gives nil.
func (e *Engine) Run(ctx context.Context) error {
	defer e.endpoints.close()
	defer e.generator.Close()
	ctx, cancel := context.WithCancel(ctx)
	var helpers sync.WaitGroup
	defer func() {
		cancel()
		helpers.Wait()
	}()
	helpers.Go(func() {
		select {
		case <-e.quit:
			cancel()
		case <-ctx.Done():
		}
	})
	e.telemetry.follow(ctx, &e.cfg, &helpers)
	stopTelling := e.tellOfAsking(ctx)
	err := e.prepare(ctx)
	if b := e.cfg.Beside; b != nil && err == nil {
		err = b.Ready(ctx, e.lengths)
	}
	stopTelling()
	if err != nil {
		if ctx.Err() != nil {
			err = nil // the person left while the endpoint was being asked
		}
		e.close(err)
		return err
	}
	err = e.load(ctx)
	e.close(err)
	return err
}

// tellOfAsking publishes snapshots while the endpoint is being asked what it takes, which may last as long as it wants to
// load a model. The returned function ends that.
func (e *Engine) tellOfAsking(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var teller sync.WaitGroup
	teller.Go(func() {
		ticker := time.NewTicker(tickEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				e.mu.Lock()
				e.publish(e.clock())
				e.mu.Unlock()
			}
		}
	})
	return func() {
		cancel()
		teller.Wait()
	}
}

// prepare finds out the model and what the endpoint takes.
func (e *Engine) prepare(ctx context.Context) error {
	if err := e.endpoints.prepare(ctx, !e.cfg.NoProbe); err != nil {
		return err
	}
	return e.generator.Prepare(ctx, &e.cfg.Knobs)
}

// load runs the pool and publishes snapshots beside it.
func (e *Engine) load(ctx context.Context) error {
	e.open()
	beside, stop := context.WithCancel(ctx)
	var canary sync.WaitGroup
	canary.Go(func() { e.canary.run(beside) })
	defer canary.Wait()
	defer stop()
	done := Start(ctx, e.generator.Run)
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			if ctx.Err() != nil {
				return nil
			}
			return withStack(err)
		case <-ticker.C:
			e.tick()
			if s := e.Snapshot(); s.Enough > 0 && s.Elapsed >= s.Enough && !s.Awaits() {
				e.Stop()
			}
		}
	}
}

// withStack adds where a request panicked, for whoever mends it.
func withStack(err error) error {
	var panicked *load.PanicError
	if errors.As(err, &panicked) {
		return fmt.Errorf("%w\n%s", err, panicked.Stack)
	}
	return err
}

// open begins the load with the first stage.
func (e *Engine) open() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock()
	e.begin(now, time.Now())
	e.ticked = now
	e.state = runningOr(e.knobs.Paused)
	e.generator.Tick(now)
	e.keep.open(&e.ledger, e.endpoints.first().Profile())
	if first := e.autopilot.next(func() stage.Status { return stage.Status{} }, &e.knobs, load.State{}); first.open {
		e.knobs.Load = first.load
	}
	e.command()
	e.turn(e.knobs, now)
	e.openStage(now)
	e.canary.set(e.canaryRate())
	e.publish(now)
}

// openStage begins a new operating point with the present knobs.
func (e *Engine) openStage(now record.Instant) {
	n := e.ledger.openStage(now)
	e.endpoints.open(n, now)
	e.generator.Open(n, now, &e.knobs)
}

// Drain ends the run when the running requests have ended; no new one starts.
func (e *Engine) Drain() { e.generator.Drain() }

// Stop ends the run now: running requests are cancelled, and the server sees their connections close.
func (e *Engine) Stop() { e.quitOnce.Do(func() { close(e.quit) }) }

// Snapshot returns the latest moment of the run. It never blocks and is never nil.
func (e *Engine) Snapshot() *snapshot.Snapshot { return e.snapshot.Load() }
