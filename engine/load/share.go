// This file is one arrival process that several pools make together.

package load

import (
	"math"
	"math/rand/v2"

	"tokdyno/engine/record"
)

// Process is an arrival process that several pools make together. Each of them draws all arrivals, which are the same for all, and
// starts its own: so what they start together is the process, whoever joins and leaves.
type Process struct {
	Number uint64         // from 1; a process with another number begins anew
	Begin  record.Instant // when it does, on the pool's clock; until then, the one before goes on
	Level  float64        // from which a ramp begins
	First  uint64         // the number of its first arrival, from 1
	Last   uint64         // of the last arrival that there may be; 0: any
	Mine   []bool         // of each len(Mine) arrivals in a row, which are the pool's; none: it has no part in it
}

// mine reports whether an arrival is the pool's.
func (p *Process) mine(number uint64) bool {
	return len(p.Mine) > 0 && p.Mine[(number-p.First)%uint64(len(p.Mine))]
}

// Share is Set and Pause at once, for a pool that makes a part of a load. In a closed loop it makes what the setting says; of an
// arrival process, that of p.
func (p *Pool) Share(s Setting, paused bool, of *Process) {
	if s.Validate() != nil {
		return
	}
	p.order(func(o *orders) { o.setting, o.paused, o.process = s, paused, of })
}

// shared is the number of the process; 0: it is the pool's own.
func (o *orders) shared() uint64 {
	if o.process == nil || !o.setting.Arrives() {
		return 0
	}
	return o.process.Number
}

// begin draws the arrivals of a process from its beginning.
func (s *schedule) begin(seed uint64, setting Setting, p *Process) slope {
	rate := newSlope(setting.Ramp, p.Begin, p.Level, setting.Level())
	s.random = rand.New(rand.NewPCG(seed, arrivalStream+p.Number))
	s.open(p.Begin, setting.Arrival, rate)
	return rate
}

// Arrivals draws a process as each pool does that makes a part of it.
type Arrivals struct {
	schedule schedule
	rate     slope
	number   uint64
}

// NewArrivals is at the beginning of a process of a seed.
func NewArrivals(seed uint64, s Setting, p *Process) *Arrivals {
	a := &Arrivals{number: p.First}
	a.rate = a.schedule.begin(seed, s, p)
	return a
}

// Next is the next arrival: its number, and when it is due.
func (a *Arrivals) Next() (number uint64, due record.Instant) {
	number, due = a.number, a.schedule.next
	a.number++
	a.schedule.advance()
	return number, due
}

// Until goes on to an instant, and returns the number of the first arrival that is due then or later.
func (a *Arrivals) Until(at record.Instant) uint64 {
	for a.schedule.next < at {
		a.number++
		a.schedule.advance()
	}
	return a.number
}

// Level is where a ramp has got to at an instant.
func (a *Arrivals) Level(at record.Instant) float64 { return a.rate.at(at) }

// share goes on to a process that several pools make together.
func (d *dispatcher) share(now record.Instant, was, is orders) {
	if is.draining || was.setting.Mode != is.setting.Mode {
		d.pool.state.Dropped += d.backlog.clear()
		d.eject()
	}
	d.pool.mode = is.setting.Mode
	switch {
	case !is.arriving():
		d.rest(now)
	case was.shared() != is.shared() || !was.arriving():
		d.seq = is.process.First - 1
		d.pool.slope = d.schedule.begin(d.pool.seed, is.setting, is.process)
	}
}

// awaits is the instant from which on what the pool was told is in force; 0: at once.
func (d *dispatcher) awaits() record.Instant {
	if asked := &d.pool.asked; asked.shared() != d.inForce.shared() && asked.shared() != 0 && !asked.draining {
		return asked.process.Begin
	}
	return 0
}

// leftOfProcess is how many more arrivals there may be of a process that several pools make.
func (d *dispatcher) leftOfProcess() int {
	if d.inForce.shared() == 0 || d.inForce.process.Last == 0 {
		return math.MaxInt
	}
	last := d.inForce.process.Last
	return int(last - min(last, d.seq))
}
