package slo

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseObjectives(t *testing.T) {
	ttft := Objective{Metric: TTFT, Percentile: 0.99, Limit: 500 * time.Millisecond, Window: 5 * time.Minute, Target: 0.999}
	plain := Objective{Metric: TTFT, Percentile: 0.99, Limit: 500 * time.Millisecond, Window: DefaultWindow, Target: DefaultTarget}
	errs := Objective{Metric: ErrorRate, MaxErrors: 0.01, Window: time.Minute, Target: 0.99}
	itl := Objective{Metric: ITL, Percentile: 0.999, Limit: 25 * time.Millisecond, Window: DefaultWindow, Target: 1}
	tests := []struct {
		in   string
		want []Objective
	}{
		{"", nil},
		{" ;\n; ", nil},
		{"ttft p99 <= 500ms over 5m for 99.9%", []Objective{ttft}},
		{"TTFT P99<=500ms FOR 99.9 % over 300s", []Objective{ttft}},
		{"ttft p99≤500ms", []Objective{plain}},
		{"ttft p99 = 0.5s", []Objective{plain}},
		{"ttft p99 <= 500 ms over 5 m for 0.999", []Objective{ttft}},
		{"ttft p99 <= 500 ms over 4 m 60 s for 99.9 %", []Objective{ttft}},
		{"errors <= 0.01 over 1 min", []Objective{errs}},
		{"off", nil},
		{"errors <= 1% over 1m for 99%", []Objective{errs}},
		{"errors<=1 % over 1m", []Objective{errs}},
		{"ttft p99 <= 500ms; errors <= 1% over 1m;", []Objective{plain, errs}},
		{"ttft p99 <= 500ms\r\n\nitl p99.9 <= 25ms for 100%\n", []Objective{plain, itl}},
		{"errors <= 0%", []Objective{{Metric: ErrorRate, Window: DefaultWindow, Target: DefaultTarget}}},
		{"e2e p50 < 3s", []Objective{{Metric: E2EL, Percentile: 0.5, Limit: 3 * time.Second, Window: DefaultWindow, Target: DefaultTarget}}},
	}
	for _, tt := range tests {
		want, err := NewObjectives(tt.want...)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseObjectives(tt.in); err != nil || got != want {
			t.Errorf("ParseObjectives(%q) = %v, %v, want %v", tt.in, got, err, want)
		}
	}
}

func TestParseObjectivesSaysWhatIsWrongWhere(t *testing.T) {
	tests := []struct{ in, want string }{
		{"latency p99 <= 5ms", `column 1, "latency": there is no such metric; there are ttft, ttfa, tpot, itl, e2el and errors`},
		{"p99 <= 5ms", `column 1, "p99": there is no such metric`},
		{"ttft <= 500ms", `column 1, after "ttft": a percentile belongs after ttft, e.g. ttft p99 <= 500ms`},
		{"ttft", `after "ttft": a percentile`},
		{"ttft 99 <= 500ms", `column 6, "99": a percentile is p and a number above 0 and up to 100`},
		{"ttft p0 <= 500ms", `"p0": a percentile`},
		{"ttft p101 <= 500ms", `"p101": a percentile`},
		{"ttft p9e1 <= 500ms", `"p9e1": a percentile`},
		{"errors p99 <= 1%", `column 8, "p99": errors has no percentile`},
		{"ttft p99 500ms", `column 10, "500ms": "<=" comes here`},
		{"ttft p99 =< 500ms", `column 10, "=<": "<=" comes here`},
		{"ttft p99", `column 6, after "p99": "<=" and a limit are missing`},
		{"ttft p99 <=", `column 10, after "<=": a limit is missing`},
		{"ttft p99 <= 500", `column 13, 500 of what? 500ms`},
		{"ttft p99 <= 0s", `"0s": the limit of ttft`},
		{"ttft p99 <= 1%", `column 13, "1%" is not a time; write it like 500ms`},
		{"errors <= 10ms", `column 11, "10ms" is not a share; write it like 30% or 0.3`},
		{"errors <= 100%", `"100%": the limit of errors`},
		{"ttft p99 <= 5ms over", `after "over": a window is missing`},
		{"ttft p99 <= 5ms over 2h", `column 22, "2h": a window is a time from 1s to 1h`},
		{"ttft p99 <= 5ms over 10ms", `"10ms": a window`},
		{"ttft p99 <= 5ms for", `after "for": a share is missing`},
		{"ttft p99 <= 5ms for 99", `column 21, 99 of what? 99% or 0.99`},
		{"ttft p99 <= 5ms for 0%", `"0%": a share`},
		{"ttft p99 <= 5ms for 99%%", `"99%%" is not a share`},
		{"errors <= 1 over 1m", `column 11, 1 may be a hundredth or all; write 1% or 100%`},
		{"ttft p99 <= 5ms over 5", `column 22, 5 of what? 5m`},
		{"ttft p99 <= 5ms over 1m over 2m", `column 25, "over": it is there twice`},
		{"ttft p99 <= 5ms and tpot p99 <= 1ms", `column 17, "and": after the limit`},
		{"ttft p99 <= 5ms\ntpot p99 <= fast", `line 2, column 13, "fast" is not a time; write it like 500ms`},
		{"ttft p99 <= 5ms; ttft p99 <= 6ms for 90%", `column 18, "ttft p99 <= 5ms over 30s for 99%" and "ttft p99 <= 6ms over 30s for 90%" limit the same figure`},
		{"ttft p99 ≤ 5ms; tpot x", `column 22, "x"`},
		{"%", `column 1, "%"`},
		{strings.Repeat("errors <= 1% over 1s;", 2), "limit the same figure"},
	}
	for _, tt := range tests {
		if _, err := ParseObjectives(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ParseObjectives(%q): error %v, want it to say %q", tt.in, err, tt.want)
		}
	}
}

func TestThereCanBeOnlySoManyObjectives(t *testing.T) {
	text := ""
	for i := range MaxObjectives + 1 {
		text += "ttft p" + string(rune('1'+i)) + " <= 5ms;"
	}
	if _, err := ParseObjectives(text); err == nil || !strings.Contains(err.Error(), "more than 8 objectives") {
		t.Errorf("error %v", err)
	}
}

func TestAnObjectiveOfWrongElementsIsRefused(t *testing.T) {
	good := Objective{Metric: TTFT, Percentile: 0.99, Limit: time.Second, Window: time.Minute, Target: 0.99}
	tests := []struct {
		name   string
		change func(*Objective)
	}{
		{"no such metric", func(o *Objective) { o.Metric = ErrorRate + 1 }},
		{"no percentile", func(o *Objective) { o.Percentile = 0 }},
		{"no limit", func(o *Objective) { o.Limit = 0 }},
		{"share for a latency", func(o *Objective) { o.MaxErrors = 0.1 }},
		{"latency for a share", func(o *Objective) { o.Metric = ErrorRate }},
		{"no window", func(o *Objective) { o.Window = 0 }},
		{"no target", func(o *Objective) { o.Target = 0 }},
		{"target of more than all", func(o *Objective) { o.Target = 1.01 }},
	}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		o := good
		tt.change(&o)
		if _, err := NewObjectives(o); err == nil {
			t.Errorf("%s: taken", tt.name)
		}
	}
}

func drawObjective(t *rapid.T) Objective {
	share := func(name string) float64 { return rapid.Float64Range(1e-9, 1).Draw(t, name) }
	o := Objective{
		Metric: Metric(rapid.IntRange(0, int(ErrorRate)).Draw(t, "metric")),
		Window: time.Duration(rapid.Int64Range(int64(ShortestWindow), int64(LongestWindow)).Draw(t, "window")),
		Target: share("target"),
	}
	if o.Metric == ErrorRate {
		o.MaxErrors = rapid.Float64Range(0, 0.99).Draw(t, "errors")
	} else {
		o.Percentile = share("percentile")
		o.Limit = time.Duration(rapid.Int64Range(1, int64(24*time.Hour)).Draw(t, "limit"))
	}
	return o
}

func TestObjectivesSurviveTheirOwnSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, err := NewObjectives(rapid.SliceOfNDistinct(rapid.Custom(drawObjective), 0, 4,
			func(o Objective) Objective {
				return Objective{Metric: o.Metric, Percentile: o.Percentile, Window: o.Window}
			}).Draw(t, "list")...)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := list.MarshalText()
		var again Objectives
		if err := again.UnmarshalText(text); err != nil || again != list {
			t.Fatalf("%q gave %v, %v", text, again, err)
		}
	})
}

func TestObjectivesReadAsAPersonWritesThem(t *testing.T) {
	for _, s := range []string{
		"ttft p99 <= 500ms over 5m for 99.9%",
		"e2el p50 <= 1m30s over 1h for 100%",
		"errors <= 0.5% over 10m for 90%",
		"itl p99.99 <= 25ms over 30s for 0.5%",
	} {
		list, err := ParseObjectives(s)
		if err != nil || list.String() != s {
			t.Errorf("%q became %q, %v", s, list, err)
		}
	}
}

func FuzzParseObjectives(f *testing.F) {
	f.Add("ttft p99 <= 500ms over 5m for 99.9%; errors <= 1% over 1m")
	f.Fuzz(func(t *testing.T, s string) {
		list, err := ParseObjectives(s)
		if err != nil {
			if !strings.Contains(err.Error(), "column ") {
				t.Errorf("ParseObjectives(%q): the error %q does not say where", s, err)
			}
			return
		}
		for _, o := range list.All() {
			if err := o.Validate(); err != nil {
				t.Errorf("ParseObjectives(%q) took %+v: %v", s, o, err)
			}
		}
		if again, err := ParseObjectives(list.String()); err != nil || again != list {
			t.Errorf("ParseObjectives(%q) = %q, which parses to %v, %v", s, list, again, err)
		}
	})
}
