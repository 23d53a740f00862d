package engine

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/runfile"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/sim"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu/optional"
)

// keptIn has a run be kept in a file of a temporary folder.
func keptIn(t *testing.T, cfg *Config, opt runfile.Options) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "run.tdr")
	cfg.Keep = &Keep{Version: "test", Open: func(h runfile.Header) (*runfile.Recorder, error) {
		return runfile.Create(path, h, opt)
	}}
	return path
}

func playerOf(t *testing.T, path string) *Player {
	t.Helper()
	p, err := NewPlayer(func() (io.ReadCloser, error) { return os.Open(path) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// What turnedRun goes on for at least: requests that completed, and those of the canary.
const leastRequests, leastCanary = 40, 10

// turnedRun runs a load at which everything is turned, and returns every moment of it.
func turnedRun(t *testing.T, opt runfile.Options) (moments []*snapshot.Snapshot, path string) {
	t.Helper()
	faults, err := sim.ParseFaults([]string{"truncate_mid=4%:5"})
	if err != nil {
		t.Fatal(err)
	}
	profile := sim.Profiles()[0]
	profile.DraftTokens, profile.DraftAcceptance = 2, 0.7
	simulator := startSimulator(t, sim.Config{Faults: faults, Profile: profile})
	cfg := closedLoop(simulator.URL(), 6)
	cfg.Knobs.Load.Together = false
	cfg.Knobs.Canary = snapshot.MaxCanary
	source := SimulatedGPU(simulator)
	defer source.Close()
	cfg.GPU = source
	cfg.Prices = snapshot.Prices{GPUHour: 2}
	if cfg.Metrics, err = scrape.New(simulator.URL(), scrape.Options{}); err != nil {
		t.Fatal(err)
	}
	defer cfg.Metrics.(*scrape.Source).Close()
	if cfg.Knobs.Objectives, err = slo.ParseObjectives("ttft p90 <= 30ms over 2s for 99%"); err != nil {
		t.Fatal(err)
	}
	path = keptIn(t, &cfg, opt)
	eng, ended := runInBackground(t, cfg)
	eng.mu.Lock()
	eng.always = true // or the live window is older than the moment where it takes long, as when the process is starved
	eng.mu.Unlock()
	turn := func(change func(*snapshot.Knobs)) func() {
		return func() {
			k := eng.Snapshot().Knobs
			change(&k)
			if err := eng.Apply(k); err != nil {
				t.Error(err)
			}
		}
	}
	due := []func(){
		turn(func(k *snapshot.Knobs) { k.Load.Concurrency = 12 }),
		turn(func(k *snapshot.Knobs) {
			k.SLO = slo.Criteria{slo.TTFT: 15 * time.Millisecond, slo.TPOT: 3 * time.Millisecond}
		}),
		func() { eng.Mark("here") },
		turn(func(k *snapshot.Knobs) { k.Paused = true }),
		turn(func(k *snapshot.Knobs) { k.Paused = false }),
		eng.NewStage,
		turn(func(k *snapshot.Knobs) { k.Window = stats.WholeRun }),
		turn(func(k *snapshot.Knobs) {
			k.Load = load.Setting{Mode: load.Open, Rate: 80, Arrival: load.Poisson, MaxInFlight: 9}
		}),
		eng.Stop,
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for done := 0; ; {
		select {
		case <-ended:
			return append(moments, eng.Snapshot()), path
		case <-ticker.C:
		}
		s := eng.Snapshot()
		if n := len(moments); s.Elapsed > 0 && (n == 0 || moments[n-1].At != s.At) {
			moments = append(moments, s)
		}
		last := done == len(due)-1
		if last && (s.Canary == nil || s.Canary.Run.OK < leastCanary || s.Counts.OK < leastRequests) {
			continue // the machine is busy
		}
		if done < len(due) && s.Elapsed > time.Duration(done+1)*300*time.Millisecond {
			due[done]()
			done++
		}
	}
}

// alike compares moments of a run and of its recording. What may differ, and by how much:
//
//   - gaps between chunks by a microsecond, so percentiles of ITL and chunk gaps by that and one bucket, 0.8 %
//   - the trend's, from the same histograms, likewise; how ITL is spread by that and one of its buckets, 6.3 %
//   - rates by what floats lose when the same is added in another order
//   - whether requests move in step is computed anew once a second, counted from when it was asked first
//   - the live window of a run is computed less often where that takes long, unless it is always to be
//   - a reading of machines that comes while a moment is being made is in it, and in the recording in the next
//   - between readings of machines, time is by the wall clock
//   - what is kept once a second is up to a second older, and so is what follows from it; see the test for the end
func alike(t *testing.T, ended bool) cmp.Options {
	t.Helper()
	near := func(a, b time.Duration) bool {
		return math.Abs(float64(a-b)) <= 2000+0.008*math.Max(float64(a), float64(b))
	}
	within := func(names ...string) func(cmp.Path) bool {
		return func(p cmp.Path) bool {
			return slices.ContainsFunc(p, func(step cmp.PathStep) bool {
				f, ok := step.(cmp.StructField)
				return ok && slices.Contains(names, f.Name())
			})
		}
	}
	close := func(a, b, by float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= by*math.Max(math.Abs(a), math.Abs(b))
	}
	machines := within("Telemetry", "Efficiency", "Spent")
	figures := func(p cmp.Path) bool { return !machines(p) }
	opts := cmp.Options{
		cmp.FilterPath(within("ITL", "ChunkGap", "ITLP50", "ITLP95"), cmp.Options{cmp.Comparer(near), cmp.Comparer(spreadAlike)}),
		cmp.FilterPath(figures, cmp.Comparer(func(a, b float64) bool { return close(a, b, 1e-9) })),
		cmp.FilterPath(machines, cmp.Options{
			cmp.Comparer(func(a, b float64) bool { return close(a, b, 1e-4) }),
			cmp.Comparer(func(a, b time.Duration) bool { return close(float64(a), float64(b), 1e-4) }),
			cmp.Comparer(func(a, b optional.Value) bool { return a.OK() == b.OK() && close(a.V, b.V, 1e-4) }),
		}),
		cmp.FilterPath(figures, cmp.Comparer(func(a, b optional.Value) bool { return a.V == b.V && a.Why() == b.Why() })),
		cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
		cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error()) }),
		cmp.Comparer(func(a, b record.Count) bool { return a == b }),
		cmp.Comparer(func(a, b slo.Objectives) bool { return a == b }),
		cmpopts.EquateComparable(snapshot.Knobs{}),
		cmpopts.IgnoreFields(snapshot.Snapshot{}, "Kept", "Replay", "Enough"),
		cmpopts.IgnoreFields(stats.Summary{}, "InStep"),
		cmpopts.IgnoreFields(stats.Clumps{}, "Late"), // the client's health is kept a second apart
	}
	if !ended {
		opts = append(opts,
			cmpopts.IgnoreFields(snapshot.Snapshot{}, "Endpoint", "Endpoints", "Thinking", "Backlog", "Dropped", "Abandoned", "Retried",
				"Malformed", "Health", "Client", "Outage", "Prompts", "Answers", "Again", "Shed", "Unspoken", "Pilot", "Advice",
				"Simulated", "GPU", "Server", "Telemetry", "Spent", "Speculation", "Canary"),
			cmpopts.IgnoreFields(snapshot.StageRow{}, "Prompts", "Answers", "Telemetry", "Efficiency"))
	}
	return append(opts,
		cmpopts.IgnoreFields(endpoint.Profile{}, "ProbeTokens"),                  // nobody shows it
		cmpopts.IgnoreFields(snapshot.Snapshot{}, "GPUHistory", "ServerHistory")) // their points begin with the first snapshot, not with the load
}

// spreadAlike reports whether no value lies further from its place in the other than a microsecond and a bucket.
func spreadAlike(a, b stats.Spread) bool {
	covers := func(a, b []stats.Step) bool {
		for _, s := range a {
			far := s.Within + s.Within/16 + 2*time.Microsecond
			if i := slices.IndexFunc(b, func(o stats.Step) bool { return o.Within >= far }); i >= 0 && b[i].Share < s.Share-1e-9 {
				return false
			}
		}
		return true
	}
	one, other := a.Cumulative(), b.Cumulative()
	return (one == nil) == (other == nil) && covers(one, other) && covers(other, one)
}

// TestARecordingShowsWhatTheRunShowed holds every moment of a run against the same moment of its recording.
func TestARecordingShowsWhatTheRunShowed(t *testing.T) {
	t.Parallel()
	off := 0
	moments, path := turnedRun(t, runfile.Options{})
	p := playerOf(t, path)
	for i, want := range moments {
		last := i == len(moments)-1
		if err := p.Seek(want.Elapsed); err != nil {
			t.Fatal(err)
		}
		if last {
			if err := p.Finish(); err != nil {
				t.Fatal(err)
			}
		}
		got := p.Snapshot()
		if got.At != want.At {
			t.Fatalf("seeking to %v shows %v", want.At, got.At)
		}
		opts := alike(t, last)
		if diff := cmp.Diff(want, got, opts); diff != "" {
			if off++; off < 4 {
				t.Errorf("at %v, the recording differs (-run +recording):\n%s", want.Elapsed, diff)
			}
		}
	}
	end := moments[len(moments)-1]
	if len(moments) < 15 || len(end.Stages) < 4 || end.Counts.Failed == 0 || end.Counts.OK < leastRequests || end.GPU == nil || end.Server == nil {
		t.Errorf("%d moments, %d stages, %+v: too little to compare", len(moments), len(end.Stages), end.Counts)
	}
	if c := end.Canary; c == nil || c.Run.OK < leastCanary || c.Live.Of() != c.Run.Of() || p.Snapshot().Canary == nil {
		t.Errorf("canary %+v: too little to compare", c)
	}
	if spec := &end.Speculation; !spec.Known() || len(spec.Positions) != 2 || end.Live.TokensPerChunk < 1.2 {
		t.Errorf("%.2f tokens per chunk, speculation %+v: the server drafts two tokens a step", end.Live.TokensPerChunk, spec)
	}
	was, is := run.NewReport(end, "test"), run.NewReport(p.Snapshot(), "test")
	if was.Requests != is.Requests || *was.TTFT.P50 != *is.TTFT.P50 || *was.Throughput.Output != *is.Throughput.Output {
		t.Errorf("the report differs: %+v, %+v", was.Figures, is.Figures)
	}
	t.Logf("%d of %d moments differ", off, len(moments))
}

func TestSeekingGoesAnywhere(t *testing.T) {
	t.Parallel()
	end, path := shortRun(t)
	p, q := playerOf(t, path), playerOf(t, path)
	for _, at := range []time.Duration{shortRunTakes * 2 / 3, shortRunTakes / 6, 0, shortRunTakes - 50*time.Millisecond, time.Hour, -time.Hour, shortRunTakes / 3} {
		if err := p.Seek(at); err != nil {
			t.Fatal(err)
		}
		if err := q.rewound(at); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(q.Snapshot(), p.Snapshot(), alike(t, true)); diff != "" {
			t.Errorf("at %v, seeking and playing differ:\n%s", at, diff)
		}
	}
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	if s := p.Snapshot(); s.State != snapshot.Ended || s.Counts != end.Counts || s.Replay.Note != "" || s.Replay.At != s.Replay.Length {
		t.Errorf("at the end: %s, %+v, %+v", s.State, s.Counts, s.Replay)
	}
	if err := p.Jump(-1); err != nil || p.Snapshot().Elapsed != 0 || p.Snapshot().State != snapshot.Running {
		t.Errorf("before the first stage: %v, %v, %s", err, p.Snapshot().Elapsed, p.Snapshot().State)
	}
}

// rewound plays from the beginning to a time.
func (p *Player) rewound(at time.Duration) error {
	p.mu.Lock()
	err := p.rewind()
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return p.on(at)
}

// on plays on to a time.
func (p *Player) on(at time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.to(p.settings.Start.Add(max(at, 0)))
}

// TestARecordingWithoutGaps keeps a made-up run twice, once without the gaps between chunks. Where these are known, a recording
// shows what the run has shown, as other tests prove.
func TestARecordingWithoutGaps(t *testing.T) {
	t.Parallel()
	played := func(opt runfile.Options) *stats.Summary {
		p := playerOf(t, longRun{Requests: 600, PerS: 20, Chunks: 16, StageS: 60, Options: opt}.write(t, t.TempDir()))
		if err := p.Finish(); err != nil {
			t.Fatal(err)
		}
		return p.Snapshot().Stages[0].Summary
	}
	want, got := played(runfile.Options{}), played(runfile.Options{NoGaps: true})
	if got.TTFT != want.TTFT || got.TPOT != want.TPOT || got.E2EL != want.E2EL || want.TTFT.N == 0 {
		t.Errorf("latencies %+v, want %+v", got.TTFT, want.TTFT)
	}
	// Chunks are spread evenly between two that are known.
	a, b := want.ITL, got.ITL
	if a.N == 0 || math.Abs(float64(a.N-b.N)) > 0.02*float64(a.N) || math.Abs(float64(a.P50-b.P50)) > 0.05*float64(a.P50) {
		t.Errorf("ITL %+v, want %+v", b, a)
	}
	if a == b {
		t.Error("the gaps were kept")
	}
	if out := got.Throughput.Output; math.Abs(out-want.Throughput.Output) > 0.05*out {
		t.Errorf("output %v, want %v", out, want.Throughput.Output)
	}
}

// TestARecordingIsScoredAnew turns an SLO of a recording, which nothing in the run takes back.
func TestARecordingIsScoredAnew(t *testing.T) {
	t.Parallel()
	end, path := shortRun(t)
	p := playerOf(t, path)
	if err := p.Seek(shortRunTakes / 3); err != nil {
		t.Fatal(err)
	}
	k := p.Snapshot().Knobs
	k.SLO = slo.Criteria{slo.TTFT: time.Nanosecond}
	if err := p.Apply(k); err != nil {
		t.Fatal(err)
	}
	if a, ok := p.Snapshot().Stage.Score.Attainment(k.SLO); !ok || a != 0 {
		t.Errorf("attainment %v, %v, want 0", a, ok)
	}
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	s := p.Snapshot()
	if a, ok := s.Stage.Score.Attainment(k.SLO); !ok || a != 0 || s.Knobs.SLO != k.SLO || s.Counts != end.Counts {
		t.Errorf("at the end: attainment %v, %v, SLO %v", a, ok, s.Knobs.SLO)
	}
	k.Load.Concurrency++
	if err := p.Apply(k); err == nil || !strings.Contains(err.Error(), "recording") {
		t.Errorf("turning its load: %v", err)
	}
}

// TestARunThatWasKilled is shown up to its last second, and says that it was cut short.
func TestARunThatWasKilled(t *testing.T) {
	t.Parallel()
	_, path := shortRun(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	p := playerOf(t, path)
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	s := p.Snapshot()
	if s.State != snapshot.Ended || s.Counts.OK < 20 || s.Replay.Note == "" || s.Elapsed == 0 || s.Elapsed != s.Replay.At {
		t.Errorf("%s after %v, %+v, %+v", s.State, s.Elapsed, s.Counts, s.Replay)
	}
	if r := run.NewReport(s, "test"); r.Requests.OK != s.Counts.OK || r.TTFT.N == 0 {
		t.Errorf("report %+v", r.Figures)
	}
}

// TestADamagedRecordingIsPlayedUpToTheDamage cuts and changes a recording anywhere. What is shown of it is what the run had
// counted by then, or it is refused.
func TestADamagedRecordingIsPlayedUpToTheDamage(t *testing.T) {
	t.Parallel()
	end, path := shortRun(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 60 {
		damaged := slices.Clone(data)
		if i%2 == 0 {
			damaged = damaged[:rng.IntN(len(data))]
		} else {
			damaged[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
		p, err := NewPlayer(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(damaged)), nil })
		if err != nil {
			continue
		}
		if err := p.Finish(); err != nil {
			t.Fatal(err)
		}
		s := p.Snapshot()
		p.Close()
		if s.Counts.OK > end.Counts.OK || s.Counts.Failed > 0 || s.Replay.Note == "" && s.Counts != end.Counts {
			t.Errorf("%+v, %q, of %+v", s.Counts, s.Replay.Note, end.Counts)
		}
	}
}
