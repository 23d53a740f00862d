package run

import (
	"strings"
	"testing"

	"tokdyno/engine/slo"
)

// says checks a sentence by a part of it; "" wants none at all.
func says(t *testing.T, name, got, want string) {
	t.Helper()
	if (got == "") != (want == "") || !strings.Contains(got, want) {
		t.Errorf("%s: said %q, want %q", name, got, want)
	}
}

// TestArrivalsThatWereNeverStarted weighs them by all arrivals, not by those that completed.
func TestArrivalsThatWereNeverStarted(t *testing.T) {
	const never = "arrivals were never started"
	for name, c := range map[string]struct {
		requests Requests
		dropped  int
		want     string
	}{
		"none":                          {Requests{OK: 50}, 0, ""},
		"one by chance":                 {Requests{OK: 50}, 1, ""},
		"one of few":                    {Requests{OK: 3}, 1, ""},
		"two of fifty":                  {Requests{OK: 48}, 2, never},
		"one in a hundred":              {Requests{OK: 198}, 2, ""},
		"more than one in a hundred":    {Requests{OK: 297}, 4, never},
		"what was cancelled arrived":    {Requests{OK: 98, Cancelled: 100}, 2, ""},
		"what failed arrived":           {Requests{OK: 98, Failed: 60, InFlightAtEnd: 40}, 2, ""},
		"half of them":                  {Requests{OK: 99}, 99, never},
		"many, of a great many":         {Requests{OK: 100_000}, 1000, ""},
		"a great many more than can be": {Requests{OK: 1}, 1_000_000, never},
	} {
		r := Report{Figures: Figures{Requests: c.requests}, Client: Client{Dropped: c.dropped}}
		says(t, name, r.Doubt(), c.want)
	}
}

func TestWhatNobodyCountedIsNotHeldAgainstALimit(t *testing.T) {
	estimated, usage := "estimated", "usage"
	limit := 40.0
	objective := func(text string) []Objective {
		return []Objective{{Text: text, Judged: 60, Judgement: judged(slo.Held, 100)}}
	}
	for name, c := range map[string]struct {
		slo    SLO
		source *string
		gaps   bool
		want   string
	}{
		"TPOT, counted":        {SLO{Text: "tpot=40ms", Criteria: Criteria{TPOT: &limit}}, &usage, false, ""},
		"TPOT, estimated":      {SLO{Text: "tpot=40ms", Criteria: Criteria{TPOT: &limit}}, &estimated, false, "TPOT is an estimate"},
		"TTFT, estimated":      {SLO{Text: "ttft=40ms", Criteria: Criteria{TTFT: &limit}}, &estimated, false, ""},
		"objective, counted":   {SLO{Objectives: objective("tpot p99 <= 40ms over 1m for 99%")}, &usage, false, ""},
		"objective, estimated": {SLO{Objectives: objective("tpot p99 <= 40ms over 1m for 99%")}, &estimated, false, "TPOT is an estimate"},
		"ITL, counted":         {SLO{Objectives: objective("itl p99 <= 40ms over 1m for 99%")}, &usage, false, ""},
		"ITL, estimated":       {SLO{Objectives: objective("itl p99 <= 40ms over 1m for 99%")}, &estimated, false, "ITL is an estimate"},
		"ITL, unknown":         {SLO{Objectives: objective("itl p99 <= 40ms over 1m for 99%")}, &usage, true, "ITL is unknown"},
		"TPOT beside gaps":     {SLO{Objectives: objective("tpot p99 <= 40ms over 1m for 99%")}, &usage, true, ""},
		"TTFT objective":       {SLO{Objectives: objective("ttft p99 <= 40ms over 1m for 99%")}, &estimated, true, ""},
		"errors":               {SLO{Objectives: objective("errors <= 1% over 1m for 99%")}, &estimated, true, ""},
	} {
		c.slo.Judgement, c.slo.Requests = judged(slo.Held, 100), slo.Held
		figures := Figures{Requests: Requests{OK: 99}, SLO: c.slo, Tokens: Tokens{Source: c.source}, ITLIsChunkGap: c.gaps}
		r := Report{Figures: figures}
		says(t, name, r.Doubt(), c.want)
		level := 4.0
		r.Figures.Tokens.Source, r.Figures.ITLIsChunkGap = &usage, false // as it is at the last level alone
		r.Stages = []Stage{{Figures: figures}, {Figures: r.Figures}}
		r.Sweep = &Sweep{Kind: "search", Done: true, Judged: true, Found: true, Level: &level}
		says(t, name+", swept", r.SweepDoubt(), c.want)
	}
}

func TestWhatIsNotYetKnownIsADoubt(t *testing.T) {
	settling := judged(slo.Unknown, 60)
	settling.Why = new("settling")
	objective := func(v slo.Verdict) []Objective {
		return []Objective{{Text: "errors <= 1% over 1m for 99%", Judgement: judged(v, 12)}}
	}
	for name, c := range map[string]struct {
		criteria   Judgement
		objectives []Objective
		want       string
	}{
		"too few":              {judged(slo.Unknown, 60), nil, "whether ttft=1s holds is not yet known: 60 of the 100 requests that 99 % needs were judged"},
		"held":                 {judged(slo.Held, 100), nil, ""},
		"missed early":         {judged(slo.Missed, 12), nil, ""},
		"never settled":        {settling, nil, "never settled"},
		"not measured":         {judged(slo.Unknown, 100), nil, "no request could be judged by ttft=1s"},
		"an objective unknown": {judged(slo.Held, 100), objective(slo.Unknown), "no window held as many as the 100 samples it needs (12 in the last)"},
		"one missed is enough": {judged(slo.Unknown, 60), objective(slo.Missed), ""},
		"both held":            {judged(slo.Held, 100), objective(slo.Held), ""},
	} {
		r := Report{Figures: Figures{Requests: Requests{OK: 99}, SLO: SLO{
			Text: "ttft=1s", Target: 0.99, Judgement: c.criteria, Requests: c.criteria.Reached(),
		}}}
		r.SLO.Hold(c.objectives)
		says(t, name, r.Doubt(), c.want)
	}
}

// judged is a judgement on so many of a hundred that are needed.
func judged(v slo.Verdict, n int) Judgement {
	j := Judgement{N: n, Needed: new(100)}
	j.say(v)
	return j
}

func TestDoubtsOfASweep(t *testing.T) {
	level, bound, buffered := 4.0, "client-bound", "the stream is buffered"
	text := SLO{Text: "tpot=40ms"}
	for name, c := range map[string]struct {
		report Report
		want   string
	}{
		"none":           {Report{}, ""},
		"nothing asked":  {Report{Sweep: &Sweep{Done: true}}, ""},
		"found":          {Report{Sweep: &Sweep{Done: true, Judged: true, Found: true, Level: &level}}, ""},
		"missed":         {Report{Sweep: &Sweep{Done: true, Judged: true, Missed: &level}}, ""},
		"not to its end": {Report{Sweep: &Sweep{Judged: true}}, ""},
		"never judged":   {Report{Figures: Figures{SLO: text}, Sweep: &Sweep{Kind: "ladder", Done: true, Judged: true}}, "could not be judged by tpot=40ms"},
		"not yet known below": {Report{Figures: Figures{SLO: text}, Sweep: &Sweep{
			Kind: "search", Done: true, Judged: true, Missed: &level, Rungs: []Rung{{Level: 2, State: "unknown"}, {Level: 4, State: "missed"}},
		}}, "could not be judged by tpot=40ms"},
		"too few requests": {Report{Figures: Figures{SLO: text}, Sweep: &Sweep{
			Kind: "steps", Done: true, Judged: true, Rungs: []Rung{{Level: 2, State: "unknown", N: 57, Few: true, Needed: new(100)}},
		}}, "no level is known to hold tpot=40ms, for too few requests were judged"},
		"too few when judged, enough by the end": {Report{
			Figures: Figures{SLO: SLO{Text: "tpot=40ms", Judgement: judged(slo.Held, 105), Requests: slo.Held}},
			Sweep: &Sweep{
				Kind: "steps", Done: true, Judged: true, Rungs: []Rung{{Level: 2, State: "unknown", N: 73, Few: true, Needed: new(100)}},
			},
		}, ""},
		"not yet known above": {Report{Figures: Figures{SLO: text}, Sweep: &Sweep{
			Kind: "search", Done: true, Judged: true, Missed: &level, Rungs: []Rung{{Level: 4, State: "missed"}, {Level: 8, State: "unknown"}},
		}}, ""},
		"a level whose streams are buffered": {
			Report{
				Figures: Figures{SLO: SLO{Text: "tpot=40ms", Criteria: Criteria{TPOT: &level}}}, Sweep: &Sweep{Done: true, Judged: true, Found: true, Level: &level},
				Stages: []Stage{{}, {Figures: Figures{Untrusted: &buffered}}, {}},
			}, buffered,
		},
		"the client itself": {Report{Sweep: &Sweep{Done: true}, Client: Client{Verdict: &bound, Note: "no CPU left"}}, "no CPU left"},
	} {
		says(t, name, c.report.SweepDoubt(), c.want)
	}
}

func TestAFewRequestsAreSaidAndNoDoubt(t *testing.T) {
	level := 8.0
	found := func(kind string, few bool) *Sweep {
		return &Sweep{
			Kind: kind, Axis: "concurrency", Done: true, Judged: true, Found: true, Level: &level,
			Rungs: []Rung{{Level: 4, N: 3, Few: true}, {Level: 8, N: 42, Few: few}},
		}
	}
	says(t, "few", found("ladder", true).Remark(), "concurrency 8 was judged by fewer requests than were asked for: 42")
	says(t, "enough", found("ladder", false).Remark(), "")
	says(t, "a search says it itself", found("search", true).Remark(), "")
	more := found("search", false)
	more.remark = "a verdict needs more"
	says(t, "more than were asked for", more.Remark(), "a verdict needs more")
	says(t, "no sweep", (*Sweep)(nil).Remark(), "")
	says(t, "nothing found", (&Sweep{Kind: "ladder"}).Remark(), "")
	if doubt := (&Report{Sweep: found("ladder", true)}).SweepDoubt(); doubt != "" {
		t.Errorf("doubt %q", doubt)
	}
}
