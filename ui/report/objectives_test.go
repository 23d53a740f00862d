package report

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
	"tokdyno/engine/slo"
)

func TestObjectivesAreReported(t *testing.T) {
	most, few, ms, share := 0.95, 0.5, 312.0, 0.02
	judged := func(v slo.Verdict) run.Judgement {
		text, held := string(v), v == slo.Held
		j := run.Judgement{Verdict: &text, Needed: new(100), N: 12}
		if v != slo.Unknown {
			j.Held = &held
		}
		return j
	}
	report := &run.Report{}
	report.SLO = run.SLO{Objectives: []run.Objective{
		{Text: "ttft p99 <= 500ms over 30s for 99%", ValueMS: &ms, Attainment: &most, Judged: 40, Judgement: judged(slo.Missed)},
		{Text: "errors <= 5% over 1m for 40%", ValueShare: &share, Attainment: &few, Judged: 40, Judgement: judged(slo.Held)},
		{Text: "tpot p95 <= 40ms over 30s for 99%", Judgement: judged(slo.Unknown)},
	}}
	text := printed(t, report, 120)
	for _, want := range []string{
		"objectives  ttft p99 <= 500ms over 30s for 99%: missed, in 38 of 40 s (95 %); 312 ms in the last\n",
		"            errors <= 5% over 1m for 40%: held, in 20 of 40 s (50 %); 2 % in the last\n",
		"            tpot p95 <= 40ms over 30s for 99%: not yet known: no window held the 100 samples it needs (12 in the last)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
