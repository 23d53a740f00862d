package report

import (
	"strings"
	"testing"

	"tokdyno/engine/compare"
	"tokdyno/engine/golden"
	"tokdyno/engine/run"
	"tokdyno/ui/cell"
	"tokdyno/ui/internal/scene"
)

func TestComparisonAsText(t *testing.T) {
	for _, width := range []int{1, 80, 120} {
		var b strings.Builder
		if err := WriteComparison(&b, scene.Comparison(), width); err != nil {
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
	if err := WriteComparisonMarkdown(&b, scene.Comparison()); err != nil {
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
		"worse":     {"ttft p50 5%, output_tok_s 30%", scene.Minute(2, 1.2, false), []string{"WORSE than last-good of 2026-11-30", "TTFT p50 +1", "at c=8, 5 % allowed"}},
		"no worse":  {"ttft p50 10%", scene.Minute(2, 1, false), []string{"no worse than last-good", "10 % allowed"}},
		"not known": {"ttft p99 1%", scene.Minute(2, 1, false), []string{"can't be told whether it is worse than last-good", "measure for longer, each: --for "}},
		"unasked":   {"", scene.Minute(2, 1.2, false), []string{"against last-good of", "B is worse at c=8: TTFT p50 +1", "and 4 more"}},
	} {
		before := scene.Measured("last-good", scene.Minute(1, 1, false))
		d, err := compare.Of("", []compare.Measured{before}, []compare.Measured{scene.Measured("this run", tt.b)}, compare.Usual(), compare.Noise)
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
