// This file is a permutation of the numbers below n that takes no memory.

package shape

import "math/bits"

// rounds of the Feistel network. Four make a pseudo-random permutation of a good round function (Luby and Rackoff, "How
// to construct pseudorandom permutations from pseudorandom functions", 1988); the others are for the smallest domains.
const rounds = 8

// permute returns the place of i, which is below n, in the key's permutation of 0 … n−1: different numbers have
// different places.
//
// It is a balanced Feistel network over the smallest square power of two that holds n, walked until it comes back below
// n (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002): less than four times on average for all but the
// smallest n.
func permute(i, n, key uint64) uint64 {
	half := max((bits.Len64(n-1)+1)/2, 2)
	mask := uint64(1)<<half - 1
	for {
		left, right := i>>half, i&mask
		for round := range uint64(rounds) {
			left, right = right, left^mix(right^mix(key+round))&mask
		}
		if i = left<<half | right; i < n {
			return i
		}
	}
}
