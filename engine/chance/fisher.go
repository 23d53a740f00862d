// This file compares two shares.

package chance

import "math"

// Alike is the p-value of Fisher's exact test that two sets have the same share of good ones, of which k1 of n1 and k2 of n2
// were seen: how likely they would differ as much or more if they had. 1 where one of them is empty.
//
// Given how many there are and how many of all are good, the number of good ones in the first set is hypergeometric,
//
//	P(X = x) = C(n1, x) · C(n2, k1+k2−x) / C(n1+n2, k1+k2)
//
// and the p-value is the sum over every x that is no more likely than k1. (Fisher 1935; Agresti, Categorical Data Analysis,
// 3.5.)
func Alike(k1, n1, k2, n2 int) float64 {
	good, all := k1+k2, n1+n2
	if n1 == 0 || n2 == 0 || good == 0 || good == all {
		return 1
	}
	least, most := max(0, good-n2), min(n1, good)
	log := func(x int) float64 { return logChoose(n1, x) + logChoose(n2, good-x) - logChoose(all, good) }

	// What lies twelve standard deviations off weighs nothing.
	share := float64(good) / float64(all)
	mean := float64(n1) * share
	deviation := math.Sqrt(mean * (1 - share) * float64(n2) / float64(all-1))
	least, most = max(least, int(mean-12*deviation-12)), min(most, int(mean+12*deviation+12))

	const rounding = 1e-7
	seen := log(k1)
	p := 0.0
	for x := least; x <= most; x++ {
		if l := log(x); l <= seen+rounding {
			p += math.Exp(l)
		}
	}
	return min(p, 1)
}
