package runfile

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// disk is a file in memory. Writes beyond room fail, half done; while it is shut, they wait.
type disk struct {
	mu     sync.Mutex
	data   []byte
	room   int // 0: any
	shut   chan struct{}
	closed bool
	synced int
}

func (d *disk) Write(p []byte) (int, error) {
	if d.shut != nil {
		<-d.shut
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room > 0 && len(d.data)+len(p) > d.room {
		n := d.room - len(d.data)
		d.data = append(d.data, p[:n]...)
		return n, errFull
	}
	d.data = append(d.data, p...)
	return len(p), nil
}

type fullError struct{}

func (fullError) Error() string { return "no space left on device" }

var errFull = fullError{}

func (d *disk) Sync() error { d.synced++; return nil }

func (d *disk) Truncate(n int64) error { d.data = d.data[:n]; return nil }

func (d *disk) Close() error { d.closed = true; return nil }

// happening is one call of a tap.
type happening struct {
	at    record.Instant // when it is taken in
	begun *Begun
	doing *Doing
	ended *record.Record
}

// script is a run as a tap hears it.
type script struct {
	all   []happening
	folds []record.Instant
}

// newScript makes a run of so many requests, at random.
func newScript(rng *rand.Rand, requests int) *script {
	s := new(script)
	last := record.Instant(0)
	started := record.Instant(1 + rng.Int64N(int64(time.Second)))
	for id := range requests {
		started += record.Instant(rng.Int64N(int64(40 * time.Millisecond)))
		last = max(last, s.request(rng, uint64(id+1), started))
	}
	slices.SortStableFunc(s.all, func(a, b happening) int { return int(a.at - b.at) })
	for at := record.Instant(5_000_000); at < last+record.Instant(200*time.Millisecond); {
		s.folds = append(s.folds, at)
		at += record.Instant(100*time.Millisecond) + record.Instant(rng.Int64N(1e6))
	}
	return s
}

// request adds what one request does, and returns when it ended.
func (s *script) request(rng *rand.Rand, id uint64, at record.Instant) record.Instant {
	ms := func(most int64) record.Instant { return record.Instant(rng.Int64N(most * 1e6)) }
	r := record.New(id)
	r.Stage, r.Started, r.Residual = 1+int(id)/20, at, rng.IntN(5) == 0
	r.Slot, r.Endpoint = rng.IntN(9), rng.IntN(3)
	guess := rng.IntN(800)
	if rng.IntN(3) == 0 {
		r.Scheduled = at - min(at-1, ms(30))
	}
	add := func(h happening) { s.all = append(s.all, h) }
	add(happening{at: at, begun: &Begun{
		ID: id, Stage: r.Stage, Slot: r.Slot, Endpoint: r.Endpoint, Scheduled: r.Scheduled, Started: at, Residual: r.Residual, InputGuess: guess,
	}})
	at += ms(3)
	r.Outcome, r.Model = record.OK, "model-a"
	if rng.IntN(9) == 0 {
		r.Outcome, r.Kind, r.Error, r.Status = record.Failed, record.KindHTTP5xx, "the server said: overloaded", 503
	}
	if rng.IntN(12) != 0 {
		r.Sent = at
		add(happening{at: at, doing: &Doing{ID: id, Sent: true, Token: record.Token{At: at}}})
		at = s.tokens(rng, r, at)
	}
	at += ms(2)
	r.End = at
	if r.Outcome == record.OK && rng.IntN(6) != 0 {
		r.InputTokens, r.OutputTokens = record.Known(int64(guess+rng.IntN(9))), record.Known(int64(r.Chunks))
		r.TokenSource, r.FinishReason, r.Streamed = record.SourceUsage, "length", true
	}
	if rng.IntN(4) == 0 {
		r.CachedTokens, r.Conversation, r.Turn = record.Known(int64(rng.IntN(300))), int(id), 2
		r.Connect, r.Attempts, r.Retried = time.Duration(ms(4)), 2, true
	}
	add(happening{at: at, ended: r})
	return at
}

// tokens adds token events, of one choice or of two that are mixed.
func (s *script) tokens(rng *rand.Rand, r *record.Record, at record.Instant) record.Instant {
	var previous [2]record.Instant
	at += record.Instant(rng.Int64N(3e8))
	n := rng.IntN(60)
	choices := 1 + rng.IntN(4)/3
	told := int64(rng.IntN(2))
	for i := range n {
		choice := rng.IntN(choices)
		t := record.Token{At: at, First: i == 0, Opening: previous[choice] == 0, Tokens: told}
		if told > 0 && rng.IntN(10) == 0 {
			t.Tokens = int64(rng.IntN(4))
		}
		if !t.Opening {
			t.Gap = time.Duration(at - previous[choice])
			r.Gaps++
			r.GapSum += t.Gap
			r.GapMax = max(r.GapMax, t.Gap)
		}
		previous[choice] = at
		if i == 0 {
			r.FirstToken, r.FirstAnswer = at, at
		}
		r.LastToken, r.Chunks = at, r.Chunks+1
		s.all = append(s.all, happening{at: at + record.Instant(rng.Int64N(2e4)), doing: &Doing{ID: r.ID, Token: t}})
		at += record.Instant(19e6 + rng.Int64N(2e6))
	}
	return at
}

// play plays a script to a recorder.
func (s *script) play(r *Recorder) {
	slots := make(map[uint64]int)
	next := 0
	for i, now := range s.folds {
		r.Folding(now)
		for ; next < len(s.all) && s.all[next].at <= now; next++ {
			switch h := s.all[next]; {
			case h.begun != nil:
				b := h.begun
				slots[b.ID] = r.Begun(stats.Begun{
					ID: b.ID, Stage: b.Stage, Slot: b.Slot, Endpoint: b.Endpoint, Scheduled: b.Scheduled, Started: b.Started,
					Residual: b.Residual, InputGuess: b.InputGuess,
				})
			case h.ended != nil:
				r.Ended(slots[h.ended.ID], h.ended)
			case h.doing.Sent:
				r.Sent(slots[h.doing.ID], h.doing.Token.At)
			default:
				r.Token(slots[h.doing.ID], h.doing.Token)
			}
		}
		if i%17 == 3 {
			r.Event(now, "mark", map[string]int{"fold": i})
		}
		r.Tick(now, func() []Piece {
			return []Piece{{Name: "small", Value: i / 40}, {Name: "gpu", Value: i, Telemetry: true}}
		})
		for len(r.writer.queue) > 0 && r.writer.file.(*disk).shut == nil {
			runtime.Gosched() // a run is slower than this
		}
	}
}

// tester is a *testing.T, or one of rapid's.
type tester interface {
	Helper()
	Fatal(...any)
	Error(...any)
}

// kept plays a script into a file and returns that.
func kept(t tester, s *script, opt Options) []byte {
	t.Helper()
	d := new(disk)
	r, err := Record(d, Header{Tokdyno: "test", URL: "http://127.0.0.1:1", Model: "model-a"}, opt)
	if err != nil {
		t.Fatal(err)
	}
	s.play(r)
	if err := r.Close(nil, End{Report: json.RawMessage(`{"schema":1}`)}); err != nil {
		t.Fatal(err)
	}
	if !d.closed || d.synced == 0 {
		t.Error("the file was not closed or not brought to the disk")
	}
	return d.data
}

// opened reads a file as far as it can be read.
func opened(t tester, data []byte) (batches []*Batch, r *Reader, err error) {
	t.Helper()
	r, err = NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	for {
		b, err := r.Next()
		if err == io.EOF {
			return batches, r, nil
		}
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, b)
	}
}

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 1)) }
