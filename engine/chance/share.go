// This file says how far a share can be trusted.

package chance

import "math"

// normal975 is the 97.5 % quantile of the standard normal distribution: 95 % lie within as much on either side.
const normal975 = 1.959963984540054

// Share returns the 95 % interval, from 0 to 1, of a share of which k of n were seen; false where n is 0.
//
// It is Wilson's: of the true shares p, those from which k/n is at most z standard deviations away, |k/n − p| ≤ z·√(p(1−p)/n).
// Squared, that is an equation of second degree in p, with the solutions
//
//	(k/n + z²/2n ± z·√(k/n·(1−k/n)/n + z²/4n²)) / (1 + z²/n)
//
// Unlike k/n ± z·√(…/n), it does not shrink to a point where k is 0 or n. (Wilson 1927, J. Am. Stat. Assoc. 22; recommended
// for any n by Brown, Cai and DasGupta 2001, Stat. Science 16.)
func Share(k, n int) (low, high float64, ok bool) {
	if n <= 0 {
		return 0, 0, false
	}
	share, count := float64(k)/float64(n), float64(n)
	z2 := normal975 * normal975 / count
	centre := share + z2/2
	reach := normal975 * math.Sqrt((share*(1-share)+z2/4)/count)
	low, high = (centre-reach)/(1+z2), (centre+reach)/(1+z2)
	if k == 0 {
		low = 0 // not by a rounding more
	}
	if k == n {
		high = 1
	}
	return low, high, true
}
