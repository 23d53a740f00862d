// This file is Student's t distribution.

package compare

import "math"

// beyond is P(|T| > t) for Student's T with a whole number of degrees of freedom, at least 1. (Abramowitz and Stegun,
// Handbook of Mathematical Functions, 26.7.3 and 26.7.4.)
func beyond(t float64, freedom int) float64 {
	n := float64(freedom)
	angle := math.Atan(math.Abs(t) / math.Sqrt(n))
	sin, cos := math.Sincos(angle)
	sum, term := 0.0, 1.0
	if freedom%2 == 1 {
		if term = cos; freedom == 1 {
			term = 0
		}
		for k := 3; k <= freedom; k += 2 {
			sum += term
			term *= cos * cos * float64(k-1) / float64(k)
		}
		return max(1-2/math.Pi*(angle+sin*sum), 0)
	}
	for k := 2; k <= freedom; k += 2 {
		sum += term
		term *= cos * cos * float64(k-1) / float64(k)
	}
	return max(1-sin*sum, 0)
}

// student is the t that |T| exceeds with probability alpha (0 < alpha < 1).
func student(alpha float64, freedom int) float64 {
	low, high := 0.0, 1.0
	for beyond(high, freedom) > alpha && high < 1e9 {
		high *= 2
	}
	for range 40 {
		if middle := (low + high) / 2; beyond(middle, freedom) > alpha {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
