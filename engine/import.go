// This file makes a recording of a run that another tool measured, by the way that a run's own is made.

package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
	"tokdyno/engine/run/peers"
	"tokdyno/engine/runfile"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Import makes a recording, in memory, of a run that another tool measured: the collector is told of its requests as those of a
// run would tell it, and is brought up to date as often. It is one stage, which counts as steady from its first request on, for
// the tool left out itself what it did not want to measure. version is that of the program. The result opens the recording, as
// NewPlayer takes it.
func Import(f *peers.Foreign, version string) (open func() (io.ReadCloser, error), err error) {
	earliest := slices.MinFunc(f.Requests, func(a, b runfile.Request) int { return cmp.Compare(a.Record.Started, b.Record.Started) })
	first := earliest.Record.Started - 1 // so that it lies within the stage
	file := new(memory)
	i := importer{
		profile: endpoint.Profile{Model: f.Model, URL: f.URL, API: f.API, Warnings: append([]string{
			fmt.Sprintf("measured by %s: what its file does not hold is unknown here", f.Tool),
		}, f.Notes...)},
		ledger: ledger{
			knobs:     snapshot.Knobs{Load: f.Load, Shape: shape.Shape{Data: f.Prompts()}, Target: snapshot.DefaultTarget, Window: stats.WholeRun},
			state:     snapshot.Running,
			collector: stats.NewCollector(first, stats.Inverted, snapshot.Knobs{}.SLO),
			points:    points{target: snapshot.DefaultTarget},
			telemetry: telemetry{note: "a file of " + f.Tool + " holds nothing of accelerators", wall: time.Now},
		},
		waiting: f.Requests,
	}
	i.keep = newKeeper(&Config{
		Knobs: i.knobs, GPUNote: i.telemetry.note,
		Keep: &Keep{Version: version, Open: func(h runfile.Header) (*runfile.Recorder, error) {
			h.Host = runfile.Host{} // it is the tool's, which its file does not tell
			return runfile.Record(file, h, runfile.Options{ChunksUpTo: 1 << 62})
		}},
	}, first)
	i.begin(first, f.Started)
	i.keep.open(&i.ledger, i.profile)
	if i.keep.recorder == nil {
		return nil, errors.New(i.keep.problem)
	}
	i.turn(i.knobs, first)
	i.openStage(first)
	i.steady(first)
	for now := first + 1; !i.over(); now = now.Add(tickEvery) {
		if i.take(now); i.over() {
			break // the end takes in what is left
		}
		i.collector.Fold(now)
		i.keep.recorder.Tick(now, func() []runfile.Piece { return pieces(i.moment(now), nil) })
		i.keep.recorder.Wait()
	}
	i.finish(i.last)
	i.state = snapshot.Ended
	last := i.moment(i.last)
	i.keep.show(last)
	i.keep.close(&i.ledger, last)()
	if problem := i.keep.recorder.Problem(); problem != "" {
		return nil, errors.New(problem)
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file.data)), nil }, nil
}

// importer tells a ledger of the requests of a run that is over.
type importer struct {
	ledger
	profile endpoint.Profile
	waiting []runfile.Request // in order of sending
	running []*imported
	last    record.Instant // when the last one ended
}

// imported is a request that is being told of.
type imported struct {
	runfile.Request
	handle *stats.Running
	told   int // chunks
	at     record.Instant
}

// over reports whether everything was told.
func (i *importer) over() bool { return len(i.waiting)+len(i.running) == 0 }

// moment is the present as a snapshot, with what a file says of the endpoint.
func (i *importer) moment(now record.Instant) *snapshot.Snapshot {
	s := i.ledger.moment(now)
	s.Endpoint = i.profile
	return s
}

// take tells of what happened up to an instant.
func (i *importer) take(now record.Instant) {
	for ; len(i.waiting) > 0 && i.waiting[0].Record.Started <= now; i.waiting = i.waiting[1:] {
		q := i.waiting[0]
		i.running = append(i.running, &imported{Request: q, handle: i.collector.Begin(q.Record, int(q.Record.InputTokens.Or(0)))})
	}
	left := i.running[:0]
	for _, q := range i.running {
		if q.tell(now); q.Record.End > now {
			left = append(left, q)
			continue
		}
		i.last = max(i.last, q.Record.End)
		q.handle.Finish(q.Record)
	}
	clear(i.running[len(left):])
	i.running = left
}

// tell tells of what the request did up to an instant. Where its gaps are not known, its last token has none, and its tokens
// count when the first and the last one came.
func (q *imported) tell(now record.Instant) {
	r := q.Record
	if q.at == 0 && r.Sent <= now {
		q.at = r.Sent
		q.handle.Sent(r.Sent)
	}
	if r.FirstToken == 0 || q.at == 0 {
		return
	}
	chunks := 2
	if q.GapsKnown() {
		chunks = len(q.Gaps) + 1
	}
	for q.told < chunks {
		t := record.Token{At: r.FirstToken, First: true, Opening: true}
		switch {
		case q.told == 0:
		case q.GapsKnown():
			gap := q.Gaps[q.told-1]
			t = record.Token{At: q.at.Add(gap), Gap: gap}
		default:
			t = record.Token{At: r.LastToken, Opening: true}
		}
		if t.At > now && r.End > now {
			return
		}
		t.At = min(t.At, r.End)
		q.handle.Token(t)
		q.at = t.At
		q.told++
	}
}

// memory is a file in memory.
type memory struct{ data []byte }

// Write implements runfile.File.
func (m *memory) Write(p []byte) (int, error) {
	m.data = append(m.data, p...)
	return len(p), nil
}

// Sync implements runfile.File.
func (m *memory) Sync() error { return nil }

// Truncate implements runfile.File.
func (m *memory) Truncate(n int64) error {
	m.data = m.data[:n]
	return nil
}

// Close implements runfile.File.
func (m *memory) Close() error { return nil }
