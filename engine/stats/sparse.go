// This file is a histogram's form outside: its buckets that hold something.

package stats

import "time"

// Buckets is how many buckets a Histogram has.
const Buckets = buckets

// Bucket is one that holds something.
type Bucket struct {
	At uint16 // its index, below Buckets
	N  uint32
}

// Sparse is a Histogram as the list of its buckets that hold something, in any order. The zero Sparse is empty.
type Sparse struct {
	Sum     time.Duration // exact, of all samples
	Buckets []Bucket
}

// Sparse lists a histogram's buckets that hold something, ascending.
func (h *Histogram) Sparse() Sparse {
	s := Sparse{Sum: h.sum}
	for i, n := range h.counts {
		if n > 0 {
			s.Buckets = append(s.Buckets, Bucket{At: uint16(i), N: n})
		}
	}
	return s
}
