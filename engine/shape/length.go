// This file is the length distributions: what they are, what they draw, what they average to.

package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// MaxTokens is the longest length there is; the shortest is 1.
const MaxTokens = 1_000_000

// Length is a distribution of lengths in tokens. Lengths compare with ==: two that were made or spelled differently but
// draw the same are equal, except that lengths from a file are also told apart by its name. The zero Length is not valid.
type Length struct {
	kind kind
	a, b int   // fixed: length and 0; uniform: shortest and longest; normal, lognormal: mean and standard deviation
	file table // listed: what the file lists
}

type kind uint8

const (
	fixed kind = iota
	uniform
	normal
	lognormal
	listed
)

// Fixed returns the length that is always n.
func Fixed(n int) Length { return Length{kind: fixed, a: n} }

// Uniform returns the length that is any from lo to hi, both included, each as likely as the others.
func Uniform(lo, hi int) Length {
	if lo == hi {
		return Fixed(lo)
	}
	return Length{kind: uniform, a: lo, b: hi}
}

// Normal returns the normal distribution with that mean and standard deviation, rounded to whole tokens and truncated to
// 1 … MaxTokens: a draw outside is drawn again, so no length piles up at the ends. Truncation moves the mean (see Mean)
// where the spread is wide.
func Normal(mean, sd int) Length {
	if sd == 0 {
		return Fixed(mean)
	}
	return Length{kind: normal, a: mean, b: sd}
}

// Validate returns nil, or a sentence that says what is out of range.
func (l Length) Validate() error {
	switch {
	case l.kind == listed:
		return nil // as it was read
	case l.a < 1 || l.a > MaxTokens:
		return outOfRange(l.a)
	case l.kind == uniform && (l.b < 1 || l.b > MaxTokens):
		return outOfRange(l.b)
	case l.kind == uniform && l.b < l.a:
		return fmt.Errorf("the range ends (%d) before it begins (%d)", l.b, l.a)
	case (l.kind == normal || l.kind == lognormal) && (l.b < 0 || l.b > MaxTokens):
		return fmt.Errorf("a spread of %d is out of range: it goes from 0 to %d", l.b, MaxTokens)
	}
	return nil
}

func outOfRange(n int) error {
	return fmt.Errorf("%d tokens is out of range: a length goes from 1 to %d", n, MaxTokens)
}

// Draw returns one length, at least 1, even of a Length that is not valid. It takes as many values from r as it needs.
func (l Length) Draw(r *rand.Rand) int {
	switch l.kind {
	case uniform:
		return clamp(float64(l.a + r.IntN(max(1, l.b-l.a+1))))
	case normal:
		return l.drawNormal(r)
	case lognormal:
		return l.drawLognormal(r)
	case listed:
		return l.file.draw(r)
	default:
		return clamp(float64(l.a))
	}
}

// maxRedraws is far more than truncation needs: of a valid Length at least a third of the draws are inside, so that one
// in 10¹¹ gets as far as the mean below.
const maxRedraws = 64

func (l Length) drawNormal(r *rand.Rand) int {
	for range maxRedraws {
		n := math.Round(float64(l.a) + float64(l.b)*r.NormFloat64())
		if n >= 1 && n <= MaxTokens {
			return int(n)
		}
	}
	return clamp(float64(l.a))
}

// cumulative is Φ, that of the standard normal distribution.
func cumulative(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// clamp returns the length nearest to x.
func clamp(x float64) int { return int(math.Round(min(max(x, 1), MaxTokens))) }

// Reach returns how far the lengths go: the longest there is, or the mean of a normal or lognormal length, which has no
// longest.
func (l Length) Reach() int {
	switch l.kind {
	case uniform:
		return l.b
	case listed:
		return l.file.longest()
	default:
		return l.a
	}
}
