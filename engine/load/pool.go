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

// ErrSurplus is the cause that a Runner's context has when the load was turned down and the setting has its surplus
// cancelled.
var ErrSurplus = errors.New("the load was turned down, and this request was surplus")

// Budget limits a run. The zero Budget does not; nor does a limit of zero or less.
type Budget struct {
	Duration time.Duration // from the call of Run; then the running requests are cancelled
	Requests int           // requests started; then the running ones go on to their end
}

// Job is one request to be run.
type Job struct {
	// Seq numbers the requests of a run from 1, in order of start in a closed loop and of arrival in the other modes.
	// An arrival that was dropped keeps its number.
	Seq       uint64
	Scheduled record.Instant // when the arrival process or the recording wanted it; 0 in a closed loop
	Taken     record.Instant // when the pool took it up, to run it; in a closed loop when it could have, see Freed
	Work      any            // replay: Entry.Work; else nil
	Slot      int            // which of the requests in flight it takes the place of, from 1: the next one in it follows when it has ended
	// Residual is set for the first request of a slot of a closed loop: its answer is to be that share, above 0 and at most
	// 1, of what it would be, so that slots come to be out of phase. 0: the answer is whole.
	Residual float64
}

// Runner runs one request to its end, in a goroutine of its own. Once ctx is done it must end soon; context.Cause says
// why. It may call any method of its pool but Run. When it has ended nothing may wait on ctx any more: another request
// may be given the same.
type Runner func(ctx context.Context, job Job)

// State is what a pool does at an instant. Every arrival of an open loop or a replay is in exactly one of Backlog,
// Started, Dropped and Shed.
type State struct {
	InFlight  int // running requests
	Held      int // those of them that wait in Hold
	Backlog   int // open loop and replay: arrivals that wait for a slot
	Started   int // requests started since Run, whether or not they have ended
	Dropped   int // arrivals that were never started: the run ended, was drained, or changed its mode or recording
	Shed      int // arrivals that were left out while Shed had it so
	Paused    bool
	Draining  bool
	Exhausted bool // replay: the recording has ended or failed; the run ends when what waits and runs has
}

// PanicError is the panic of a Runner or a Timetable, as Run returns it.
type PanicError struct {
	Job   Job    // the zero Job for a Timetable's
	Value any    // what was given to panic
	Stack []byte // the panicking goroutine's, as debug.Stack formats it
}

// Error says what happened, without the stack: a caller prints that when the terminal is its own again.
func (e *PanicError) Error() string {
	if e.Job.Seq == 0 {
		return fmt.Sprintf("reading the recording panicked, which is a bug in tokdyno: %v", e.Value)
	}
	return fmt.Sprintf("request %d panicked, which is a bug in tokdyno: %v", e.Job.Seq, e.Value)
}

// Unwrap returns the panic's value where that was an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Pool runs requests by a setting that may change while they run. All methods may be called from any goroutine; all but
// Run, Hold and Rest return at once, before, during and after the run.
type Pool struct {
	clock    record.Clock
	seed     uint64
	budget   Budget
	run      Runner
	newAlarm func(record.Clock) alarm
	wake     chan struct{} // holds a token while there are orders that the dispatcher has not seen
	numbers  *Numbers      // of the requests of a closed loop; nil: 1, 2, 3 …
	which    uint64        // of several pools that make a load together

	mu    sync.Mutex
	begun bool
	asked orders
	news  chan struct{}  // closed, and made anew, when what a held request waits on has changed
	state State          // less Paused and Draining, which are in asked
	slope slope          // of the level in force
	mode  Mode           // in force; "": not begun
	sheds record.Instant // arrivals before it are left out
}

// orders is what the pool has been told.
type orders struct {
	number   uint64 // counts the changes, from 1
	setting  Setting
	paused   bool
	draining bool
	process  *Process // that arrivals are a part of; nil: of none
}

// arriving reports whether the orders have an arrival process or a recording running.
func (o orders) arriving() bool {
	return o.setting.Arrives() && !o.paused && !o.draining
}

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
		asked:    orders{number: 1, setting: s},
		news:     make(chan struct{}),
	}
}

// Run runs requests until ctx ends, a budget is spent, a recording is at its end or the pool has been drained, and until
// every request that it started has ended. It can be called once.
//
// It returns nil when a budget, Drain or the end of a recording ended the run; the recording's error when that failed,
// what had arrived before having been run; context.Cause(ctx) when ctx ended it, all requests having been cancelled; a
// *PanicError when a Runner panicked, all others having been cancelled; and an error at once when the setting is not
// valid or the pool has run before.
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

// Set changes the setting for the requests to come; running ones are left alone, unless the setting has the surplus
// cancelled. A setting that Validate refuses changes nothing: validate first, and tell the person.
//
// More concurrency starts requests at once; less lets the surplus finish and not be replaced, or, with Cancel, cancels
// the youngest with ErrSurplus. A changed rate or arrival process keeps the arrivals that wait, and draws the next gap
// from now; a changed speed scales what is left of the gap; any other change leaves the timetable alone. Another
// recording is played from its beginning. A changed mode or recording drops (and counts) the arrivals that wait: they
// were of the one before. In all modes, the running requests count against the concurrency or the cap. When a recording
// has ended so has the run, but for what waits and runs, and no other mode or recording is taken up.
//
// With a Ramp, a changed level is reached in that time, from where the level is now, be it in the middle of another
// ramp. At the beginning of a run and when the mode changes it starts from 1 (a request in flight, a request a second,
// the recorded speed), or from the level aimed for where that is lower. Going up, concurrency follows in whole requests
// as each is reached; going down it leaves its surplus as above, request by request. The rate and the speed move
// continuously. A pause does not stop the ramp. Another Ramp holds for the next change of level; none ends the one that
// goes on.
func (p *Pool) Set(s Setting) {
	if s.Validate() != nil {
		return
	}
	p.order(func(o *orders) { o.setting = s })
}

// Pause stops new requests, or lets them start again; running ones finish, unless they are held, and the run goes on.
// In an open loop no arrivals happen during the pause, and none are made up for after it: the next gap is drawn from its
// end. A recording stands still. Arrivals that waited when it began wait on, and their dispatch lag with them. The time
// budget keeps counting.
func (p *Pool) Pause(paused bool) {
	p.order(func(o *orders) { o.paused = paused })
}

// Drain stops new requests for good: Run returns when the running ones have ended. Those that are held are let go
// unsent. Arrivals that wait are dropped, and counted.
func (p *Pool) Drain() {
	p.order(func(o *orders) { o.draining = true })
}

// order changes what the dispatcher is to do, and wakes it and the held requests that are concerned.
func (p *Pool) order(change func(*orders)) {
	p.mu.Lock()
	was := p.asked
	change(&p.asked)
	p.asked.number++
	if was.paused != p.asked.paused || was.draining != p.asked.draining {
		p.tell()
	}
	p.mu.Unlock()
	p.rouse()
}

// rouse wakes the dispatcher.
func (p *Pool) rouse() {
	select {
	case p.wake <- struct{}{}:
	default: // it is awake already, and will see all orders at once
	}
}

// tell wakes those that wait in Hold or Rest; its caller holds p.mu.
func (p *Pool) tell() {
	close(p.news)
	p.news = make(chan struct{})
}

// budgetSpent reports whether no request is left of the budget; its caller holds p.mu.
func (p *Pool) budgetSpent() bool {
	return p.budget.Requests > 0 && p.state.Started >= p.budget.Requests
}

// State returns what the pool does now: counts taken at one instant, with Paused and Draining as last asked for.
func (p *Pool) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.state
	s.Paused, s.Draining = p.asked.paused, p.asked.draining
	return s
}

// Level returns the level in force now on the axis of the setting in force, and whether a ramp is still moving it:
// requests in flight (a whole number), requests a second, or the speed of the replay. It is what the ramp has reached,
// whether or not the pool is paused; 0 until the run has begun.
func (p *Pool) Level() (now float64, ramping bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.clock()
	if p.mode == Closed {
		return float64(p.slope.whole(at)), p.slope.moving(at)
	}
	return p.slope.at(at), p.slope.moving(at)
}
