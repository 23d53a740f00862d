// This file is runs through several stages.

package scene

import (
	"math"
	"math/rand/v2"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Staged is a run that has gone through the given concurrencies; the last of them goes on.
func Staged(levels ...int) *snapshot.Snapshot {
	s := Busy()
	for i, c := range levels {
		k := s.Knobs
		k.Load = load.Setting{Mode: load.Closed, Concurrency: c}
		from := record.Instant(1).Add(time.Duration(i) * 20 * time.Second)
		row := snapshot.StageRow{Number: i + 1, Knobs: k, Opened: from, Closed: from.Add(20 * time.Second), Summary: StageOf(c)}
		if i == len(levels)-1 {
			row.Closed = 0
		}
		s.Stages = append(s.Stages, row)
	}
	return s
}

// StageOf is what a server shows that saturates at about 24 streams.
func StageOf(c int) *stats.Summary {
	x := float64(c)
	ttft, tpot := 60+x*x/6, 10+x/3
	e2el := ttft + 480*tpot
	output := 4600 * (1 - math.Exp(-x/14))
	n := 40 * c
	failed := c / 8
	good := int(float64(n-failed) * max(0, min(1, 1.3-x/80)))
	like := func(n int, p50 float64) stats.Distribution {
		return distribution(n, p50, 1.3*p50, 1.5*p50, 2*p50, 4*p50, 1.1*p50)
	}
	return &stats.Summary{
		Spans: 18 * time.Second,
		TTFT:  like(n-failed, ttft), TPOT: like(n-failed, tpot), ITL: like(400*n, tpot), E2EL: like(n-failed, e2el),
		Requests:   stats.Counts{Started: n, OK: n - failed, Failed: failed},
		Throughput: stats.Throughput{Requests: output / 480, Input: output / 480 * 512, InputKnown: true, Output: output, Total: output * (1 + 512./480)},
		Score: slo.Tally{
			OK: n - failed, Failed: failed, Good: good,
			Missed: [4]int{n - failed - good, 0, 0}, Measured: [4]int{n, n, n},
		},
		Goodput: output / 480 * float64(good) / float64(n), GoodputKnown: true,
	}
}

// Ladder is a run up a ladder; its current stage has just begun.
func Ladder() *snapshot.Snapshot {
	s := Staged(1, 2, 4, 8, 16, 32)
	s.Stages[5].Summary.Settling = true
	return s
}

// Reasoning is a climb of a model that reasons before it answers.
func Reasoning() *snapshot.Snapshot {
	s := Climbed()
	reason := func(of *stats.Summary) {
		first := of.TTFT.P50.Seconds() * 1e3
		of.Reasoned, of.TTFA = of.Requests.OK, distribution(of.TTFT.N, 4*first, 5*first, 6*first, 8*first, 9*first, 4.2*first)
	}
	for i := range s.Stages {
		reason(s.Stages[i].Summary)
	}
	for i := range s.Curve {
		reason(s.Curve[i].Summary)
	}
	return s
}

// Newborn is a run whose first stage has shown nothing yet.
func Newborn() *snapshot.Snapshot {
	s := Staged(4)
	s.Stages[0].Summary = &stats.Summary{Settling: true}
	return s
}

// Reshaped is a run whose shape changed between two stages, at an open loop with a long description.
func Reshaped() *snapshot.Snapshot {
	s := Staged(8, 8, 8)
	s.Stages[1].Knobs.Shape.Prompt = shape.Uniform(128, 4096)
	s.Stages[2].Knobs.Load = load.Setting{Mode: load.Open, Rate: 12.5, Arrival: load.Poisson, MaxInFlight: 64}
	s.Stages[2].Knobs.Shape.PrefixOverlap = 0.3
	return s
}

// ManyStages is more of them than a screen has lines.
func ManyStages() *snapshot.Snapshot {
	var levels []int
	for i := range 80 {
		levels = append(levels, 1+i)
	}
	return Staged(levels...)
}

// Drawn are n latencies around a median; of two stages with the same median, the difference is noise.
func Drawn(seed uint64, n int, median time.Duration) []time.Duration {
	random := rand.New(rand.NewPCG(seed, 7))
	values := make([]time.Duration, n)
	for i := range values {
		values[i] = time.Duration(float64(median) * math.Exp(0.2*random.NormFloat64()))
	}
	return values
}

// StageSamples are the latencies of a stage's requests: the later the stage, the slower.
func StageSamples(n int, _ slo.Metric) []time.Duration {
	return Drawn(uint64(n), 400, time.Duration(90+5*n)*MS(1))
}
