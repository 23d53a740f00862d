// This file is a comparison of runs.

package scene

import (
	"math"
	"math/rand/v2"
	"time"

	"tokdyno/engine/compare"
)

// Minute is a measured Minute of a server that is slower by a factor.
func Minute(seed uint64, slower float64, failing bool) *compare.Series {
	rng, s := rand.New(rand.NewPCG(seed, 1)), &compare.Series{Seconds: 60}
	for i := range 900 {
		at := float64(i) / 15
		drawn := func(median float64) float64 { return slower * median * math.Exp(0.1*rng.NormFloat64()) }
		s.TTFT.Add(at, drawn(120), 1)
		s.TPOT.Add(at, drawn(18), 1)
		s.E2EL.Add(at, drawn(2400), 1)
		failed := 0.0
		if failing && i%25 == 0 {
			failed = 1
		}
		s.Failed.Add(at, failed, 1)
	}
	for i := range 60 {
		s.Output.Add(float64(i), (1900+40*rng.NormFloat64())/slower, 1)
	}
	return s
}

// Measured is a run at loads of 8 and more, each twice the one before.
func Measured(name string, levels ...*compare.Series) compare.Measured {
	began := time.Date(2026, 11, 30, 4, 25, 23, 0, time.Local)
	m := compare.Measured{Run: compare.Run{
		Name: name, Model: "Qwen3-8B", URL: "http://127.0.0.1:8000/v1/chat/completions", Started: &began,
		Load: "c=8  256-768 in  64-192 out", ShapeHash: "h",
	}}
	for i, s := range levels {
		m.Levels = append(m.Levels, compare.MeasuredLevel{
			Name: []string{"c=8", "c=16", "c=32"}[i], Axis: "closed", Level: float64(int(8) << i), Series: s,
		})
	}
	return m
}

// Comparison is one of two runs, with a level at which the second is slower and fails, one at which both are alike, and one that
// only the second has; their requests differ, and the first is not to be trusted.
func Comparison() *compare.Document {
	slower := Measured("last", Minute(2, 1.12, true), Minute(3, 1, false), nil)
	slower.ShapeHash, slower.Asks = "i", []compare.Fact{{Name: "prompt tokens", Value: "1024"}}
	before := Measured("before|upgrade", Minute(1, 1, false), Minute(4, 1, false))
	before.Asks = []compare.Fact{{Name: "prompt tokens", Value: "512"}}
	before.Doubt = "streams are buffered on their way"
	d, err := compare.Of("1.2.3", []compare.Measured{before}, []compare.Measured{slower}, compare.Usual(), compare.Noise)
	if err != nil {
		panic(err) // both have c=8
	}
	return d
}
