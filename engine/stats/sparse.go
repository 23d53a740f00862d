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
	n := 0
	for range h.filled() {
		n++
	}
	if n > 0 {
		s.Buckets = make([]Bucket, 0, n) // many are kept for long
	}
	for i, n := range h.filled() {
		s.Buckets = append(s.Buckets, Bucket{At: uint16(i), N: n})
	}
	return s
}

// Middle is the value that a bucket stands for, at most 0.4 % off any in it.
func (b Bucket) Middle() time.Duration { return middle(int(b.At)) }

// Gaps are the gaps between chunks of all stages so far, those of requests that failed left out.
func (l *store) Gaps() Sparse {
	var all Histogram
	for i := range l.run {
		if p := &l.run[i]; p.itl != nil {
			all.Merge(p.chunkGaps())
		}
	}
	return all.Sparse()
}
