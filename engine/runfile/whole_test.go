package runfile

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/engine/record"
)

// TestRequestsAreWhole holds the gaps of each request against what its tokens told.
func TestRequestsAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScript(seeded(rapid.Uint64().Draw(t, "seed")), rapid.IntRange(1, 60).Draw(t, "requests"))
		want := make(map[uint64][]time.Duration)
		records := make(map[uint64]*record.Record)
		for _, h := range s.all {
			if h.ended != nil && h.at <= s.folds[len(s.folds)-1] {
				records[h.ended.ID] = h.ended
			}
			if d := h.doing; d != nil && !d.Sent && !d.Token.Opening {
				want[d.ID] = append(want[d.ID], d.Token.Gap)
			}
		}
		seen := 0
		for q, err := range Requests(bytes.NewReader(kept(t, s, Options{}))) {
			if err != nil {
				t.Fatal(err)
			}
			seen++
			id := q.Record.ID
			if diff := cmp.Diff(records[id], q.Record, cmp.AllowUnexported(record.Count{})); diff != "" {
				t.Fatalf("request %d: %s", id, diff)
			}
			if !q.GapsKnown() || len(q.Gaps) != len(want[id]) {
				t.Fatalf("request %d has %d gaps, want %d", id, len(q.Gaps), len(want[id]))
			}
			for i, g := range q.Gaps {
				if off := g - want[id][i]; off < -time.Microsecond || off > time.Microsecond {
					t.Fatalf("gap %d of request %d is %v, want %v", i, id, g, want[id][i])
				}
			}
		}
		if seen != len(records) {
			t.Errorf("%d requests, want %d", seen, len(records))
		}
	})
}

// TestNoGapIsNegative has two chunks of one read, half a microsecond after the one before: the first of them is rounded up, so
// that the second lies before it.
func TestNoGapIsNegative(t *testing.T) {
	r := record.New(1)
	r.Stage, r.Started, r.Sent, r.Outcome = 1, 1000, 2000, record.OK
	r.FirstToken, r.LastToken, r.End, r.Chunks, r.Gaps = 5_000_000, 5_000_500, 5_000_900, 3, 2
	token := func(at record.Instant, gap time.Duration) happening {
		return happening{at: at, doing: &Doing{ID: 1, Token: record.Token{At: at, First: gap < 0, Opening: gap < 0, Gap: max(gap, 0)}}}
	}
	s := &script{
		all: []happening{
			{at: 1000, begun: &Begun{ID: 1, Stage: 1, Started: 1000}},
			{at: 2000, doing: &Doing{ID: 1, Sent: true, Token: record.Token{At: 2000}}},
			token(5_000_000, -1), token(5_000_500, 500), token(5_000_500, 0),
			{at: 5_000_900, ended: r},
		},
		folds: []record.Instant{1500, 100_000_000},
	}
	for q, err := range Requests(bytes.NewReader(kept(t, s, Options{}))) {
		if err != nil || len(q.Gaps) != 2 || q.Gaps[0] < 0 || q.Gaps[1] < 0 {
			t.Errorf("gaps %v, %v", q.Gaps, err)
		}
	}
}

func TestRequestsWithoutGapsSaySo(t *testing.T) {
	s := newScript(seeded(5), 40)
	unknown, all := 0, 0
	for q, err := range Requests(bytes.NewReader(kept(t, s, Options{NoGaps: true}))) {
		if err != nil {
			t.Fatal(err)
		}
		all++
		if !q.GapsKnown() {
			unknown++
		}
		if q.Gaps != nil {
			t.Errorf("request %d of %d gaps has %d", q.Record.ID, q.Record.Gaps, len(q.Gaps))
		}
	}
	if unknown < all/2 {
		t.Errorf("the gaps of %d of %d requests are unknown", unknown, all)
	}
}

func TestRequestsOfNoRun(t *testing.T) {
	n := 0
	for _, err := range Requests(bytes.NewReader([]byte("{}"))) {
		if n++; err == nil {
			t.Error("it was read")
		}
	}
	if n != 1 {
		t.Errorf("%d answers", n)
	}
}
