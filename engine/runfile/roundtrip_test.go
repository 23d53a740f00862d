package runfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// TestARunComesBack holds what is read against what was told, for runs at random.
func TestARunComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScript(seeded(rapid.Uint64().Draw(t, "seed")), rapid.IntRange(1, 60).Draw(t, "requests"))
		batches, r, err := opened(t, kept(t, s, Options{}))
		if err != nil || r.Damage() != nil || r.End() == nil {
			t.Fatalf("%v, damage %v, end %v", err, r.Damage(), r.End())
		}
		check(t, s, batches)
	})
}

func check(t *rapid.T, s *script, batches []*Batch) {
	var folds []record.Instant
	begun := make(map[uint64]Begun)
	doings := make(map[uint64][]Doing)
	ended := make(map[uint64]*record.Record)
	events := 0
	for _, b := range batches {
		folds = append(folds, b.Tick.Folds...)
		for _, x := range b.Begun {
			begun[x.ID] = x
		}
		for _, x := range b.Doings {
			doings[x.ID] = append(doings[x.ID], x)
		}
		for _, x := range b.Ended {
			ended[x.Record.ID] = x.Record
		}
		events += len(b.Events)
	}
	if diff := cmp.Diff(s.folds, folds); diff != "" {
		t.Fatalf("folds: %s", diff)
	}
	if want := (len(s.folds) + 13) / 17; events != want {
		t.Errorf("%d events, want %d", events, want)
	}
	at := make(map[uint64]int)
	for _, h := range s.all {
		switch {
		case h.begun != nil:
			got := begun[h.begun.ID]
			got.Late = 0
			if got != *h.begun {
				t.Fatalf("begun %+v, want %+v", got, *h.begun)
			}
		case h.ended != nil:
			if diff := cmp.Diff(h.ended, ended[h.ended.ID], cmp.AllowUnexported(record.Count{})); diff != "" {
				t.Fatalf("record %d: %s", h.ended.ID, diff)
			}
		default:
			id := h.doing.ID
			if at[id] >= len(doings[id]) {
				t.Fatalf("request %d: event %d is missing", id, at[id])
			}
			same(t, *h.doing, doings[id][at[id]])
			at[id]++
		}
	}
}

// same holds an event against what came of it: sent and first tokens to the nanosecond, other instants to half a
// microsecond, gaps to one.
func same(t *rapid.T, want, got Doing) {
	got.Late = 0
	near := func(a, b, by time.Duration) bool { return max(a-b, b-a) <= by }
	exact := want.Sent || want.Token.First
	if exact && got.Token.At != want.Token.At ||
		!near(time.Duration(got.Token.At), time.Duration(want.Token.At), 500*time.Nanosecond) ||
		!near(got.Token.Gap, want.Token.Gap, time.Microsecond) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	got.Token.At, got.Token.Gap = want.Token.At, want.Token.Gap
	if got != want {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

// TestWhatIsLateComesLate has an event be taken in two folds after the one that it fell before.
func TestWhatIsLateComesLate(t *testing.T) {
	d := new(disk)
	r, err := Record(d, Header{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const ms = record.Instant(time.Millisecond)
	r.Folding(100 * ms)
	slot := r.Begun(stats.Begun{ID: 1, Stage: 1, Started: 50 * ms, InputGuess: 10})
	r.Folding(200 * ms)
	r.Folding(300 * ms)
	r.Sent(slot, 60*ms)
	r.Token(slot, record.Token{At: 290 * ms, First: true, Opening: true})
	r.Token(slot, record.Token{At: 301 * ms, Gap: time.Duration(11 * ms)}) // while the statistics were being brought up to date
	r.Folding(300 * ms)                                                    // again: nothing new
	rec := record.New(1)
	rec.End = 302 * ms
	r.Ended(slot, rec)
	if err := r.Close(nil, End{}); err != nil {
		t.Fatal(err)
	}
	batches, _, err := opened(t, d.data)
	if err != nil || len(batches) != 1 || len(batches[0].Doings) != 3 {
		t.Fatalf("%v, %+v", err, batches)
	}
	b := batches[0]
	got := []int{b.Begun[0].Late, b.Doings[0].Late, b.Doings[1].Late, b.Doings[2].Late, b.Ended[0].Late}
	if !slices.Equal(got, []int{0, 2, 0, -1, -1}) || len(b.Tick.Folds) != 3 {
		t.Errorf("late by %v, of folds %v", got, b.Tick.Folds)
	}
}

// TestHowLateIsKeptUpToHalfAMinute has everything be taken in later and later, the events of the stream a hair after a fold in
// the file's microseconds and before it in truth.
func TestHowLateIsKeptUpToHalfAMinute(t *testing.T) {
	const ms = record.Instant(time.Millisecond)
	for _, late := range []int{0, 1, 14, 15, 16, 100, MostLate} {
		d := new(disk)
		r, err := Record(d, Header{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range late + 1 {
			r.Folding(record.Instant(i+1) * 100 * ms)
		}
		slot := r.Begun(stats.Begun{ID: 1, Stage: 1, Started: 99 * ms, InputGuess: 10})
		r.Token(slot, record.Token{At: 100*ms - 400, Opening: true}) // to a reader at 100 ms
		r.Token(slot, record.Token{At: 100*ms + 400, Gap: 800})      // likewise
		r.Event(100*ms, "that", nil)
		rec := record.New(1)
		rec.End = 100 * ms
		r.Ended(slot, rec)
		if err := r.Close(nil, End{}); err != nil {
			t.Fatal(err)
		}
		batches, _, err := opened(t, d.data)
		if err != nil || len(batches) != 1 {
			t.Fatalf("%v, %+v", err, batches)
		}
		b := batches[0]
		if got := []int{b.Begun[0].Late, b.Doings[0].Late, b.Doings[1].Late, b.Ended[0].Late, *b.Events[0].After - 1}; slices.Min(got) != late || slices.Max(got) != late {
			t.Errorf("late by %v, want %d", got, late)
		}
	}
}

// TestChunksByNumberOnly keeps how many chunks there were, when requests were sent and began to answer, and the gaps as a
// histogram.
func TestChunksByNumberOnly(t *testing.T) {
	s := newScript(seeded(3), 50)
	batches, _, err := opened(t, kept(t, s, Options{NoGaps: true}))
	if err != nil {
		t.Fatal(err)
	}
	chunks, tokens, gaps, wantGaps, wantTokens := 0, int64(0), 0, 0, int64(0)
	var sum, wantSum time.Duration
	want := 0
	for _, h := range s.all {
		if h.doing == nil || h.doing.Sent {
			continue
		}
		want++
		wantTokens += h.doing.Token.Tokens
		if !h.doing.Token.Opening {
			wantGaps++
			wantSum += h.doing.Token.Gap
		}
	}
	for _, b := range batches {
		for _, x := range b.Doings {
			if !x.Sent {
				chunks++
				tokens += x.Token.Tokens
				if !x.Token.Opening {
					t.Fatal("a chunk that was kept by number only has a gap")
				}
			}
		}
		for _, g := range b.Gaps {
			sum += g.Gaps.Sum
			for _, bucket := range g.Gaps.Buckets {
				gaps += int(bucket.N)
			}
		}
	}
	if chunks != want || tokens != wantTokens || gaps != wantGaps || sum != wantSum {
		t.Errorf("%d chunks of %d tokens with %d gaps, together %v; want %d, %d, %d, %v",
			chunks, tokens, gaps, sum, want, wantTokens, wantGaps, wantSum)
	}
	if !batches[0].Tick.Counted {
		t.Error("the file does not say that chunks are kept by number only")
	}
}

func TestALongFileKeepsChunksByNumber(t *testing.T) {
	batches, _, err := opened(t, kept(t, newScript(seeded(4), 200), Options{ChunksUpTo: 4000}))
	if err != nil || batches[0].Tick.Counted || !batches[len(batches)-1].Tick.Counted {
		t.Errorf("%v; counted at first %v, at last %v", err, batches[0].Tick.Counted, batches[len(batches)-1].Tick.Counted)
	}
}

func TestATickSaysOnlyWhatHasChanged(t *testing.T) {
	batches, _, err := opened(t, kept(t, newScript(seeded(5), 200), Options{}))
	if err != nil {
		t.Fatal(err)
	}
	small, gpu := 0, 0
	for _, b := range batches {
		if _, ok := b.Tick.Changed["small"]; ok {
			small++
		}
		if _, ok := b.Tick.Changed["gpu"]; ok {
			gpu++
		}
	}
	if gpu < len(batches)-1 || small == 0 || small >= gpu {
		t.Errorf("of %d batches, %d say what always changes and %d what seldom does", len(batches), gpu, small)
	}
}

func TestTheEndIsFoundFromBehind(t *testing.T) {
	data := kept(t, newScript(seeded(6), 100), Options{})
	end := ReadEnd(bytes.NewReader(data), int64(len(data)))
	if end == nil || string(end.Report) != `{"schema":1}` || len(end.Tens) == 0 {
		t.Fatalf("end %+v", end)
	}
	for _, at := range end.Tens {
		if kind := blockType(data[at] &^ compressed); kind < blockBegun || kind > blockTick {
			t.Errorf("at %d, which is to be a tenth second, there is a block of type %d", at, kind)
		}
	}
	if ReadEnd(bytes.NewReader(data[:len(data)-1]), int64(len(data)-1)) != nil || ReadEnd(strings.NewReader(""), 0) != nil {
		t.Error("a file without an end has one")
	}
	h, err := ReadHeader(bytes.NewReader(data))
	if err != nil || h.Model != "model-a" || h.Schema != Schema {
		t.Errorf("header %+v, %v", h, err)
	}
}

func TestUnknownBlocksAreSkippedAndNewerSchemasRefused(t *testing.T) {
	w, err := newBlockWriter()
	if err != nil {
		t.Fatal(err)
	}
	file := w.add([]byte(Magic), blockHeader, []byte(`{"schema":1,"model":"m","news":[1]}`))
	file = w.add(file, 77, []byte("something new"))
	file = w.add(file, blockTick, []byte(`{"folds":[5,6]}`))
	batches, r, err := opened(t, file)
	if err != nil || len(batches) != 1 || len(batches[0].Tick.Folds) != 2 || r.Header().Model != "m" {
		t.Errorf("%v, %+v", err, batches)
	}
	_, _, err = opened(t, w.add([]byte(Magic), blockHeader, []byte(`{"schema":2,"started":"another form"}`)))
	if err == nil || !strings.Contains(err.Error(), "schema 2") {
		t.Errorf("a newer schema: %v", err)
	}
	for _, text := range []string{"", "TOKDYNO", "PK\x03\x04 something else", Magic} {
		if _, _, err := opened(t, []byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestABatchIsReadInto has a batch that was read into again and again be what a new one is, and records that were kept stay whole.
func TestABatchIsReadInto(t *testing.T) {
	data := kept(t, newScript(seeded(5), 200), Options{})
	news, _, err := opened(t, data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b Batch
	var records []*record.Record
	alike := cmp.Options{cmp.AllowUnexported(record.Count{}), cmpopts.IgnoreUnexported(Batch{}), cmpopts.EquateEmpty()}
	for i, want := range news {
		if err := r.Read(&b); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &b, alike); diff != "" {
			t.Fatalf("batch %d: %s", i, diff)
		}
		if i%3 == 0 {
			for _, e := range b.Ended {
				records = append(records, e.Record)
			}
			b.Keep()
		}
	}
	if len(records) == 0 {
		t.Fatal("no request ended")
	}
	for i, want := range news {
		for _, e := range want.Ended {
			if i%3 == 0 {
				if diff := cmp.Diff(e.Record, records[0], alike); diff != "" {
					t.Errorf("a record that was kept has changed: %s", diff)
				}
				records = records[1:]
			}
		}
	}
}
