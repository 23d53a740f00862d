// This file holds the histogram for figures with millions of samples, such as ITL.

package stats

import (
	"iter"
	"math"
	"math/bits"
	"time"
)

const (
	subBits    = 7            // 128 buckets an octave: a bucket is at most 1/128 of its value wide
	subBuckets = 1 << subBits // and its middle at most 0.4 % away from any value in it
	minOctave  = 10           // bits.Len64 of 512 ns…1023 ns: below 1 µs nothing is resolved
	maxOctave  = 40           // up to 2^40 ns, 18 minutes
	octaves    = maxOctave - minOctave + 1
	buckets    = octaves * subBuckets
)

// Histogram is a log-linear histogram of durations from 1 µs to 10 min, at most 0.4 % off; values beyond are counted in
// the outermost buckets. What was added can be taken away again. The zero Histogram is empty. It is not safe for
// concurrent use.
//
// An octave [2^(k−1), 2^k) ns is divided into 128 buckets of one width, w = 2^(k−1)/128. What is reported for a value v in a
// bucket is its middle, so the error is at most w/2, and relative to v, which is at least 2^(k−1),
//
//	(w/2) / v ≤ (2^(k−1)/256) / 2^(k−1) = 1/256 = 0.39 %
//
// whatever the octave. Sums are kept beside the buckets, so means are exact. It is the layout of HdrHistogram (Tene) and of
// circllhist (Hartmann and Schlossnagle 2020, arXiv:2001.06561), with octaves in the place of decades, so that a value's
// bucket is a shift and a mask.
//
// An octave that nothing fell into takes no memory: a stage's latencies lie in a few of them, and a run may have
// thousands of stages.
type Histogram struct {
	n       int64
	sum     time.Duration // exact, for the mean
	octaves [octaves]*[subBuckets]uint32
}

// bucketOf returns the index of the bucket that holds d: of 2^(k−1) ≤ d < 2^k, k is its number of bits, and the seven bits
// after the first say where in the octave it lies.
func bucketOf(d time.Duration) uint16 {
	if d < 0 {
		return 0
	}
	octave := bits.Len64(uint64(d))
	if octave < minOctave {
		return 0
	}
	if octave > maxOctave {
		return buckets - 1
	}
	sub := int(uint64(d)>>(octave-1-subBits)) & (subBuckets - 1)
	return uint16((octave-minOctave)*subBuckets + sub)
}

// middle returns the middle of a bucket.
func middle(bucket int) time.Duration {
	octave := bucket/subBuckets + minOctave
	width := time.Duration(1) << (octave - 1 - subBits)
	return time.Duration(subBuckets+bucket%subBuckets)*width + width/2
}

// Add counts d n times.
func (h *Histogram) Add(d time.Duration, n int64) { h.add(bucketOf(d), n, time.Duration(n)*d) }

// add counts n samples in a bucket, with their exact sum; negative figures take samples away.
func (h *Histogram) add(bucket uint16, n int64, sum time.Duration) {
	counts := h.octaves[bucket/subBuckets]
	if counts == nil {
		counts = h.octave(int(bucket / subBuckets))
	}
	counts[bucket%subBuckets] += uint32(n)
	h.n += n
	h.sum += sum
}

// octave returns the counts of an octave, with memory to count in.
func (h *Histogram) octave(i int) *[subBuckets]uint32 {
	if h.octaves[i] == nil {
		h.octaves[i] = new([subBuckets]uint32)
	}
	return h.octaves[i]
}

// Merge adds everything in o.
func (h *Histogram) Merge(o *Histogram) {
	for i, from := range o.octaves {
		if from == nil {
			continue
		}
		to := h.octave(i)
		for j, c := range from {
			to[j] += c
		}
	}
	h.n += o.n
	h.sum += o.sum
}

// Reset empties the histogram, and keeps its memory.
func (h *Histogram) Reset() {
	for _, counts := range h.octaves {
		if counts != nil {
			clear(counts[:])
		}
	}
	h.n, h.sum = 0, 0
}

// clone is the same, to which others can be added.
func (h *Histogram) clone() *Histogram {
	o := new(Histogram)
	o.Merge(h)
	return o
}

// filled are the buckets that hold something, ascending, and how many.
func (h *Histogram) filled() iter.Seq2[int, uint32] {
	return func(yield func(int, uint32) bool) {
		for i, counts := range h.octaves {
			if counts == nil {
				continue
			}
			for j, c := range counts {
				if c != 0 && !yield(i*subBuckets+j, c) {
					return
				}
			}
		}
	}
}

// N is the number of samples.
func (h *Histogram) N() int64 { return h.n }

// above is the number of samples in buckets above one.
func (h *Histogram) above(bucket uint16) (n int64) {
	for i, c := range h.filled() {
		if i > int(bucket) {
			n += int64(c)
		}
	}
	return n
}

// Mean is the exact mean; 0 for an empty histogram.
func (h *Histogram) Mean() time.Duration {
	if h.n <= 0 {
		return 0
	}
	return time.Duration(math.Round(float64(h.sum) / float64(h.n)))
}

// Quantiles returns the nearest-rank quantiles for ascending ps (0 < p ≤ 1): of n samples that of rank ⌈n·p⌉, the smallest
// that at least the share p of them does not exceed. Zeros for an empty histogram.
func (h *Histogram) Quantiles(ps ...float64) []time.Duration {
	out := make([]time.Duration, len(ps))
	if h.n <= 0 {
		return out
	}
	var seen int64
	next := 0
	for i, c := range h.filled() {
		seen += int64(c)
		for next < len(ps) && seen >= rank(h.n, ps[next]) {
			out[next] = middle(i)
			next++
		}
		if next == len(ps) {
			break
		}
	}
	return out
}

// rank is the nearest rank of the p-quantile of n samples, ⌈n·p⌉, from 1. A product of floats that is too large by
// less than n/10⁹ does not make it the next one.
func rank(n int64, p float64) int64 {
	return min(max(int64(math.Ceil(float64(n)*p-1e-9*float64(n))), 1), n)
}

// Describe gives the histogram's distribution.
func (h *Histogram) Describe() Distribution {
	if h.n <= 0 {
		return Distribution{}
	}
	q := h.Quantiles(0.50, 0.90, 0.95, 0.99, 1)
	return Distribution{N: int(h.n), Mean: h.Mean(), P50: q[0], P90: q[1], P95: q[2], P99: q[3], Max: q[4]}
}
