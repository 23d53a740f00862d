package query

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

const ms = time.Millisecond

// some are n requests of a closed loop of eight slots, of which every ninth fails; those of the second half are in stage 2.
func some(n int) (*stats.Collector, []*record.Record) {
	c := stats.NewCollector(1, stats.Inverted, slo.Criteria{slo.TTFT: 150 * ms})
	c.OpenStage(1)
	random := rand.New(rand.NewPCG(1, 2))
	var records []*record.Record
	for i := range n {
		if i == n/2 {
			c.OpenStage(record.Instant(1).Add(time.Duration(i) * 50 * ms))
		}
		r := record.New(uint64(i + 1))
		r.Stage, r.Slot, r.Endpoint, r.Started = 1, i%8+1, i%2+1, record.Instant(1).Add(time.Duration(i)*50*ms)
		if i >= n/2 {
			r.Stage = 2
		}
		f := c.Begin(r, 100)
		r.Sent = r.Started.Add(ms)
		f.Sent(r.Sent)
		r.FirstToken = r.Sent.Add(time.Duration(50+random.IntN(200)) * ms)
		r.FirstAnswer, r.LastToken, r.Chunks = r.FirstToken, r.FirstToken.Add(100*ms), 11
		r.End = r.LastToken
		r.OutputTokens, r.InputTokens = record.Known(11), record.Known(int64(100+i%10))
		r.Outcome = record.OK
		if i%9 == 8 {
			r.Outcome, r.Kind = record.Failed, record.KindTruncated
		}
		f.Finish(r)
		records = append(records, r)
		c.Fold(r.End)
	}
	return c, records
}

// ids are the numbers of rows.
func ids(rows []Row) []uint64 {
	var out []uint64
	for i := range rows {
		out = append(out, rows[i].ID)
	}
	return out
}

func must(t testing.TB, text string) Filter {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFiltersKeepWhatTheySay(t *testing.T) {
	c, records := some(400)
	e := c.Ended()
	ttft := func(r *record.Record) time.Duration { d, _ := r.TTFT(); return d }
	var slowest []time.Duration
	for _, r := range records {
		if r.Outcome == record.OK {
			slowest = append(slowest, ttft(r))
		}
	}
	p95, p50 := stats.Inverted.Quantile(slowest, 0.95), stats.Inverted.Quantile(slowest, 0.5)
	second := func(at record.Instant) int { return int(at.Elapsed() / time.Second) }
	ok := func(r *record.Record) bool { return r.Outcome == record.OK }
	for text, keeps := range map[string]func(*record.Record) bool{
		"":                  func(*record.Record) bool { return true },
		"failed":            func(r *record.Record) bool { return !ok(r) },
		"ok":                ok,
		"cancelled":         func(*record.Record) bool { return false },
		"truncated":         func(r *record.Record) bool { return r.Kind == record.KindTruncated },
		"http_429":          func(*record.Record) bool { return false },
		"missed ttft":       func(r *record.Record) bool { return ok(r) && ttft(r) > 150*ms },
		"missed":            func(r *record.Record) bool { return !ok(r) || ttft(r) > 150*ms },
		"slow ttft":         func(r *record.Record) bool { return ok(r) && ttft(r) > p95 },
		"beyond ttft p95":   func(r *record.Record) bool { return ok(r) && ttft(r) > p95 },
		"beyond TTFT P50.0": func(r *record.Record) bool { return ok(r) && ttft(r) > p50 },
		"ended 0:03..0:05":  func(r *record.Record) bool { return second(r.End) == 3 || second(r.End) == 4 },
		"first 3s":          func(r *record.Record) bool { return second(r.FirstToken) == 3 },
		"at 0:03": func(r *record.Record) bool {
			return second(r.Started) <= 3 && second(r.End) >= 3
		},
		"stage 2":               func(r *record.Record) bool { return r.Stage == 2 },
		"endpoint 2 slot 4":     func(r *record.Record) bool { return r.Slot == 4 },
		"#17":                   func(r *record.Record) bool { return r.ID == 17 },
		"number 17":             func(r *record.Record) bool { return r.ID == 17 },
		"TTFT > 0.2 s":          func(r *record.Record) bool { return ttft(r) > 200*ms },
		"ttft<=60ms prompt≥105": func(r *record.Record) bool { return ttft(r) <= 60*ms && r.InputTokens.Or(0) >= 105 },
		"prompt=103 stage 1 tokens>10": func(r *record.Record) bool {
			return r.InputTokens.Or(0) == 103 && r.Stage == 1
		},
		"gap>1ms": func(*record.Record) bool { return false }, // it has none
		"stalled": func(*record.Record) bool { return false },
	} {
		t.Run(text, func(t *testing.T) {
			f := must(t, text)
			var want []uint64
			for _, r := range records {
				if keeps(r) {
					want = append(want, r.ID)
				}
			}
			v := Answer(e, nil, 1, Query{Filter: f, Count: 1000})
			if got := ids(v.Rows); !slices.Equal(got, want) || v.Matched != len(want) || v.Total != 400 {
				t.Errorf("it keeps %d of %d, want %d: %v", v.Matched, v.Total, len(want), got)
			}
			if again := must(t, f.String()); again.String() != f.String() {
				t.Errorf("%q is read as %q", f, again)
			}
		})
	}
}

func TestWhatIsNoFilterIsAnsweredWithWhatThereIs(t *testing.T) {
	for text, says := range map[string]string{
		"fail":             `"fail" is no filter; there are failed`,
		"slow":             "slow by what?",
		"slow 3":           "slow by what?",
		"beyond":           "beyond which percentile of what?",
		"beyond x p9":      `"x" has no percentiles`,
		"beyond ttft p100": `"p100" is no percentile`,
		"at":               "at when? write it like at 12:05..12:10",
		"at 0:05..0:05":    "has no end after its beginning",
		"stage":            "stage needs a number",
		"stage x":          "stage needs a number",
		"foo>1":            `"foo" has no number; there are prompt, tokens`,
		"ttft>1":           "1 of what? ttft>1ms",
		"tokens>1s":        "tokens is a number of tokens",
		"#x":               "is no request",
		"stage>2":          `"stage" has no number`,
		"ttft > ":          "is not a time",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is answered with %v, want %q", text, err, says)
		}
	}
}

// However a window lies, it is what lies there when all rows are in order.
func TestWindowsAreInOrder(t *testing.T) {
	c, records := some(500)
	e := c.Ended()
	for _, descending := range []bool{false, true} {
		for _, by := range Sortable() {
			f, _ := lookup(by)
			want := make([]int, len(records))
			for i := range want {
				want[i] = i
			}
			keys := f.keys(&e, &rows{n: len(want)}, descending)
			slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
			for _, q := range []Query{{First: 0, Count: 20}, {First: 490, Count: 20}, {First: 123, Count: 33}, {First: -1, Count: 7}, {Count: 1000}} {
				q.Sort, q.Descending = by, descending
				v := Answer(e, nil, 1, q)
				end := min(v.First+q.Count, len(want))
				for k, i := range want[v.First:end] {
					if v.Rows[k].ID != e.ID[i] {
						t.Fatalf("%s, descending %v, %+v: row %d is %d, want %d", by, descending, q, k, v.Rows[k].ID, e.ID[i])
					}
				}
				if len(v.Rows) != end-v.First {
					t.Errorf("%s: %d rows, want %d", by, len(v.Rows), end-v.First)
				}
			}
		}
	}
}

func TestAViewStandsStillByItsUntil(t *testing.T) {
	c, _ := some(100)
	before := Answer(c.Ended(), nil, 1, Query{First: -1, Count: 5})
	r := record.New(101)
	r.Stage, r.Outcome = 2, record.Cancelled
	c.Begin(r, 0).Finish(r)
	c.Fold(record.Instant(time.Minute))
	same := Answer(c.Ended(), nil, 1, Query{First: -1, Count: 5, Until: before.Until})
	if !slices.Equal(ids(before.Rows), ids(same.Rows)) {
		t.Errorf("rows %v became %v", ids(before.Rows), ids(same.Rows))
	}
	if now := Answer(c.Ended(), nil, 1, Query{First: -1, Count: 1}); now.Rows[0].ID != 101 {
		t.Errorf("the newest is %d, want 101", now.Rows[0].ID)
	}
}

func TestARowSaysWhatItMissed(t *testing.T) {
	c, records := some(100)
	for i, row := range Answer(c.Ended(), nil, 1, Query{Count: 100}).Rows {
		d, _ := records[i].TTFT()
		want := records[i].Outcome == record.OK && d > 150*ms
		if (len(row.Missed) == 1 && row.Missed[0] == slo.TTFT) != want || len(row.Missed) > 1 {
			t.Errorf("request %d with TTFT %v missed %v", row.ID, d, row.Missed)
		}
	}
}

func TestPhasesOfABar(t *testing.T) {
	at := func(d time.Duration) record.Instant { return record.Instant(1).Add(d * ms) }
	for _, tt := range []struct {
		name string
		row  Row
		ends [Phases]record.Instant
	}{
		{
			"a whole answer",
			Row{Began: at(0), Sent: at(30), Connect: 10 * ms, First: at(100), Answer: at(300), Last: at(500), End: at(501)},
			[...]record.Instant{at(20), at(30), at(100), at(300), at(500)},
		},
		{
			"reasoning alone",
			Row{Began: at(0), Sent: at(5), First: at(100), Last: at(500), End: at(500)},
			[...]record.Instant{at(5), at(5), at(100), at(500), at(500)},
		},
		{
			"failed before it was sent",
			Row{Began: at(0), End: at(50)},
			[...]record.Instant{at(50), at(50), at(50), at(50), at(50)},
		},
		{
			"without a token",
			Row{Began: at(0), Sent: at(5), End: at(50)},
			[...]record.Instant{at(5), at(5), at(50), at(50), at(50)},
		},
		{
			"running",
			Row{Running: true, Began: at(0), Sent: at(5), First: at(9), Answer: at(9), Last: at(40), End: at(50)},
			[...]record.Instant{at(5), at(5), at(9), at(9), at(50)},
		},
	} {
		from, ends := tt.row.Bar()
		if from != at(0) || ends != tt.ends {
			t.Errorf("%s: phases end at %v, want %v", tt.name, ends, tt.ends)
		}
	}
}

func TestStreamsThatStandTogether(t *testing.T) {
	at := func(d time.Duration) record.Instant { return record.Instant(1).Add(d * ms) }
	var running []stats.Unfinished
	for i := range 8 {
		running = append(running, stats.Unfinished{
			ID: uint64(i + 1), Sent: at(0), First: at(100), Last: at(2000), Input: 50,
			Stalls: []stats.Stall{{Request: -1, From: at(1000 + time.Duration(i)), Length: 310 * ms}},
		})
	}
	running = append(running, stats.Unfinished{ID: 412, Sent: at(990), First: at(1311), Last: at(2000), Input: 30_000})
	v := Answer(stats.Ended{}, running, at(2000), Query{Waves: true})
	if len(v.Waves) != 1 {
		t.Fatalf("%d waves, want 1: %+v", len(v.Waves), v.Waves)
	}
	want := Wave{From: at(1002), To: at(1315), Streams: 8, Decoding: 8, Prefilled: 412, Prompt: 30_000}
	if w := v.Waves[0]; w != want {
		t.Errorf("the wave is %+v, want %+v", w, want)
	}
	brief := slices.Clone(running[:3]) // the third begins as the first ends
	brief[2].Stalls = []stats.Stall{{Request: -1, From: at(1309), Length: 310 * ms}}
	if v := Answer(stats.Ended{}, brief, at(2000), Query{Waves: true}); len(v.Waves) != 0 {
		t.Errorf("stalls that follow each other make a wave: %+v", v.Waves)
	}
	unknown := slices.Clone(running)
	unknown[8].Input = 0
	if v := Answer(stats.Ended{}, unknown, at(2000), Query{Waves: true}); v.Waves[0].Prompt != -1 {
		t.Errorf("a prompt of an unknown length has %d tokens", v.Waves[0].Prompt)
	}
	for i := range 4 { // four at each of two endpoints are two waves
		running[i].Endpoint, running[i+4].Endpoint = 1, 2
	}
	if v := Answer(stats.Ended{}, running, at(2000), Query{Waves: true}); len(v.Waves) != 2 || v.Waves[1].Decoding != 4 {
		t.Errorf("of two endpoints: %+v", v.Waves)
	}
	if v := Answer(stats.Ended{}, running[:2], at(2000), Query{Waves: true}); len(v.Waves) != 0 {
		t.Errorf("two streams make a wave: %+v", v.Waves)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"failed", "missed ttft stage 3", "ttft > 1 s tokens>=500", "slow e2el #4", "beyond gap p99.9 at 1:02..1:03.5", "gap≤5ms", "a>=<1"} {
		f.Add(text)
	}
	c, _ := some(20)
	e := c.Ended()
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(filter.String())
		if err != nil || again.String() != filter.String() {
			t.Errorf("%q is written %q, which is read as %q, %v", text, filter, again, err)
		}
		a, b := Answer(e, nil, 1, Query{Filter: filter, Count: 20}), Answer(e, nil, 1, Query{Filter: again, Count: 20})
		if !slices.Equal(ids(a.Rows), ids(b.Rows)) {
			t.Errorf("%q keeps %v, and %q %v", text, ids(a.Rows), again, ids(b.Rows))
		}
	})
}

// BenchmarkAnswer is what a look at a million requests takes; 50 ms is the most that it may.
func BenchmarkAnswer(b *testing.B) {
	c, _ := some(1_000_000)
	e := c.Ended()
	var running []stats.Unfinished
	for i := range 1000 {
		running = append(running, stats.Unfinished{ID: uint64(2_000_000 + i), Began: 1, Sent: record.Instant(2 + i), First: 0})
	}
	for _, q := range []Query{
		{First: -1, Count: 50},
		{First: 0, Count: 50, Sort: TTFT, Descending: true},
		{First: 500_000, Count: 50, Sort: E2EL},
		{First: 0, Count: 50, Sort: Prompt},
		{First: -1, Count: 50, Filter: must(b, "failed")},
		{First: -1, Count: 50, Filter: must(b, "missed ttft tokens>5 stage 2")},
		{First: -1, Count: 50, Filter: must(b, "slow ttft"), Sort: TTFT},
		{First: -1, Count: 50, Filter: must(b, "stalled")},
		{First: 0, Count: 50, Filter: must(b, "beyond e2el p99 at 1:00:00..1:10:00"), Sort: E2EL},
	} {
		b.Run(strings.ReplaceAll(string(q.Sort)+" "+q.Filter.String(), " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Answer(e, nil, 1, q)
			}
		})
		b.Run("with_1000_that_run_"+strings.ReplaceAll(string(q.Sort)+" "+q.Filter.String(), " ", "_"), func(b *testing.B) {
			q.Running = 1000
			for b.Loop() {
				Answer(e, running, record.Instant(time.Second), q)
			}
		})
	}
}

// TestTimesOfAFilterCountFromWhenTheLoadBegan asks for the same times of a run whose load began a second later.
func TestTimesOfAFilterCountFromWhenTheLoadBegan(t *testing.T) {
	c, _ := some(40)
	f, err := Parse("ended 00:00..00:01")
	if err != nil {
		t.Fatal(err)
	}
	within := func(begun record.Instant) (n int) {
		for _, r := range Answer(c.Ended(), nil, 1, Query{Filter: f, Count: 100, Begun: begun}).Rows {
			if n++; r.End < begun || r.End >= begun.Add(time.Second) {
				t.Errorf("one that ended at %v is within a second of %v", r.End, begun)
			}
		}
		return n
	}
	if first, second := within(1), within(record.Instant(1).Add(time.Second)); first == 0 || second == 0 {
		t.Errorf("%d and %d", first, second)
	}
}
