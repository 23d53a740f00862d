// This file is a worker's part of a run, from its first orders to its last report.

package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// sharedTick is the longest tick of a worker that shares its machine; see wire.Endpoint.LongestTick. It has fewer streams than one
// process would have, so fewer come together.
const sharedTick = 5 * time.Millisecond

var (
	errAlone = errors.New("the console was not heard any more")
	errOver  = errors.New("the console ended the run")
)

// session is a part of a run. Its orders come by obey; everything else is done by its goroutine, run.
type session struct {
	worker      *Worker
	runID       string
	term        uint64
	incarnation uint64
	lane        uint64

	local         *engine.Local
	collector     *stats.Collector
	recorder      *runfile.Recorder // nil: not yet
	to            *reports          // what it writes into
	requests      load.Numbers
	conversations load.Numbers
	out           *outbox
	cancel        context.CancelCauseFunc
	begin         chan struct{} // closed when the load may begin
	done          chan struct{} // closed when run has ended

	mu      sync.Mutex
	orders  orders
	heard   time.Time // the console
	knobs   snapshot.Knobs
	told    used // of requests
	talked  used // of conversations
	state   state
	problem string
	settled bool
	taken   bool      // another console has taken over, which is to be told of what runs
	clients time.Time // when the client was reported last
}

// newSession begins a part of a run. The error says in a sentence why this worker can't.
func newSession(w *Worker, o *orders, incarnation uint64) (*session, error) {
	s := &session{
		worker: w, runID: o.Run, term: o.Term, incarnation: incarnation, lane: o.Lane,
		begin: make(chan struct{}), done: make(chan struct{}), heard: w.now(), state: preparing,
	}
	s.out = newOutbox(func(message []byte) error { return w.conn.Publish(subjectReport+o.Run, message) })
	k, err := engine.UnpackKnobs(o.Knobs, dataset.Open)
	if err != nil {
		return nil, err
	}
	s.knobs, s.orders = k, *o
	var endpoints []wire.Endpoint
	for i := range o.Endpoints {
		e := o.Endpoints[i].endpoint(w.cfg.Key)
		e.Concurrency = max(o.Share, k.Load.Concurrency/8)
		if w.cfg.Shares {
			e.LongestTick = sharedTick
		}
		if err := allowed(w.cfg.Allow, &e); err != nil {
			return nil, err
		}
		endpoints = append(endpoints, e)
	}
	now := w.clock()
	s.collector = stats.NewCollector(now, stats.Inverted, slo.Criteria{})
	s.collector.Relay()
	s.local, err = engine.NewLocal(engine.Making{
		Clock: w.clock, Collector: s.collector, Seed: o.Seed, Knobs: k, Endpoints: endpoints, NoProbe: o.NoProbe,
	})
	if err != nil {
		return nil, err
	}
	s.local.Number(&s.requests, &s.conversations, o.Lane)
	ctx, cancel := context.WithCancelCause(context.Background())
	s.cancel = cancel
	go s.run(ctx)
	return s, nil
}

// run makes the part, and reports it.
func (s *session) run(ctx context.Context) {
	defer close(s.done)
	defer s.cancel(nil)
	defer s.local.Close()
	alive, stop := context.WithCancel(ctx)
	defer stop()
	go s.watch(alive)
	if err := s.local.Probe(ctx, &s.knobs); err != nil {
		s.fail(err)
		return
	}
	s.become(ready)
	select {
	case <-s.begin:
	case <-ctx.Done():
		s.fail(context.Cause(ctx))
		return
	}
	if err := s.open(); err != nil {
		s.fail(err)
		return
	}
	s.mu.Lock()
	s.state = running
	s.enforce()
	s.mu.Unlock()
	pool := engine.Start(ctx, s.local.Run)
	ticker := time.NewTicker(reportEvery)
	defer ticker.Stop()
	last := s.worker.clock()
	for {
		select {
		case <-ticker.C:
			now := s.worker.clock()
			if gap, _ := now.Since(last); gap > s.worker.cfg.Times.stall() {
				s.cancel(fmt.Errorf("the worker stood still for %.0f s", gap.Seconds()))
			}
			last = now
			s.tick(now)
		case err := <-pool:
			s.close(ctx, err)
			return
		}
	}
}

// open begins the reports. The lock is not held: the first one takes it.
func (s *session) open() (err error) {
	s.mu.Lock()
	s.to = &reports{s, s.out, s.term, s.incarnation}
	s.mu.Unlock()
	s.recorder, err = runfile.Record(s.to, runfile.Header{Tokdyno: s.worker.cfg.Version}, runfile.Options{
		Every: reportEvery / 2, MostChunks: mostChunks,
	})
	if err != nil {
		return err
	}
	s.collector.Tap(s.recorder)
	return nil
}

// tick reports what came since the last tick.
func (s *session) tick(now record.Instant) {
	if err := s.handOver(); err != nil {
		s.cancel(err)
		return
	}
	s.collector.Fold(now)
	s.local.Tick(now)
	s.recorder.Tick(now, func() []runfile.Piece { return nil })
	s.mu.Lock()
	out := s.out
	s.mu.Unlock()
	out.again(s.worker.now(), false)
}

// handOver begins the reports anew where another console has taken over: with the requests that run, of which it knows nothing.
func (s *session) handOver() error {
	s.mu.Lock()
	taken := s.taken
	s.taken = false
	s.mu.Unlock()
	if !taken {
		return nil
	}
	before := s.recorder
	if err := s.open(); err != nil {
		return err
	}
	s.collector.Retap(s.recorder)
	go func() { _ = before.Close(nil, runfile.End{}) }() // what it still writes, nobody hears
	return nil
}

// close reports the end: only after all that came of the part, for nobody waits for more once a report says that it is finished.
func (s *session) close(ctx context.Context, err error) {
	s.collector.Fold(s.worker.clock())
	_ = s.recorder.Close(nil, runfile.End{}) // what can't be sent, nobody hears of
	cause := context.Cause(ctx)
	s.mu.Lock()
	s.state = finished
	switch {
	case cause != nil && !errors.Is(cause, errOver):
		s.problem = cause.Error()
	case err != nil && cause == nil:
		s.problem = err.Error()
	}
	s.mu.Unlock()
	_, _ = s.to.Write(nil) // likewise
	s.worker.sayHello()
}

// watch ends the session when its console is not heard any more, whatever it is about.
func (s *session) watch(ctx context.Context) {
	timer := time.NewTimer(s.worker.cfg.Times.Alone)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		left := s.worker.cfg.Times.Alone - s.unheard()
		if left <= 0 {
			s.cancel(errAlone)
			return
		}
		timer.Reset(left)
	}
}

// unheard is for how long the console was.
func (s *session) unheard() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worker.now().Sub(s.heard)
}

func (s *session) become(to state) {
	s.mu.Lock()
	s.state = to
	s.mu.Unlock()
	s.worker.sayHello()
}

func (s *session) fail(err error) {
	s.mu.Lock()
	s.state, s.problem = failed, err.Error()
	s.mu.Unlock()
	s.worker.sayHello()
}

// obey takes orders, of this session's run and term or a later one.
func (s *session) obey(o *orders) {
	now := s.worker.now()
	out, mine := s.outbox(o)
	if mine { // before the lock, which a report takes while the outbox has its own
		out.has(now, o.Have)
		out.again(now, o.Missing)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = now
	if o.Term > s.term {
		s.term, s.taken = o.Term, s.state == running
		s.incarnation = s.worker.another()
		s.told, s.talked = used{}, used{}
		s.out = newOutbox(s.out.send)
	}
	if o.Number < s.orders.Number && o.Term == s.orders.Term {
		return
	}
	s.told.take(o.Requests, &s.requests)
	s.talked.take(o.Conversations, &s.conversations)
	fresh := o.Number != s.orders.Number || o.Term != s.orders.Term
	if fresh && string(o.Knobs) != string(s.orders.Knobs) {
		k, err := engine.UnpackKnobs(o.Knobs, dataset.Open)
		if err != nil {
			s.problem = err.Error()
			return
		}
		s.knobs = k
	}
	if s.orders = *o; o.Over {
		s.cancel(errOver)
		return
	}
	if o.Go {
		select {
		case <-s.begin:
		default:
			close(s.begin)
		}
	}
	if fresh && s.state == running {
		s.enforce()
	}
}

// outbox is what holds the reports, and whether orders are about them.
func (s *session) outbox(o *orders) (out *outbox, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out, o.Incarnation == s.incarnation && o.Term == s.term
}

// enforce puts the orders into force. The lock is held.
func (s *session) enforce() {
	o, k := &s.orders, s.knobs
	if !o.Go {
		return // of a console that takes over: until it has begun, the load stays as it is
	}
	paused := o.Paused
	switch most := s.worker.cfg.Most; {
	case k.Load.Mode == load.Closed:
		k.Load.Concurrency = min(o.Share, most)
		if k.Load.Concurrency < 1 {
			k.Load.Concurrency, paused = 1, true
		}
	default:
		k.Load.MaxInFlight = min(o.Share, most)
		paused = paused || o.Process == nil
	}
	s.local.Open(max(o.Stage, 1), s.worker.clock(), &k)
	s.local.Share(k.Load, paused, o.Process)
	if o.Draining {
		s.local.Drain()
	}
	if o.Settled && !s.settled {
		s.settled = true
		s.local.Settled()
	}
}

// report is what there is to say at present, but for its number and whom it is for.
func (s *session) report() report {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.worker.clock()
	r := report{
		ID: s.worker.id, Number: s.orders.Number, State: s.state, Problem: s.problem, At: now,
		Pool: s.local.State(), Requests: s.told, Talks: s.talked,
	}
	r.Level, r.Ramping = s.local.Level()
	r.Requests.Left, r.Talks.Left = s.requests.Left(), s.conversations.Left()
	if wall := s.worker.now(); wall.Sub(s.clients) >= time.Second || s.state == finished {
		s.clients = wall
		shown := snapshot.Snapshot{At: now, Stages: []snapshot.StageRow{{Number: s.orders.Stage, Knobs: s.knobs}}, Knobs: s.knobs}
		s.local.Show(&shown, now)
		r.Client = &client{
			Recent: shown.Health, Run: shown.Client, Stage: s.orders.Stage, Prompts: shown.Prompts, Answers: shown.Answers,
			Again: s.local.Again(),
		}
		known(&r.Client.Recent.CPUCores, math.NaN(), -1)
		known(&r.Client.Run.CPUCores, math.NaN(), -1)
	}
	return r
}

// known puts what JSON can have in the place of what it can't, or the other way round.
func known(f *float64, from, to float64) {
	if *f == from || math.IsNaN(*f) && math.IsNaN(from) {
		*f = to
	}
}

// reports is the file that a session's recorder writes, of which each batch is a report.
type reports struct {
	session           *session
	out               *outbox
	term, incarnation uint64
}

// Write implements runfile.File.
func (f *reports) Write(blocks []byte) (int, error) {
	s := f.session
	return len(blocks), f.out.add(s.worker.now(), func(seq uint64) ([]byte, error) {
		r := s.report()
		r.Seq, r.Term, r.Incarnation = seq, f.term, f.incarnation
		return r.packed(blocks)
	})
}

// Sync implements runfile.File.
func (f *reports) Sync() error { return nil }

// Truncate implements runfile.File.
func (f *reports) Truncate(int64) error { return nil }

// Close implements runfile.File.
func (f *reports) Close() error { return nil }
