// This file is how a knob turns a length: by a factor, or a step at a time.

package shape

import "math"

// Scale returns the length with its mean and its spread f times as large, within the limits, of the same kind. A factor
// that is not positive and finite changes nothing.
func (l Length) Scale(f float64) Length {
	if !(f > 0) || math.IsInf(f, 1) {
		return l
	}
	if l.kind == listed {
		return l.times(fourDigits(l.file.factor * f))
	}
	a, b := clamp(float64(l.a)*f), clamp(float64(l.b)*f)
	switch l.kind {
	case uniform:
		if a == b { // keep it a range
			a = min(a, MaxTokens-1)
			b = a + 1
		}
		return Uniform(a, b)
	case normal:
		return Normal(a, b)
	case lognormal:
		return Lognormal(a, b)
	default:
		return Fixed(a)
	}
}

// Adjust returns the length that many steps up (or down, for a negative number), of the same kind and the same relative
// spread. Steps go to the next of … 128 192 256 384 512 … (2ᵏ and 3·2ᵏ: two to the octave) for a fixed length, the upper
// end of a range, or the mean of a normal or lognormal length; for lengths from a file the factor over them steps so, from
// … ½ ¾ 1 1½ 2 … on. At the end of the scale nothing changes. From a fixed length on the scale, steps up and as many
// down lead back, and so they do from a file's; the other end of a range, or a spread, is rounded on the way.
func (l Length) Adjust(steps int) Length {
	if l.kind == listed {
		return l.adjustListed(steps)
	}
	from := l.a
	if l.kind == uniform {
		from = l.b
	}
	to := from
	for ; steps > 0 && to < MaxTokens; steps-- {
		to = rungAbove(to)
	}
	for ; steps < 0 && to > 1; steps++ {
		to = rungBelow(to)
	}
	if to == from {
		return l
	}
	return l.Scale(float64(to) / float64(from))
}

// rungAbove returns the lowest rung above n, which is below MaxTokens; the topmost rung is MaxTokens itself.
func rungAbove(n int) int {
	for power := 1; ; power *= 2 {
		switch {
		case n < power:
			return min(power, MaxTokens)
		case power > 1 && n < power+power/2:
			return min(power+power/2, MaxTokens)
		}
	}
}

// rungBelow returns the highest rung below n, which is above 1.
func rungBelow(n int) int {
	below := 1
	for rung := 1; rung < n; rung = rungAbove(rung) {
		below = rung
	}
	return below
}
