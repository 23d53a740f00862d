package slo

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want Criteria
	}{
		{"", Criteria{}},
		{"ttft=500ms", Criteria{TTFT: 500 * time.Millisecond}},
		{"ttft=500ms tpot=40ms e2el=3s", Criteria{500 * time.Millisecond, 40 * time.Millisecond, 3 * time.Second}},
		{" TTFT<=1.5s,tpot≤40MS ", Criteria{TTFT: 1500 * time.Millisecond, TPOT: 40 * time.Millisecond}},
		{"e2e=1m30s", Criteria{E2EL: 90 * time.Second}},
	}
	for _, tt := range tests {
		got, err := Parse(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseSaysWhatToWrite(t *testing.T) {
	tests := []struct{ in, want string }{
		{"ttft=500", "ttft=500 needs a unit, e.g. ttft=500ms"},
		{"ttft", "metric=limit"},
		{"ttft=", "metric=limit"},
		{"=5ms", "metric=limit"},
		{"ttft=fast", "not a duration"},
		{"ttft=0s", "above zero"},
		{"ttft=-1s", "above zero"},
		{"ttft=5ms ttft=6ms", "twice"},
		{"itl=5ms", "limit tpot instead"},
		{"latency=5ms", "there are ttft, tpot and e2el"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): error %v, want it to say %q", tt.in, err, tt.want)
		}
	}
}

func TestCriteriaSurviveTheirOwnSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Criteria
		for m := range metrics {
			c[m] = time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "limit"))
		}
		got, err := Parse(c.String())
		if err != nil || got != c {
			t.Fatalf("Parse(%q) = %v, %v", c, got, err)
		}
	})
}

func TestAttainmentIsUndefinedRatherThanWrong(t *testing.T) {
	tpot := Criteria{TPOT: time.Second}
	single := Latencies{TTFT: time.Second, TPOT: Undefined, E2EL: time.Second}
	tests := []struct {
		name     string
		criteria Criteria
		fill     func(*Tally)
		want     float64
		ok       bool
	}{
		{"no SLO", Criteria{}, func(t *Tally) { t.AddOK(Criteria{}, single) }, 0, false},
		{"no requests", tpot, func(*Tally) {}, 0, false},
		{"the only criterion could not be measured", tpot, func(t *Tally) { t.AddOK(tpot, single) }, 0, false},
		{"all failed", tpot, func(t *Tally) { t.AddFailed() }, 0, true},
		{"one of two failed", tpot, func(t *Tally) {
			t.AddFailed()
			t.AddOK(tpot, Latencies{TPOT: time.Second})
		}, 0.5, true},
		{"exactly at the limit is within it", tpot, func(t *Tally) { t.AddOK(tpot, Latencies{TPOT: time.Second}) }, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tally Tally
			tt.fill(&tally)
			got, ok := tally.Attainment(tt.criteria)
			if got != tt.want || ok != tt.ok {
				t.Errorf("attainment %v, %v, want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestBindingIsWhatFailsMost(t *testing.T) {
	c := Criteria{TTFT: 100, TPOT: 10}
	var tally Tally
	if b := tally.Binding(c); b != "" {
		t.Errorf("nothing failed, but %q binds", b)
	}
	tally.AddOK(c, Latencies{TTFT: 101, TPOT: 11, E2EL: 1})
	tally.AddOK(c, Latencies{TTFT: 99, TPOT: 11, E2EL: 1})
	if b := tally.Binding(c); b != "tpot" {
		t.Errorf("binding %q, want tpot", b)
	}
	for range 3 {
		tally.AddFailed()
	}
	if b := tally.Binding(c); b != Errors {
		t.Errorf("binding %q, want errors", b)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "ttft=500ms tpot=40ms", "ttft=500", "e2el<=3s,ttft≤1h", "ttft==5ms", "tpot=1e9s", "ttft=9999999h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			if err.Error() == "" || strings.ContainsAny(err.Error(), "\n\x00") && !strings.ContainsAny(s, "\n\x00") {
				t.Errorf("Parse(%q): unusable error %q", s, err)
			}
			return
		}
		again, err := Parse(c.String())
		if err != nil || again != c {
			t.Errorf("Parse(%q) = %q, which parses to %v, %v", s, c, again, err)
		}
	})
}
