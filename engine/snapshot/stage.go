// This file is a stage of a run, what was read of its machines, and what its output cost.

package snapshot

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// StageRow is one stage: a stretch of the run with one load. Its figures are of its steady part, or of all of it while
// it settles.
type StageRow struct {
	Number  int            // from 1
	Knobs   Knobs          // what it was opened with
	Opened  record.Instant // on the run's clock
	Closed  record.Instant // 0: it goes on
	Summary *stats.Summary // shared with other snapshots, so never to be changed

	Prompts    PromptLengths // whether prompts were as long as was asked for
	Answers    AnswerLengths // whether answers were
	Telemetry  Telemetry
	Efficiency Efficiency
}

// Present is the stage that goes on, or the last one; nil: the load has not begun.
func (s *Snapshot) Present() *StageRow {
	if len(s.Stages) == 0 {
		return nil
	}
	return &s.Stages[len(s.Stages)-1]
}

// Empty reports whether nothing happened in the stage: it was passed over while a knob was turned.
func (r *StageRow) Empty() bool {
	return r.Summary.Requests.Ended() == 0 && r.Summary.TTFT.N == 0
}

// GPUPoint is one second, or of long ago several (stats.Trend), of the accelerators' trend, of all devices together
// (gpu.Together). NaN: unknown.
type GPUPoint struct {
	At              record.Instant
	SMActivePercent float64
	UtilPercent     float64
	MemUsedFraction float64
	PowerW          float64 // of all together
}

// ServerPoint is one second, or of long ago several, of the inference server's trend. NaN: unknown.
type ServerPoint struct {
	At               record.Instant
	Running, Waiting float64
	KVUsage          float64 // 0–1
}

// Telemetry is what accelerators and the server showed over a stage, or over the run. Its parts are nil where there was
// no source, or no reading yet.
type Telemetry struct {
	Source string          // of the accelerators' readings, as it calls itself; "": none was read
	GPUs   []gpu.Total     // in the order in which they first appeared
	Span   time.Duration   // between the first and the last reading of the accelerators, over which their energy is
	Server *server.Summary // counters grow over the readings; gauges are of the same
}

// Prices are what things cost, in any currency. Zero: not known.
type Prices struct {
	GPUHour       float64 // an accelerator for an hour
	InputMillion  float64 // a million input tokens
	OutputMillion float64 // a million output tokens
}

// Efficiency is what output costs over a stage, or over the run. Unknown figures have their reason.
type Efficiency struct {
	GPUs           int            // that were read; 0: none, or not known to be behind the endpoint
	OutputPerGPU   optional.Value // output tokens per second, divided by GPUs
	TokensPerJoule optional.Value // output tokens per second, divided by the power of all devices
	OutputPerKW    optional.Value // output tokens per second for every kilowatt
	Estimated      bool           // the energy is power integrated over time
	CostPerMillion optional.Value // of output tokens, at the prices given
}
