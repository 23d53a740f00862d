// This file is the curve of a run: what each level of load gave, and which of them stand out.

package stage

import (
	"cmp"
	"math"
	"slices"

	"tokdyno/engine/stats"
)

// Point is what was measured at one level of load.
type Point struct {
	Level   float64        // requests in flight, or requests a second
	Stages  []int          // the stages whose requests are pooled in it
	N       int            // requests judged: completed or failed
	Settled bool           // at least one of its stages was steady; otherwise it is drawn, but nothing follows from it
	Summary *stats.Summary // pooled over Stages; never nil
	// EarlierDiffer says that earlier stages of the level differ from the newest by more than chance would have it, so that it
	// alone stands for the level.
	EarlierDiffer bool
}

// Curve holds points of one run by ascending level. They share the mode of the load and its shape: points of different
// ones do not lie on one curve.
type Curve []Point

// NewCurve returns the points in order. The slice handed in stays as it is.
func NewCurve(points []Point) Curve {
	return slices.SortedStableFunc(slices.Values(points), func(a, b Point) int { return cmp.Compare(a.Level, b.Level) })
}

// What a knee needs.
const (
	kneePoints = 4    // three always bend somehow
	kneeBend   = 0.15 // a straight line has none; a queue at its limit comes near 1
	kneeSpan   = 0.10 // of the largest value: what throughput and latency have to span, lest noise be stretched to a curve
)

// Knee returns the index of the point from which on latency is paid for little throughput; false where the curve has
// none: fewer than four settled points, a curve without a bend, or one that bends the other way.
//
// Throughput (output tokens a second) and mean end-to-end latency are each scaled to 0–1. The knee is the point farthest
// from the chord between the first and the last point, on the side of more throughput and less latency, and it has to be
// at least 0.15 away, measured along an axis. This is the "Kneedle" of Satopää, Albrecht, Irwin and Raghavan (2011),
// without its smoothing: a person places the levels, and the points are too few to smooth.
func (c Curve) Knee() (int, bool) {
	var index []int
	var xs, ys []float64
	for i, p := range c {
		if p.Settled && p.Summary.E2EL.N > 0 && p.Summary.Throughput.Output > 0 {
			index = append(index, i)
			xs = append(xs, p.Summary.Throughput.Output)
			ys = append(ys, float64(p.Summary.E2EL.Mean))
		}
	}
	if len(index) < kneePoints || !normalise(xs) || !normalise(ys) {
		return 0, false
	}
	i, bend := bend(xs, ys)
	if bend < kneeBend {
		return 0, false
	}
	return index[i], true
}

// normalise scales values to 0–1; false where they are all about the same.
func normalise(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	if high-low < kneeSpan*high {
		return false
	}
	for i, v := range values {
		values[i] = (v - low) / (high - low)
	}
	return true
}

// bend returns the point farthest right of the chord, seen along it, and √2 of its distance: for the diagonal of
// the unit square that is the distance along an axis, as Kneedle has it.
func bend(xs, ys []float64) (farthest int, distance float64) {
	last := len(xs) - 1
	dx, dy := xs[last]-xs[0], ys[last]-ys[0]
	chord := math.Hypot(dx, dy)
	if chord == 0 {
		return 0, 0
	}
	for i := range xs {
		d := math.Sqrt2 * ((xs[i]-xs[0])*dy - (ys[i]-ys[0])*dx) / chord
		if d > distance {
			farthest, distance = i, d
		}
	}
	return farthest, distance
}

// Best is the point of the highest goodput.
type Best struct {
	Index   int
	Goodput float64 // good requests a second
	N       int     // requests judged at it
	Clear   bool    // its neighbours' goodput is lower by more than chance would have it, or it has none
}

// BestGoodput finds the point of the highest goodput among those that held, the lowest level if several have it; false
// where none of them is settled and has a known goodput above zero.
//
// Clear compares with the settled neighbours on either side, taking good requests to arrive as a Poisson process: rates
// of k good requests in time t differ if |k₁/t₁ − k₂/t₂| exceeds 1.96 √(k₁/t₁² + k₂/t₂²). A closed loop is more
// regular than that, so it errs on the side of "not clear".
func (c Curve) BestGoodput(held func(*Point) bool) (Best, bool) {
	var known []int
	for i, p := range c {
		if p.Settled && p.Summary.GoodputKnown && p.Summary.Spans > 0 {
			known = append(known, i)
		}
	}
	best := -1
	for k, i := range known {
		if g := c[i].Summary.Goodput; g > 0 && held(&c[i]) && (best < 0 || g > c[known[best]].Summary.Goodput) {
			best = k
		}
	}
	if best < 0 {
		return Best{}, false
	}
	top := c[known[best]]
	b := Best{Index: known[best], Goodput: top.Summary.Goodput, N: top.N, Clear: true}
	for _, k := range []int{best - 1, best + 1} {
		if k >= 0 && k < len(known) && !differ(top.Summary, c[known[k]].Summary) {
			b.Clear = false
		}
	}
	return b, true
}

// differ reports whether the goodputs of two summaries differ by more than chance.
func differ(a, b *stats.Summary) bool {
	variance := func(s *stats.Summary) float64 { return s.Goodput / s.Spans.Seconds() } // k/t²
	return math.Abs(a.Goodput-b.Goodput) > 1.96*math.Sqrt(variance(a)+variance(b))
}

// Trade is a point in the plane of what a user gets against what the machine gives.
type Trade struct {
	Index   int     // of the point on the curve
	PerUser float64 // output tokens a second that one user sees: 1/TPOT, of the median TPOT
	PerGPU  float64 // output tokens a second of each GPU; of all together where their number is unknown
	Front   bool    // no other point has more of one and at least as much of the other
}

// Trades returns the settled points whose TPOT is known, in the curve's order, and marks those on the Pareto front. gpus
// is the number of GPUs behind the endpoint; below 1: unknown.
func (c Curve) Trades(gpus int) []Trade {
	var all []Trade
	for i, p := range c {
		if s := p.Summary; p.Settled && s.TPOT.N > 0 && s.TPOT.P50 > 0 && s.Throughput.Output > 0 {
			all = append(all, Trade{Index: i, PerUser: 1 / s.TPOT.P50.Seconds(), PerGPU: s.Throughput.Output / float64(max(gpus, 1))})
		}
	}
	for i := range all {
		all[i].Front = !slices.ContainsFunc(all, func(o Trade) bool { return o.beats(all[i]) })
	}
	return all
}

func (t Trade) beats(o Trade) bool {
	return t.PerUser >= o.PerUser && t.PerGPU >= o.PerGPU && (t.PerUser > o.PerUser || t.PerGPU > o.PerGPU)
}
