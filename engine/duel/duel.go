// This file makes the sides of a duel, and runs them.

package duel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/compare"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Most is how many sides a duel may have.
const Most = 4

// Side is a run that stands on one side: *engine.Engine is one, and *engine.Player. A Duel is itself a run of that kind.
type Side interface {
	snapshot.Engine
	// Run runs it once, until it has ended. The error says why it ended early.
	Run(context.Context) error
}

// windows is what a side can do besides that shows its latest moment over any window: an engine, and a recording.
type windows interface {
	Over(stats.Window) *snapshot.Snapshot
}

// Config is what is chosen before a duel.
type Config struct {
	// Sides are the runs, from A on. All have the same knobs, seed and budget; endpoint and telemetry are each one's own.
	Sides []engine.Config
	Mode  snapshot.DuelMode // "": together
	Turn  time.Duration     // alternate: for how long a side is measured in its turn, once it has settled; 0: DefaultTurn
	// Watched says that somebody looks on while it runs. Else nothing is compared before the end, which may then be as sure of
	// itself as a single comparison is.
	Watched bool
}

// Duel is several runs side by side. New makes it, Run runs it once; the other methods may be called from anywhere at any
// time.
type Duel struct {
	sides    []Side
	engines  []*engine.Engine // the same, where they are live
	mode     snapshot.DuelMode
	turn     time.Duration
	random   *rand.Rand // of the order of turns
	order    []int      // of the present turns; nil: to be drawn
	watched  bool
	recorded bool // its sides are recordings

	shown   atomic.Int32          // which side is
	inTurn  atomic.Int32          // alternate: whose turn it is; -1: nobody's
	found   atomic.Pointer[found] // by the latest look
	looking sync.Mutex            // of the next
	looks   compare.Looks
	begun   chan struct{}      // closed when the load may begin
	mu      sync.Mutex         // of what follows; held while knobs are applied
	paused  bool               // by hand
	held    []bool             // while another has its turn
	ready   int                // sides that can take the load
	counts  *shape.Calibration // what the counts of A's endpoint say of lengths
}

// New checks a configuration and prepares a duel, as engine.New does. The error says of which side it is.
func New(cfg Config) (*Duel, error) {
	n := len(cfg.Sides)
	if n < 2 || n > Most {
		return nil, fmt.Errorf("a duel is of two to %d endpoints; got %d", Most, n)
	}
	d := newDuel(n, cfg.Mode)
	d.turn, d.watched = cfg.Turn, cfg.Watched
	if d.turn <= 0 {
		d.turn = DefaultTurn
	}
	seed := cfg.Sides[0].Seed
	d.random = rand.New(rand.NewPCG(seed, turnStream))
	beside := engine.Beside{Clock: record.NewClock(), Prompts: shape.NewGenerator(seed), Turns: d.mode == snapshot.Alternate}
	for i := range cfg.Sides {
		beside.Public = beside.Public || !cfg.Sides[i].Endpoint.Local()
	}
	first := 0
	if d.mode == snapshot.Alternate {
		first = d.nextOrder()[0]
	}
	id := strconv.FormatInt(time.Now().UnixNano(), 36)
	for i, side := range cfg.Sides {
		mine := beside
		mine.Ready = func(ctx context.Context, counts *shape.Calibration) error {
			return d.await(ctx, i, counts, beside.Prompts)
		}
		side.Beside = &mine
		side.Knobs, side.Seed, side.Budget = cfg.Sides[0].Knobs, seed, cfg.Sides[0].Budget
		if d.mode == snapshot.Alternate && i != first {
			d.held[i], side.Knobs.Paused = true, true
		}
		if side.Keep != nil {
			keep := *side.Keep
			keep.Duel = &runfile.Duel{ID: id, Side: i, Sides: n, Mode: string(d.mode)}
			side.Keep = &keep
		}
		eng, err := engine.New(side)
		if err != nil {
			return nil, of(i, err)
		}
		d.sides[i], d.engines = eng, append(d.engines, eng)
	}
	d.inTurn.Store(int32(first))
	return d, nil
}

// newDuel returns a duel whose sides are yet to be put in.
func newDuel(n int, mode snapshot.DuelMode) *Duel {
	if mode == "" {
		mode = snapshot.Together
	}
	return &Duel{
		sides: make([]Side, n), mode: mode, held: make([]bool, n), begun: make(chan struct{}), looks: compare.Looks{Sides: n - 1},
	}
}

// of says of which side an error is.
func of(side int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", snapshot.Letter(side), err)
}

// Run runs all sides until each has ended, as engine.Run does one. One that fails, or whose endpoint dies, does not stop the
// others; but where one can't be used from the beginning, there is no duel. The error is that of the first side that has one.
func (d *Duel) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	errs := make([]error, len(d.sides))
	var running, helpers sync.WaitGroup
	for i, side := range d.sides {
		running.Go(func() {
			err := side.Run(ctx)
			errs[i] = of(i, err)
			if !d.hasBegun() {
				cancel(errs[i])
			}
		})
	}
	beside, over := context.WithCancel(ctx)
	helpers.Go(func() { d.follow(beside) })
	if d.mode == snapshot.Alternate && d.turn > 0 {
		helpers.Go(func() { d.alternate(beside) })
	}
	running.Wait()
	over()
	helpers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// hasBegun reports whether the load may have.
func (d *Duel) hasBegun() bool {
	select {
	case <-d.begun:
		return true
	default:
		return false
	}
}

// await returns when all sides can take the load. From then on, prompts are as long as the first side's counts say.
func (d *Duel) await(ctx context.Context, side int, counts *shape.Calibration, prompts *shape.Generator) error {
	d.mu.Lock()
	if side == 0 {
		d.counts = counts
	}
	if d.ready++; d.ready == len(d.sides) {
		prompts.Calibration().Take(d.counts)
		close(d.begun)
	}
	d.mu.Unlock()
	select {
	case <-d.begun:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
