package ui

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// fakeEngine remembers what it was told and shows whatever snapshot it is given.
type fakeEngine struct {
	mu       sync.Mutex
	snapshot *engine.Snapshot
	applied  []engine.Knobs
	refuse   error
	drains   int
	stops    int
	marks    []string
	stages   int
	values   func(n int, m slo.Metric) []time.Duration
	asked    int // how often values were
	runs     []engine.AutopilotRun
	releases int
}

func newFake(s *engine.Snapshot) *fakeEngine { return &fakeEngine{snapshot: s} }

func (f *fakeEngine) Snapshot() *engine.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snapshot
}

// change publishes a changed copy of the snapshot.
func (f *fakeEngine) change(with func(*engine.Snapshot)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := *f.snapshot
	with(&next)
	f.snapshot = &next
}

func (f *fakeEngine) Apply(k engine.Knobs) error {
	if err := k.Validate(); err != nil {
		return err
	}
	f.mu.Lock()
	refuse := f.refuse
	if refuse == nil {
		f.applied = append(f.applied, k)
	}
	f.mu.Unlock()
	if refuse != nil {
		return refuse
	}
	f.change(func(s *engine.Snapshot) {
		s.Knobs = k
		s.State = engine.Running
		if k.Paused {
			s.State = engine.Paused
		}
	})
	return nil
}

func (f *fakeEngine) NewStage() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stages++
}

func (f *fakeEngine) StartAutopilot(run engine.AutopilotRun) error {
	pilot, err := engine.NewPilot(run, f.Snapshot().Knobs)
	if err != nil {
		return err
	}
	f.change(func(s *engine.Snapshot) {
		f.runs = append(f.runs, run)
		s.Pilot = &engine.PilotView{Kind: run.Kind, Why: "takes over", Progress: pilot.Progress(0)}
	})
	return nil
}

func (f *fakeEngine) StopAutopilot() {
	f.change(func(s *engine.Snapshot) {
		f.releases++
		p := *s.Pilot
		p.Over, p.Released, p.Why = true, true, "let go by hand"
		s.Pilot = &p
	})
}

func (f *fakeEngine) Mark(label string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.marks = append(f.marks, label)
}

func (f *fakeEngine) StageValues(n int, m slo.Metric) []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if f.values == nil {
		return nil
	}
	return f.values(n, m)
}

func (f *fakeEngine) Drain() {
	f.mu.Lock()
	f.drains++
	f.mu.Unlock()
	f.change(func(s *engine.Snapshot) { s.State = engine.Draining })
}

func (f *fakeEngine) Stop() {
	f.mu.Lock()
	f.stops++
	f.mu.Unlock()
	f.change(func(s *engine.Snapshot) { s.State = engine.Ended })
}

// seen returns what the engine was told.
func (f *fakeEngine) seen() (applied []engine.Knobs, drains, stops int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]engine.Knobs(nil), f.applied...), f.drains, f.stops
}

func ms(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

func distribution(n int, p50, p90, p95, p99, most, mean float64) stats.Distribution {
	return stats.Distribution{N: n, Mean: ms(mean), P50: ms(p50), P90: ms(p90), P95: ms(p95), P99: ms(p99), Max: ms(most)}
}

// busy is a demo in full swing: simulated, an SLO that does not quite hold, one knob turned half a minute ago.
func busy() *engine.Snapshot {
	const elapsed = 161
	at := record.Instant(1).Add(elapsed * time.Second)
	s := &engine.Snapshot{
		At: at, State: engine.Running, Elapsed: elapsed * time.Second, Simulated: true,
		Health: engine.Health{Verdict: health.OK},
		Budget: engine.Budget{Duration: 5 * time.Minute},
		Endpoint: wire.Profile{
			Server: "vLLM 0.11.0", Model: "Qwen3-8B-FP8", API: wire.Chat,
			URL: "http://localhost:8000/v1/chat/completions", Protocol: "HTTP/1.1",
		},
		Knobs: engine.Knobs{
			Load:   load.Setting{Mode: load.Closed, Concurrency: 32},
			Shape:  shape.Shape{Prompt: shape.Fixed(512), Output: shape.Normal(480, 64)},
			SLO:    slo.Criteria{slo.TTFT: ms(300), slo.TPOT: ms(25)},
			Target: 0.9, Window: stats.Last30s,
		},
		Counts:   stats.Counts{Started: 4217, OK: 4182, Failed: 3, Cancelled: 0},
		Problems: []stats.Problem{{Kind: record.KindHTTP5xx, Status: 503, Count: 3, Example: "the engine is overloaded, try again"}},
		InFlight: stats.InFlight{Total: 32, Waiting: 6, Decoding: 26, OldestWait: ms(412), Oldest: ms(8140)},
		Marks: []engine.Mark{
			{At: at.Add(-118 * time.Second), Label: "c 8→16"},
			{At: at.Add(-33 * time.Second), Label: "c 16→32"},
		},
	}
	s.Live = stats.Summary{
		Window: stats.Last30s, Spans: 30 * time.Second, Stage: 4,
		TTFT:           distribution(1204, 182, 251, 287, 412, 933, 196),
		ITL:            distribution(117_400, 16.1, 19.8, 21.4, 29.8, 88, 16.9),
		TPOT:           distribution(1198, 16.4, 19.1, 20.9, 25.2, 41.7, 16.6),
		E2EL:           distribution(1198, 4310, 5020, 5380, 6710, 9900, 4420),
		DispatchLag:    distribution(1198, 0.06, 0.14, 0.19, 0.31, 1.2, 0.08),
		Requests:       stats.Counts{Started: 1201, OK: 1198, Failed: 3},
		Tokens:         stats.Tokens{Source: record.SourceUsage},
		TokensPerChunk: 1,
		Throughput:     stats.Throughput{Requests: 8.14, Input: 4168, InputKnown: true, Output: 3914, Total: 8082},
		Score:          slo.Tally{OK: 1198, Failed: 3, Good: 1048, Missed: [3]int{121, 42, 0}, Measured: [3]int{1198, 1198, 1198}},
		Goodput:        7.1, GoodputKnown: true,
	}
	s.Stage = s.Live
	s.Stage.Spans, s.Stage.Settled = 28*time.Second, 5*time.Second
	s.History = history(elapsed, at)
	s.GPU = &gpu.Reading{
		Source: "sim", Simulated: true,
		Devices: []gpu.Device{{
			Index: 0, Name: "NVIDIA H200", MemUsedMiB: optional.Of(102_707), MemTotalMiB: optional.Of(144_384), UtilPercent: optional.Of(99),
			SMActive: optional.Of(92), PowerW: optional.Of(612), PowerLimitW: optional.Of(700), TempC: optional.Of(64),
		}},
	}
	for i := range s.History {
		p := s.History[i]
		load := 1 - math.Exp(-float64(p.InFlight)/14)
		s.GPUHistory = append(s.GPUHistory, engine.GPUPoint{
			At: p.At, SMActivePercent: 100 * load, UtilPercent: min(100, 108*load), MemUsedFraction: 0.45 + 0.27*load,
		})
	}
	return s
}

// history is a trend in which load doubled twice, 118 and 33 seconds ago.
func history(seconds int, at record.Instant) []stats.Point {
	random := rand.New(rand.NewPCG(1, 2))
	wander := 0.0
	var points []stats.Point
	for i := range seconds {
		ago := seconds - i
		level := 1.0
		if ago <= 118 {
			level = 2
		}
		if ago <= 33 {
			level = 4 - 0.5*math.Exp(-float64(33-ago)/4)
		}
		wander = 0.9*wander + random.NormFloat64()
		shake := func(amount float64) float64 { return 1 + amount*(0.5*wander+0.6*random.NormFloat64())/3 }
		points = append(points, stats.Point{
			At:      at.Add(-time.Duration(ago-1) * time.Second),
			TTFTP50: ms((60 + 32*level) * shake(.12)), TTFTP95: ms((90 + 48*level) * shake(.2)),
			ITLP50: ms((10 + 1.6*level) * shake(.05)), ITLP95: ms((12 + 2.3*level) * shake(.09)),
			OutputTokens: 4600 * (1 - math.Exp(-level/2)) * shake(.08),
			Attainment:   min(1, max(0, 1.06-0.045*level+0.02*wander/3)),
			InFlight:     int(8 * level), Waiting: int(1.4 * level), Stage: int(level),
		})
	}
	return points
}

// open is an open loop that the server can't follow.
func open() *engine.Snapshot {
	s := busy()
	s.Knobs.Load = load.Setting{Mode: load.Open, Rate: 12, Arrival: load.Poisson, Concurrency: 32, MaxInFlight: 64}
	s.Backlog = 1204
	s.InFlight = stats.InFlight{Total: 64, Waiting: 21, Decoding: 43, OldestWait: ms(1840), Oldest: ms(12_400)}
	s.Live.TTFTFromSchedule = distribution(1204, 1900, 3100, 3300, 3420, 3600, 1980)
	s.Live.DispatchLag = distribution(1198, 1400, 2600, 2800, 2950, 3100, 1440)
	s.Marks = append(s.Marks[:1:1], engine.Mark{At: s.Marks[1].At, Label: "open 12 req/s"})
	return s
}

// settling is the moments after a change.
func settling() *engine.Snapshot {
	s := busy()
	s.Live.Settling, s.Stage.Settling = true, true
	s.Stage.Spans = 3 * time.Second
	s.Problems, s.Counts.Failed, s.Live.Requests.Failed = nil, 0, 0
	s.Live.TTFT.N, s.Live.TPOT.N, s.Live.E2EL.N = 14, 9, 9
	return s
}

// starting is a run that knows nothing yet.
func starting() *engine.Snapshot {
	b := busy()
	return &engine.Snapshot{
		At: 1, State: engine.Probing, Endpoint: wire.Profile{URL: b.Endpoint.URL}, Knobs: b.Knobs,
	}
}

func paused() *engine.Snapshot {
	s := busy()
	s.State, s.Knobs.Paused = engine.Paused, true
	return s
}

func noSLO() *engine.Snapshot {
	s := busy()
	s.Knobs.SLO = slo.Criteria{}
	s.Live.GoodputKnown = false
	for i := range s.History {
		s.History[i].Attainment = math.NaN()
	}
	return s
}

// failing is an endpoint that refuses half of what it is asked, and says so in a way that must not reach the terminal raw.
func failing() *engine.Snapshot {
	s := busy()
	s.Simulated, s.GPU, s.GPUHistory = false, nil, nil
	s.Insecure = true
	s.Counts = stats.Counts{Started: 2410, OK: 1198, Failed: 1180}
	s.Live.Requests = stats.Counts{Started: 1201, OK: 601, Failed: 600}
	s.Live.Score = slo.Tally{OK: 601, Failed: 600, Good: 560, Missed: [3]int{41, 0, 0}, Measured: [3]int{601, 601, 601}}
	s.Problems = []stats.Problem{
		{Kind: record.KindHTTP429, Status: 429, Count: 1100, Example: "Rate limit\x1b[31m reached\nfor gpt-4o \u202eevil: try again in 20 s"},
		{Kind: record.KindTruncated, Count: 80, Example: "the stream ended without a finish_reason"},
	}
	return s
}

func estimatedTokens() *engine.Snapshot {
	s := busy()
	s.Live.Tokens.Source, s.Stage.Tokens.Source = record.SourceEstimated, record.SourceEstimated
	s.Live.TokensPerChunk = 1.94
	s.Endpoint.Dropped = []string{"the server takes no ignore_eos: answers may be shorter than asked for"}
	return s
}

// strained is a client that reads late, while the window still holds some of the load before.
func strained() *engine.Snapshot {
	s := busy()
	s.Live.Mixed = true
	s.Health = engine.Health{Verdict: health.Strained, Reason: "client lag p99 14ms: bytes lie unread in the kernel"}
	return s
}

// clientBound is one that can't keep up, with reasoning that is billed but not shown.
func clientBound() *engine.Snapshot {
	s := busy()
	s.Live.Hidden = 12
	s.Health = engine.Health{Verdict: health.ClientBound, Reason: "scheduler latency p99 240ms: goroutines wait for a processor"}
	return s
}

func ended() *engine.Snapshot {
	s := busy()
	s.State, s.Elapsed, s.InFlight = engine.Ended, 5*time.Minute, stats.InFlight{}
	return s
}

func broken() *engine.Snapshot {
	s := ended()
	s.Err = errors.New("the endpoint closed every connection for 30 s; is it still running?")
	return s
}

// eightGPUs is a machine with more accelerators than most panels have lines, one of them lost.
func eightGPUs() *engine.Snapshot {
	s := busy()
	one := s.GPU.Devices[0]
	reading := *s.GPU
	reading.Devices = nil
	for i := range 8 {
		d := one
		d.Index = i
		d.Name = "NVIDIA H100 80GB HBM3"
		d.MemTotalMiB, d.MemUsedMiB = optional.Of(81_559), optional.Of(72_940-float64(i)*900)
		d.SMActive = optional.NA("permission")
		if i == 5 {
			d.UtilPercent, d.PowerW, d.TempC = optional.NA("lost"), optional.NA("lost"), optional.NA("lost")
			d.MemUsedMiB, d.MemTotalMiB = optional.NA("lost"), optional.NA("lost")
		}
		reading.Devices = append(reading.Devices, d)
	}
	s.GPU = &reading
	return s
}
