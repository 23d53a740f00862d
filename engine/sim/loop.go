// The engine loop: one goroutine that runs the model in real time and tells each request how far its answer is.

package sim

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// maxLag is how far the loop may fall behind its schedule before it gives up catching up. Below it lateness is made
// good, so that sleeping a little too long each time does not add up; above it the process was stopped or is
// overloaded, and catching up would send a burst no server sends.
const maxLag = 25 * time.Millisecond

// schedule says when the steps are due: each at the end of the one before plus its cost, whenever the timer came back.
type schedule struct {
	due time.Time
}

// restart begins anew after a time without work.
func (s *schedule) restart(now time.Time) { s.due = now }

// next returns when a step of the cost is over that follows the one before.
func (s *schedule) next(cost time.Duration, now time.Time) time.Time {
	s.due = s.due.Add(cost)
	if now.Sub(s.due) > maxLag {
		s.due = now
	}
	return s.due
}

// stream is one request on its way: a sequence in the model, and how much of its answer is there. Tokens are numbers
// here; their text follows from the answer. So the loop never waits for a reader, and a slow one costs no memory.
type stream struct {
	reason  finishReason
	arrived time.Time

	// Guarded by engine.mu.
	seq      sequence
	at       *worker // which has it
	rest     int     // tokens to generate elsewhere, after the first
	left     bool    // its client has gone
	admitted time.Time
	first    time.Time // first token
	last     time.Time // last token

	produced atomic.Int64
	cached   atomic.Int64  // prompt tokens found in the prefix cache; valid once a token is there
	wake     chan struct{} // capacity 1: something changed
}

// next waits until there are more than seen tokens and returns how many there are.
func (s *stream) next(ctx context.Context, seen int) (int, error) {
	for {
		if n := int(s.produced.Load()); n > seen {
			return n, nil
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return seen, ctx.Err()
		}
	}
}

// engine owns the GPUs. Requests come and go under the same lock under which each GPU's own loop steps its model.
type engine struct {
	mu       sync.Mutex
	gpus     []*worker // those at the front take requests; see Profile.Separate
	times    timings
	rejected int64
	handover handover

	quit    chan struct{}
	workers sync.WaitGroup
}

// worker is one GPU: its model, and its loop, which is the only one to step it.
type worker struct {
	*engine
	model *model
	meter gpuMeter
	next  *worker       // who generates what comes after the first token; nil: the same
	wake  chan struct{} // capacity 1: there may be work
}

// startEngine starts the loops; stop ends them. The accelerators warm up with the time constant thermal.
func startEngine(p Profile, thermal time.Duration) *engine {
	e := &engine{times: newTimings(), quit: make(chan struct{})}
	for range p.gpus() {
		e.gpus = append(e.gpus, &worker{
			engine: e, model: newModel(p), meter: newGPUMeter(p, thermal, time.Now()), wake: make(chan struct{}, 1),
		})
	}
	if p.Separate {
		e.gpus[0].next = e.gpus[1]
	}
	for _, w := range e.gpus {
		e.workers.Go(w.run)
	}
	return e
}

// stop ends the loops, waits for them, and counts as cancelled what was cut by it.
func (e *engine) stop() {
	close(e.quit)
	e.workers.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handover.stopped = true
	for _, w := range e.gpus {
		w.model.dropCancelled()
		w.meter.advance(time.Now())
		w.meter.load = gpuLoad{}
	}
}

// least is the GPU with the fewest requests of those that take any.
func (e *engine) least() *worker {
	best := e.gpus[0]
	for _, w := range e.gpus[1:] {
		if best.next == nil && w.model.present() < best.model.present() {
			best = w
		}
	}
	return best
}

// submit hands a request to the model; hashes are those of its blocks.
func (e *engine) submit(g *generation, hashes []uint64) *stream {
	s := &stream{
		reason:  g.reason,
		arrived: time.Now(),
		seq:     sequence{prompt: len(g.prompt), output: g.output, hashes: hashes, accept: g.accept},
		wake:    make(chan struct{}, 1),
	}
	s.seq.owner = s
	e.mu.Lock()
	s.at = e.least()
	if s.at.next != nil {
		s.seq.output, s.rest = 1, s.seq.output-1
	}
	s.at.model.submit(&s.seq)
	e.mu.Unlock()
	signal(s.at.wake)
	return s
}

// cancel takes a request back whose client went away. One that is complete already stays counted as finished.
func (e *engine) cancel(s *stream) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s.left = true
	s.at.model.cancel(&s.seq)
}

// reject counts a request that never reached the model.
func (e *engine) reject() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rejected++
}

// run steps the model until stop.
func (e *worker) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var sampled []*sequence
	var woken []*stream
	var steps schedule
	steps.restart(time.Now())
	for {
		cost, busy := e.begin()
		if !busy {
			select {
			case <-e.wake:
			case <-e.quit:
				return
			}
			steps.restart(time.Now())
			continue
		}
		if !e.waitUntil(timer, steps.next(cost, time.Now())) {
			return
		}
		sampled, woken = e.end(sampled[:0], woken[:0])
		for i, s := range woken {
			signal(s.wake)
			woken[i] = nil
		}
		clear(sampled)
	}
}

// waitUntil returns at the instant; false when the engine is to stop.
func (e *worker) waitUntil(timer *time.Timer, due time.Time) bool {
	wait := time.Until(due)
	if wait <= 0 {
		select {
		case <-e.quit:
			return false
		default:
			return true
		}
	}
	timer.Reset(wait)
	select {
	case <-timer.C:
		return true
	case <-e.quit:
		return false
	}
}

// begin plans a step and notes what it means for the accelerator.
func (e *worker) begin() (time.Duration, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	plan, busy := e.model.begin()
	e.meter.advance(now)
	e.meter.load = loadOf(e.model.profile, plan)
	for _, seq := range e.model.newcomers {
		s := seq.owner
		s.admitted = now
		s.cached.Store(int64(seq.cached))
		e.times.queue.observe(now.Sub(s.arrived).Seconds())
	}
	return plan.cost, busy
}

// end completes a step: it gives the tokens to their streams, which are appended to woken, to be signalled after the
// lock is released.
func (e *worker) end(sampled []*sequence, woken []*stream) ([]*sequence, []*stream) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	e.meter.advance(now)
	sampled = e.model.end(sampled)
	for _, seq := range sampled {
		s := seq.owner
		if s.rest > 0 && e.next != nil {
			e.handOver(s)
			continue
		}
		e.times.token(s, now)
		s.produced.Add(int64(seq.gained))
		woken = append(woken, s)
		if seq.state == seqGone {
			e.times.finished(s, now)
		}
	}
	return sampled, woken
}

// counters returns a consistent snapshot.
func (e *engine) counters() Counters {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.countersLocked()
}

// countersLocked is counters for a caller that holds the lock.
func (e *engine) countersLocked() Counters {
	// Who was handed over was received by two GPUs, and finished by two; in between, it waits.
	all := Counters{
		Rejected: e.rejected, Received: -e.handover.landed, Finished: -e.handover.left, Waiting: int(e.handover.left - e.handover.landed),
	}
	for _, w := range e.gpus {
		c := &w.model.counts
		all.Received += c.received
		all.Finished += c.finished
		all.Cancelled += c.cancelled
		all.PromptTokens += c.promptTokens
		all.GenerationTokens += c.generationTokens
		all.Preemptions += c.preemptions
		all.PrefixQueries += c.prefixQueries
		all.PrefixHits += c.prefixHits
		all.Drafts += c.drafted.drafts
		all.DraftTokens += c.drafted.tokens
		for at, n := range c.drafted.acceptedAt {
			all.AcceptedAt[at] += n
		}
		all.Running += len(w.model.running)
		all.Waiting += len(w.model.waiting)
		all.KVUsage = max(all.KVUsage, w.model.pool.usage()) // where it is short, requests wait
	}
	return all
}

// signal sets a wake channel without waiting.
func signal(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
