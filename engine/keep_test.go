package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/advice"
	"tokdyno/engine/endpoint"
	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/server"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// TestPiecesComeBack writes what a snapshot shows beside the requests as a recording does, and reads it again.
func TestPiecesComeBack(t *testing.T) {
	at := time.Date(2026, 11, 30, 4, 25, 23, 5, time.UTC)
	want := &snapshot.Snapshot{
		Endpoint: endpoint.Profile{URL: "http://h/v1", Model: "m", Dropped: []string{"a"}, Temperature: true},
		Endpoints: []snapshot.EndpointLine{{
			Profile: endpoint.Profile{URL: "http://i/v1"}, OK: 3, TTFT: stats.Distribution{N: 3, P50: 5}, OutputPerSecond: 1.5,
		}},
		Thinking: 1, Backlog: 2, Dropped: 3, Abandoned: 4, Retried: 5, Shed: 6, Unspoken: 7, Malformed: "some",
		Again:   endpoint.Again{Attempts: 2, Refused: []endpoint.Refused{{Refusal: endpoint.Refusal{Status: 429, Example: "many"}, Count: 2}}},
		Answers: snapshot.AnswerLengths{Asked: 9, N: 4},
		Health:  snapshot.Health{Verdict: health.Strained, Reason: "why", Figures: health.Figures{CPUCores: math.NaN(), Cores: 2}},
		Client:  snapshot.Client{Health: snapshot.Health{Figures: health.Figures{CPUCores: 1.5}}, Stamps: "kernel", Reconnects: 2, Closed: 3},
		Outage:  snapshot.Outage{Since: 5, Rest: time.Second},
		Prompts: snapshot.PromptLengths{Method: snapshot.ByUsage, Asked: 5, N: 2},
		Stages:  []snapshot.StageRow{{Number: 2, Prompts: snapshot.PromptLengths{N: 7}, Answers: snapshot.AnswerLengths{N: 8}}},
		Pilot: &snapshot.PilotView{Kind: snapshot.Ladder, Axis: stage.Concurrency, Why: "w", Progress: stage.Progress{
			Rungs: []stage.Rung{{Level: 2, State: stage.Held, Share: 0.1}}, Left: 3, LeftKnown: true,
		}, Result: stage.Result{Found: true, Level: 8}, Finished: true, Whole: true},
		Advice: []advice.Advice{{Rule: "r", Sentence: "s", Evidence: "e"}},
		Err:    errors.New("over"),
		GPU: &gpu.Reading{At: at, Source: "nvml", Devices: []gpu.Device{{
			UUID: "GPU-1", UtilPercent: optional.Of(50), SMActive: optional.NA("permission"), Age: 4 * time.Second,
			ClockReasons: gpu.ClockReasonsKnown | gpu.ClockPowerCap,
		}}},
		Server: &server.Reading{At: at, Err: errors.New("no answer"), Metrics: server.Metrics{
			At: at, Each: []server.Replica{{URL: "http://i", KVUsage: optional.Of(0.4), Waiting: optional.NA("none")}},
			Running: optional.Of(4), Waiting: optional.NA("none"), TTFT: server.Histogram{Histogram: promtext.Histogram{
				Sum: 3, Count: 2, Buckets: []promtext.Bucket{{UpperBound: 0.5, Count: 1}, {UpperBound: math.Inf(1), Count: 2}},
			}}, QueueTime: server.Histogram{NA: "not on the page"},
		}},
	}
	var kept shownPieces
	var readings []keptReading
	for _, piece := range pieces(want, []heard{{At: 5, GPU: want.GPU}, {At: 6, Server: want.Server}}) {
		text, err := json.Marshal(piece.Value)
		if err != nil {
			t.Fatalf("%s: %v", piece.Name, err)
		}
		if piece.Name == pieceReadings {
			err = json.Unmarshal(text, &readings)
		} else {
			err = kept.take(piece.Name, text)
		}
		if err != nil {
			t.Fatalf("%s: %v", piece.Name, err)
		}
	}
	got := &snapshot.Snapshot{Stages: []snapshot.StageRow{{Number: 2}}, GPU: readings[0].GPU, Server: readings[1].Server.reading()}
	kept.show(got)
	sentences := cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error()) })
	optionals := cmp.Comparer(func(a, b optional.Value) bool {
		return a.OK() == b.OK() && a.V == b.V && (a.OK() || a.Why() == b.Why())
	})
	inside := cmpopts.IgnoreUnexported(stage.Rung{}, endpoint.Refusal{}) // what a pilot at work alone needs
	nans := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
	for name, pair := range map[string][2]any{
		"endpoint": {want.Endpoint.Model, got.Endpoint.Model}, "endpoints": {len(want.Endpoints), len(got.Endpoints)},
		"line": {want.Endpoints[0].TTFT, got.Endpoints[0].TTFT}, "health": {want.Health, got.Health}, "client": {want.Client, got.Client},
		"outage": {want.Outage, got.Outage}, "prompts": {want.Prompts, got.Prompts}, "stage": {want.Stages[0].Prompts, got.Stages[0].Prompts}, "again": {want.Again, got.Again},
		"answers": {[]snapshot.AnswerLengths{want.Answers, want.Stages[0].Answers}, []snapshot.AnswerLengths{got.Answers, got.Stages[0].Answers}},
		"pilot":   {want.Pilot, got.Pilot}, "advice": {want.Advice, got.Advice}, "error": {want.Err, got.Err},
		"accelerators": {want.GPU, got.GPU}, "server": {want.Server, got.Server},
		"dropped": {[]string(want.Endpoint.Dropped), []string(got.Endpoint.Dropped)}, "said": {want.Malformed, got.Malformed},
		"pool": {[]int{1, 2, 3, 4, 5, 6, 7}, []int{got.Thinking, got.Backlog, got.Dropped, got.Abandoned, got.Retried, got.Shed, got.Unspoken}},
	} {
		if diff := cmp.Diff(pair[0], pair[1], sentences, optionals, nans, inside); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestKnobsComeBack(t *testing.T) {
	objectives, err := slo.ParseObjectives("ttft p99 <= 500ms over 5m for 99.9%; errors <= 1%")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]snapshot.Knobs{
		"closed": {
			Load:  load.Setting{Mode: load.Closed, Concurrency: 8, Ramp: load.Ramp{Kind: load.Linear, Over: time.Second}},
			Shape: shape.Shape{Prompt: shape.Uniform(3, 9), Output: shape.Lognormal(100, 50), Turns: shape.Fixed(3), Think: time.Second, Text: shape.Words},
			SLO:   slo.Criteria{slo.TTFT: time.Second}, Target: 0.95, Objectives: objectives, Window: stats.ThisStage,
		},
		"open": {
			Load:  load.Setting{Mode: load.Open, Rate: 2.5, Arrival: load.Gamma(2), MaxInFlight: 9},
			Shape: shape.Shape{Prompt: shape.Fixed(3), Output: shape.Normal(50, 5), PrefixOverlap: 0.3, Prefixes: 4}, Target: 1, Paused: true,
		},
		"files": {
			Load:  load.Setting{Mode: load.Replay, Timetable: keptFile{Named: "trace.jsonl", Hashed: "abc"}, Speed: 2},
			Shape: shape.Shape{Data: keptFile{Named: "data.jsonl", Hashed: "def", Items: 4}, Output: shape.Fixed(7)}, Target: 1,
		},
	} {
		text, err := json.Marshal(keptKnobsOf(want))
		if err != nil {
			t.Fatal(err)
		}
		var kept keptKnobs
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		if got, err := kept.knobs(); err != nil || got != want || got.ShapeHash() != want.ShapeHash() {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
}

// TestBytesOfASecondOfTelemetry keeps a minute of eight accelerators and a server, of which most of what moves does so in
// every reading, and holds it against what a second may take.
func TestBytesOfASecondOfTelemetry(t *testing.T) { synctest.Test(t, bytesOfASecond) }

func bytesOfASecond(t *testing.T) {
	const seconds, most = 60, 2048
	path := filepath.Join(t.TempDir(), "run.tdr")
	recorder, err := runfile.Create(path, runfile.Header{}, runfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	around := func(v float64) optional.Value { return optional.Of(math.Round(v * (0.97 + 0.06*rng.Float64()))) }
	s := &snapshot.Snapshot{Endpoint: endpoint.Profile{URL: "http://127.0.0.1:8000/v1", Model: "m"}, Stages: []snapshot.StageRow{{Number: 1}}}
	started := time.Date(2026, 11, 30, 4, 25, 23, 123456789, time.UTC)
	for i := range seconds {
		reading := &gpu.Reading{At: started.Add(time.Duration(i) * 1003 * time.Millisecond), Source: "nvml"}
		for n := range 8 {
			reading.Devices = append(reading.Devices, gpu.Device{
				Index: n, UUID: fmt.Sprintf("GPU-5f3c8a1e-92b4-4d7c-8e61-0a9b7c5d%04d", n), Name: "NVIDIA H200",
				MemUsedMiB: optional.Of(128_512), MemTotalMiB: optional.Of(143_771), MemReservedMiB: optional.Of(512),
				UtilPercent: around(95), MemCopyUtil: around(60), SMActive: around(90), SMOccupancy: around(30),
				TensorActive: around(40), DRAMActive: around(70), PowerW: around(640), PowerLimitW: optional.Of(700),
				EnergyJ: optional.Of(float64(i*640) + rng.Float64()), TempC: around(66), SMClockMHz: around(1900),
				SMClockMaxMHz: optional.Of(1980), MemClockMHz: optional.Of(3201), ClockReasons: gpu.ClockReasonsKnown,
				PCIeTXMiBs: around(200), PCIeRXMiBs: around(300), NVLinkTXMiBs: around(20_000), NVLinkRXMiBs: around(20_000),
				XID: optional.NA(gpu.ReasonNotInSource),
			})
		}
		served := &server.Reading{At: reading.At, Metrics: server.Metrics{
			At: reading.At, URL: "http://127.0.0.1:8000/metrics", Running: around(64), Waiting: around(10), KVUsage: optional.Of(rng.Float64()),
			PromptTokens: optional.Of(float64(i * 40_000)), GenerationTokens: optional.Of(float64(i*3000 + rng.IntN(99))),
		}}
		for bound := range 20 {
			served.Metrics.TTFT.Buckets = append(served.Metrics.TTFT.Buckets, promtext.Bucket{
				UpperBound: float64(bound) / 10, Count: float64(i*bound + rng.IntN(9)),
			})
		}
		served.Metrics.QueueTime = served.Metrics.TTFT
		s.At = record.Instant(i+1) * record.Instant(time.Second)
		s.Health.CPUCores, s.Health.LagP99 = 0.1+0.01*rng.Float64(), time.Duration(rng.IntN(1e6))
		s.Client.Health = s.Health
		recorder.Folding(s.At)
		list := pieces(s, []heard{{At: s.At, GPU: reading}, {At: s.At, Server: served}})
		recorder.Tick(s.At, func() []runfile.Piece { return list })
		synctest.Wait() // or the disk would be slow
	}
	if err := recorder.Close(nil, runfile.End{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if perSecond := info.Size() / seconds; perSecond > most {
		t.Errorf("%d bytes a second, want at most %d", perSecond, most)
	} else {
		t.Logf("%d bytes a second", perSecond)
	}
}
