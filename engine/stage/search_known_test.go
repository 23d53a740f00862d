package stage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/slo"
)

// pace is a server that answers so many requests a second at each level, of which so many of 200 miss.
type pace struct {
	rate   func(level float64) float64
	misses func(level float64) int
	output func(level float64) float64
	doubt  func(level float64) string
}

// drive takes a pilot over it, with a tick of a second, and returns the result, the levels, and all that was said.
func (m pace) drive(t *testing.T, p Pilot) (Result, []float64, string) {
	t.Helper()
	var way []float64
	var said []string
	var s Status
	for range 100_000 {
		d := p.Next(s)
		said = append(said, d.Why)
		if d.Done {
			res, _ := p.Result()
			return res, way, strings.Join(said, "\n")
		}
		if d.Moved {
			way = append(way, d.Level)
			s.Stage, s.Level, s.Age = s.Stage+1, d.Level, 0
		}
		s.Now, s.Age = s.Now+time.Second, s.Age+time.Second
		s.Steady, s.Settled, s.InFlight = s.Age, true, 1
		s.Judged = int(m.rate(s.Level) * s.Steady.Seconds())
		s.Ended = s.Judged + 1
		s.Goals = []Goal{{Name: "ttft", Allowed: 0.01, Judged: s.Judged, Missed: s.Judged * m.misses(s.Level) / 200}}
		if m.output != nil {
			s.Output = m.output(s.Level)
		}
		if m.doubt != nil {
			s.Doubt = m.doubt(s.Level)
		}
	}
	t.Fatal("the search goes on and on")
	return Result{}, nil, ""
}

func always[T any](v T) func(float64) T { return func(float64) T { return v } }

func missesFrom(limit float64) func(float64) int {
	return func(level float64) int { return unless(level < limit) }
}

// TestSearchAsksForMoreWhereItIsNotYetKnown is of a server so slow that no level gets its hundred requests in two minutes.
func TestSearchAsksForMoreWhereItIsNotYetKnown(t *testing.T) {
	tests := []struct {
		name     string
		server   pace
		effort   Effort
		way      []float64
		found    float64
		says     []string
		sentence string
	}{
		{
			"the winner gets the time that it needs",
			pace{rate: always(0.5), misses: missesFrom(7)},
			Effort{},
			[]float64{4, 8, 6, 7, 6},
			6,
			[]string{
				"c=4: n=60, steady 120 s, not yet known; on to c=8", "c=6: 60 of 100 requests, asks for more",
				"c=6: n=100, steady 200 s, held; on to c=7",
			},
			"c=6 is the highest load that held: 100 % of 160 requests in 2 looks, 95 % interval 97.6 to 100 %; at c=7 ttft missed by 14.3 % of 14 requests, 1 % allowed.",
		},
		{
			"fewer samples than the judge needs do not count",
			pace{rate: always(2.0), misses: missesFrom(7)},
			Effort{Requests: 10, Steady: 5 * time.Second},
			[]float64{4, 8, 6, 7, 6},
			6,
			[]string{"c=4: 10 of 100 requests, asks for more", "c=4: n=100, steady 50 s, held; on to c=8"},
			"c=6 is the highest load that held: 100 % of 200 requests in 2 looks",
		},
		{
			"two looks of which neither alone would do",
			pace{rate: always(0.2), misses: missesFrom(7)},
			Effort{},
			[]float64{4, 8, 6, 7, 6},
			6,
			[]string{"c=6: n=72, steady 360 s, not yet known; on to c=7"},
			"c=6 is the highest load that held: 100 % of 100 requests in 2 looks",
		},
		{
			"what stays unknown is not found",
			pace{rate: always(0.1), misses: missesFrom(7)},
			Effort{},
			[]float64{4, 8, 6, 7, 6},
			0,
			[]string{"c=6: n=36, steady 360 s, not yet known"},
			"Whether any load holds the SLO is not yet known: c=6 is not yet known (72 of 100 requests) when the time of a level was up",
		},
		{
			"the highest that did hold is found below",
			pace{rate: func(level float64) float64 { return map[bool]float64{true: 2, false: 0.1}[level < 6] }, misses: missesFrom(7)},
			Effort{},
			[]float64{4, 8, 6, 7, 6},
			4,
			nil,
			"c=4 is the highest load that held: 100 % of 100 requests, 95 % interval 96.3 to 100 %; at c=7 ttft missed by 14.3 % of 14 requests, " +
				"1 % allowed; c=6 is not yet known (72 of 100 requests).",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, way, said := tt.server.drive(t, mustSearch(t, Concurrency, Range{}, tt.effort))
			if fmt.Sprint(way) != fmt.Sprint(tt.way) || res.Level != tt.found || res.Found != (tt.found > 0) || !strings.HasPrefix(res.Sentence, tt.sentence) {
				t.Errorf("way %v, want %v; found %v\n%q, want %q", way, tt.way, res.Level, res.Sentence, tt.sentence)
			}
			for _, want := range tt.says {
				if !strings.Contains(said, want) {
					t.Errorf("it did not say %q, but %d other things", want, strings.Count(said, "\n"))
				}
			}
		})
	}
}

func TestSearchBeginsWithWhatIsKnown(t *testing.T) {
	known := func(level float64, judged, missed int) Known {
		return Known{Level: level, N: judged, Goals: []Goal{{Name: "ttft", Allowed: 0.01, Judged: judged, Missed: missed}}}
	}
	tests := []struct {
		name  string
		known []Known
		limit float64 // what the server still holds is below
		way   []float64
		found float64
		why   string
		n     int
	}{
		{
			"between the highest that held and the lowest that missed",
			[]Known{known(4, 300, 0), known(16, 50, 40), known(8, 300, 0), known(32, 50, 50)},
			11,
			[]float64{12, 10, 11, 10},
			10, "begins at c=12: c=8 is known to hold, and c=16 to miss", 200,
		},
		{"up from one that held", []Known{known(8, 300, 0)}, 11, []float64{16, 12, 10, 11, 10}, 10, "begins at c=16: c=8 is known to hold", 200},
		{"down from one that missed", []Known{known(16, 300, 100)}, 11, []float64{8, 12, 10, 11, 10}, 10, "begins at c=8: c=16 is known to miss", 200},
		{"neighbours are only looked at again", []Known{known(10, 300, 1), known(11, 300, 100)}, 11, []float64{10}, 10, "", 400},
		{"what is no longer so is found out", []Known{known(10, 300, 0), known(11, 300, 100)}, 8, []float64{10, 9, 8, 6}, 6, "", 100},
		{"too few say nothing", []Known{known(10, 60, 0), known(11, 5, 5)}, 7, []float64{4, 8, 6, 7, 6}, 6, "begins at c=4", 200},
		{"even the least missed", []Known{known(1, 100, 50)}, 0, []float64{1}, 0, "", 0},
		{
			"what held above one that missed does not count",
			[]Known{known(4, 300, 0), known(8, 300, 9), known(16, 300, 0)},
			7,
			[]float64{6, 7, 6},
			6, "begins at c=6: c=4 is known to hold, and c=8 to miss", 200,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := NewSearch(Concurrency, Range{}, Effort{Steady: time.Second}, tt.known...)
			if err != nil {
				t.Fatal(err)
			}
			res, way, said := pace{rate: always(100.0), misses: missesFrom(tt.limit)}.drive(t, p)
			if fmt.Sprint(way) != fmt.Sprint(tt.way) || res.Level != tt.found || res.Samples != tt.n || !strings.HasPrefix(said, tt.why) {
				t.Errorf("way %v, want %v; found %v with %d: %s\n%s", way, tt.way, res.Level, res.Samples, res.Sentence, said)
			}
		})
	}
}

func TestSearchStopsWhereOutputNoLongerGrows(t *testing.T) {
	flat := func(most float64) func(float64) float64 {
		return func(level float64) float64 { return 100 * min(level, most) }
	}
	tests := []struct {
		name   string
		server pace
		way    []float64
		says   string
	}{
		{
			"nothing misses",
			pace{rate: always(100.0), misses: always(0), output: flat(16)},
			[]float64{4, 8, 16, 32, 64, 64},
			"c=64 held: 100 % of 200 requests in 2 looks, 95 % interval 98.1 to 100 %; it went no higher, since output no longer grows " +
				"(1,600 tok/s at c=16, 1,600 at c=64) and nothing missed.",
		},
		{
			"a miss comes first",
			pace{rate: always(100.0), misses: missesFrom(30), output: flat(16)},
			[]float64{4, 8, 16, 32, 24, 28, 30, 29, 29},
			"c=29 is the highest load that held",
		},
		{
			"it still grows",
			pace{rate: always(100.0), misses: missesFrom(300), output: flat(1e9)},
			[]float64{4, 8, 16, 32, 64, 128, 256, 512, 384, 320, 288, 304, 296, 296},
			"c=296 is the highest load that held",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, way, _ := tt.server.drive(t, mustSearch(t, Concurrency, Range{}, Effort{Steady: time.Second}))
			if fmt.Sprint(way) != fmt.Sprint(tt.way) || !strings.HasPrefix(res.Sentence, tt.says) || res.Plateau != strings.Contains(tt.says, "no longer grows") {
				t.Errorf("way %v, want %v\n%+v", way, tt.way, res)
			}
		})
	}
}

func TestSearchDoesNotTrustWhatCanNotBeJudged(t *testing.T) {
	from := func(limit float64) func(float64) string {
		return func(level float64) string { return map[bool]string{true: "client-bound"}[level >= limit] }
	}
	server := pace{rate: always(100.0), misses: missesFrom(12), doubt: from(8)}
	res, way, _ := server.drive(t, mustSearch(t, Concurrency, Range{}, Effort{}))
	if fmt.Sprint(way) != "[4 8]" || res.Level != 4 || !strings.HasSuffix(res.Sentence, "; c=8 can't be judged: client-bound.") {
		t.Errorf("way %v, %+v", way, res)
	}
	server.doubt = from(1)
	res, way, _ = server.drive(t, mustSearch(t, Concurrency, Range{}, Effort{}))
	if fmt.Sprint(way) != "[4]" || res.Found || res.Sentence != "The SLO can't be judged here: at c=4 client-bound." {
		t.Errorf("way %v, %+v", way, res)
	}
}

// TestNoLevelIsRejectedOnOneRequest is of the judge's rule: fewer than ten bad ones say nothing.
func TestNoLevelIsRejectedOnOneRequest(t *testing.T) {
	for judged, want := range map[int]State{1: Unknown, 2: Unknown, 9: Unknown, 10: Missed} {
		w := watch{effort: Effort{Requests: 1, Steady: time.Second}.WithDefaults(), search: true}
		s := holding(1, 20, time.Minute)
		s.Judged, s.Goals = judged, []Goal{{Name: "ttft", Allowed: 0.01, Judged: judged, Missed: judged}}
		if r, over, why := w.look(s); r.State != want || over != (want == Missed) {
			t.Errorf("%d of %d missed: %s, over %v (%s)", judged, judged, r.State, over, why)
		}
	}
}

// TestANarrowMissGetsAsManyRequestsAgain is of levels that miss two or three of their first hundred requests, and none or one more.
func TestANarrowMissGetsAsManyRequestsAgain(t *testing.T) {
	for _, tt := range []struct {
		first, later int // of a hundred each
		n            int
		state        State
	}{
		{2, 0, 200, Held}, {2, 1, 151, Missed}, {3, 0, 100, Missed}, {1, 1, 100, Held},
	} {
		w := watch{effort: Effort{Steady: time.Second}.WithDefaults(), search: true}
		for judged := 1; ; judged++ {
			s := holding(1, 8, time.Duration(judged)*time.Second)
			s.Age, s.Steady, s.Requests, s.Ended, s.Judged = s.Now, time.Second, 0, judged, judged
			missed := min(max(judged-50, 0), tt.first) + min(max(judged-150, 0), tt.later) // late enough not to be missed early
			s.Goals = []Goal{{Name: "ttft", Allowed: 0.01, Judged: judged, Missed: missed}}
			r, over, why := w.look(s)
			if judged == 150 && !over && why != "n=150, missed by so little that it asks for as many again" {
				t.Errorf("at 150 it says %q", why)
			}
			if !over {
				continue
			}
			if r.N != tt.n && !r.Early || r.State != tt.state {
				t.Errorf("%d and %d of a hundred missed: %s with %d requests (%s)", tt.first, tt.later, r.State, r.N, why)
			}
			break
		}
	}
}

// TestALookIsNotOverBeforeItIsKnownWithTheOneBefore is of a second look that alone would have missed early.
func TestALookIsNotOverBeforeItIsKnownWithTheOneBefore(t *testing.T) {
	w := watch{effort: Effort{Steady: time.Second}.WithDefaults(), search: true}
	w.before = Known{Level: 8, N: 49, Goals: []Goal{{Name: "ttft", Allowed: 0.01, Judged: 49}}}.rung()
	s := holding(1, 8, time.Minute)
	s.Judged, s.Goals = 26, []Goal{{Name: "ttft", Allowed: 0.01, Judged: 26, Missed: 3}}
	if r, over, why := w.look(s); over || r.State != Unknown || r.N != 75 {
		t.Errorf("3 of 26 after 0 of 49: %+v, over %v (%s)", r, over, why)
	}
	s.Goals[0].Missed = 4
	if r, over, why := w.look(s); !over || r.State != Missed || !r.Early {
		t.Errorf("4 of 26 after 0 of 49: %+v, over %v (%s)", r, over, why)
	}
}

func TestLadderClaimsNoLevelThatIsNotYetKnown(t *testing.T) {
	slow := pace{rate: func(level float64) float64 { return level / 10 }, misses: missesFrom(20)}
	for _, tt := range []struct {
		levels []float64
		way    string
		found  float64
		says   string
	}{
		{
			[]float64{2, 4, 16, 32},
			"2 unknown, 4 unknown, 16 held, 32 missed", 16,
			"4 levels measured, c=2 to c=32: c=16 is the highest that held: 100 % of 100 requests, 95 % interval 96.3 to 100 %; " +
				"at c=32 ttft missed by 14.7 % of 102 requests, 1 % allowed; 2 levels are not yet known, such as c=4: 48 of 100 requests.",
		},
		{
			[]float64{1, 2},
			"1 unknown, 2 unknown", 0,
			"2 levels measured, c=1 to c=2: none is known to hold; 2 levels are not yet known, such as c=2: 24 of 100 requests.",
		},
		{
			[]float64{12, 16},
			"12 held, 16 held", 16,
			"2 levels measured, c=12 to c=16: every one held, the highest by 100 % of 100 requests, 95 % interval 96.3 to 100 %.",
		},
	} {
		l := mustLadder(t, Plan{Axis: Concurrency, Levels: tt.levels})
		res, _, _ := slow.drive(t, l)
		if got := way(l.Progress(0)); got != tt.way || res.Level != tt.found || res.Sentence != tt.says {
			t.Errorf("way %q, want %q\n%q, want %q", got, tt.way, res.Sentence, tt.says)
		}
	}
}

func TestLooksOfOneLevelAreJudgedTogetherIfTheyAgree(t *testing.T) {
	look := func(judged, missed int) Rung {
		r := Rung{Level: 8, Looks: 1, N: judged}
		r.judge([]Goal{{Name: "ttft", Allowed: 0.01, Judged: judged, Missed: missed}}, 0)
		return r
	}
	for _, tt := range []struct {
		newest, earlier Rung
		state           State
		n, looks        int
	}{
		{look(100, 2), look(100, 0), Held, 200, 2},
		{look(100, 3), look(100, 0), Missed, 200, 2},
		{look(60, 0), look(60, 0), Held, 120, 2},
		{look(100, 30), look(100, 0), Missed, 100, 1},
		{look(100, 0), look(100, 30), Held, 100, 1},
	} {
		if r := tt.newest.with(tt.earlier, 0); r.State != tt.state || r.N != tt.n || r.Looks != tt.looks || r.Judged.Verdict != slo.Verdict(tt.state) {
			t.Errorf("%+v and %+v: %+v", tt.newest.Judged, tt.earlier.Judged, r)
		}
	}
}
