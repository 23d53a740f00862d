package report

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/golden"
	"tokdyno/engine/load"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// printed is a report as text.
func printed(t *testing.T, r *run.Report, width int) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, r, width); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tried is a level of a run: its concurrency, and of how many requests so many were good.
type tried struct{ c, good, n int }

// over is a run that is over, of stages at some levels, each a point of its curve.
func over(levels ...tried) *snapshot.Snapshot {
	const ms = time.Millisecond
	k := snapshot.Knobs{
		Load:  load.Setting{Mode: load.Closed},
		Shape: shape.Shape{Prompt: shape.Uniform(256, 768), Output: shape.Uniform(64, 192)},
		SLO:   slo.Criteria{slo.TTFT: 500 * ms, slo.TPOT: 40 * ms}, Target: 0.99,
	}
	s := &snapshot.Snapshot{
		State: snapshot.Ended, Elapsed: time.Duration(10*len(levels)) * time.Second, Seed: 42,
		Endpoint: endpoint.Profile{Server: "vLLM 0.11.0", Model: "llama-8b", URL: "http://localhost:8000/v1/chat/completions", API: endpoint.Chat},
	}
	s.Client.Stamps = "kernel"
	for i, l := range levels {
		k.Load.Concurrency = l.c
		around := func(d time.Duration, n int) stats.Distribution {
			return stats.Distribution{N: n, Mean: d + d/20, P50: d, P90: 2 * d, P95: 3 * d, P99: 4 * d, Max: 5 * d}
		}
		bad := l.n - l.good
		summary := &stats.Summary{
			Stage: i + 1, Spans: 9 * time.Second, Settled: time.Second, Requests: stats.Counts{OK: l.n},
			Score: slo.Tally{OK: l.n, Good: l.good, Measured: [4]int{l.n, l.n, l.n}, Missed: [4]int{slo.TTFT: bad}},
			TTFT:  around(time.Duration(40*l.c)*ms, l.n), TPOT: around(time.Duration(l.c)*ms, l.n),
			ITL: around(time.Duration(l.c)*ms, 100*l.n), E2EL: around(time.Duration(300*l.c)*ms, l.n), DispatchLag: around(ms/3, l.n),
			Throughput: stats.Throughput{Requests: float64(l.n) / 9, Output: 1000 / float64(l.c+1), Input: 4000, Total: 5000, InputKnown: true},
			Goodput:    float64(l.good) / 9, GoodputKnown: true,
		}
		row := snapshot.StageRow{Number: i + 1, Knobs: k, Summary: summary}
		row.Prompts = snapshot.PromptLengths{Method: snapshot.ByTokenizer, N: l.n + l.c, Asked: 512, Achieved: 511.6}
		s.Counts.Started, s.Counts.OK = s.Counts.Started+l.n+l.c, s.Counts.OK+l.n+l.c
		s.Stages = append(s.Stages, row)
		s.Curve = append(s.Curve, stage.Point{Level: float64(l.c), Stages: []int{i + 1}, N: l.n, Settled: true, Summary: summary})
		s.Stage = *summary
	}
	s.Knobs, s.Curve = k, stage.NewCurve(s.Curve)
	return s
}

func TestAReportAsItLooks(t *testing.T) {
	ladder := over(tried{8, 412, 415}, tried{12, 61, 61}, tried{16, 120, 300}, tried{4, 200, 200})
	golden.Check(t, "levels-80", printed(t, run.NewReport(ladder, "test"), 80))
	golden.Check(t, "levels-120", printed(t, run.NewReport(ladder, "test"), 120))
	golden.Check(t, "single-80", printed(t, run.NewReport(over(tried{8, 211, 215}), "test"), 80))
}

func TestAReportBeginsWithItsAnswer(t *testing.T) {
	unasked := func(s *snapshot.Snapshot) { s.Knobs.SLO = slo.Criteria{} }
	for name, c := range map[string]struct {
		levels []tried
		change func(*snapshot.Snapshot)
		want   []string
	}{
		"held": {[]tried{{8, 215, 215}}, nil, []string{
			"answer c=8 held: 100 % of 215 requests met ttft=500ms tpot=40ms, 99 % asked for (95 % interval 98.2–100 %)",
			"next raise the concurrency, or let tokdyno sweep --search find the highest that holds",
		}},
		"missed": {[]tried{{8, 58, 100}}, nil, []string{
			"answer c=8 MISSED by ttft: 58.0 % of 100 requests met ttft=500ms tpot=40ms, 99 % asked for (95 % interval 48.2–67.2 %)",
			"next lower the concurrency, or raise ttft to 1.5s",
		}},
		"missed by an open loop": {[]tried{{2, 58, 100}}, func(s *snapshot.Snapshot) {
			s.Stages[0].Knobs.Load = load.Setting{Mode: load.Open, Rate: 4, Arrival: load.Poisson}
		}, []string{"answer 4 req/s MISSED by ttft", "next lower the rate"}},
		"failures": {[]tried{{8, 60, 60}}, func(s *snapshot.Snapshot) {
			s.Stages[0].Summary.Score.Failed, s.Stages[0].Summary.Requests.Failed = 50, 50
		}, []string{"answer c=8 MISSED by errors: 54.5 % of 110", "next lower the concurrency, or find out why requests fail: see the failures below"}},
		"not yet known": {[]tried{{8, 60, 60}}, nil, []string{
			"answer c=8 is not yet known, with 60 of 100 requests judged: 100 % of 60 requests met",
			"next run for longer: about 20 s would do",
		}},
		"never settled": {[]tried{{8, 3, 3}}, func(s *snapshot.Snapshot) {
			s.Stages[0].Summary.Settling, s.Curve[0].Settled = true, false
		}, []string{"answer c=8 is not yet known: the load never settled, so nothing was judged by ttft=500ms tpot=40ms", "next run for longer"}},
		"no SLO": {[]tried{{8, 60, 60}}, unasked, []string{
			"answer no SLO is set, so nothing was held or missed; c=8 gave 111 tok/s of output at TTFT p95 960 ms",
			"next set one, e.g. --slo 'ttft=500ms tpot=40ms'",
		}},
		"nothing": {nil, nil, []string{"answer nothing was measured: no request completed in 0.0 s"}},
		"the highest level that held": {[]tried{{8, 412, 415}, {16, 120, 300}, {4, 200, 200}}, nil, []string{
			"answer c=8 is the highest level that held: 99.2 % of 415 requests met",
			"beyond c=16 missed by ttft: 40.0 % of 300 requests (95 % interval 34.6–45.7 %)",
			"next stay at c=8 or below, or raise ttft to 3s and tpot to 80ms",
		}},
		"a level between is not known": {[]tried{{8, 412, 415}, {12, 61, 61}, {16, 120, 300}}, nil, []string{
			"answer c=8 is the highest level known to have held", "not yet known: c=12 (61 of 100)",
		}},
		"held above one that missed": {[]tried{{4, 200, 200}, {8, 50, 100}, {10, 200, 200}}, nil, []string{
			"answer c=4 is the highest level that held", "beyond c=8 missed by ttft: 50.0 % of 100 requests (95 % interval 40.3–59.7 %), though c=10 held",
		}},
		"all held": {[]tried{{4, 200, 200}, {8, 200, 200}}, nil, []string{
			"answer c=8 held, the highest level that was tried: 100 % of 200", "next go higher: no level missed",
		}},
		"none held": {[]tried{{4, 20, 200}, {8, 20, 200}}, nil, []string{
			"answer no level held: c=4 MISSED by ttft: 10.0 % of 200 requests met", "next try less load, or raise ttft to 800ms",
		}},
		"none known": {[]tried{{4, 20, 20}, {8, 60, 60}}, nil, []string{
			"answer not yet known at any level: c=8 comes nearest, with 60 of 100 requests judged",
			"next stay at each level until 100 requests of it are judged",
		}},
		"levels without an SLO": {[]tried{{4, 200, 200}, {8, 200, 200}}, unasked, []string{
			"answer no SLO is set, so nothing was held or missed; of the levels, c=4 gave the most output: 200 tok/s of output at TTFT p95 480 ms",
		}},
		"not to be trusted": {[]tried{{8, 215, 215}}, func(s *snapshot.Snapshot) { s.Dropped = 50 }, []string{
			"answer c=8 held", "doubt not to be trusted: 50 arrivals were never started",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := over(c.levels...)
			if c.change != nil {
				c.change(s)
			}
			text := printed(t, run.NewReport(s, "test"), 80)
			flat := strings.Join(strings.Fields(text), " ")
			if !strings.HasPrefix(flat, c.want[0]) {
				t.Errorf("it does not begin with %q", c.want[0])
			}
			for _, want := range c.want[1:] {
				if !strings.Contains(flat, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// The figures are those of the answer's level, and each number of requests says which they are.
func TestTheFiguresAreOfTheAnswersLevel(t *testing.T) {
	text := printed(t, run.NewReport(over(tried{8, 412, 415}, tried{16, 20, 27}), "test"), 120)
	for _, want := range []string{
		"figures     of c=8, the highest level that held: 415 requests in 9.0 s of 20.0 s, sent once the load had settled\n",
		"requests judged 415", "of 423 requests, the ramp's included", "whole run   466 ok",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// Stages that are in no level have their own rows; those of a level that differ are told of.
func TestWhatIsInNoLevelIsSaid(t *testing.T) {
	s := over(tried{4, 200, 200}, tried{8, 200, 200}, tried{8, 20, 200}, tried{16, 2, 3})
	s.Curve = stage.Curve{s.Curve[0], s.Curve[2]}
	s.Curve[1].EarlierDiffer = true
	s.Stages[3].Summary.Settling = true
	s.Stages[3].Knobs.Shape.Prompt = shape.Fixed(2000)
	text := printed(t, run.NewReport(s, "test"), 120)
	for _, want := range []string{
		"c=8: earlier stages differ by more than chance, so the newest stands alone: stage 2, with TTFT p50 320 ms\n" +
			"            and 100 % of 200 requests within the SLO\n",
		"stage 4     c=16  2000 in  64-192 out  left before it settled\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestALineWrapsAtBlanks(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no number without its unit": {strings.Repeat("x", 64) + " 95 % held", "a           " + strings.Repeat("x", 64) + "\n            95 % held\n"},
		"a word as long as a line":   {"go " + strings.Repeat("y", 70), "a           go\n            " + strings.Repeat("y", 68) + "\n            yy\n"},
		"nothing":                    {"", "a\n"},
		"no control character":       {"\x1b[31mred\nblue", "a           [31mred blue\n"},
	} {
		var b strings.Builder
		var s sheet
		s.line("a", "%s", c.text)
		printer{&b, 80}.item(&s[0])
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
