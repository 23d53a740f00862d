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
		{"ttft 300ms", Criteria{TTFT: 300 * time.Millisecond}},
		{"ttft = 300 ms, tpot 1 m 30 s", Criteria{TTFT: 300 * time.Millisecond, TPOT: 90 * time.Second}},
		{"ttft=1,500ms,tpot=40ms", Criteria{1500 * time.Millisecond, 40 * time.Millisecond, 0}},
		{"ttft=5ms ttft=6ms", Criteria{TTFT: 6 * time.Millisecond}},
		{"ttft=1h tpot=off", Criteria{TTFT: time.Hour}},
		{"ttft=0 tpot=0s e2el=5s", Criteria{E2EL: 5 * time.Second}},
		{"ttfa=2s", Criteria{TTFA: 2 * time.Second}},
		{"ttft=5ms off tpot=6ms", Criteria{TPOT: 6 * time.Millisecond}},
		{"OFF", Criteria{}},
	}
	for _, tt := range tests {
		got, err := Criteria{}.With(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("Parse(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseSaysWhatToWrite(t *testing.T) {
	tests := []struct{ in, want string }{
		{"ttft=500", "500 of what? ttft=500ms"},
		{"tpot 40 ttft=5ms", "40 of what? tpot=40ms"},
		{"ttft", "ttft has no limit; write it like ttft=500ms, or ttft=off"},
		{"ttft=", "ttft has no limit"},
		{"=5ms", `"=5ms" is not a row of limits; write them like ttft=300ms tpot=40ms, or off`},
		{"ttft=fast", `"fast" is not a time; write it like ttft=500ms`},
		{"ttft=-1s", `"-1s" is not a time`},
		{"ttft=5ms 6ms", `"5ms 6ms" is not a time`},
		{"itl=5ms", "limit tpot instead"},
		{"latency=5ms", "there are ttft, ttfa, tpot and e2el"},
	}
	for _, tt := range tests {
		_, err := Criteria{}.With(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): error %v, want it to say %q", tt.in, err, tt.want)
		}
	}
}

func TestLimitsThatAreNotNamedStay(t *testing.T) {
	set := Criteria{TTFT: time.Second, TPOT: time.Minute}
	for text, want := range map[string]Criteria{
		"tpot=40ms": {TTFT: time.Second, TPOT: 40 * time.Millisecond}, "tpot off": {TTFT: time.Second},
		"off": {}, "none": {}, "": {}, "off e2el=1s": {E2EL: time.Second},
	} {
		if got, err := set.With(text); err != nil || got != want {
			t.Errorf("with %q: %v, %v, want %v", text, got, err, want)
		}
	}
	if got, err := set.With("tpot=1ms ttft=5"); err == nil || got != set {
		t.Errorf("what is wrong in part changed %v", got)
	}
}

func FuzzLimits(f *testing.F) {
	f.Add("ttft<=300ms,tpot≤40 ms off e2e=1 m")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Criteria{}.With(text)
		if again, err2 := (Criteria{}).With(c.String()); err == nil && (err2 != nil || again != c) {
			t.Errorf("%q is %v, and that %v, %v", text, c, again, err2)
		}
	})
}

func TestCriteriaSurviveTheirOwnSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Criteria
		for m := range metrics {
			c[m] = time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "limit"))
		}
		got, err := Criteria{}.With(c.String())
		if err != nil || got != c {
			t.Fatalf("Parse(%q) = %v, %v", c, got, err)
		}
	})
}

// requests puts requests into columns.
type requests struct{ Requests }

func (r *requests) ok(ttft, tpot, e2el time.Duration) { r.add(OK, ttft, Undefined, tpot, e2el) }
func (r *requests) failed()                           { r.add(Failed, Undefined, Undefined, Undefined, Undefined) }

func (r *requests) add(e Ending, ttft, ttfa, tpot, e2el time.Duration) {
	r.Endings = append(r.Endings, e)
	r.TTFT, r.TPOT, r.E2EL = append(r.TTFT, ttft), append(r.TPOT, tpot), append(r.E2EL, e2el)
	r.TTFA = append(r.TTFA, ttfa)
}

func TestAttainmentIsUndefinedRatherThanWrong(t *testing.T) {
	tpot := Criteria{TPOT: time.Second}
	tests := []struct {
		name     string
		criteria Criteria
		fill     func(*requests)
		want     float64
		ok       bool
	}{
		{"no SLO", Criteria{}, func(r *requests) { r.ok(1, 1, 1) }, 0, false},
		{"no requests", tpot, func(*requests) {}, 0, false},
		{"only cancelled ones", tpot, func(r *requests) { r.add(Cancelled, 1, 1, 1, 1) }, 0, false},
		{"the only criterion could not be measured", tpot, func(r *requests) { r.ok(time.Second, Undefined, time.Second) }, 0, false},
		{"all failed", tpot, func(r *requests) { r.failed() }, 0, true},
		{"one of two failed", tpot, func(r *requests) { r.failed(); r.ok(1, time.Second, 1) }, 0.5, true},
		{"undefined for one of two", tpot, func(r *requests) { r.ok(1, Undefined, 1); r.ok(1, 2*time.Second, 1) }, 0.5, true},
		{"exactly at the limit is within it", tpot, func(r *requests) { r.ok(1, time.Second, 1) }, 1, true},
		{"a nanosecond over it is not", tpot, func(r *requests) { r.ok(1, time.Second+1, 1) }, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r requests
			tt.fill(&r)
			got, ok := tt.criteria.Score(r.Requests).Attainment(tt.criteria)
			if got != tt.want || ok != tt.ok {
				t.Errorf("attainment %v, %v, want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestBindingIsWhatFailsMost(t *testing.T) {
	c := Criteria{TTFT: 100, TPOT: 10}
	var r requests
	if b := c.Score(r.Requests).Binding(c); b != "" {
		t.Errorf("nothing failed, but the binding criterion is %q", b)
	}
	r.ok(101, 11, 1)
	r.ok(99, 11, 1)
	if b := c.Score(r.Requests).Binding(c); b != "tpot" {
		t.Errorf("binding %q, want tpot", b)
	}
	for range 3 {
		r.failed()
	}
	if b := c.Score(r.Requests).Binding(c); b != Errors {
		t.Errorf("binding %q, want errors", b)
	}
}

// TestJudgeIsTheSumOfItsRequests also holds every verdict against the plain reading of the definition.
func TestJudgeIsTheSumOfItsRequests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		latency := rapid.Map(rapid.Int64Range(-1, 20), func(n int64) time.Duration { return time.Duration(n) })
		var c Criteria
		for m := range metrics {
			c[m] = time.Duration(rapid.Int64Range(0, 15).Draw(t, "limit"))
		}
		var all requests
		var sum Tally
		good := 0
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			var single requests
			e := rapid.SampledFrom([]Ending{OK, Failed, Cancelled}).Draw(t, "ending")
			l := [metrics]time.Duration{latency.Draw(t, "ttft"), latency.Draw(t, "tpot"), latency.Draw(t, "e2el"), latency.Draw(t, "ttfa")}
			single.add(e, l[TTFT], l[TTFA], l[TPOT], l[E2EL])
			all.add(e, l[TTFT], l[TTFA], l[TPOT], l[E2EL])
			sum.Add(c.Score(single.Requests))
			meets := e == OK
			for m := range metrics {
				meets = meets && (c[m] == 0 || l[m] == Undefined || l[m] <= c[m])
			}
			if meets {
				good++
			}
		}
		if got := c.Score(all.Requests); got != sum || got.Good != good {
			t.Fatalf("judged together %+v, one by one %+v, %d good", got, sum, good)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "ttft=500ms tpot=40ms", "ttft=500", "e2el<=3s,ttft≤1h", "ttft==5ms", "tpot=1e9s", "ttft=9999999h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Criteria{}.With(s)
		if err != nil {
			if err.Error() == "" || strings.ContainsAny(err.Error(), "\n\x00") && !strings.ContainsAny(s, "\n\x00") {
				t.Errorf("Parse(%q): unusable error %q", s, err)
			}
			return
		}
		again, err := Criteria{}.With(c.String())
		if err != nil || again != c {
			t.Errorf("Parse(%q) = %q, which parses to %v, %v", s, c, again, err)
		}
	})
}
