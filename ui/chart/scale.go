// Scales: the memory that keeps an axis still while the data move.

package chart

import "time"

// ShrinkAfter is how long the data must have stayed below a scale's top before the scale follows them down: long enough
// that a burst does not make the axis pump, short enough to see detail again while looking.
const ShrinkAfter = 5 * time.Second

// Scale remembers the top of a chart's range from frame to frame. It grows at once and shrinks to the largest value of
// the last [ShrinkAfter] once they all were smaller. It is an immutable value: keep what Next returns.
type Scale struct {
	top   float64
	lower float64       // largest peak since the data fell below top
	since time.Duration // when they did
	below bool
}

// Top is the remembered top of the range; zero if nothing was seen yet.
func (s Scale) Top() float64 { return s.top }

// Next returns the scale after a frame at now, on any clock that goes forward, whose largest value was peak: that of
// [Chart.Peak]. Peaks that are no finite number change nothing.
func (s Scale) Next(peak float64, now time.Duration) Scale {
	switch {
	case !drawable(peak):
		return s
	case peak >= s.top:
		return Scale{top: peak}
	case !s.below || now < s.since:
		return Scale{top: s.top, lower: peak, since: now, below: true}
	}

	s.lower = max(s.lower, peak)
	if now-s.since >= ShrinkAfter {
		return Scale{top: s.lower}
	}
	return s
}
