package report

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/ui/cell"
	"tokdyno/ui/internal/golden"
)

// minute is a measured minute of a server that is slower by a factor.
func minute(seed uint64, slower float64, failing bool) *compare.Series {
	rng, s := rand.New(rand.NewPCG(seed, 1)), &compare.Series{Seconds: 60}
	for i := range 900 {
		at := float64(i) / 15
		drawn := func(median float64) float64 { return slower * median * math.Exp(0.1*rng.NormFloat64()) }
		s.TTFT.Add(at, drawn(120), 1)
		s.TPOT.Add(at, drawn(18), 1)
		s.E2EL.Add(at, drawn(2400), 1)
		failed := 0.0
		if failing && i%25 == 0 {
			failed = 1
		}
		s.Failed.Add(at, failed, 1)
	}
	for i := range 60 {
		s.Output.Add(float64(i), (1900+40*rng.NormFloat64())/slower, 1)
	}
	return s
}

func comparedRun(name string, levels ...*compare.Series) compare.Measured {
	began := time.Date(2026, 11, 30, 4, 25, 23, 0, time.Local)
	m := compare.Measured{Run: compare.Run{
		Name: name, Model: "Qwen3-8B", URL: "http://127.0.0.1:8000/v1/chat/completions", Started: &began, Load: "c=8  256-768 in  64-192 out",
		ShapeHash: "h",
	}}
	for i, s := range levels {
		m.Levels = append(m.Levels, compare.MeasuredLevel{Name: []string{"c=8", "c=16", "c=32"}[i], Axis: "closed", Level: float64(int(8) << i), Series: s})
	}
	return m
}

func comparison(t *testing.T) *compare.Document {
	t.Helper()
	slower := comparedRun("last", minute(2, 1.12, true), minute(3, 1, false), nil)
	slower.ShapeHash, slower.Asks = "i", []compare.Fact{{Name: "prompt tokens", Value: "1024"}}
	before := comparedRun("before|upgrade", minute(1, 1, false), minute(4, 1, false))
	before.Asks = []compare.Fact{{Name: "prompt tokens", Value: "512"}}
	before.Doubt = "streams are buffered on their way"
	d, err := compare.Of("1.2.3", []compare.Measured{before}, []compare.Measured{slower}, compare.Usual(), compare.Noise)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestComparisonAsText(t *testing.T) {
	for _, width := range []int{1, 80, 120} {
		var b strings.Builder
		if err := WriteComparison(&b, comparison(t), width); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := cell.Width(strings.TrimRight(line, "\n")); n > max(width, Narrowest) {
				t.Errorf("at %d cells, a line of %d: %s", width, n, line)
			}
		}
		if width == 80 {
			golden.Check(t, "comparison", b.String())
		}
	}
}

func TestComparisonAsMarkdown(t *testing.T) {
	var b strings.Builder
	if err := WriteComparisonMarkdown(&b, comparison(t)); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "comparison-md", b.String())
}

func TestABaselineIsSaidRightAfterTheAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		allowed string
		b       *compare.Series
		want    []string
	}{
		"worse":     {"ttft p50 5%, output_tok_s 30%", minute(2, 1.2, false), []string{"WORSE than last-good of 2026-11-30", "TTFT p50 +1", "at c=8, 5 % allowed"}},
		"no worse":  {"ttft p50 10%", minute(2, 1, false), []string{"no worse than last-good", "10 % allowed"}},
		"not known": {"ttft p99 1%", minute(2, 1, false), []string{"can't be told whether it is worse than last-good", "measure for longer, each: --for "}},
		"unasked":   {"", minute(2, 1.2, false), []string{"against last-good of", "B is worse at c=8: TTFT p50 +1", "and 4 more"}},
	} {
		before := comparedRun("last-good", minute(1, 1, false))
		d, err := compare.Of("", []compare.Measured{before}, []compare.Measured{comparedRun("this run", tt.b)}, compare.Usual(), compare.Noise)
		if err != nil {
			t.Fatal(err)
		}
		var allowed []compare.Allowance
		if tt.allowed != "" {
			if allowed, err = compare.ParseAllowances(tt.allowed); err != nil {
				t.Fatal(err)
			}
		}
		r := run.Report{Name: "c=8", Baseline: run.NewBaseline(d, allowed), At: -1}
		r.Requests.OK = 900
		var b strings.Builder
		if err := Write(&b, &r, 200); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in: %s", name, want, text)
			}
		}
	}
}

func TestNothingInCommonIsSaid(t *testing.T) {
	if got := Verdict(&compare.Comparison{Levels: []compare.Level{{Name: "c=8"}}}); got != "nothing was measured on both sides" {
		t.Error(got)
	}
}
