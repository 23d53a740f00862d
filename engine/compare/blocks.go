// This file cuts the time of a run into blocks, and finds from them how far a figure can be trusted.

package compare

import "math"

// A series is cut into as many blocks as its time allows, each of which lasts at least as long as a request is there on
// average, so that neighbours share few requests and batches. More than twenty gain nothing, since Student's t is nearly
// normal then, and longer blocks are less alike by mere neighbourhood. With fewer than ten, t is wide and the correction by
// their correlation is a guess, so that of equal servers that get their requests in an open loop, a single figure may be called
// different in 7 of 100 comparisons. What may err by half as much or less, as each look at a duel, does with five: all looks
// together then err in at most 1 of 100 runs, and large differences are seen in half the time.
const (
	fewestBlocks  = 10
	fewestInLooks = 5
	mostBlocks    = 20
	shortestBlock = 1.0 // seconds: throughput is known by the second
	most          = 0.8 // correlation of neighbours; one that is higher says that there are too few blocks to know it
)

// shortest is the least length of a block in seconds.
func (s *Series) shortest() float64 { return max(s.residence(), shortestBlock) }

// fewest is how many blocks a comparison needs that may call equal systems different with a probability of alpha.
func fewest(alpha float64) int {
	if alpha > Alpha/2 {
		return fewestBlocks
	}
	return fewestInLooks
}

// blocks says into how many blocks a series is cut.
func (s *Series) blocks() int { return min(int(s.Seconds/s.shortest()+1e-9), mostBlocks) }

// byBlock adds up the parts of a figure by block.
func (s *Series) byBlock(of *Sums, blocks int) (num, den []float64) {
	num, den = make([]float64, blocks), make([]float64, blocks)
	for i, at := range of.At {
		k := min(max(int(at/s.Seconds*float64(blocks)), 0), blocks-1)
		num[k] += of.Num[i]
		den[k] += of.Den[i]
	}
	return num, den
}

// ratio is the sum of some numbers over that of others, and its standard error: by how much each block's numerator differs
// from what the ratio would have it be, over the sum of the denominators. (Cochran, Sampling Techniques, 6.3.)
func ratio(num, den []float64) (value, deviation, all float64) {
	n := 0.0
	for i := range num {
		n += num[i]
		all += den[i]
	}
	if all == 0 {
		return math.NaN(), math.NaN(), 0
	}
	value = n / all
	apart := make([]float64, len(num))
	for i := range num {
		apart[i] = num[i] - value*den[i]
	}
	return value, sumDeviation(apart) / all, all
}

// sumDeviation is the standard error of the sum of what blocks contribute, which is 0 in all. Blocks next to each other are
// alike where queue or machine change slowly; where r is the correlation of neighbours, the variance grows by (1+r)/(1−r), as
// that of an autoregressive process does. Of n blocks, r is found too low by about 1/n, which is added. (Tafazzoli, Wilson,
// Lada and Steiger, Skart, INFORMS J. Comput. 23, 2011; the 1/n: Marriott and Pope, Biometrika 41, 1954.)
func sumDeviation(blocks []float64) float64 {
	n := float64(len(blocks))
	square, next := 0.0, 0.0
	for i, b := range blocks {
		square += b * b
		if i > 0 {
			next += b * blocks[i-1]
		}
	}
	if square == 0 {
		return 0
	}
	r := min(max(next/square+1/n, 0), most)
	return math.Sqrt(square * n / (n - 1) * (1 + r) / (1 - r))
}
