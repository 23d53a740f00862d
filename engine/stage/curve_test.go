package stage

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/stats"
)

// point makes a settled point of output tokens a second and a mean end-to-end latency in ms.
func point(level, output, latency float64) Point {
	s := &stats.Summary{Spans: 30 * time.Second}
	s.Throughput.Output = output
	s.E2EL = stats.Distribution{N: 100, Mean: time.Duration(latency * 1e6)}
	return Point{Level: level, N: 100, Settled: true, Summary: s}
}

func TestKnee(t *testing.T) {
	saturating := []Point{point(1, 100, 500), point(2, 195, 510), point(4, 370, 540), point(8, 640, 625), point(16, 800, 1000), point(32, 810, 2000), point(64, 812, 4000)}
	unsettled := slices.Clone(saturating)
	unsettled[4].Settled = false
	tests := []struct {
		name   string
		points []Point
		want   int // −1: none
	}{
		{"throughput that saturates", saturating, 4},
		{"in any order", []Point{saturating[3], saturating[0], saturating[6], saturating[4], saturating[1], saturating[5], saturating[2]}, 4},
		{"throughput that falls again", append(slices.Clone(saturating), point(128, 700, 9000)), 4},
		{"not at a point that has not settled", unsettled, 3},
		{"three points", saturating[2:5], -1},
		{"no points", nil, -1},
		{"a straight line", []Point{point(1, 100, 100), point(2, 200, 200), point(3, 300, 300), point(4, 400, 400)}, -1},
		{"a slight bend", []Point{point(1, 100, 100), point(2, 200, 190), point(3, 300, 290), point(4, 400, 400)}, -1},
		{"a bend the other way", []Point{point(1, 100, 100), point(2, 110, 300), point(3, 130, 380), point(4, 400, 400)}, -1},
		{"latency that does not move", []Point{point(1, 100, 500), point(2, 200, 501), point(4, 400, 502), point(8, 800, 510)}, -1},
		{"throughput that does not move", []Point{point(1, 100, 500), point(2, 101, 900), point(4, 102, 2000), point(8, 103, 4000)}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := NewCurve(tt.points).Knee()
			if ok != (tt.want >= 0) || ok && got != tt.want {
				t.Errorf("knee %d, %v, want %d", got, ok, tt.want)
			}
		})
	}
}

// TestKneeKnowsNoUnits scales both axes: the knee stays.
func TestKneeKnowsNoUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Float64Range(100, 10_000).Draw(t, "limit")
		kx, ky := rapid.Float64Range(0.1, 100).Draw(t, "kx"), rapid.Float64Range(1, 100).Draw(t, "ky")
		var a, b []Point
		for level := 1.0; level <= 256; level *= 2 {
			output := limit * level / (level + 20)
			latency := 1000 * level * 20 / output
			a, b = append(a, point(level, output, latency)), append(b, point(level, kx*output, ky*latency))
		}
		i, ok := NewCurve(a).Knee()
		j, ok2 := NewCurve(b).Knee()
		if i != j || ok != ok2 {
			t.Fatalf("%d, %v became %d, %v", i, ok, j, ok2)
		}
	})
}

// scored makes a point of good requests in a time.
func scored(level float64, good int, over time.Duration) Point {
	s := &stats.Summary{Spans: over, Goodput: float64(good) / over.Seconds(), GoodputKnown: true}
	return Point{Level: level, N: good + 10, Settled: true, Summary: s}
}

// missedIt marks a point as one that did not hold.
func missedIt(p Point) Point {
	p.Summary.Hidden = 1
	return p
}

func TestBestGoodput(t *testing.T) {
	unknown := scored(8, 9999, time.Second)
	unknown.Summary.GoodputKnown = false
	unsettled := scored(8, 9999, time.Second)
	unsettled.Settled = false
	tests := []struct {
		name   string
		points []Point
		want   int // −1: none
		clear  bool
	}{
		{"clear of both neighbours", []Point{scored(1, 100, 30*time.Second), scored(2, 200, 30*time.Second), scored(4, 90, 30*time.Second)}, 1, true},
		{"not clear of one", []Point{scored(1, 100, 30*time.Second), scored(2, 200, 30*time.Second), scored(4, 190, 30*time.Second)}, 1, false},
		{"the same rates over longer are clear", []Point{scored(2, 20_000, 3000*time.Second), scored(4, 19_000, 3000*time.Second)}, 0, true},
		{"none is good", []Point{scored(1, 0, 30*time.Second)}, -1, false},
		{"unknown and unsettled ones do not count", []Point{scored(1, 10, 30*time.Second), unknown, unsettled}, 0, true},
		{"only among those that held", []Point{scored(1, 100, 30*time.Second), missedIt(scored(2, 900, 30*time.Second))}, 0, true},
		{"no points", nil, -1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := NewCurve(tt.points).BestGoodput(func(p *Point) bool { return p.Summary.Hidden == 0 })
			if ok != (tt.want >= 0) || ok && (got.Index != tt.want || got.Clear != tt.clear || got.N != tt.points[tt.want].N) {
				t.Errorf("best %+v, %v, want %d, clear %v", got, ok, tt.want, tt.clear)
			}
		})
	}
}

func TestTradesMarkTheParetoFront(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []Point
		for level := range rapid.IntRange(0, 12).Draw(t, "n") {
			p := point(float64(level+1), float64(rapid.IntRange(0, 6).Draw(t, "output")), 1)
			if ms := rapid.IntRange(0, 6).Draw(t, "tpot"); ms > 0 {
				p.Summary.TPOT = stats.Distribution{N: 10, P50: time.Duration(ms) * time.Millisecond}
			}
			points = append(points, p)
		}
		c := NewCurve(points)
		all := c.Trades(2)
		for _, a := range all {
			if want := c[a.Index].Summary.Throughput.Output / 2; a.PerGPU != want {
				t.Fatalf("%v a GPU, want %v", a.PerGPU, want)
			}
			beaten := false
			for _, b := range all {
				beaten = beaten || b.PerUser >= a.PerUser && b.PerGPU >= a.PerGPU && (b.PerUser != a.PerUser || b.PerGPU != a.PerGPU)
			}
			if a.Front == beaten {
				t.Fatalf("%+v among %+v", a, all)
			}
		}
		for _, p := range c {
			known := p.Summary.TPOT.N > 0 && p.Summary.Throughput.Output > 0
			if in := slices.ContainsFunc(all, func(a Trade) bool { return c[a.Index].Level == p.Level }); in != known {
				t.Fatalf("level %v: in %v, known %v", p.Level, in, known)
			}
		}
	})
	one := point(1, 100, 1)
	one.Summary.TPOT = stats.Distribution{N: 1, P50: 20 * time.Millisecond}
	if got := (Curve{one}).Trades(0); len(got) != 1 || math.Abs(got[0].PerUser-50) > 1e-9 || got[0].PerGPU != 100 {
		t.Errorf("with GPUs unknown: %+v", got)
	}
}
