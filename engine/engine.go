// This file runs a load from beginning to end.

package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
)

const (
	// tick is how often requests' events are folded and a snapshot is published.
	tick = 100 * time.Millisecond
	// stall is how late a tick may be. A later one means that the process was suspended or starved, and that what it
	// measured meanwhile is the machine's doing, not the endpoint's.
	stall = 2 * time.Second
	// gpuInterval is how often accelerators are read.
	gpuInterval = time.Second
	// Where nobody chose otherwise, an endpoint that is not on this host or network gets gentleRequests requests, one
	// at a time: it may be somebody else's, and cost money.
	gentleConcurrency = 1
	gentleRequests    = 100
)

// Engine is one run. New makes it, Run runs it once; the other methods may be called from anywhere at any time.
type Engine struct {
	cfg      Config
	clock    record.Clock
	client   *wire.Client
	pool     *load.Pool
	prompts  *shape.Generator
	setting  atomic.Pointer[setting]
	snapshot atomic.Pointer[Snapshot]
	quit     chan struct{} // closed by Stop
	quitOnce sync.Once

	mu        sync.Mutex // what follows; also held while a snapshot is made, so that all of it is of one moment
	knobs     Knobs
	state     State
	err       error
	profile   wire.Profile
	collector *stats.Collector
	loads     []Knobs // what each stage was opened with, from stage 1
	marks     []Mark
	accel     *gpu.Reading // nil: none yet
	gpuTrend  []GPUPoint
	gpuTotals gpu.Totals
	start     record.Instant // when the load began; 0: not yet
	startWall time.Time
	over      record.Instant // when the load ended; 0: it goes on
	drained   bool           // no new request will start
	ticked    record.Instant // the last tick; 0: none yet
	finished  finished
}

// setting is what a request needs to know when it starts: one value, so that no request mixes two stages.
type setting struct {
	stage int
	shape shape.Shape
}

// New checks a configuration and prepares a run. It starts nothing and touches no network. Errors are one sentence.
func New(cfg Config) (*Engine, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	clock := record.NewClock()
	cfg.Endpoint.Concurrency = max(cfg.Endpoint.Concurrency, cfg.Knobs.Load.Concurrency)
	client, err := wire.New(cfg.Endpoint, clock)
	if err != nil {
		return nil, err
	}
	if cfg.Gently && !client.Local() {
		cfg.Knobs.Load.Concurrency = gentleConcurrency
		cfg.Budget.Requests = gentleRequests
	}
	e := &Engine{
		cfg:     cfg,
		clock:   clock,
		client:  client,
		prompts: shape.NewGenerator(cfg.Seed),
		knobs:   cfg.Knobs,
		state:   Probing,
		quit:    make(chan struct{}),
	}
	e.pool = load.NewPool(clock, cfg.Seed, cfg.Knobs.Load, load.Budget(cfg.Budget), e.request)
	e.collector = stats.NewCollector(clock(), cfg.Method, cfg.Knobs.SLO)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.publish(clock())
	return e, nil
}

// Run makes the load until ctx ends, a budget is spent, Stop is called, or a Drain is complete. When it returns, no
// request runs any more and the last Snapshot is final. The error says why an endpoint could not be used at all; a run
// that was merely ended, by whatever, gives nil.
func (e *Engine) Run(ctx context.Context) error {
	defer e.client.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var helpers sync.WaitGroup
	defer helpers.Wait()
	defer cancel() // before the wait
	helpers.Go(func() {
		select {
		case <-e.quit:
			cancel()
		case <-ctx.Done():
		}
	})
	if e.cfg.GPU != nil {
		helpers.Go(func() {
			gpu.Poll(ctx, e.cfg.GPU, gpuInterval, e.takeGPU)
		})
	}
	if err := e.prepare(ctx); err != nil {
		if ctx.Err() != nil {
			err = nil // the person left while the endpoint was being asked
		}
		e.end(err)
		return err
	}
	err := e.load(ctx)
	e.end(err)
	return err
}

func (e *Engine) takeGPU(r gpu.Reading) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.accel = &r
	e.gpuTotals.Add(r)
}

// prepare finds the model and what the endpoint takes.
func (e *Engine) prepare(ctx context.Context) error {
	if err := e.client.ResolveModel(ctx); err != nil {
		return err
	}
	if e.cfg.NoProbe {
		e.setProfile(e.client.Profile())
		return nil
	}
	profile, err := e.client.Probe(ctx)
	if err != nil {
		return err
	}
	e.setProfile(profile)
	return nil
}

func (e *Engine) setProfile(p wire.Profile) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.profile = p
}

// load runs the pool and publishes snapshots beside it.
func (e *Engine) load(ctx context.Context) error {
	e.open()
	done := make(chan error, 1)
	go func() { done <- e.pool.Run(ctx) }()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			if ctx.Err() != nil {
				return nil
			}
			return err
		case <-ticker.C:
			e.step()
		}
	}
}

// open begins the load with the first stage.
func (e *Engine) open() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock()
	e.start, e.startWall = now, time.Now()
	e.state = Running
	e.pool.Pause(e.knobs.Paused)
	e.openStage(now)
	e.publish(now)
}

// openStage begins a new operating point with the present knobs.
func (e *Engine) openStage(now record.Instant) {
	n := e.collector.OpenStage(now)
	e.loads = append(e.loads, e.knobs)
	e.setting.Store(&setting{stage: n, shape: e.knobs.Shape})
}

// step is what happens at every tick.
func (e *Engine) step() {
	e.advance()
	e.handOver()
}

// advance takes in what requests reported since the last tick.
func (e *Engine) advance() {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock()
	if gap, ok := now.Since(e.ticked); ok && gap > stall && e.over == 0 {
		e.distrust(now, gap)
	}
	e.ticked = now
	e.collector.Fold(now)
	e.notice(now)
	e.settle(now)
	e.publish(now)
}

// distrust keeps a stretch in which the process did not run out of every stage: requests that ran through it belong to
// none, and the load goes on in a new one.
func (e *Engine) distrust(now record.Instant, gap time.Duration) {
	e.collector.MarkDraining(e.ticked)
	e.collector.Fold(now)
	e.collector.Disown()
	if !e.drained {
		e.openStage(now)
	}
	e.marks = append(e.marks, Mark{At: now, Label: fmt.Sprintf("stood still %.0f s", gap.Seconds())})
}

// settle marks the stage steady when it has turned over once.
func (e *Engine) settle(now record.Instant) {
	t := e.collector.Turnover()
	if t.Steady || e.drained || e.knobs.Paused {
		return
	}
	age, _ := now.Since(t.Opened)
	if len(e.loads) == 1 && age < e.cfg.Warmup {
		return
	}
	if stage.Settled(stage.Turnover{InFlight: e.knobs.Load.Target(), Ended: t.Ended, MeanE2EL: t.MeanE2EL, Age: age}) {
		e.collector.MarkSteady(now)
	}
}

// notice looks for the end of the load, so that what follows it is in no throughput.
func (e *Engine) notice(now record.Instant) {
	pool := e.pool.State()
	spent := e.cfg.Budget.Requests > 0 && pool.Started >= e.cfg.Budget.Requests
	if !e.drained && (pool.Draining || spent) {
		e.drained = true
		e.state = Draining
		e.collector.MarkDraining(now)
	}
	if end := e.deadline(); e.over == 0 && end != 0 && now >= end {
		e.finish(end)
	}
}

// deadline is when the time budget is spent; 0: there is none.
func (e *Engine) deadline() record.Instant {
	if e.cfg.Budget.Duration == 0 || e.start == 0 {
		return 0
	}
	return e.start.Add(e.cfg.Budget.Duration)
}

// finish ends the load for the statistics.
func (e *Engine) finish(at record.Instant) {
	if e.over == 0 {
		e.over = at
		e.collector.Fold(at)
		e.collector.MarkOver(at)
	}
}

// end publishes the final snapshot and hands out the last records.
func (e *Engine) end(err error) {
	e.conclude(err)
	e.handOver()
}

func (e *Engine) conclude(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock()
	at := now
	if end := e.deadline(); end != 0 {
		at = min(at, end)
	}
	if e.start != 0 {
		e.finish(at)
	}
	e.collector.Fold(now)
	e.state = Ended
	e.err = err
	e.publish(now)
}

// Apply turns the knobs. It takes effect for the next request, and shows in the next Snapshot. An error, one sentence,
// means that nothing was changed. A change of the load opens a stage; a change of the SLO scores again what is stored.
func (e *Engine) Apply(k Knobs) error {
	if err := k.Validate(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	old := e.knobs
	if e.state == Ended {
		k.Load, k.Shape, k.Paused = old.Load, old.Shape, old.Paused // only what is measured can still be looked at
	}
	now := e.clock()
	e.collector.Fold(now)
	e.knobs = k
	e.collector.SetCriteria(k.SLO)
	if label := changeLabel(old, k); label != "" {
		e.marks = append(e.marks, Mark{At: now, Label: label})
	}
	if e.start != 0 && e.over == 0 {
		e.applyLoad(old, k, now)
	} else if e.start == 0 {
		e.pool.Set(k.Load)
	}
	e.publish(now)
	return nil
}

// applyLoad opens a stage where the load changes. A pause ends the steady part of its stage, and the stage after it is
// a new one.
func (e *Engine) applyLoad(old, k Knobs, now record.Instant) {
	if !k.sameLoad(old) || old.Paused && !k.Paused {
		e.openStage(now)
	}
	if k.Paused && !old.Paused {
		e.collector.MarkDraining(now)
	}
	e.pool.Set(k.Load)
	e.pool.Pause(k.Paused)
	if !e.drained {
		e.state = Running
		if k.Paused {
			e.state = Paused
		}
	}
}

// changeLabel says in a few characters what a change of the load was; "" for none.
func changeLabel(old, k Knobs) string {
	switch {
	case old.Load.Mode != k.Load.Mode:
		return k.Load.String()
	case old.Load.Mode == load.Closed && old.Load.Concurrency != k.Load.Concurrency:
		return fmt.Sprintf("c %d→%d", old.Load.Concurrency, k.Load.Concurrency)
	case old.Load != k.Load && old.Load.Rate != k.Load.Rate:
		return fmt.Sprintf("%g→%g/s", old.Load.Rate, k.Load.Rate)
	case old.Load != k.Load:
		return k.Load.String()
	case old.Shape.Prompt != k.Shape.Prompt:
		return fmt.Sprintf("in %s→%s", old.Shape.Prompt, k.Shape.Prompt)
	case old.Shape.Output != k.Shape.Output:
		return fmt.Sprintf("out %s→%s", old.Shape.Output, k.Shape.Output)
	case old.Shape != k.Shape:
		return "shape"
	case k.Paused && !old.Paused:
		return "pause"
	case old.Paused && !k.Paused:
		return "resume"
	}
	return ""
}

// Drain ends the run when the running requests have ended; no new one starts.
func (e *Engine) Drain() { e.pool.Drain() }

// Stop ends the run now: running requests are cancelled, and the server sees their connections close.
func (e *Engine) Stop() { e.quitOnce.Do(func() { close(e.quit) }) }

// Snapshot returns the latest moment of the run. It never blocks and is never nil.
func (e *Engine) Snapshot() *Snapshot { return e.snapshot.Load() }
