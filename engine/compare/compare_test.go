package compare

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStudentIsWhatTheTablesSay(t *testing.T) {
	for _, tt := range []struct {
		alpha   float64
		freedom int
		want    float64
	}{{0.05, 1, 12.706}, {0.05, 2, 4.303}, {0.05, 9, 2.262}, {0.05, 19, 2.093}, {0.01, 10, 3.169}, {0.05, 100, 1.984}} {
		if got := student(tt.alpha, tt.freedom); math.Abs(got-tt.want) > 1e-3 {
			t.Errorf("t of %g with %d degrees of freedom is %.4f, want %.3f", tt.alpha, tt.freedom, got, tt.want)
		}
	}
}

// steady is a run of a minute in which TTFT is drawn anew for each of n requests, and nothing else happens.
func steady(seed uint64, n int, median float64) *Series {
	rng, s := rand.New(rand.NewPCG(seed, 3)), &Series{Seconds: 60}
	for i := range n {
		at := 60 * float64(i) / float64(n)
		s.TTFT.Add(at, median*math.Exp(0.1*rng.NormFloat64()), 1)
		s.E2EL.Add(at, 500, 1)
		s.Failed.Add(at, 0, 1)
	}
	for i := range 60 {
		s.Output.Add(float64(i)+0.5, 1000+50*rng.NormFloat64(), 1)
	}
	return s
}

func compareOne(t *testing.T, metric string, a, b []*Series) *Difference {
	t.Helper()
	metrics, err := Parse(metric)
	if err != nil {
		t.Fatal(err)
	}
	return &Compare(a, b, metrics, Noise)[0]
}

func TestTheAnswers(t *testing.T) {
	one := func(s *Series) []*Series { return []*Series{s} }
	short := steady(1, 600, 100)
	short.Seconds = 9
	failing := steady(2, 600, 100)
	for i := range 60 {
		failing.Failed.Num[10*i] = 1
	}
	for name, tt := range map[string]struct {
		metric string
		a, b   *Series
		want   Answer
	}{
		"slower":               {"ttft p50", steady(1, 600, 100), steady(2, 600, 112), Worse},
		"faster":               {"ttft p95", steady(1, 600, 100), steady(2, 600, 85), Better},
		"the same":             {"ttft_p50", steady(1, 600, 100), steady(2, 600, 100), Same},
		"a little slower":      {"ttft_p50", steady(1, 600, 100), steady(2, 600, 103), Same},
		"less output is worse": {"output tok/s", steady(1, 60, 1), scaled(steady(2, 60, 1), 0.8), Worse},
		"too few for a P99":    {"ttft_p99", steady(1, 150, 100), steady(2, 150, 100), Unknown},
		"too short":            {"ttft_p50", short, steady(2, 600, 150), Unknown},
		"nothing of it":        {"tpot_p50", steady(1, 600, 100), steady(2, 600, 100), Absent},
		"nothing at all":       {"ttft_p50", nil, steady(2, 600, 100), Absent},
		"none fails":           {"failed", steady(1, 600, 100), steady(2, 600, 100), Same},
		"every tenth fails":    {"failed", steady(1, 600, 100), failing, Worse},
	} {
		d := compareOne(t, tt.metric, one(tt.a), one(tt.b))
		if d.Answer != tt.want {
			t.Errorf("%s: %s, want %s; change %v from %v to %v", name, d.Answer, tt.want, show(d.Change), show(d.Low), show(d.High))
		}
		if told := tt.want != Unknown; (d.NeedS == nil) != told {
			t.Errorf("%s: a run would have to last %s s", name, show(d.NeedS))
		}
	}
}

func scaled(s *Series, by float64) *Series {
	for i := range s.Output.Num {
		s.Output.Num[i] *= by
	}
	return s
}

func show(v *float64) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// There and back, a difference is the same.
func TestADifferenceHasTwoSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []*Series {
			return []*Series{steady(rapid.Uint64().Draw(t, name), rapid.IntRange(1, 400).Draw(t, name+" n"), 100)}
		}
		a, b := draw("a"), draw("b")
		for _, m := range Usual() {
			d, back := Compare(a, b, []Metric{m}, Noise)[0], Compare(b, a, []Metric{m}, Noise)[0]
			if (d.Answer == Worse) != (back.Answer == Better) || (d.Answer == Same) != (back.Answer == Same) {
				t.Fatalf("%s: there %s, back %s", m.Name, d.Answer, back.Answer)
			}
			if d.Change != nil && math.Abs(d.by+back.by) > 1e-9 {
				t.Fatalf("%s: there %g, back %g", m.Name, d.by, back.by)
			}
			if _, err := json.Marshal(d); err != nil {
				t.Fatalf("%s has no JSON form: %v", m.Name, err)
			}
			if differs(&d) && (d.low <= 0 && d.high >= 0) {
				t.Fatalf("%s: %s, between %g and %g", m.Name, d.Answer, d.low, d.high)
			}
		}
	})
}

// Runs of a baseline that lie apart say that one that lies as far off is nothing special.
func TestSeveralRunsWidenTheInterval(t *testing.T) {
	b := []*Series{steady(9, 600, 112)}
	alone := compareOne(t, "ttft_p50", []*Series{steady(1, 600, 100)}, b)
	alike := compareOne(t, "ttft_p50", []*Series{steady(1, 600, 100), steady(2, 600, 100), steady(3, 600, 100)}, b)
	apart := compareOne(t, "ttft_p50", []*Series{steady(1, 600, 90), steady(2, 600, 100), steady(3, 600, 111)}, b)
	if alone.Answer != Worse || alike.Answer != Worse {
		t.Errorf("against one %s, against three that agree %s", alone.Answer, alike.Answer)
	}
	if apart.Answer != Unknown {
		t.Errorf("against three that lie as far apart: %s, between %g and %g", apart.Answer, apart.low, apart.high)
	}
}

// TestRunsWithMoodsAreRarelyCalledDifferent compares single runs of machines whose speed is another each time by 5 %. One
// baseline run can't know that; four do.
func TestRunsWithMoodsAreRarelyCalledDifferent(t *testing.T) {
	const tries = 100
	count := func(baselines int) (differ int) {
		rng := rand.New(rand.NewPCG(4, uint64(baselines)))
		run := func() *Series { return steady(rng.Uint64(), 600, 100*math.Exp(0.05*rng.NormFloat64())) }
		for range tries {
			var a []*Series
			for range baselines {
				a = append(a, run())
			}
			if differs(compareOne(t, "ttft_p50", a, []*Series{run()})) {
				differ++
			}
		}
		return differ
	}
	one, four := count(1), count(4)
	t.Logf("of %d: %d against one baseline run, %d against four", tries, one, four)
	if one < tries/5 || four > tries/20 {
		t.Errorf("called different: %d against one baseline run, %d against four, of %d", one, four, tries)
	}
}

func TestNamesOfMetrics(t *testing.T) {
	for _, name := range []string{"ttft_p95", "TTFT p95", "ttft-p95", " ttft  p95 "} {
		if m, err := Find(name); err != nil || m.Name != "ttft_p95" {
			t.Errorf("%q is %q, %v", name, m.Name, err)
		}
	}
	if _, err := Find("latency"); err == nil || !strings.Contains(err.Error(), "ttft_p50, ttft_p90") {
		t.Errorf("%v", err)
	}
	seen := map[string]bool{}
	for _, m := range Metrics() {
		if seen[m.Name] || (m.values == nil) == (m.sums == nil) || (m.values != nil) != (m.P > 0) {
			t.Errorf("%+v", m)
		}
		seen[m.Name] = true
	}
}

func TestAllowances(t *testing.T) {
	list, err := ParseAllowances("ttft p95 10%, output_tok_s 5%")
	if err != nil || len(list) != 2 || list[0].Name != "ttft_p95" || list[0].Allowed != 0.1 || list[1].Name != "output_tok_s" {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, bad := range []string{"", "ttft", "ttft p95", "nothing 5%", "ttft_p95 0%", "ttft_p95 100%", "ttft_p95 10", "ttft_p95 10%,"} {
		if list, err := ParseAllowances(bad); err == nil {
			t.Errorf("%q allows %+v", bad, list)
		}
	}
}

func TestWhatIsWorseThanAllowed(t *testing.T) {
	for name, tt := range map[string]struct {
		allowed string
		b       *Series
		want    string
	}{
		"worse":              {"ttft p50 10%", steady(2, 600, 120), Missed},
		"worse, and allowed": {"ttft p50 10%", steady(2, 600, 104), Held},
		"better":             {"ttft p50 10%", steady(2, 600, 70), Held},
		"at the edge":        {"ttft p50 10%", steady(2, 600, 110), NotYetKnown},
		"less output":        {"output_tok_s 5%", scaled(steady(2, 600, 100), 0.8), Missed},
		"more output":        {"output_tok_s 5%", scaled(steady(2, 600, 100), 1.2), Held},
		"not measured":       {"tpot p50 5%", steady(2, 600, 100), NotYetKnown},
		"one of two":         {"ttft p50 10%, output_tok_s 5%", scaled(steady(2, 600, 100), 0.8), Missed},
	} {
		allowed, err := ParseAllowances(tt.allowed)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Of("", []Measured{measuredAt("A", 8, steady(1, 600, 100))}, []Measured{measuredAt("B", 8, tt.b)}, Usual(), Noise)
		if err != nil {
			t.Fatal(err)
		}
		criteria := d.Runs[0].Judge(allowed)
		if got := Worst(criteria); got != tt.want || len(criteria) != len(allowed) {
			t.Errorf("%s: %s, want %s: %+v", name, got, tt.want, criteria)
		}
	}
	if Worst(nil) != NotYetKnown {
		t.Error("nothing that was compared has held")
	}
}

func measuredAt(name string, level float64, s *Series) Measured {
	return Measured{
		Run:    Run{Name: name, Model: "m", ShapeHash: "h"},
		Levels: []MeasuredLevel{{Name: "c=8", Axis: "closed", Level: level, Series: s}},
	}
}

func TestLevelsArePaired(t *testing.T) {
	a, b := measuredAt("A", 8, steady(1, 600, 100)), measuredAt("B", 8, steady(2, 600, 100))
	a.Levels = append(a.Levels, MeasuredLevel{Name: "c=16", Axis: "closed", Level: 16})
	b.Levels = append(b.Levels, MeasuredLevel{Name: "8/s", Axis: "open", Level: 8})
	d, err := Of("1", []Measured{a}, []Measured{b}, Usual(), Noise)
	if err != nil {
		t.Fatal(err)
	}
	c := d.Runs[0]
	if len(c.Levels) != 1 || c.Levels[0].Name != "c=8" || strings.Join(c.Unpaired, " ") != "8/s c=16" {
		t.Errorf("%d levels, without %v", len(c.Levels), c.Unpaired)
	}
	for _, of := range c.Levels[0].Distributions {
		if len(of.A) > 101 || of.Metric == "ttft" && (len(of.A) != 101 || of.A[0] >= of.A[50] || of.A[50] >= of.A[100]) {
			t.Errorf("%s: %v", of.Metric, of.A)
		}
	}
	var text strings.Builder
	if err := d.WriteJSON(&text); err != nil || strings.Contains(text.String(), "null,\n      \"warnings\"") {
		t.Errorf("%v", err)
	}
	if _, err := Of("1", []Measured{measuredAt("A", 8, nil)}, []Measured{measuredAt("B", 9, nil)}, Usual(), Noise); err == nil {
		t.Error("runs without a level in common were compared")
	}
}

func TestUnlikeRunsSayInWhat(t *testing.T) {
	a, b := measuredAt("A", 8, nil), measuredAt("B", 8, nil)
	if unlike := Unlike(&a, &b); len(unlike) != 0 {
		t.Errorf("equal ones differ: %v", unlike)
	}
	a.Asks, b.Asks = []Fact{{"prompt tokens", "512"}, {"text", "words"}}, []Fact{{"prompt tokens", "1024"}, {"text", "words"}}
	b.ShapeHash, b.Model = "other", "n"
	if got := strings.Join(Unlike(&a, &b), "; "); got != "model m against n; prompt tokens 512 against 1024" {
		t.Errorf("%q", got)
	}
	b.Asks, b.Model = a.Asks, a.Model
	if got := Unlike(&a, &b); len(got) != 1 {
		t.Errorf("another hash is not said: %q", got)
	}
}

func TestStagesAreJoinedEndToEnd(t *testing.T) {
	all := Join([]*Series{steady(1, 100, 100), nil, steady(2, 50, 100)})
	if all.Seconds != 120 || len(all.TTFT.V) != 150 || all.TTFT.At[100] != 60 || len(all.Output.Num) != 120 {
		t.Errorf("%g s, %d requests", all.Seconds, len(all.TTFT.V))
	}
	if Join([]*Series{nil}) != nil {
		t.Error("something came of nothing")
	}
}
