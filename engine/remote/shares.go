// This file divides a load among workers.

package remote

import (
	"cmp"
	"slices"
)

// capacity is what a worker can take.
type capacity struct {
	weight float64 // against the others
	most   int     // requests in flight
}

// divide splits a number of requests in flight exactly: by weight, with what is left over going to the largest remainders, and no
// worker getting more than it takes. missing is what none of them has room for.
func divide(total int, among []capacity) (shares []int, missing int) {
	shares = make([]int, len(among))
	full := make([]bool, len(among))
	for left := total; left > 0; {
		sum := 0.0
		for i, c := range among {
			if full[i] = shares[i] >= c.most; !full[i] {
				sum += c.weight
			}
		}
		if sum <= 0 {
			return shares, left
		}
		type rest struct {
			at   int
			part float64
		}
		var rests []rest
		given := 0
		for i, c := range among {
			if full[i] {
				continue
			}
			exact := float64(left) * c.weight / sum
			n := min(int(exact), c.most-shares[i])
			shares[i] += n
			given += n
			rests = append(rests, rest{i, exact - float64(int(exact))})
		}
		slices.SortStableFunc(rests, func(a, b rest) int { return cmp.Compare(b.part, a.part) })
		for _, r := range rests {
			if given < left && shares[r.at] < among[r.at].most && given < total {
				shares[r.at]++
				given++
			}
		}
		if given == 0 {
			return shares, left
		}
		left -= given
	}
	return shares, 0
}

// round is the most arrivals that are dealt out before it begins anew.
const round = 64

// deal says of each of some arrivals in a row whose it is: by weight, and as evenly spread as can be. Equal workers take turns.
func deal(among []capacity) (owners []int) {
	equal := !slices.ContainsFunc(among, func(c capacity) bool { return c.weight != among[0].weight })
	n := round
	if equal {
		n = len(among)
	}
	sum, debt := 0.0, make([]float64, len(among))
	for _, c := range among {
		sum += c.weight
	}
	for range n {
		best := 0
		for i, c := range among {
			if debt[i] += c.weight; debt[i] > debt[best] {
				best = i
			}
		}
		debt[best] -= sum
		owners = append(owners, best)
	}
	return owners
}
