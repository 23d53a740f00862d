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
// start what may start; then sleep until a request ends, an order comes, a recording is read on, the alarm rings or the
// context ends. Only it changes its own fields and the pool's state (but for Held); the latter under the pool's lock.
type dispatcher struct {
	pool     *Pool
	inForce  orders
	limit    int // how many may be in flight, by the setting and the ramp
	schedule schedule
	backlog  backlog
	seq      uint64         // of the newest job: started (closed loop) or arrived (the other modes)
	deadline record.Instant // end of the time budget; 0: none
	alarm    alarm
	armed    record.Instant // what the alarm is set to; 0: nothing
	fair     fairStart
	freed    record.Instant // when the slot that was released since the last turn was free; 0: none was, or that is not known

	inFlight inFlight
	jobs     context.Context         // of which every job's context is a child
	cancel   context.CancelCauseFunc // ends it
	launch   func(*slot)             // starts its job in a goroutine
	requests sync.WaitGroup
	readers  sync.WaitGroup // of recordings
	ended    chan *slot     // the request in it has ended
	stopping bool           // no new requests, and the running ones are cancelled
	err      error          // what Run will return
}

func newDispatcher(p *Pool) *dispatcher {
	d := &dispatcher{
		pool:     p,
		schedule: schedule{random: rand.New(rand.NewPCG(p.seed, arrivalStream))},
		fair:     newFairStart(p.seed + p.which),
		ended:    make(chan *slot, 64), // some slack: an ending request rarely waits for the dispatcher
	}
	d.fair.joined = p.numbers != nil
	return d
}

// dispatch is the body of Run.
func (d *dispatcher) dispatch(ctx context.Context) error {
	jobs, cancel := context.WithCancelCause(ctx)
	defer d.readers.Wait()
	defer cancel(nil)
	d.jobs, d.cancel = jobs, cancel
	d.launch = func(s *slot) {
		d.requests.Go(func() { d.attempt(s) })
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
func (d *dispatcher) attempt(s *slot) {
	defer func() {
		if value := recover(); value != nil {
			s.failure = &PanicError{Job: s.job, Value: value, Stack: debug.Stack()}
		}
		d.ended <- s
	}()
	d.pool.run(s.ctx, s.job)
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
			d.arrive(now) // of what was put into force for an instant that has passed
			d.cull()
			d.start(now)
		}
	}
	d.freed = 0
	d.setAlarm(now)
	d.exhaust() // its end may have come while the alarm was set, and nothing else will wake the dispatcher for it
	p.state.Backlog = d.backlog.len()
	spent := p.budgetSpent() || p.state.Exhausted && p.state.Backlog == 0
	return p.state.InFlight > 0 || !(d.stopping || d.inForce.draining || spent)
}

// arrive takes the arrivals that are due into the backlog. One at the deadline or after it lies outside the run.
func (d *dispatcher) arrive(now record.Instant) {
	d.schedule.catchUp(now)
	if at := d.awaits(); at != 0 { // from then on, arrivals are those of another process
		now = min(now, at-1)
	}
	if d.deadline != 0 {
		now = min(now, d.deadline-1)
	}
	for d.schedule.due(now) {
		if d.left() == 0 {
			d.schedule.stop()
			return
		}
		shed := d.schedule.next < d.pool.sheds
		if process := d.inForce.process; process == nil {
			if !shed {
				d.seq++
			}
		} else if d.seq++; !process.mine(d.seq) { // another pool starts it
			d.schedule.advance()
			continue
		}
		if shed {
			d.pool.state.Shed++
		} else {
			d.backlog.push(arrival{d.seq, d.schedule.next, d.schedule.work})
		}
		d.schedule.advance()
	}
	d.exhaust()
}

// exhaust takes note that the recording is over.
func (d *dispatcher) exhaust() {
	if f := d.schedule.feed; f != nil && f.over && !d.pool.state.Exhausted {
		d.pool.state.Exhausted, d.err = true, f.err
	}
}

// obey puts into force what the pool was told, and works out how many requests may be in flight now.
func (d *dispatcher) obey(now record.Instant) {
	if d.pool.asked.number != d.inForce.number && d.awaits() <= now {
		was, is := d.inForce, d.pool.asked
		if d.pool.state.Exhausted && (is.setting.Mode != Replay || is.setting.Timetable != was.setting.Timetable) {
			is.setting = was.setting
		}
		d.inForce = is
		d.change(now, was, is)
	}
	switch setting := &d.inForce.setting; {
	case setting.Mode == Closed && d.pool.slope.moving(now):
		d.limit = d.pool.slope.whole(now)
	case setting.Mode == Closed:
		d.limit = setting.Concurrency
	case setting.MaxInFlight > 0:
		d.limit = setting.MaxInFlight
	default:
		d.limit = math.MaxInt
	}
}

// change goes from one set of orders to another: to its level, its mode and its arrivals.
func (d *dispatcher) change(now record.Instant, was, is orders) {
	if is.shared() != 0 && !was.draining {
		d.share(now, was, is)
		return
	}
	moved := d.aim(now, was.setting, is.setting)
	other := was.setting.Mode != is.setting.Mode ||
		is.setting.Mode == Replay && was.setting.Timetable != is.setting.Timetable
	if is.draining || other {
		d.pool.state.Dropped += d.backlog.clear()
		d.eject()
	}
	begins := !was.arriving() || other
	switch {
	case !is.arriving():
		d.rest(now)
	case is.setting.Mode == Replay:
		d.play(now, is.setting, begins || moved)
	case begins || moved || was.setting.Arrival != is.setting.Arrival:
		d.schedule.open(now, is.setting.Arrival, d.pool.slope)
	}
}

// aim points the slope at the level of the setting, and reports whether that is another way than it was on.
func (d *dispatcher) aim(now record.Instant, was, is Setting) bool {
	slope := &d.pool.slope
	from, to := slope.at(now), is.Level()
	switch {
	case was.Mode != is.Mode:
		from = min(groundLevel, to)
	case slope.to != to:
	case is.Ramp.Kind == AtOnce && slope.moving(now):
	default:
		return false
	}
	d.pool.mode = is.Mode
	*slope = newSlope(is.Ramp, now, from, to)
	return true
}

// play lets the recording run: from its beginning if it is a new one, and else on, where anew says that its clock stood
// still or goes at another speed now.
func (d *dispatcher) play(now record.Instant, s Setting, anew bool) {
	f := d.schedule.feed
	if f == nil {
		var read func()
		f, read = newFeed(d.jobs, s.Timetable, s.Loop)
		d.readers.Go(read)
		d.schedule.insert(f)
	}
	f.setLoop(s.Loop)
	if anew && !f.over {
		d.schedule.play(now, d.pool.slope)
	}
}

// rest makes nothing arrive for a while.
func (d *dispatcher) rest(now record.Instant) {
	if d.schedule.feed != nil {
		d.schedule.pause(now)
		return
	}
	d.schedule.stop()
}

// eject puts the recording away, if there is one.
func (d *dispatcher) eject() {
	if d.schedule.feed != nil {
		d.schedule.feed.stop()
		d.schedule.insert(nil)
	}
}

// cull cancels surplus requests, where the setting has it so.
func (d *dispatcher) cull() {
	if surplus := d.surplus(); surplus > 0 {
		d.inFlight.cancelYoungest(min(surplus, maxStartsPerTurn), ErrSurplus)
	}
}

// surplus returns how many requests are to be cancelled.
func (d *dispatcher) surplus() int {
	if !d.inForce.setting.Cancel || d.stopping || d.inForce.draining {
		return 0
	}
	return max(0, d.pool.state.InFlight-d.inFlight.leaving-d.limit)
}

// start starts what there is room for.
func (d *dispatcher) start(now record.Instant) {
	d.fair.keep(d.pool.state.InFlight, d.turning())
	for range min(d.room(), maxStartsPerTurn) {
		job := Job{Taken: now}
		if d.inForce.setting.Mode == Closed {
			job.Seq, job.Residual = d.next(), d.fair.next(d.pool.state.InFlight, d.inForce.setting, d.pool.budget)
			if d.freed != 0 {
				job.Taken, d.freed = min(now, d.freed), 0
			}
		} else {
			arrival := d.backlog.pop()
			job.Seq, job.Scheduled, job.Work = arrival.number, arrival.scheduled, arrival.work
		}
		d.pool.state.Started++
		d.pool.state.InFlight++
		if d.pool.budgetSpent() {
			d.pool.tell() // a slot that rests has nothing to rest for
		}
		d.launch(d.inFlight.take(d.jobs, job))
	}
}

// turning returns how many slots go on from one request to the next: those that may be in flight in a closed loop that
// isn't paused.
func (d *dispatcher) turning() int {
	if d.inForce.setting.Mode != Closed || d.inForce.paused {
		return 0
	}
	return d.limit
}

// room returns how many requests may start now.
func (d *dispatcher) room() int {
	if d.stopping || d.inForce.paused || d.inForce.draining {
		return 0
	}
	room := max(0, d.limit-d.pool.state.InFlight)
	if d.inForce.setting.Mode == Closed {
		if d.pool.numbers != nil {
			room = min(room, d.pool.numbers.Left())
		}
		return min(room, d.left())
	}
	return min(room, d.backlog.len())
}

// left returns how many more requests the budget has for those that have neither started nor arrived.
func (d *dispatcher) left() int {
	if d.pool.budget.Requests <= 0 {
		return d.leftOfProcess()
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
	wake := earlier(d.schedule.next, d.deadline)
	if at := d.awaits(); at > now {
		wake = earlier(wake, at)
	}
	if d.inForce.setting.Mode == Closed && !d.inForce.draining {
		wake = earlier(wake, d.pool.slope.nextStep(now))
	}
	switch {
	case d.stopping:
		wake = 0
	case d.room() > 0 || d.surplus() > 0: // the turn was cut short: go on at once
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

// earlier returns the earlier of two instants, of which 0 is never.
func earlier(a, b record.Instant) record.Instant {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
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
	case read := <-d.schedule.awaited():
		d.schedule.feed.accept(read)
	case <-d.alarm.C():
		d.armed = 0
	case s := <-d.ended:
		d.release(s)
	}
}

// release takes note of a request's end. The first panic ends the run, and outranks any other reason for its end.
func (d *dispatcher) release(s *slot) {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	failure := s.failure
	d.freed = s.freed
	d.inFlight.release(s)
	d.pool.state.InFlight--
	if failure == nil {
		return
	}
	if _, panicked := d.err.(*PanicError); !panicked {
		d.stop(failure, failure)
	}
}
