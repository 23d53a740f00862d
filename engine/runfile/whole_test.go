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
