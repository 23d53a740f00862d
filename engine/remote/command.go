// This file is what an engine commands of workers, and how its load comes to their shares.

package remote

import (
	"context"
	"errors"
	"math"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// lead is how far ahead an arrival process begins, so that all workers have heard of it by then.
const lead = 50 * time.Millisecond

// endWait is for how long the end of a run waits for the last reports.
const endWait = 3 * time.Second

var nan = math.NaN()

// change counts a change of what workers are told, and tells them.
func (f *Fleet) change() {
	f.number++
	f.signal(f.wake)
}

// Open implements engine.Generator.
func (f *Fleet) Open(stage int, _ record.Instant, k *snapshot.Knobs) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stage = stage
	if packed, err := engine.PackKnobs(*k); err != nil {
		f.problem = err
	} else {
		f.knobs, f.packed, f.problem = *k, packed, nil
	}
	f.change()
}

// Set implements engine.Generator.
func (f *Fleet) Set(s load.Setting) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.knobs
	k.Load = s
	packed, err := engine.PackKnobs(k)
	if err != nil {
		f.problem = err
		return
	}
	f.knobs, f.packed, f.problem = k, packed, nil
	again := s.Arrives() && (f.open.arrivals == nil || s != f.open.setting)
	f.setting = s
	if again || !s.Arrives() {
		f.open.end(f.making.Clock(), f.cfg.Times.Alone)
	}
	f.rebalance()
}

// Pause implements engine.Generator.
func (f *Fleet) Pause(paused bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.paused == paused {
		return
	}
	if f.paused = paused; paused {
		f.open.end(f.making.Clock(), f.cfg.Times.Alone)
	}
	f.rebalance()
}

// Drain implements engine.Generator.
func (f *Fleet) Drain() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.draining = true
	f.change()
	f.signal(f.moved)
}

// Settled implements engine.Generator.
func (f *Fleet) Settled() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settled = true
	f.change()
}

// rebalance divides the load anew among those who can have a share, for as long as requests begin. The lock is held.
func (f *Fleet) rebalance() {
	if f.over || f.draining {
		return
	}
	list, among, _ := f.sorted()
	for _, m := range f.joined {
		m.share, m.process = 0, nil
	}
	f.missing = 0
	defer f.change()
	if len(list) == 0 {
		f.missing = f.setting.Target()
		f.open.end(f.making.Clock(), f.cfg.Times.Alone)
		return
	}
	most := f.setting.Concurrency
	if f.setting.Arrives() {
		if most = f.setting.MaxInFlight; most == 0 {
			for _, c := range among {
				most += c.most
			}
		}
	}
	var shares []int
	shares, f.missing = divide(most, among)
	for i, m := range list {
		m.share = shares[i]
	}
	if f.setting.Arrives() {
		f.missing = 0
		f.deal(list, among)
	}
}

// refill hands out numbers where they run short. The lock is held. It reports whether anybody was handed any.
func (f *Fleet) refill() (any bool) {
	list, _, _ := f.sorted()
	if f.setting.Mode == load.Closed {
		f.numbers.skip(f.open.first)
	}
	for _, m := range list {
		m.requests.rate, m.talks.rate = m.starts.per, m.starts.per
		if f.setting.Mode == load.Closed && f.numbers.refill(&m.requests, m.share, len(list)) {
			any = true
		}
		if f.knobs.Shape.MayConverse() && f.talks.refill(&m.talks, max(m.share, 1), len(list)) {
			any = true
		}
	}
	return any
}

// Run implements engine.Generator.
func (f *Fleet) Run(ctx context.Context) error {
	f.mu.Lock()
	f.begun = true
	f.rebalance()
	f.mu.Unlock()
	var timeUp <-chan time.Time
	if d := f.making.Budget.Duration; d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		timeUp = timer.C
	}
	ticker := time.NewTicker(reportEvery / 2)
	defer ticker.Stop()
	for {
		over, err := f.ended()
		if over {
			f.finish()
			return err
		}
		select {
		case <-ctx.Done():
			f.finish()
			return context.Cause(ctx)
		case <-timeUp:
			f.finish()
			return nil
		case <-ticker.C:
		case <-f.moved:
		}
	}
}

// ended reports whether nothing of the load is left to be done.
func (f *Fleet) ended() (over bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.cfg.Now()
	working, failedAll := 0, len(f.joined) > 0
	for _, m := range f.joined {
		if m.lane == 0 {
			continue
		}
		if s := m.at(); s != finished && s != failed && !m.gone && !m.silent(now) {
			working++
		}
		failedAll = failedAll && m.at() == failed
	}
	state := f.state()
	spent := f.making.Budget.Requests > 0 && state.Started >= f.making.Budget.Requests
	switch {
	case failedAll:
		return true, errors.New("no worker can make the load: " + f.joined[0].problem)
	case f.draining && working == 0:
		return true, nil
	case spent && state.InFlight == 0 && state.Backlog == 0:
		return true, nil
	}
	return false, nil
}

// finish ends the load of all workers, and waits until they have reported what came of it.
func (f *Fleet) finish() {
	f.mu.Lock()
	f.over = true
	f.change()
	f.mu.Unlock()
	deadline := time.NewTimer(endWait)
	defer deadline.Stop()
	for !f.reported() {
		select {
		case <-f.moved:
		case <-deadline.C:
			return
		}
	}
}

// reported reports whether nobody who is heard has anything left to report.
func (f *Fleet) reported() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.cfg.Now()
	for _, m := range f.joined {
		if m.incarnation != 0 && !m.gone && !m.silent(now) && m.report.State != finished {
			return false
		}
	}
	return true
}

// State implements engine.Generator.
func (f *Fleet) State() load.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state()
}

func (f *Fleet) state() (sum load.State) {
	for _, m := range f.joined {
		p := m.report.Pool
		sum.InFlight += p.InFlight
		sum.Held += p.Held
		sum.Backlog += p.Backlog
		sum.Started += m.dropped.Started + p.Started
		sum.Dropped += m.dropped.Dropped + p.Dropped
		sum.Shed += m.dropped.Shed + p.Shed
	}
	sum.Paused, sum.Draining = f.paused, f.draining
	return sum
}

// Level implements engine.Generator.
func (f *Fleet) Level() (now float64, ramping bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, _, _ := f.sorted()
	for _, m := range list {
		ramping = ramping || m.report.Ramping || m.report.Number < f.number && f.setting.Ramp.Kind != load.AtOnce
		if f.setting.Mode == load.Closed && m.share > 0 {
			now += m.report.Level
		} else {
			now = max(now, m.report.Level)
		}
	}
	return now, ramping
}

// Tick implements engine.Generator: it tells the collector what has come, and gives up what nobody will hear of again.
func (f *Fleet) Tick(now record.Instant) {
	for _, c := range f.take() {
		c.to.tell(c.batch, c.ahead, c.stage, &f.making)
	}
	for _, m := range f.goners() {
		n := m.intake.giveUp("its worker was lost: "+m.hello.Name, now, &f.making)
		f.mu.Lock()
		m.lost += n
		f.mu.Unlock()
	}
}

// goners are the members whose incarnation is over, be it that they said so or that they were not heard for long. Those who live get
// another lane.
func (f *Fleet) goners() (list []*member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.cfg.Now()
	for _, m := range f.joined {
		dead := now.Sub(m.heard) > f.cfg.Times.gone() || f.over && m.silent(now)
		ended := m.at() == finished && m.hello.Run == f.run && !f.over && !f.draining
		if m.incarnation == 0 { // what it says of its state may be of before it heard of the run
			ended = ended && now.Sub(m.enlisted) > 3*f.cfg.Times.Hello
		}
		restarted := m.incarnation != 0 && m.hello.Run == f.run && m.hello.Incarnation > m.incarnation
		broken := m.intake.broken != nil && !f.over
		if m.lane == 0 || m.gone || len(m.queue) > 0 || !(dead || ended || restarted || broken) {
			continue
		}
		if m.incarnation != 0 {
			list = append(list, m)
		}
		if m.problem == "" {
			m.problem = m.report.Problem
		}
		m.gone = true
		f.numbers.back(&m.requests)
		f.talks.back(&m.talks)
		m.started += m.report.Pool.Started
		m.dropped.Started += m.report.Pool.Started
		m.dropped.Dropped += m.report.Pool.Dropped
		m.dropped.Shed += m.report.Pool.Shed
		m.report.Pool = load.State{}
	}
	return list
}
