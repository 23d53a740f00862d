// This file is the dispatcher: the one goroutine that decides what starts, and when.

package load

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"sync"

	"tokdyno/engine/record"
)

// maxStartsPerTurn bounds how long a turn holds the pool's lock (about 0.1 ms), so that turning concurrency up by
// thousands doesn't make the callers of State and Set wait.
const maxStartsPerTurn = 256

// arrivalStream sets the arrival gaps apart from whatever else is drawn from the same seed.
const arrivalStream = 0x6172_7269_7661_6c73 // "arrivals"

// dispatcher runs a pool, in the goroutine of Run. It goes in turns: take up the arrivals that are due, obey new orders,
// start what may start; then sleep until a request ends, an order comes, the alarm rings or the context ends. Only it
// changes its own fields and the pool's state; the latter under the pool's lock.
type dispatcher struct {
	pool     *Pool
	inForce  orders
	schedule schedule
	backlog  backlog
	seq      uint64         // of the newest job: started (closed loop) or arrived (open loop)
	deadline record.Instant // end of the time budget; 0: none
	alarm    alarm
	armed    record.Instant // what the alarm is set to; 0: nothing

	launch   func(Job)               // starts a job in a goroutine
	cancel   context.CancelCauseFunc // ends the context of all jobs
	requests sync.WaitGroup
	ended    chan *PanicError // a request has ended; nil: without a panic
	stopping bool             // no new requests, and the running ones are cancelled
	err      error            // what Run will return
}

func newDispatcher(p *Pool) *dispatcher {
	return &dispatcher{
		pool:     p,
		schedule: schedule{random: rand.New(rand.NewPCG(p.seed, arrivalStream))},
		ended:    make(chan *PanicError, 64), // some slack: an ending request rarely waits for the dispatcher
	}
}

// dispatch is the body of Run.
func (d *dispatcher) dispatch(ctx context.Context) error {
	jobs, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.cancel = cancel
	d.launch = func(job Job) {
		d.requests.Go(func() { d.attempt(jobs, job) })
	}
	d.alarm = d.pool.newAlarm(d.pool.clock)
	defer d.alarm.Close()

	now := d.pool.clock()
	if limit := d.pool.budget.Duration; limit > 0 && limit < math.MaxInt64-now.Elapsed() {
		d.deadline = now.Add(limit)
	}
	for d.turn(ctx, now) {
		d.sleep(ctx)
		now = d.pool.clock()
	}
	d.requests.Wait()
	return d.err
}

// attempt runs one job, and reports its end however it ends.
func (d *dispatcher) attempt(ctx context.Context, job Job) {
	defer func() {
		var failure *PanicError
		if value := recover(); value != nil {
			failure = &PanicError{Job: job, Value: value, Stack: debug.Stack()}
		}
		d.ended <- failure
	}()
	d.pool.run(ctx, job)
}

// turn makes all decisions that can be made now, and reports whether the run goes on.
func (d *dispatcher) turn(ctx context.Context, now record.Instant) bool {
	p := d.pool
	p.mu.Lock()
	defer p.mu.Unlock()

	if !d.stopping {
		d.arrive(now) // first, under the orders that were in force until now
		d.obey(now)
		switch {
		case ctx.Err() != nil:
			d.stop(context.Cause(ctx), context.Cause(ctx))
		case d.deadline != 0 && now >= d.deadline:
			d.stop(nil, ErrTimeUp)
		default:
			d.start(now)
		}
	}
	d.setAlarm(now)
	p.state.Backlog = d.backlog.len()
	spent := p.budget.Requests > 0 && p.state.Started >= p.budget.Requests
	return p.state.InFlight > 0 || !(d.stopping || d.inForce.draining || spent)
}

// arrive takes the arrivals that are due into the backlog. One at the deadline or after it lies outside the run.
func (d *dispatcher) arrive(now record.Instant) {
	if d.deadline != 0 {
		now = min(now, d.deadline-1)
	}
	for d.schedule.due(now) {
		if d.left() == 0 {
			d.schedule.stop()
			return
		}
		d.seq++
		d.backlog.push(d.schedule.next)
		d.schedule.advance()
	}
}

// obey puts into force what the pool was told.
func (d *dispatcher) obey(now record.Instant) {
	was, is := d.inForce, d.pool.asked
	d.inForce = is
	if is.draining || is.setting.Mode != Open {
		d.pool.state.Dropped += d.backlog.clear()
	}
	changed := was.setting.Rate != is.setting.Rate || was.setting.Arrival != is.setting.Arrival
	switch {
	case !is.arriving():
		d.schedule.stop()
	case !was.arriving() || changed:
		d.schedule.restart(now, is.setting)
	}
}

// start starts what there is room for.
func (d *dispatcher) start(now record.Instant) {
	for range min(d.room(), maxStartsPerTurn) {
		job := Job{Taken: now}
		if d.inForce.setting.Mode == Open {
			// The backlog's numbers run up to d.seq without a hole, so they need not be stored.
			job.Seq = d.seq - uint64(d.backlog.len()) + 1
			job.Scheduled = d.backlog.pop()
		} else {
			d.seq++
			job.Seq = d.seq
		}
		d.pool.state.Started++
		d.pool.state.InFlight++
		d.launch(job)
	}
}

// room returns how many requests may start now.
func (d *dispatcher) room() int {
	setting, inFlight := d.inForce.setting, d.pool.state.InFlight
	if d.stopping || d.inForce.paused || d.inForce.draining {
		return 0
	}
	if setting.Mode == Closed {
		return max(0, min(setting.Concurrency-inFlight, d.left()))
	}
	waiting := d.backlog.len()
	if setting.MaxInFlight > 0 {
		return max(0, min(setting.MaxInFlight-inFlight, waiting))
	}
	return waiting
}

// left returns how many more requests the budget has for those that have neither started nor arrived.
func (d *dispatcher) left() int {
	if d.pool.budget.Requests <= 0 {
		return math.MaxInt
	}
	return max(0, d.pool.budget.Requests-d.pool.state.Started-d.backlog.len())
}

// stop ends the run with the running requests cancelled: Run returns err, the requests see cause.
func (d *dispatcher) stop(err, cause error) {
	d.stopping, d.err = true, err
	d.schedule.stop()
	d.pool.state.Dropped += d.backlog.clear()
	d.cancel(cause)
}

// setAlarm sets the alarm to the next instant at which a decision is due without anything else happening.
func (d *dispatcher) setAlarm(now record.Instant) {
	wake := d.schedule.next
	if d.deadline != 0 && (wake == 0 || d.deadline < wake) {
		wake = d.deadline
	}
	switch {
	case d.stopping:
		wake = 0
	case d.room() > 0: // the turn was cut short: go on at once
		wake = now
	}
	if wake == d.armed {
		return
	}
	d.armed = wake
	if wake == 0 {
		d.alarm.Stop()
		return
	}
	d.alarm.Set(wake)
}

// sleep waits for something to decide about.
func (d *dispatcher) sleep(ctx context.Context) {
	done := ctx.Done()
	if d.stopping {
		done = nil // known, and always ready
	}
	select {
	case <-done:
	case <-d.pool.wake:
	case <-d.alarm.C():
		d.armed = 0
	case failure := <-d.ended:
		d.release(failure)
	}
}

// release takes note of a request's end. The first panic ends the run, and outranks any other reason for its end.
func (d *dispatcher) release(failure *PanicError) {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	d.pool.state.InFlight--
	if failure == nil {
		return
	}
	if _, panicked := d.err.(*PanicError); !panicked {
		d.stop(failure, failure)
	}
}
