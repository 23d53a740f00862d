// This file is the timetable of the open loop and of a replay: when the next arrival is due.

package load

import (
	"math"
	"math/rand/v2"
	"time"

	"tokdyno/engine/record"
)

// schedule is an absolute timetable: an arrival is due at the epoch plus the nominal time of the slope until then, which
// is the sum of the gaps drawn since, or recorded. A dispatcher that wakes up late thus takes an arrival up late, but
// never moves the ones behind it.
type schedule struct {
	random *rand.Rand
	epoch  record.Instant
	slope  slope          // of the rate or the speed, from the epoch on
	sum    float64        // nominal nanoseconds from the epoch to the next arrival; unrounded, so that rounding can't add up
	next   record.Instant // 0: stopped, or not known yet

	draw process // of an open loop
	mean float64 // gap, in nominal nanoseconds

	feed   *feed   // of a replay; nil: it is none
	work   any     // of the next arrival
	played float64 // recorded nanoseconds that had been played at the epoch
	state  playing
}

// playing says what the clock of a recording does.
type playing int

const (
	stopped playing = iota // it stands still
	primed                 // it goes on as soon as the first arrival has been read
	running
)

// open draws gaps of the arrival process anew from the instant at, with the mean rate that the slope has.
func (s *schedule) open(at record.Instant, arrival Arrival, rate slope) {
	s.draw, s.epoch, s.sum, s.slope = arrival.process(), at, 0, rate.rest(at)
	s.mean = float64(time.Second) / rate.to
	s.advance()
}

// insert puts in the recording that is to be played, from its beginning; nil takes it out.
func (s *schedule) insert(f *feed) {
	s.stop()
	s.feed, s.played, s.state = f, 0, stopped
}

// play lets the recording go on from where it is, at the speed of the slope. Where it has not begun it does so with its
// first arrival, so that the time it takes to open a file is no lag of that.
func (s *schedule) play(at record.Instant, speed slope) {
	s.played = s.position(at)
	s.epoch, s.slope = at, speed.rest(at)
	if _, ok := s.feed.peek(); !ok && s.played == 0 {
		s.next, s.state = 0, primed
		return
	}
	s.state = running
	s.look()
}

// pause makes the recording stand still.
func (s *schedule) pause(at record.Instant) {
	s.played = s.position(at)
	s.next, s.state = 0, stopped
}

// position returns how much of the recording has been played.
func (s *schedule) position(at record.Instant) float64 {
	if s.state != running {
		return s.played
	}
	return s.played + s.slope.nominal(float64(at-s.epoch))*s.slope.to
}

// catchUp looks for an arrival that the feed had not read when it was asked last.
func (s *schedule) catchUp(now record.Instant) {
	switch {
	case s.feed == nil || s.next != 0:
	case s.state == primed:
		s.play(now, s.slope)
	case s.state == running:
		s.look()
	}
}

// awaited returns the channel on which to receive what the feed is to accept before the next arrival is known; nil when
// that is known or will not be needed.
func (s *schedule) awaited() <-chan item {
	if s.feed == nil || s.state == stopped {
		return nil
	}
	return s.feed.awaited()
}

// advance moves on to the arrival after the next.
func (s *schedule) advance() {
	if s.feed != nil {
		s.feed.pop()
		s.look()
		return
	}
	s.sum += s.draw(s.random) * s.mean
	s.setNext()
}

// look finds when the recording's next arrival is due, if it has been read. One that was due before the clock was last
// set anew, but had not been read then, is due since that.
func (s *schedule) look() {
	entry, ok := s.feed.peek()
	if !ok {
		s.next, s.work = 0, nil
		return
	}
	s.sum = max(0, (entry.at-s.played)/s.slope.to)
	s.work = entry.work
	s.setNext()
}

// never is farther off than a run can last: where a recording may be, played slowly, a time.Duration can't follow.
const never = float64(100 * 365 * 24 * time.Hour)

func (s *schedule) setNext() {
	s.next = s.epoch.Add(time.Duration(math.Round(min(s.slope.actual(s.sum), never))))
}

// stop makes no arrival due any more, until open or play is called.
func (s *schedule) stop() {
	s.next, s.work, s.state = 0, nil, stopped
}

// due reports whether an arrival is due at or before now.
func (s *schedule) due(now record.Instant) bool { return s.next != 0 && s.next <= now }
