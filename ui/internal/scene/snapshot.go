// This file is runs in many states.

package scene

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// MS is so many milliseconds.
func MS(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

func distribution(n int, p50, p90, p95, p99, most, mean float64) stats.Distribution {
	return stats.Distribution{N: n, Mean: MS(mean), P50: MS(p50), P90: MS(p90), P95: MS(p95), P99: MS(p99), Max: MS(most)}
}

// Busy is a demo in full swing: simulated, an SLO that does not quite hold, one knob turned half a minute ago.
func Busy() *snapshot.Snapshot {
	const elapsed = 161
	at := record.Instant(1).Add(elapsed * time.Second)
	s := &snapshot.Snapshot{
		At: at, Begun: 1, State: snapshot.Running, Elapsed: elapsed * time.Second, Simulated: true,
		Health: snapshot.Health{Verdict: health.OK},
		Budget: load.Budget{Duration: 5 * time.Minute},
		Endpoint: endpoint.Profile{
			Server: "vLLM 0.11.0", Model: "Qwen3-8B-FP8", API: endpoint.Chat,
			URL: "http://localhost:8000/v1/chat/completions", Protocol: "HTTP/1.1",
		},
		Knobs: snapshot.Knobs{
			Load:   load.Setting{Mode: load.Closed, Concurrency: 32},
			Shape:  shape.Shape{Prompt: shape.Fixed(512), Output: shape.Normal(480, 64)},
			SLO:    slo.Criteria{slo.TTFT: MS(300), slo.TPOT: MS(25)},
			Target: 0.9, Window: stats.Last30s,
		},
		Counts:   stats.Counts{Started: 4217, OK: 4182, Failed: 3, Cancelled: 0},
		Problems: []stats.Problem{{Kind: record.KindHTTP5xx, Status: 503, Count: 3, Example: "the engine is overloaded, try again", Last: at.Add(-4 * time.Second)}},
		InFlight: stats.InFlight{Total: 32, Waiting: 6, Decoding: 26, OldestWait: MS(412), Oldest: MS(8140)},
		Marks: []snapshot.Mark{
			{At: at.Add(-118 * time.Second), Label: "c 8→16"},
			{At: at.Add(-33 * time.Second), Label: "c 16→32"},
		},
	}
	s.Live = stats.Summary{
		Window: stats.Last30s, Spans: 30 * time.Second, Stage: 4,
		TTFT:           distribution(1204, 182, 301, 345, 468, 933, 201),
		ITL:            distribution(117_400, 16.1, 19.8, 21.4, 29.8, 88, 16.9),
		TPOT:           distribution(1198, 16.4, 19.1, 20.9, 28.1, 41.7, 16.6),
		E2EL:           distribution(1198, 4310, 5020, 5380, 6710, 9900, 4420),
		DispatchLag:    distribution(1198, 0.06, 0.14, 0.19, 0.31, 1.2, 0.08),
		Requests:       stats.Counts{Started: 1201, OK: 1198, Failed: 3},
		Tokens:         stats.Tokens{Source: record.SourceUsage},
		TokensPerChunk: 1,
		Throughput:     stats.Throughput{Requests: 8.14, Input: 4168, InputKnown: true, Output: 3914, Total: 8082},
		Score:          slo.Tally{OK: 1198, Failed: 3, Good: 1048, Missed: [4]int{121, 42, 0}, Measured: [4]int{1198, 1198, 1198}},
		Goodput:        7.1, GoodputKnown: true,
	}
	s.Stage = s.Live
	s.Stage.Spans, s.Stage.Settled = 28*time.Second, 5*time.Second
	s.History = History(elapsed, at)
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
		s.GPUHistory = append(s.GPUHistory, snapshot.GPUPoint{
			At: p.At, SMActivePercent: 100 * load, UtilPercent: min(100, 108*load), MemUsedFraction: 0.45 + 0.27*load,
		})
	}
	return s
}

// History is a trend in which load doubled twice, 118 and 33 seconds ago.
func History(seconds int, at record.Instant) []stats.Point {
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
			TTFTP50: MS((60 + 32*level) * shake(.12)), TTFTP95: MS((90 + 48*level) * shake(.2)),
			TPOTP50: MS(10 + 1.55*level), TPOTP95: MS(11 + 2.1*level),
			ITLP50: MS((10 + 1.6*level) * shake(.05)), ITLP95: MS((12 + 2.3*level) * shake(.09)),
			OutputTokens: 4600 * (1 - math.Exp(-level/2)) * shake(.08),
			Attainment:   min(1, max(0, 1.06-0.045*level+0.02*wander/3)),
			InFlight:     int(8 * level), Waiting: int(1.4 * level), Stage: int(level),
		})
	}
	return points
}

// Open is an open loop that the server can't follow.
func Open() *snapshot.Snapshot {
	s := Busy()
	s.Knobs.Load = load.Setting{Mode: load.Open, Rate: 12, Arrival: load.Poisson, Concurrency: 32, MaxInFlight: 64}
	s.Backlog = 1204
	s.InFlight = stats.InFlight{Total: 64, Waiting: 21, Decoding: 43, OldestWait: MS(1840), Oldest: MS(12_400)}
	s.Live.TTFTFromSchedule = distribution(1204, 1900, 3100, 3300, 3420, 3600, 1980)
	s.Live.DispatchLag = distribution(1198, 1400, 2600, 2800, 2950, 3100, 1440)
	s.Marks = append(s.Marks[:1:1], snapshot.Mark{At: s.Marks[1].At, Label: "open 12 req/s"})
	return s
}

// Canaried is a busy run with a canary, of which two failed, and a few were left out.
func Canaried() *snapshot.Snapshot {
	s := Busy()
	s.Knobs.Canary = 1
	f := snapshot.CanaryFigures{
		OK: 26, Failed: 2, Skipped: 3, Problem: "the server answered 503: overloaded",
		TTFT:        stats.Distribution{N: 26, Mean: MS(92), P50: MS(83.1), P90: MS(120), P95: MS(180), P99: MS(412), Max: MS(412)},
		E2EL:        stats.Distribution{N: 26, Mean: MS(420), P50: MS(402), P90: MS(510), P95: MS(610), P99: MS(933), Max: MS(933)},
		DispatchLag: stats.Distribution{N: 26, P50: MS(0.1), P99: MS(14)},
	}
	s.Canary = &snapshot.Canary{Live: f, Run: f}
	s.Canary.Run.OK = 290
	return s
}

// Settling is the moments after a change.
func Settling() *snapshot.Snapshot {
	s := Busy()
	s.Live.Settling, s.Stage.Settling = true, true
	s.Stage.Spans = 3 * time.Second
	s.Problems, s.Counts.Failed, s.Live.Requests.Failed = nil, 0, 0
	s.Live.TTFT.N, s.Live.TPOT.N, s.Live.E2EL.N = 14, 9, 9
	return s
}

// Starting is a run that knows nothing yet.
func Starting() *snapshot.Snapshot {
	b := Busy()
	return &snapshot.Snapshot{
		At: 1, State: snapshot.Probing, Endpoint: endpoint.Profile{URL: b.Endpoint.URL}, Knobs: b.Knobs,
	}
}

// Paused is a run whose load stands still.
func Paused() *snapshot.Snapshot {
	s := Busy()
	s.State, s.Knobs.Paused = snapshot.Paused, true
	return s
}

// NoSLO is a run without limits.
func NoSLO() *snapshot.Snapshot {
	s := Busy()
	s.Knobs.SLO = slo.Criteria{}
	s.Live.GoodputKnown = false
	for i := range s.History {
		s.History[i].Attainment = math.NaN()
	}
	return s
}

// Failing is an endpoint that refuses half of what it is asked, and says so in a way that must not reach the terminal raw.
func Failing() *snapshot.Snapshot {
	s := Busy()
	s.Simulated, s.GPU, s.GPUHistory = false, nil, nil
	s.Insecure = true
	s.Counts = stats.Counts{Started: 2410, OK: 1198, Failed: 1180}
	s.Live.Requests = stats.Counts{Started: 1201, OK: 601, Failed: 600}
	s.Live.Score = slo.Tally{OK: 601, Failed: 600, Good: 560, Missed: [4]int{41, 0, 0}, Measured: [4]int{601, 601, 601}}
	s.Problems = []stats.Problem{
		{Kind: record.KindHTTP429, Status: 429, Count: 1100, Example: "Rate limit\x1b[31m reached\nfor gpt-4o \u202eevil: try again in 20 s", Last: s.At},
		{Kind: record.KindTruncated, Count: 80, Example: "the stream ended without a finish_reason", Last: s.At.Add(-2 * time.Second)},
	}
	return s
}

// Eventful is Failing with what led to it.
func Eventful() *snapshot.Snapshot {
	s := Failing()
	s.Begun, s.Started = record.Instant(1), time.Date(2026, 5, 4, 13, 59, 7, 0, time.UTC)
	for i := range s.Problems {
		s.Problems[i].First = s.Begun.Add(time.Duration(70+20*i) * time.Second)
	}
	long := "the first HTTP 429: " + s.Problems[0].Example + "; " + strings.Repeat("a proxy has more to say of that, ", 4) + "and that is all"
	for _, e := range []struct {
		at     int
		topic  snapshot.Topic
		weight snapshot.Weight
		text   string
	}{
		{0, snapshot.OfRun, snapshot.Neutral, "the load begins: c=8, 512 in, 480±64 out"},
		{5, snapshot.OfStage, snapshot.Neutral, "stage 1 has settled after 5.1 s: it is measured from here on"},
		{31, snapshot.OfVerdict, snapshot.Good, "stage 1 holds the SLO: 99.2 % of 131 requests"},
		{43, snapshot.OfLoad, snapshot.Neutral, "load: c=8 → c=16"},
		{43, snapshot.OfStage, snapshot.Neutral, "stage 2 begins: c=16, 512 in, 480±64 out"},
		{70, snapshot.OfFailure, snapshot.Bad, long},
		{71, snapshot.OfFailure, snapshot.Bad, "10 requests have failed so by now: HTTP 429"},
		{72, snapshot.OfEndpoint, snapshot.Caution, "a refused request was sent again: from now on attempts are counted"},
		{128, snapshot.OfMark, snapshot.Neutral, "prefix cache off"},
		{130, snapshot.OfAdvice, snapshot.Neutral, "the server turns requests away: less load, or more replicas"},
	} {
		s.Events = append(s.Events, snapshot.Event{At: s.Begun.Add(time.Duration(e.at) * time.Second), Topic: e.topic, Weight: e.weight, Text: e.text})
	}
	return s
}

// Down is an endpoint that has died nine seconds ago, and its client, which holds back.
func Down() *snapshot.Snapshot {
	s := Busy()
	s.Outage = snapshot.Outage{Since: s.At.Add(-9 * time.Second), Rest: 4500 * time.Millisecond}
	s.InFlight = stats.InFlight{}
	s.Counts.Failed = 73
	s.Live.Requests = stats.Counts{Started: 170, OK: 100, Failed: 70}
	s.Live.Score = slo.Tally{OK: 100, Failed: 70, Good: 100, Measured: [4]int{100, 100, 100}}
	s.Problems = append([]stats.Problem{{
		Kind: record.KindConnect, Count: 70, Last: s.At.Add(-2 * time.Second),
		Example: "nothing listens on localhost:8000 (connection refused); is the server running?",
	}}, s.Problems...)
	s.Problems[1].Last = s.At.Add(-40 * time.Second)
	return s
}

// Estimated is a server that counts no tokens.
func Estimated() *snapshot.Snapshot {
	s := Busy()
	s.Live.Tokens.Source, s.Stage.Tokens.Source = record.SourceEstimated, record.SourceEstimated
	s.Live.TokensPerChunk = 1.94
	s.Endpoint.Dropped = []string{"the server takes no ignore_eos: answers may be shorter than asked for"}
	return s
}

// Strained is a client that reads late.
func Strained() *snapshot.Snapshot {
	s := Busy()
	s.Health = snapshot.Health{Verdict: health.Strained, Reason: "client lag p99 14ms: bytes lie unread in the kernel"}
	return s
}

// ClientBound is one that can't keep up, with reasoning that is billed but not shown.
func ClientBound() *snapshot.Snapshot {
	s := Busy()
	s.Live.Hidden = 12
	s.Health = snapshot.Health{Verdict: health.ClientBound, Reason: "scheduler latency p99 240ms: goroutines wait for a processor"}
	return s
}

// Ended is a run that is over.
func Ended() *snapshot.Snapshot {
	s := Busy()
	s.State, s.Elapsed, s.InFlight = snapshot.Ended, 5*time.Minute, stats.InFlight{}
	return s
}

// Broken is one that ended with an error.
func Broken() *snapshot.Snapshot {
	s := Ended()
	s.Err = errors.New("the endpoint closed every connection for 30 s; is it still running?")
	return s
}

// EightGPUs is a machine with more accelerators than most panels have lines, one of them lost.
func EightGPUs() *snapshot.Snapshot {
	s := Busy()
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

// Still is a clock that stands.
func Still() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// Quiet is a run of which there is nothing to say.
func Quiet() *snapshot.Snapshot {
	s := Busy()
	s.Problems = nil
	return s
}
