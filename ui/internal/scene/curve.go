// This file is runs up the levels of a curve, with and without an autopilot.

package scene

import (
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// Curved is a run up the given concurrencies, each a stage; the last of them goes on and is still settling.
func Curved(levels ...int) *snapshot.Snapshot {
	s := Staged(levels...)
	s.Knobs.Load.Concurrency = levels[len(levels)-1]
	var points []stage.Point
	for i, c := range levels {
		summary := *s.Stages[i].Summary
		for _, m := range slo.Metrics() {
			*latencyBy(&summary, m) = stats.Inverted.Describe(Sampled(levels...)(i+1, m))
		}
		n := summary.Requests.OK + summary.Requests.Failed
		p := stage.Point{Level: float64(c), Stages: []int{i + 1}, N: n, Settled: true, Summary: &summary}
		if i == len(levels)-1 {
			summary.Settling, p.Settled = true, false
		}
		points = append(points, p)
	}
	s.Curve = stage.NewCurve(points)
	s.Stage = *s.Curve[len(levels)-1].Summary
	s.Stage.Stage = len(levels)
	return s
}

// Sampled are the latencies of the requests of such a run: what curved describes.
func Sampled(levels ...int) func(stage int, m slo.Metric) []time.Duration {
	return func(n int, m slo.Metric) []time.Duration {
		if n < 1 || n > len(levels) {
			return nil
		}
		s := StageOf(levels[n-1])
		return Drawn(uint64(n)<<8+uint64(m), s.TTFT.N, latencyBy(s, m).P50)
	}
}

// ClimbedLevels are the levels of that ladder.
func ClimbedLevels() []int { return []int{1, 2, 4, 8, 16, 24, 32, 48} }

// Climbed is a ladder that an autopilot goes up.
func Climbed() *snapshot.Snapshot {
	s := Curved(ClimbedLevels()...)
	s.Pilot = &snapshot.PilotView{
		Kind: snapshot.Ladder, Axis: stage.Concurrency, Why: "c=48: 42 of 100 requests, steady 12 s",
		Progress: stage.Progress{Left: 70 * time.Second, LeftKnown: true, IfHeld: 64, IfMissed: 64},
	}
	for i, p := range s.Curve {
		r := stage.Rung{Level: p.Level, State: stage.Held, Stage: i + 1, N: p.N, Output: p.Summary.Throughput.Output, Allowed: 0.1}
		r.Judged = s.Verdict(p.Summary)
		switch {
		case !p.Settled:
			r.State, r.N, r.Output = stage.Now, 0, 0
		case p.Level > 24:
			r.State, r.Binding, r.Share = stage.Missed, "ttft", 0.171
		}
		s.Pilot.Progress.Rungs = append(s.Pilot.Progress.Rungs, r)
	}
	s.Pilot.Progress.Rungs = append(s.Pilot.Progress.Rungs, stage.Rung{Level: 64, State: stage.Todo})
	s.Prompts = snapshot.PromptLengths{Method: snapshot.ByTokenizer, Asked: 512, Achieved: 511.6, N: 69}
	return s
}

// Searched is a search that has finished.
func Searched() *snapshot.Snapshot {
	s := Climbed()
	s.Pilot.Kind, s.Pilot.Over, s.Pilot.Finished = snapshot.Search, true, true
	s.Pilot.Result = stage.Result{
		Found: true, Level: 24, Missed: 32, Binding: "ttft", Samples: 960,
		Sentence: "c=24 holds the SLO, behind 960 requests; c=32 does not, for ttft",
	}
	return s
}

// Promised is a run with objectives, of which one is over its budget, one is held and one knows nothing yet.
func Promised() *snapshot.Snapshot {
	s := Busy()
	all, err := slo.ParseObjectives("ttft p99 <= 500ms over 1m for 99%; errors <= 1% over 5m for 99.9%; itl p95 <= 20ms over 30s for 90%")
	if err != nil {
		panic(err)
	}
	s.Knobs.Objectives = all
	s.Objectives = []slo.Standing{
		{Objective: all.At(0), Verdict: slo.Held, Latest: slo.Measured{Latency: MS(412), N: 1204}, Judged: 200, Held: 199},
		{Objective: all.At(1), Verdict: slo.Unknown},
		{Objective: all.At(2), Verdict: slo.Missed, Latest: slo.Measured{Latency: MS(21.4), N: 117_400}, Judged: 200, Held: 160},
	}
	s.Advice = []advice.Advice{{Rule: "busy", Sentence: "the GPU is busy and tok/s stand still: more load only adds queue", Evidence: "SM 92 %"}}
	s.Thinking = 12
	return s
}

// Untried is a run whose first level has shown nothing yet.
func Untried() *snapshot.Snapshot {
	s := Curved(4)
	*s.Curve[0].Summary = *Newborn().Stages[0].Summary
	s.Curve[0].N = 0
	return s
}

// Unpromised is a curve without an SLO, from a remote endpoint, over requests a second.
func Unpromised() *snapshot.Snapshot {
	s := Curved(2, 4, 8)
	s.Knobs = Open().Knobs
	s.Knobs.SLO = slo.Criteria{}
	s.Knobs.Load.Rate = 8
	s.GPUElsewhere = true
	for i := range s.Curve {
		s.Curve[i].Summary.GoodputKnown = false
	}
	return s
}

// latencyBy is the distribution of a latency of single requests.
func latencyBy(s *stats.Summary, m slo.Metric) *stats.Distribution {
	return []*stats.Distribution{slo.TTFT: &s.TTFT, slo.TPOT: &s.TPOT, slo.E2EL: &s.E2EL}[m]
}
