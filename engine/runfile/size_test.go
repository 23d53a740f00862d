package runfile

import (
	"bytes"
	"runtime"
	"slices"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// batching is a run on a server that decodes all its streams together, one token every step of some 20 ms, whose length
// varies from step to step, and with some 20 µs of noise on each stream.
func batching(streams, requests, length int) *script {
	rng := seeded(13)
	s := new(script)
	const ms = record.Instant(time.Millisecond)
	steps := []record.Instant{10 * ms}
	step := func(i int) record.Instant {
		for len(steps) <= i {
			steps = append(steps, steps[len(steps)-1]+20*ms+record.Instant(rng.NormFloat64()*300e3))
		}
		return steps[i]
	}
	id := uint64(0)
	last := record.Instant(0)
	for stream := range streams {
		for next := stream % length; id < uint64(requests*(stream+1)/streams); {
			id++
			guess, n := 256+rng.IntN(512), length/2+rng.IntN(length)
			noise := func() record.Instant { return record.Instant(rng.ExpFloat64() * 20e3) }
			at := step(next) + noise()
			r := &record.Record{
				ID: id, Stage: 1, Started: at, Sent: at + 80_000 + noise(), Outcome: record.OK, Streamed: true,
				FinishReason: "length", TokenSource: record.SourceUsage, Model: "model-a", Status: 200, Chunks: n, Gaps: n - 1,
				InputTokens: record.Known(int64(guess + 8)), OutputTokens: record.Known(int64(n)),
			}
			s.all = append(s.all, happening{at: at, begun: &Begun{ID: id, Stage: 1, Started: at, InputGuess: guess}},
				happening{at: r.Sent, doing: &Doing{ID: id, Sent: true, Token: record.Token{At: r.Sent}}})
			next += 4 + rng.IntN(3)
			before := record.Instant(0)
			for i := range n {
				at = step(next) + noise()
				t := record.Token{At: at, First: i == 0, Opening: i == 0}
				if i > 0 {
					t.Gap = time.Duration(at - before)
					r.GapMax = max(r.GapMax, t.Gap)
				} else {
					r.FirstToken, r.FirstAnswer = at, at
				}
				before = at
				s.all = append(s.all, happening{at: at, doing: &Doing{ID: id, Token: t}})
				next++
			}
			r.LastToken, r.GapSum, r.End = at, time.Duration(at-r.FirstToken), at+100_000+noise()
			s.all = append(s.all, happening{at: r.End, ended: r})
			last = max(last, r.End)
		}
	}
	slices.SortStableFunc(s.all, func(a, b happening) int { return int(a.at - b.at) })
	for at := 5 * ms; at < last+200*ms; at += 100*ms + record.Instant(rng.IntN(500_000)) {
		s.folds = append(s.folds, at)
	}
	return s
}

// sizes are the bytes of a file by the type of their block.
func sizes(t testing.TB, data []byte) map[blockType]int64 {
	t.Helper()
	blocks, err := newBlockReader(bytes.NewReader(data[len(Magic):]))
	if err != nil {
		t.Fatal(err)
	}
	defer blocks.close()
	of := make(map[blockType]int64)
	for {
		from := blocks.at
		kind, _, err := blocks.next()
		if err != nil {
			return of
		}
		of[kind] += blocks.at - from
	}
}

// TestBytesOfARequestAndAChunk holds the file against what it may take: 40 bytes a request, when it was taken up, sent and
// first answered among them, and 2 a chunk.
func TestBytesOfARequestAndAChunk(t *testing.T) {
	const streams, requests, length = 64, 1000, 128
	s := batching(streams, requests, length)
	chunks := 0
	for _, h := range s.all {
		if h.ended != nil {
			chunks += h.ended.Chunks
		}
	}
	full, counted := sizes(t, kept(t, s, Options{})), sizes(t, kept(t, s, Options{NoGaps: true}))
	seconds := float64(s.folds[len(s.folds)-1]) / 1e9
	perRequest := float64(full[blockBegun]+full[blockEnded]) / requests
	perChunk := float64(full[blockFine]+full[blockChunks]) / float64(chunks)
	t.Logf("%.1f bytes a request, %.2f a chunk, in %.0f s with %d chunks; by number only %.1f a request with its gaps, and %.0f a second for the histograms",
		perRequest, perChunk, seconds, chunks, float64(counted[blockBegun]+counted[blockEnded]+counted[blockFine]+counted[blockChunks])/requests,
		float64(counted[blockGaps])/seconds)
	if perRequest > 40 || perChunk > 2 {
		t.Errorf("%.1f bytes a request, %.2f a chunk; want at most 40 and 2", perRequest, perChunk)
	}
}

func BenchmarkRecorderToken(b *testing.B) {
	d := new(disk)
	r, err := Record(d, Header{}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	var slots []int
	for i := range 64 {
		slots = append(slots, r.Begun(stats.Begun{ID: uint64(i + 1), Stage: 1, Started: 1, InputGuess: 100}))
	}
	b.ReportAllocs()
	now := record.Instant(0)
	for i := range b.N {
		if i%64 == 0 {
			now += record.Instant(20 * time.Millisecond)
		}
		r.Token(slots[i%64], record.Token{At: now + record.Instant(i%64*1000), Gap: 20 * time.Millisecond})
		if i%320 == 319 {
			r.Folding(now)
			r.Tick(now, func() []Piece { return nil })
			for len(r.writer.queue) > 0 {
				runtime.Gosched()
			}
			d.mu.Lock()
			d.data = d.data[:0]
			d.mu.Unlock()
		}
	}
	if err := r.Close(nil, End{}); err != nil {
		b.Fatal(err)
	}
}
