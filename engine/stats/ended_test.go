package stats

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// stalling is a stream whose tokens come every 10 ms, but for one that comes after 120.
func stalling(sent time.Duration) stream {
	s := closed(sent, 100*ms, 10*ms, 20)
	s.gaps[6] = 120 * ms
	return s
}

func TestStallsOfARequest(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	play(c, closed(0, 100*ms, 10*ms, 20))
	play(c, stalling(0))
	c.Fold(at(5 * time.Second))
	e := c.Ended()
	if s := e.StallsOf(0); len(s) != 0 {
		t.Errorf("an even stream stalled: %v", s)
	}
	want := []Stall{{Request: 1, From: at(160 * ms), Length: 120 * ms}}
	if got := e.StallsOf(1); !slices.Equal(got, want) {
		t.Errorf("stalls %v, want %v", got, want)
	}
}

// Chunks that are read together have no gap, and make none of the others a stall.
func TestChunksReadTogetherAreNoStalls(t *testing.T) {
	gaps := []time.Duration{0, 0, 40 * ms, 0, 0, 40 * ms, 0, 0, 40 * ms, 0, 0, 40 * ms, 0, 0, 40 * ms}
	limit, ok := StallBeyond(gaps)
	if !ok || limit != 200*ms {
		t.Errorf("stalls are beyond %v, %v; want 200ms", limit, ok)
	}
}

// What was handed out stays as it is while more ends, and while the older half is dropped.
func TestColumnsThatWereHandedOutDoNotChange(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.Expect(2 * keepRequests) // columns whose memory is not touched take no time
	d := c.dones
	d.truncate(2 * keepRequests)
	for i := range d.id {
		d.id[i] = uint64(i)
	}
	before := d.id
	first := slices.Clone(before[:10])
	d.push(&record.Record{ID: 2 * keepRequests, Sent: 1, Outcome: record.OK}, 1)
	if !slices.Equal(before[:10], first) || before[keepRequests] != keepRequests {
		t.Error("a column that was handed out has changed")
	}
	if d.dropped != keepRequests || d.id[0] != keepRequests {
		t.Errorf("%d dropped, the first is %d", d.dropped, d.id[0])
	}
	for field, column := range reflect.ValueOf(d).Fields() {
		if column.Kind() == reflect.Slice && column.Len() != keepRequests+1 {
			t.Errorf("column %s has %d, want %d", field.Name, column.Len(), keepRequests+1)
		}
	}
}

func TestUnfinishedRequestsStandAsTheyAre(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	s := stalling(0)
	s.running, s.asked = true, 30
	play(c, s)
	c.Fold(at(5 * time.Second))
	all := c.Unfinished(10, SlotRange{})
	if len(all) != 1 {
		t.Fatalf("%d requests run, want 1", len(all))
	}
	u := all[0]
	u.FindStalls()
	if u.Sent != at(0) || u.First != at(100*ms) || u.Answer != u.First || u.Last != at(400*ms) || u.Chunks != 20 || u.Input != 30 {
		t.Errorf("it stands as %+v", u)
	}
	if len(u.Stalls) != 1 || u.Stalls[0].To() != at(280*ms) {
		t.Errorf("its stalls are %v", u.Stalls)
	}
}

// What is kept as a copy stays, whatever becomes of the record; the latest are not kept.
func TestCopiesOfRequestsCanBeOpened(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	c.KeepCopies()
	played := func(s stream) *record.Record {
		r := play(c, s)
		c.Fold(at(time.Second))
		return r
	}
	played(closed(0, 200*ms, 10*ms, 4)) // 0 is the number of no request that is looked for
	slow, failed := played(closed(0, 900*ms, 10*ms, 20)), played(stream{scheduled: -1, outcome: record.Failed, end: 50 * ms})
	for range Openable {
		played(closed(0, 200*ms, 10*ms, 4))
	}
	fast := played(closed(0, 100*ms, 10*ms, 4))
	ids, gaps := []uint64{slow.ID, failed.ID}, []int{slow.Gaps, 0}
	*slow, *failed = record.Record{}, record.Record{}
	for i, id := range ids {
		if o, ok := c.Open(id); !ok || o.Record.ID != id || len(o.Gaps) != gaps[i] {
			t.Errorf("request %d: open %v, %d gaps, want %d", id, ok, len(o.Gaps), gaps[i])
		}
	}
	if _, ok := c.Open(fast.ID); ok {
		t.Error("one that is merely the latest can be opened")
	}
}

func TestRequestsThatCanBeOpened(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	slow := play(c, closed(0, 900*ms, 10*ms, 20))
	c.Fold(at(time.Second))
	failed := play(c, stream{scheduled: -1, outcome: record.Failed, end: 50 * ms})
	c.Fold(at(time.Second))
	for range Openable {
		play(c, closed(0, 100*ms, 10*ms, 4))
		c.Fold(at(time.Second))
	}
	for _, r := range []*record.Record{slow, failed} {
		o, ok := c.Open(r.ID)
		if !ok || o.Record != r || len(o.Gaps) != max(r.Gaps, 0) {
			t.Errorf("request %d: open %v, %d gaps, want %d", r.ID, ok, len(o.Gaps), r.Gaps)
		}
	}
	if _, ok := c.Open(2); !ok {
		t.Error("the oldest of the slowest can't be opened")
	}
	if _, ok := c.Open(9999); ok {
		t.Error("a request that never was can be opened")
	}
}

func TestKindsOfFailureHaveCodes(t *testing.T) {
	for _, k := range Kinds() {
		if got := codeOf(k).kind(); got != k {
			t.Errorf("%q comes back as %q", k, got)
		}
	}
	if codeOf("").kind() != "" || codeOf("new").kind() != "other" {
		t.Error("no kind, or an unknown one, comes back as another")
	}
}

func TestPackedGaps(t *testing.T) {
	for _, tt := range []struct {
		gap    time.Duration
		tokens int32
	}{{0, 0}, {10 * ms, 1}, {time.Hour, 3}, {-1, 1 << 30}} {
		g := packGap(tt.gap, tt.tokens)
		if want := min(max(tt.gap, 0), mostGap); g.gap() != want || g.tokens() != min(max(int64(tt.tokens), 1), mostTold) {
			t.Errorf("%v of %d tokens comes back as %v of %d", tt.gap, tt.tokens, g.gap(), g.tokens())
		}
		if bucketOf(g.gap()) != bucketOf(tt.gap) {
			t.Errorf("%v counts in another bucket", tt.gap)
		}
	}
}

func TestWhatIsToldTwiceIsKeptOnce(t *testing.T) {
	var s stalls
	for range 2 {
		s.push(4, []Stall{{From: at(0), Length: ms}})
		s.push(5, nil)
		s.push(6, []Stall{{From: at(0), Length: ms}, {From: at(9 * ms), Length: ms}})
	}
	if len(s.list) != 3 || s.list[0].Request != 4 || s.list[2].Request != 6 {
		t.Errorf("stalls %v", s.list)
	}
}

// What says without a median that no gap is a stall is right whatever the gaps are.
func TestEvenGapsHaveNoStall(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return rapid.SampledFrom([]time.Duration{0, record.Together, ms + 1, 2 * ms, 10 * ms, 10*ms + 1, 11 * ms, 50 * ms, 60 * ms}).Draw(t, "gap")
		}), 0, 12).Draw(t, "gaps")
		limit, ok := StallBeyond(gaps)
		stalled := ok && slices.Max(gaps) > limit
		if stalled && even(gaps) {
			t.Fatalf("%v have a stall, beyond %v", gaps, limit)
		}
		seen[even(gaps)]++
	})
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("even %d times, uneven %d times", seen[true], seen[false])
	}
}
