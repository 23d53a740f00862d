package engine

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/server"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// BenchmarkKeepingARun tells what it costs to keep a run of 64 streams at 50 tokens a second: processor time for a second of
// the run, of a collector by itself and of what comes on top where it is kept. Both are told the same in turns, so that
// whatever else the machine does befalls both.
func BenchmarkKeepingARun(b *testing.B) {
	const seconds = 30
	const client = 64 * 50 * 23 // µs for a second: "check -c 64 --no-keep" on the simulator took 23 µs for each chunk
	var alone, kept time.Duration
	for range b.N {
		alone += b64(b, seconds, nil)
		recorder, err := runfile.Create(filepath.Join(b.TempDir(), "run.tdr"), runfile.Header{}, runfile.Options{})
		if err != nil {
			b.Fatal(err)
		}
		kept += b64(b, seconds, recorder)
	}
	perSecond := func(d time.Duration) float64 { return float64(d.Microseconds()) / seconds / float64(b.N) }
	b.ReportMetric(perSecond(alone), "alone-µs/s")
	b.ReportMetric(perSecond(kept-alone), "keeping-µs/s")
	b.ReportMetric(100*perSecond(kept-alone)/client, "keeping-%client")
}

// b64 is the processor time that 64 streams of 50 tokens a second take.
func b64(b *testing.B, seconds int, keep *runfile.Recorder) time.Duration {
	const streams, length = 64, 128
	rng := rand.New(rand.NewPCG(1, 1))
	begun := cpuTime()
	c := stats.NewCollector(1, stats.Inverted, slo.Criteria{})
	if keep != nil {
		c.Tap(keep)
	}
	c.OpenStage(1)
	var list [streams]made
	id := uint64(0)
	for now := record.Instant(0); now < record.Instant(seconds)*record.Instant(time.Second); now += record.Instant(20 * time.Millisecond) {
		for i := range list {
			m, at := &list[i], now+record.Instant(i*1000)+record.Instant(rng.IntN(200_000))
			if m.left == 0 {
				if m.rec != nil {
					m.rec.End, m.rec.Outcome = at, record.OK
					m.rec.OutputTokens = record.Known(length)
					m.running.Finish(m.rec)
				}
				id++
				m.rec, m.left = record.New(id), length
				m.rec.Stage, m.rec.Started, m.rec.Sent = 1, at, at+1000
				m.running = c.Begin(m.rec, 100)
				m.running.Sent(at + 1000)
				continue
			}
			t := record.Token{At: at, First: m.left == length, Opening: m.left == length}
			if !t.First {
				t.Gap = time.Duration(at - m.rec.LastToken)
			}
			m.rec.LastToken = at
			m.rec.Chunks++
			m.running.Token(t)
			m.left--
		}
		if now%record.Instant(100*time.Millisecond) == 0 {
			c.Fold(now + 1)
			if keep != nil {
				keep.Tick(now+1, func() []runfile.Piece {
					d := gpu.Device{UUID: "GPU-1", PowerW: optional.Of(600 + rng.Float64()), EnergyJ: optional.Of(float64(now))}
					m := server.Metrics{Running: optional.Of(64), GenerationTokens: optional.Of(float64(now))}
					s := &snapshot.Snapshot{At: now, Endpoints: make([]snapshot.EndpointLine, 1), Stages: []snapshot.StageRow{{Number: 1}}}
					return pieces(s, []heard{
						{At: now, GPU: &gpu.Reading{Devices: []gpu.Device{d}}}, {At: now, Server: &server.Reading{Metrics: m}},
					})
				})
			}
		}
	}
	if keep != nil {
		if err := keep.Close(nil, runfile.End{}); err != nil {
			b.Fatal(err)
		}
	}
	return cpuTime() - begun
}
