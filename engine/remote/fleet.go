// This file is workers as the generator of a load: who belongs to it, what they are told, and how a run begins and ends.

package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/snapshot"
)

// FleetConfig says who makes a load.
type FleetConfig struct {
	Conn *nats.Conn // which stays the caller's
	Safe bool       // nobody reads along on the way: headers may be sent
	Want int        // workers that the load begins with; 0: those that have joined
	Take *Found     // a run to take over; nil: a new one
	Wait time.Duration
	Now  func() time.Time // nil: time.Now
}

// DefaultWait is for how long a load waits for its workers.
const DefaultWait = 20 * time.Second

// Fleet makes load by workers. It implements engine.Generator.
type Fleet struct {
	cfg    FleetConfig
	making engine.Making
	run    string
	subs   []*nats.Subscription
	stop   chan struct{}
	loops  sync.WaitGroup
	wake   chan struct{} // holds a token while something is to be told
	moved  chan struct{} // holds a token when where the workers stand may have changed

	mu       sync.Mutex
	members  map[string]*member
	joined   []*member // in order
	targets  []target
	term     uint64
	number   uint64
	lanes    uint64
	begun    bool
	over     bool
	attached bool // it took over a run that others began
	knobs    snapshot.Knobs
	packed   json.RawMessage
	problem  error // why the knobs can't be told
	stage    int
	setting  load.Setting
	paused   bool
	draining bool
	settled  bool
	missing  int
	talks    source
	numbers  source
	open     openLoad
}

// NewFleet is a generator whose load the workers on a connection make. Errors are sentences.
func NewFleet(cfg FleetConfig, making engine.Making) (*Fleet, error) {
	if cfg.Wait == 0 {
		cfg.Wait = DefaultWait
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	f := &Fleet{
		cfg: cfg, making: making, run: nats.NewInbox()[len(nats.InboxPrefix):], members: make(map[string]*member), term: 1, number: 1,
		stop: make(chan struct{}), wake: make(chan struct{}, 1), moved: make(chan struct{}, 1),
		knobs: making.Knobs, setting: making.Knobs.Load, numbers: source{most: making.Budget.Requests},
	}
	if cfg.Take != nil {
		f.attach(cfg.Take)
	}
	var err error
	if f.packed, err = engine.PackKnobs(making.Knobs); err != nil {
		return nil, err
	}
	for i := range making.Endpoints {
		t := targetOf(making.Endpoints[i])
		if len(t.Header) > 0 && !cfg.Safe {
			return nil, errors.New("--header is not sent to workers over a connection without TLS; connect to NATS by tls://")
		}
		f.targets = append(f.targets, t)
	}
	return f, nil
}

// Prepare implements engine.Generator: it returns when as many workers as are wanted can begin.
func (f *Fleet) Prepare(ctx context.Context, _ *snapshot.Knobs) error {
	for subject, take := range map[string]nats.MsgHandler{subjectHello: f.takeHello, subjectReport + f.run: f.takeReport} {
		sub, err := f.cfg.Conn.Subscribe(subject, take)
		if err != nil {
			return fmt.Errorf("NATS can't be used: %w", err)
		}
		f.subs = append(f.subs, sub)
	}
	f.loops.Go(f.repeat)
	f.loops.Go(f.measure)
	ticker := time.NewTicker(ordersEvery)
	defer ticker.Stop()
	began := f.cfg.Now()
	for {
		able, problem := f.able()
		waited := f.cfg.Now().Sub(began)
		switch {
		case f.cfg.Want > 0 && able >= f.cfg.Want, f.cfg.Want == 0 && able > 0 && waited >= 2*helloEvery && problem == "":
			return nil
		case waited >= f.cfg.Wait && able > 0 && f.cfg.Want == 0:
			return nil
		case waited >= f.cfg.Wait && f.cfg.Want == 0:
			return sentence("no worker has joined; start some with tokdyno worker --join", problem)
		case waited >= f.cfg.Wait:
			return sentence(fmt.Sprintf("%d of %d workers can begin after %v", able, f.cfg.Want, f.cfg.Wait), problem)
		case f.cfg.Want > 0 && problem != "" && waited > f.cfg.Wait/4:
			return sentence(fmt.Sprintf("%d of %d workers can begin", able, f.cfg.Want), problem)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.moved:
		case <-ticker.C:
		}
	}
}

// sentence adds what a worker says is wrong.
func sentence(what, problem string) error {
	if problem != "" {
		return fmt.Errorf("%s: %s", what, problem)
	}
	return errors.New(what)
}

// able is how many workers can begin, and what is wrong with one that can't.
func (f *Fleet) able() (n int, problem string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.joined {
		if m.able(f.cfg.Now()) {
			n++
		} else if m.lane != 0 && m.hello.State == failed && m.hello.Run == f.run {
			problem = m.hello.Name + ": " + m.hello.Problem
		}
	}
	return n, problem
}

// signal puts a token where there is none.
func (f *Fleet) signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// repeat tells the workers what to do, again and again: that is also what tells them that the console lives.
func (f *Fleet) repeat() {
	ticker := time.NewTicker(ordersEvery)
	defer ticker.Stop()
	for {
		f.tellAll()
		select {
		case <-f.stop:
			f.tellAll()
			return
		case <-f.wake:
		case <-ticker.C:
			f.look()
		}
	}
}

// tellAll tells each worker what it is to do.
func (f *Fleet) tellAll() {
	type told struct {
		id   string
		text []byte
	}
	var all []told
	f.mu.Lock()
	f.refill()
	for _, m := range f.joined {
		if m.lane == 0 || m.gone {
			continue
		}
		if text, err := json.Marshal(f.orders(m)); err == nil {
			all = append(all, told{m.hello.ID, text})
		}
	}
	f.mu.Unlock()
	for _, t := range all {
		_ = f.cfg.Conn.Publish(subjectOrders+t.id, t.text) // they are repeated
	}
}

// orders are those of a member.
func (f *Fleet) orders(m *member) *orders {
	o := &orders{
		Protocol: Protocol, Run: f.run, Term: f.term, Number: f.number, Endpoints: f.targets, NoProbe: f.making.NoProbe,
		Seed: f.making.Seed, Lane: m.lane, Go: f.begun, Over: f.over, Draining: f.draining, Paused: f.paused, Settled: f.settled,
		Stage: f.stage, Knobs: f.packed, Share: m.share, Requests: m.requests.grants(), Conversations: m.talks.grants(),
		Incarnation: m.incarnation, Have: m.intake.next - 1, Missing: m.missing,
		NextRequest: f.unused(), NextTalk: f.talks.first(),
	}
	if ahead, _, ok := m.clock.best(); ok && m.process != nil {
		p := *m.process
		p.Begin += ahead
		o.Process = &p
	}
	return o
}

// unused is a number from which on nobody has any, nor will have until a worker that hears nothing has stopped. The lock is held.
func (f *Fleet) unused() uint64 {
	next := f.numbers.first()
	if o := &f.open; o.arrivals != nil {
		gone, _ := f.making.Clock().Since(o.process.Begin)
		const ample = 1.5
		arrivals := ample * f.setting.MeanRate() * (max(gone, 0) + 2*AloneAfter).Seconds()
		next = max(next, o.process.First+uint64(arrivals)+round)
	}
	return max(next, f.open.first)
}

// unheard is what is wrong with a worker for as long as it is silent.
const unheard = "it is not heard any more"

// look looks for workers that are not heard any more.
func (f *Fleet) look() {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.cfg.Now()
	for _, m := range f.joined {
		switch {
		case m.lane == 0:
		case m.silent(now) && m.share+len(partOf(m.process)) > 0:
			m.problem = unheard
			f.rebalance()
			f.signal(f.moved)
		case !m.silent(now) && m.problem == unheard:
			m.problem = ""
		}
	}
}

func partOf(p *load.Process) []bool {
	if p == nil {
		return nil
	}
	return p.Mine
}

// Close implements engine.Generator.
func (f *Fleet) Close() {
	f.mu.Lock()
	f.over = true
	f.number++
	f.mu.Unlock()
	close(f.stop)
	f.loops.Wait()
	for _, s := range f.subs {
		_ = s.Unsubscribe() // the connection may be gone
	}
	_ = f.cfg.Conn.FlushTimeout(time.Second) // likewise
}

// take hands over the batches that have come.
func (f *Fleet) take() (all []came) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.joined {
		ahead, _, _ := m.clock.best()
		for _, b := range m.queue {
			all = append(all, came{m.intake, b, ahead, f.stage})
		}
		m.queue = nil
	}
	return all
}

// came is a batch with where it came from.
type came struct {
	to    *intake
	batch *runfile.Batch
	ahead record.Instant
	stage int
}

var _ engine.Generator = (*Fleet)(nil)

// sorted are the members that can have a share, in order of joining. Where none of them keeps up, they have what their cores say: best
// are the steps of the one that is trusted most.
func (f *Fleet) sorted() (list []*member, among []capacity, best int) {
	now := f.cfg.Now()
	best = mostSteps
	for _, m := range f.joined {
		if m.able(now) {
			list, best = append(list, m), min(best, m.trust.steps)
		}
	}
	for _, m := range list {
		among = append(among, m.capacity(best))
	}
	return slices.Clip(list), among, best
}
