package report

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
)

func TestObjectivesAreReported(t *testing.T) {
	held, missed, most, few, ms, share := true, false, 0.95, 0.5, 312.0, 0.02
	report := &run.Report{}
	report.SLO = run.SLO{Text: "ttft=1s", Attainment: &most, Requests: &held, Held: nil, Target: 0.9, Objectives: []run.Objective{
		{Text: "ttft p99 <= 500ms over 30s for 99%", ValueMS: &ms, Attainment: &most, Judged: 40, Held: &missed},
		{Text: "errors <= 5% over 1m for 40%", ValueShare: &share, Attainment: &few, Judged: 40, Held: &held},
		{Text: "tpot p95 <= 40ms over 30s for 99%"},
	}}
	var b strings.Builder
	if err := Write(&b, report); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"of requests met ttft=1s (target 90.0 %): held",
		"objectives  ttft p99 <= 500ms over 30s for 99%: missed, in 38 of 40 s (95 %); 312 ms in the last",
		"            errors <= 5% over 1m for 40%: held, in 20 of 40 s (50 %); 2 % in the last",
		"            tpot p95 <= 40ms over 30s for 99%: no verdict",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}
