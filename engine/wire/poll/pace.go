// How long a Poller lets what has come lie: not at all, or until the next tick.

package poll

import (
	"cmp"
	"time"

	"tokdyno/engine/record"
)

const (
	// maxTick is the longest tick, unless another one is asked for. So late, at most, is it known that an answer has ended, and the next
	// request sent.
	maxTick = 2 * time.Millisecond
	// minTick is the shortest that is worth its while.
	minTick = 500 * time.Microsecond
	// gapsATick is how many ticks there are at least in the time that usually passes between two chunks of any stream, so that two
	// of them seldom come in one.
	gapsATick = 4
	// enter is how many times more often than the ticks a Poller must be up before they take over; they go when it would be up
	// less often.
	enter = 1.5

	// window is for how long is counted before a decision.
	window = 200 * time.Millisecond
	// mostMerged is the share of chunks that may be read with one that came before them; with more, the tick halves.
	mostMerged = 0.005
	// enoughChunks is how many have to be seen for that.
	enoughChunks = 400
	// mostHalved is how many times that happens: from the longest tick to the shortest.
	mostHalved = 2
	// calm is how long it takes until a tick that was halved is tried again.
	calm = 10 * time.Second
)

// pace decides by what has come. The zero pace lets nothing lie.
type pace struct {
	tick  time.Duration // 0: none
	fixed bool          // it does not change
	most  time.Duration // the longest tick; 0: maxTick

	began    record.Instant // of the window
	turns    int            // in which something had come
	arrivals int            // in them
	shortest time.Duration  // usual gap
	late     time.Duration  // by how much ticks were late, in all
	ticks    int

	halved        int // times
	since         record.Instant
	joined, among int // chunks that were read with an earlier one, among all that were told of
}

// gap learns of the time that usually passes between arrivals on a connection for which something has come; 0: it is not known.
func (p *pace) gap(d time.Duration) {
	if d > 0 && (p.shortest == 0 || d < p.shortest) {
		p.shortest = d
	}
}

// merged learns of chunks that were read with earlier ones.
func (p *pace) merged(n, chunks int) {
	if p.tick > 0 {
		p.joined += n
		p.among += chunks
	}
}

// turn learns of a turn, which found something for so many connections; due is the tick that it waited for, 0: none.
func (p *pace) turn(now, due record.Instant, connections int) {
	if connections > 0 {
		p.turns++
		p.arrivals += connections
	}
	if due != 0 {
		p.ticks++
		p.late += time.Duration(now - due)
	}
	passed := time.Duration(now - p.began)
	if passed < window || p.fixed {
		return
	}
	p.learn(now)
	p.decide(passed)
	p.began, p.turns, p.arrivals, p.shortest, p.late, p.ticks = now, 0, 0, 0, 0, 0
}

// learn halves the tick if too many chunks were merged, which is its own doing only where it was kept.
func (p *pace) learn(now record.Instant) {
	switch late := p.ticks > 0 && p.late > time.Duration(p.ticks)*p.tick/2; {
	case late:
		p.joined, p.among = 0, 0
	case p.among >= enoughChunks:
		if float64(p.joined) > mostMerged*float64(p.among) {
			p.halved = min(p.halved+1, mostHalved)
			p.since = now
		}
		p.joined, p.among = 0, 0
	}
	if p.halved > 0 && time.Duration(now-p.since) > calm {
		p.halved--
		p.since = now
	}
}

// decide sets the tick, after a window that was so long.
func (p *pace) decide(passed time.Duration) {
	limit := min(cmp.Or(p.most, maxTick), p.shortest/gapsATick)
	if limit >= minTick { // without a tick there would be no fewer merged than with the shortest
		limit = max(limit>>p.halved, minTick)
	}
	often := func(n int) float64 { return float64(n) * limit.Seconds() / passed.Seconds() } // a tick
	switch {
	case limit < minTick, p.tick > 0 && often(p.arrivals) < 1:
		p.tick = 0
	case p.tick > 0, often(p.turns) > enter:
		p.tick = limit
	}
}
