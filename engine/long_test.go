package engine

import (
	"container/heap"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/server"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// longRun is a run that is made up, and kept as a run is: by a ledger and its keeper.
type longRun struct {
	Requests int
	PerS     int // requests a second
	Chunks   int // of an answer, on average
	StageS   int // how long a stage is, of which there is one after the other
	Options  runfile.Options
}

// hour is the longest run that anything is promised of.
func hour() longRun { return longRun{Requests: 1_000_000, PerS: 280, Chunks: 16, StageS: 400} }

// countedFile is a file that counts what is written to it, and leaves it to the system when that comes to the disk.
type countedFile struct {
	*os.File
	writes atomic.Int64
}

func (f *countedFile) Write(p []byte) (int, error) {
	defer f.writes.Add(1)
	return f.File.Write(p)
}

func (f *countedFile) Sync() error { return nil }

// made is a request of a run that is made up.
type made struct {
	next    record.Instant // when it does something
	rec     *record.Record
	running *stats.Running
	left    int
}

type agenda []*made

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].next < a[j].next }
func (a agenda) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)        { *a = append(*a, x.(*made)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// write makes the run, and returns its file.
func (r longRun) write(tb testing.TB, folder string) (path string) {
	tb.Helper()
	path = filepath.Join(folder, "long.tdr")
	const tick = record.Instant(100 * time.Millisecond)
	rng := rand.New(rand.NewPCG(7, 7))
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	disk := &countedFile{File: file}
	cfg := Config{Endpoint: wire.Endpoint{URL: "http://127.0.0.1:1/v1"}}
	cfg.Keep = &Keep{Version: "test", Open: func(h runfile.Header) (*runfile.Recorder, error) {
		return runfile.Record(disk, h, r.Options)
	}}
	cfg.Knobs = snapshot.Knobs{
		Load:  load.Setting{Mode: load.Closed, Concurrency: 8},
		Shape: shape.Shape{Prompt: shape.Fixed(100), Output: shape.Fixed(r.Chunks)},
		SLO:   slo.Criteria{slo.TTFT: 200 * time.Millisecond}, Target: 0.99, Window: stats.Last30s,
	}
	now := record.Instant(1000)
	at := time.Date(2026, 11, 30, 4, 0, 0, 0, time.UTC)
	l := ledger{
		keep: newKeeper(&cfg, now), state: snapshot.Running, collector: stats.NewCollector(now, stats.Inverted, cfg.Knobs.SLO),
		points: points{target: cfg.Knobs.Target},
	}
	l.telemetry.wall = func() time.Time { return at }
	l.telemetry.clock = func() record.Instant { return now }
	l.knobs = cfg.Knobs
	objectives, err := slo.ParseObjectives("ttft p99 <= 200ms over 1m for 99%")
	if err != nil {
		tb.Fatal(err)
	}
	l.knobs.Objectives = objectives
	l.tracker.Set(objectives)
	now += record.Instant(time.Second)
	l.begin(now, at)
	l.keep.open(&l, endpoint.Profile{URL: cfg.Endpoint.URL, Model: "m"})
	if l.keep.problem != "" {
		tb.Fatal(l.keep.problem)
	}
	l.turn(l.knobs, now)
	l.openStage(now)
	var todo agenda
	begun, stage, steady, handed := 0, 1, false, int64(1) // the header
	between := record.Instant(time.Second) / record.Instant(r.PerS)
	due := now + between
	opened := now
	for i := 1; begun < r.Requests || len(todo) > 0; i++ {
		end := now + tick
		for {
			if begun < r.Requests && due < end && (len(todo) == 0 || due < todo[0].next) {
				begun++
				m := &made{
					next: due + record.Instant(10_000+rng.Int64N(50_000)), rec: record.New(uint64(begun)), left: 1 + rng.IntN(2*r.Chunks),
				}
				m.rec.Stage, m.rec.Started = stage, due
				m.running = l.collector.Begin(m.rec, 100)
				heap.Push(&todo, m)
				due += between
				continue
			}
			if len(todo) == 0 || todo[0].next >= end {
				break
			}
			m := todo[0]
			m.step(rng)
			if m.left < 0 {
				heap.Pop(&todo)
			} else {
				heap.Fix(&todo, 0)
			}
		}
		now, at = end, at.Add(time.Duration(tick))
		l.fold(now)
		if i%10 == 0 {
			l.telemetry.takeDevices(gpu.Reading{At: at, Source: "nvml", Devices: []gpu.Device{{
				UUID: "GPU-1", UtilPercent: optional.Of(rng.Float64() * 100), PowerW: optional.Of(600 + 20*rng.Float64()),
				MemUsedMiB: optional.Of(5), MemTotalMiB: optional.Of(10), EnergyJ: optional.Of(float64(i)),
			}}})
			l.telemetry.takeServer(server.Reading{At: at, Metrics: server.Metrics{
				At: at, Running: optional.Of(float64(rng.IntN(70))), GenerationTokens: optional.Of(float64(i * 100)),
			}})
		}
		if age := now - opened; !steady && age > record.Instant(5*time.Second) {
			l.steady(now)
			steady = true
		} else if age > record.Instant(r.StageS)*record.Instant(time.Second) && begun < r.Requests {
			k := l.knobs
			k.Load.Concurrency = 8 + (k.Load.Concurrency+8)%40
			l.turn(k, now)
			stage, opened, steady = l.openStage(now), now, false
			l.mark(now, fmt.Sprintf("c=%d", k.Load.Concurrency))
		}
		if steady {
			l.judge(now)
		}
		s := &snapshot.Snapshot{At: now, State: snapshot.Running, Knobs: l.knobs, Endpoint: endpoint.Profile{URL: cfg.Endpoint.URL}}
		s.Health.LagP99 = time.Duration(rng.IntN(1e6))
		l.keep.show(s)
		l.keep.recorder.Tick(now, func() []runfile.Piece {
			handed++
			return pieces(s, l.telemetry.hand())
		})
		for disk.writes.Load() < handed { // time flies here, and that the disk is slow has no part in this
			runtime.Gosched()
		}
	}
	l.finish(now + 1)
	l.state = snapshot.Ended
	s := l.moment(now + 2)
	l.keep.show(s)
	l.keep.close(&l, s)()
	if l.keep.show(s); s.Kept.Problem != "" {
		tb.Fatal(s.Kept.Problem)
	}
	return path
}

// step has a request do what is next.
func (m *made) step(rng *rand.Rand) {
	r, at := m.rec, m.next
	switch {
	case r.Sent == 0:
		r.Sent = at
		m.running.Sent(at)
		m.next += record.Instant(20_000_000 + rng.Int64N(60_000_000))
	case m.left > 0:
		t := record.Token{At: at, First: r.Chunks == 0, Opening: r.Chunks == 0}
		if t.First {
			r.FirstToken, r.FirstAnswer = at, at
		} else {
			t.Gap = time.Duration(at - r.LastToken)
			r.Gaps++
			r.GapSum += t.Gap
			r.GapMax = max(r.GapMax, t.Gap)
		}
		r.Chunks++
		r.LastToken = at
		m.running.Token(t)
		m.left--
		m.next += record.Instant(12_000_000 + rng.Int64N(3_000_000))
		if m.left == 0 {
			m.next = at + record.Instant(100_000+rng.Int64N(50_000))
		}
	default:
		m.left = -1
		r.End, r.Outcome, r.Streamed = at, record.OK, true
		r.InputTokens, r.OutputTokens, r.TokenSource = record.Known(100), record.Known(int64(r.Chunks)), record.SourceUsage
		if rng.IntN(500) == 0 {
			r.Outcome, r.Kind, r.Error, r.Status = record.Failed, record.KindHTTP5xx, "overloaded", 503
		}
		m.running.Finish(r)
	}
}

// longFile is the file of a long run: of a folder that the environment names, where one wants to look at it again and again.
func longFile(tb testing.TB, r longRun) string {
	folder := os.Getenv("TOKDYNO_LONG_RUNS")
	if folder == "" {
		return r.write(tb, tb.TempDir())
	}
	name := filepath.Join(folder, fmt.Sprintf("%d-%d-%d-%t.tdr", r.Requests, r.Chunks, r.StageS, r.Options.NoGaps))
	if _, err := os.Stat(name); err != nil {
		if err := os.Rename(r.write(tb, folder), name); err != nil {
			tb.Fatal(err)
		}
	}
	return name
}

// BenchmarkSeek tells what it takes to seek in an hour, at worst of so many times.
func BenchmarkSeek(b *testing.B) {
	path := longFile(b, hour())
	before := cpuTime()
	p := playerAt(b, path)
	start := cpuTime() - before
	if err := p.startPass(); err != nil {
		b.Fatal(err)
	}
	p.pass.done.Wait()
	rng := rand.New(rand.NewPCG(1, 2))
	var worst time.Duration
	seeks := func(of func(time.Duration) error) {
		worst = 0
		for range 50 {
			at := time.Duration(rng.Int64N(int64(time.Hour)))
			begun := cpuTime()
			if err := of(at); err != nil {
				b.Fatal(err)
			}
			worst = max(worst, cpuTime()-begun)
		}
	}
	for b.Loop() {
		seeks(p.Seek)
		b.ReportMetric(float64(worst.Milliseconds()), "cpu-ms-worst-seek")
		seeks(func(at time.Duration) error {
			k := p.Snapshot().Knobs
			k.SLO[slo.TTFT] = 50*time.Millisecond + at/100_000
			return p.Apply(k)
		})
		b.ReportMetric(float64(worst.Milliseconds()), "cpu-ms-worst-turn")
		seeks(p.Seek)
		b.ReportMetric(float64(worst.Milliseconds()), "cpu-ms-worst-seek-turned")
	}
	b.ReportMetric(float64(start.Milliseconds()), "cpu-ms-to-start")
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB")
	b.ReportMetric(float64(len(p.checkpoints.list)), "checkpoints")
	p.Close()
}

func playerAt(tb testing.TB, path string) *Player {
	p, err := NewPlayer(func() (io.ReadCloser, error) { return os.Open(path) })
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// BenchmarkReplay tells what it takes to play an hour.
func BenchmarkReplay(b *testing.B) {
	path := longFile(b, hour())
	begun := cpuTime()
	defer func() { b.ReportMetric((cpuTime()-begun).Seconds()/float64(b.N), "cpu-s/op") }()
	for b.Loop() {
		p, err := NewPlayer(func() (io.ReadCloser, error) { return os.Open(path) })
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Finish(); err != nil {
			b.Fatal(err)
		}
		if s := p.Snapshot(); s.Counts.Started != hour().Requests || s.Replay.Note != "" {
			b.Fatalf("%+v, %s", s.Counts, s.Replay.Note)
		}
		p.Close()
	}
}
