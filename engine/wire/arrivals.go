// How the chunks of an answer came: one by one, or many at a time.

package wire

import "tokdyno/engine/record"

// arrived counts a token event of the choice that spoke first by when it came: with the ones before it, or after them.
func (a *answer) arrived(s stamp) {
	n := &a.rec.Arrivals
	if n.Events == 0 || s.burst != a.lastBurst {
		a.bursts++
	}
	if n.Events++; n.Times == 0 || s.burst != a.lastBurst && s.at >= a.came.Add(record.Together) {
		n.Times++
		a.came = s.at
	}
	a.lastBurst = s.burst
	if n.Times == 1 {
		n.Opening++
	}
}
