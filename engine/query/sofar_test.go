package query

import (
	"slices"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// inFlight are three requests that run at 2 s: one is not sent, one waits for 1.5 s, one is amid its answer.
func inFlight() ([]stats.Unfinished, record.Instant) {
	at := func(d time.Duration) record.Instant { return record.Instant(1).Add(d) }
	return []stats.Unfinished{
		{ID: 901, Slot: 1, Began: at(1900 * ms), Input: 100},
		{ID: 902, Slot: 2, Began: at(490 * ms), Sent: at(500 * ms), Input: 100},
		{
			ID: 903, Slot: 3, Began: at(990 * ms), Sent: at(1000 * ms), First: at(1100 * ms), Answer: at(1100 * ms), Last: at(1900 * ms),
			Chunks: 40, Stalls: []stats.Stall{{Request: -1, From: at(1200 * ms), Length: 300 * ms}},
		},
	}, at(2 * time.Second)
}

// What may still grow is known to be over a limit, but never to be under one.
func TestRequestsThatRunAreFilteredByWhatIsKnownOfThem(t *testing.T) {
	running, at := inFlight()
	e := stats.Ended{Criteria: slo.Criteria{slo.TTFT: 150 * ms, slo.E2EL: 800 * ms}}
	for text, want := range map[string][]uint64{
		"":                       {901, 902, 903},
		"failed":                 nil,
		"ok":                     nil,
		"truncated":              nil,
		"slot 2":                 {902},
		"#903":                   {903},
		"ttft>1s":                {902},
		"ttft<200ms":             {903},
		"ttft<5s":                {903}, // the other waits for less than that so far
		"e2el>500ms":             {902, 903},
		"e2el<5s":                nil,
		"tokens>30":              {903},
		"tokens=40":              nil,
		"prompt=100":             {901, 902},
		"gap>200ms":              {903},
		"gap>1s":                 nil,
		"tpot>1ms":               nil,
		"stalled":                {903},
		"missed":                 {902, 903},
		"missed ttft e2el>900ms": {902},
		"at 00:00.5..00:00.9":    {902},
		"at 00:01":               {901, 902, 903},
		"first 00:01..00:02":     {903},
		"ended 00:01..00:02":     nil,
	} {
		v := Answer(e, running, at, Query{Filter: must(t, text), Running: 100})
		if got := ids(v.Running); !slices.Equal(got, want) {
			t.Errorf("%q keeps %v, want %v", text, got, want)
		}
	}
}

// Those that run stand among those that ended where the order has them.
func TestRequestsThatRunStandInOrder(t *testing.T) {
	c, records := some(400)
	e := c.Ended()
	running, at := inFlight()
	for _, by := range Sortable()[1:] { // the first is the order in which they ended
		f, _ := lookup(by)
		for _, descending := range []bool{false, true} {
			q := Query{Sort: by, Descending: descending, Count: len(records), Running: 100}
			v := Answer(e, running, at, q)
			if len(v.Running) != 3 || v.InFlight != 3 || !slices.IsSorted(v.Places) {
				t.Fatalf("%s: %d run, at %v", by, len(v.Running), v.Places)
			}
			value, byID := f.of(&e), make(map[uint64]time.Duration)
			for i, id := range e.ID {
				byID[id] = keyOf(value(i), descending)
			}
			var all []time.Duration
			ended := v.Rows
			for place := range len(records) + 3 {
				if k, ok := slices.BinarySearch(v.Places, place); ok {
					all = append(all, q.keySoFar(&v.Running[k]))
				} else {
					all, ended = append(all, byID[ended[0].ID]), ended[1:]
				}
			}
			if !slices.IsSorted(all) {
				t.Errorf("%s, descending %v: they are not in order", by, descending)
			}
		}
	}
	for _, tt := range []struct {
		q    Query
		want []int
	}{{Query{Running: 100}, []int{400, 401, 402}}, {Query{Running: 100, Descending: true}, []int{0, 1, 2}}} {
		if v := Answer(e, running, at, tt.q); !slices.Equal(v.Places, tt.want) {
			t.Errorf("in the order in which they ended, those that run stand at %v, want %v", v.Places, tt.want)
		}
	}
}
