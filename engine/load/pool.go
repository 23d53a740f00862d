// This file is the pool as its callers see it: what it runs, what it can be told, and what it tells.

package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tokdyno/engine/record"
)

// ErrTimeUp is the cause (context.Cause) that a Runner's context has when the time budget ended the run.
var ErrTimeUp = errors.New("the time budget of the run is spent")

// Budget limits a run. The zero Budget does not; nor does a limit of zero or less.
type Budget struct {
	Duration time.Duration // from the call of Run; then the running requests are cancelled
	Requests int           // requests started; then the running ones go on to their end
}

// Job is one request to be run.
type Job struct {
	// Seq numbers the requests of a run from 1, in order of start in a closed loop and of arrival in an open one.
	// An arrival that was dropped keeps its number.
	Seq       uint64
	Scheduled record.Instant // open loop: when the arrival process wanted it; 0 in a closed loop
	Taken     record.Instant // when the pool took it up, to run it
}

// Runner runs one request to its end, in a goroutine of its own. Once ctx is done it must end soon; context.Cause says
// why. It may call any method of its pool but Run.
type Runner func(ctx context.Context, job Job)

// State is what a pool does at an instant. Every arrival of an open loop is in exactly one of Backlog, Started and
// Dropped.
type State struct {
	InFlight int // running requests
	Backlog  int // open loop: arrivals that wait for a slot
	Started  int // requests started since Run, whether or not they have ended
	Dropped  int // arrivals that were never started: the run ended, was drained, or went over to a closed loop
	Paused   bool
	Draining bool
}

// PanicError is a Runner's panic, as Run returns it.
type PanicError struct {
	Job   Job
	Value any    // what was given to panic
	Stack []byte // the panicking goroutine's, as debug.Stack formats it
}

// Error says what happened, without the stack: a caller prints that when the terminal is its own again.
func (e *PanicError) Error() string {
	return fmt.Sprintf("request %d panicked, which is a bug in tokdyno: %v", e.Job.Seq, e.Value)
}

// Unwrap returns the panic's value where that was an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Pool runs requests by a setting that may change while they run. All methods may be called from any goroutine; all but
// Run return at once, before, during and after the run.
type Pool struct {
	clock    record.Clock
	seed     uint64
	budget   Budget
	run      Runner
	newAlarm func(record.Clock) alarm
	wake     chan struct{} // holds a token while there are orders that the dispatcher has not seen

	mu    sync.Mutex
	begun bool
	asked orders
	state State // less Paused and Draining, which are in asked
}

// orders is what the pool has been told.
type orders struct {
	setting  Setting
	paused   bool
	draining bool
}

// arriving reports whether the orders have an arrival process running.
func (o orders) arriving() bool { return o.setting.Mode == Open && !o.paused && !o.draining }

// NewPool returns a pool that has not begun. The same seed gives the same sequence of arrival gaps. A setting that is
// not valid shows when Run is called.
func NewPool(clock record.Clock, seed uint64, s Setting, b Budget, run Runner) *Pool {
	return &Pool{
		clock:    clock,
		seed:     seed,
		budget:   b,
		run:      run,
		newAlarm: newAlarm,
		wake:     make(chan struct{}, 1),
		asked:    orders{setting: s},
	}
}

// Run runs requests until ctx ends, a budget is spent or the pool has been drained, and until every request that it
// started has ended. It can be called once.
//
// It returns nil when a budget or Drain ended the run; context.Cause(ctx) when ctx did, all requests having been
// cancelled; a *PanicError when a Runner panicked, all others having been cancelled; and an error at once when the
// setting is not valid or the pool has run before.
func (p *Pool) Run(ctx context.Context) error {
	if err := p.begin(); err != nil {
		return err
	}
	return newDispatcher(p).dispatch(ctx)
}

func (p *Pool) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun {
		return errors.New("a load pool runs only once: make a new one")
	}
	if err := p.asked.setting.Validate(); err != nil {
		return fmt.Errorf("starting the load: %w", err)
	}
	p.begun = true
	return nil
}

// Set changes the setting for the requests to come; running ones are left alone. A setting that Validate refuses
// changes nothing: validate first, and tell the person.
//
// More concurrency starts requests at once; less lets the surplus finish and not be replaced. A changed rate or arrival
// process keeps the arrivals that wait, and draws the next gap from now; any other change leaves the timetable alone.
// From an open to a closed loop, the waiting arrivals are dropped (and counted): a closed loop knows no schedule. From a
// closed to an open one, the running requests count against the cap.
func (p *Pool) Set(s Setting) {
	if s.Validate() != nil {
		return
	}
	p.order(func(o *orders) { o.setting = s })
}

// Pause stops new requests, or lets them start again; running ones finish, and the run goes on. In an open loop no
// arrivals happen during the pause, and none are made up for after it: the next gap is drawn from its end. Arrivals
// that waited when it began wait on, and their dispatch lag with them. The time budget keeps counting.
func (p *Pool) Pause(paused bool) {
	p.order(func(o *orders) { o.paused = paused })
}

// Drain stops new requests for good: Run returns when the running ones have ended. Arrivals that wait are dropped, and
// counted.
func (p *Pool) Drain() {
	p.order(func(o *orders) { o.draining = true })
}

// order changes what the dispatcher is to do, and wakes it.
func (p *Pool) order(change func(*orders)) {
	p.mu.Lock()
	change(&p.asked)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // it is awake already, and will see all orders at once
	}
}

// State returns what the pool does now: counts taken at one instant, with Paused and Draining as last asked for.
func (p *Pool) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.state
	s.Paused, s.Draining = p.asked.paused, p.asked.draining
	return s
}
