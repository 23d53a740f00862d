// This file is how latencies are spread: coarse enough to be kept for every stage, fine enough to be drawn.

package stats

import (
	"math"
	"time"
)

// spreadBits is by how many bits the buckets of a Spread are coarser than those of a Histogram: sixteen of them make an
// octave, so that each is at most 1/16 of its value wide.
const spreadBits = 3

// Spread says how many of some latencies lie between each two bounds. The zero Spread is of none.
type Spread struct {
	First  int // the index of the first bucket
	Counts []uint32
}

// spreadOf is that of values; undefined ones are not among them.
func spreadOf(values []time.Duration) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	var all [buckets >> spreadBits]uint32
	for _, v := range values {
		all[bucketOf(v)>>spreadBits]++
	}
	return trimmed(all[:])
}

// Spread is that of a histogram.
func (h *Histogram) Spread() Spread {
	if h.n <= 0 {
		return Spread{}
	}
	var all [buckets >> spreadBits]uint32
	for i, n := range h.filled() {
		all[i>>spreadBits] += n
	}
	return trimmed(all[:])
}

// trimmed leaves out what is empty at either end.
func trimmed(all []uint32) Spread {
	first, end := 0, len(all)
	for first < end && all[first] == 0 {
		first++
	}
	for end > first && all[end-1] == 0 {
		end--
	}
	if first == end {
		return Spread{}
	}
	return Spread{first, append([]uint32(nil), all[first:end]...)}
}

// Step is a point of a cumulative distribution.
type Step struct {
	Within time.Duration
	Share  float64 // of all that are no longer than Within, 0…1
}

// Cumulative returns the cumulative distribution at the bounds of the buckets, ascending in both; nil of none. The last
// Share is 1.
func (s Spread) Cumulative() []Step {
	if len(s.Counts) == 0 {
		return nil
	}
	all := 0.0
	for _, n := range s.Counts {
		all += float64(n)
	}
	steps := []Step{{Within: lowerBound(s.First)}}
	sum := 0.0
	for i, n := range s.Counts {
		sum += float64(n)
		steps = append(steps, Step{lowerBound(s.First + i + 1), sum / all})
	}
	steps[len(steps)-1].Share = 1
	return steps
}

// lowerBound is where a bucket of a Spread begins.
func lowerBound(bucket int) time.Duration {
	const perOctave = subBuckets >> spreadBits
	octave := bucket/perOctave + minOctave
	return time.Duration(math.Ldexp(1+float64(bucket%perOctave)/perOctave, octave-1))
}

// Spreads are those of the latencies that a Summary describes; zero for sliding windows. ITL's is of chunk gaps where
// Summary.ITLIsChunkGap.
type Spreads struct{ TTFT, TPOT, ITL, E2EL Spread }
