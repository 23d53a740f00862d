package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/kept"
	"tokdyno/engine/load"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
	"tokdyno/ui/internal/scene"
)

// TestADuelHasAResult checks two endpoints for so short a time that nothing can be told.
func TestADuelHasAResult(t *testing.T) {
	cfg, _ := config(t)
	other, _ := config(t)
	cfg.Others = []wire.Endpoint{other.Endpoint}
	std := streams(t)
	std.Runs = t.TempDir()
	cfg.Keep = Keeping{}.To(std)
	file := filepath.Join(t.TempDir(), "result.json")
	of := Duel{Mode: snapshot.Together, Winner: "b", Margin: "5%"}
	output := Output{JSON: file, Reports: []string{file + ".html"}, Records: file + "l", Metrics: "127.0.0.1:0"}
	err := CheckDuel(t.Context(), cfg, noSources, output, of, std)
	if ExitStatus(err) != StatusUntrusted {
		t.Errorf("status %d, %v", ExitStatus(err), err)
	}
	var result run.Duel
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &result)
	}
	if err != nil || len(result.Endpoints) != 2 || len(result.Differences) != 1 || result.Winner == nil {
		t.Fatalf("%v: %s", err, data)
	}
	for i, r := range result.Endpoints {
		if r.Requests.OK != 100 {
			t.Errorf("%s completed %d", snapshot.Letter(i), r.Requests.OK)
		}
	}
	records, err := os.ReadFile(output.Records)
	for _, side := range []string{`{"side":"A","id":`, `{"side":"B","id":`} {
		if n := strings.Count(string(records), side); err != nil || n != 100 {
			t.Errorf("%d records begin with %s, %v", n, side, err)
		}
	}
	if d := result.Differences[0]; d.Letter != "B" || d.Levels[0].Confidence != 0.95 || result.Winner.Verdict != compare.NotYetKnown {
		t.Errorf("%+v, %+v", d, result.Winner)
	}
	if page, err := os.ReadFile(file + ".html"); err != nil || !strings.Contains(string(page), "side B") {
		t.Errorf("the page: %v", err)
	}
	if out := text(t, std.Out); !strings.Contains(out, "it can't be told whether B is as good as A") || !strings.Contains(out, "same time") ||
		!strings.Contains(out, "figures are served at http://127.0.0.1:") {
		t.Errorf("printed %s", out)
	}
	list, err := kept.Runs{Folder: std.Runs}.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%d runs are kept, %v", len(list), err)
	}
	b, a := list[0], list[1]
	if a.Header.Duel == nil || b.Header.Duel == nil || a.Header.Duel.ID != b.Header.Duel.ID || a.Header.Duel.Letter() != "A" ||
		b.Header.Duel.Side != 1 || b.Header.Duel.Mode != "together" || !strings.HasSuffix(b.File(), "_B") {
		t.Errorf("kept are %s of %+v and %s of %+v", a.File(), a.Header.Duel, b.File(), b.Header.Duel)
	}
	if sides := sidesOf(std, &b); len(sides) != 2 || sides[0].Path != a.Path || sides[1].Path != b.Path {
		t.Errorf("the sides of B's duel are %+v", sides)
	}
	std.Out = streams(t).Out
	if err := ListRuns(std); err != nil {
		t.Fatal(err)
	}
	if err := Compare(std, "last~1", []string{"last"}, Comparing{Noise: "5%"}); err != nil {
		t.Fatal(err)
	}
	if out := text(t, std.Out); !strings.Contains(out, "(duel B, A last~1)") || !strings.Contains(out, "under the same load at the same time") ||
		strings.Contains(out, "mood") || strings.Contains(out, "two runs of one unchanged machine") {
		t.Errorf("printed %s", out)
	}
	if err := kept.Remove(a.Path); err != nil || sidesOf(std, &b) != nil {
		t.Errorf("%v: B's duel is opened without A", err)
	}
}

// TestTheWinnerIsJudged holds sides against each other of which it is known how they differ.
func TestTheWinnerIsJudged(t *testing.T) {
	same, slower := scene.Minute(2, 1, false), scene.Minute(2, 1.12, false)
	short := *same
	short.Seconds = 5
	tests := map[string]struct {
		winner, margin string
		b              *compare.Series
		want           string
		status         int
	}{
		"equal":                  {"B", "ttft p95 5%", same, compare.Held, StatusOK},
		"worse":                  {"B", "ttft p95 5%", slower, compare.Missed, StatusMissed},
		"worse, within":          {"B", "ttft p95 20%", slower, compare.Held, StatusOK},
		"better":                 {"A", "ttft p95 5%", slower, compare.Held, StatusOK},
		"by one of several":      {"B", "output_tok_s 20%, ttft p95 5%", slower, compare.Missed, StatusMissed},
		"without an SLO":         {"B", "5%", slower, compare.Missed, StatusMissed},
		"too little is measured": {"B", "ttft p95 5%", &short, compare.NotYetKnown, StatusUntrusted},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := Duel{Winner: tt.winner, Margin: tt.margin}
			if err := d.prepare(2, &snapshot.Knobs{}); err != nil {
				t.Fatal(err)
			}
			sides := []compare.Measured{scene.Measured("A", scene.Minute(1, 1, false)), scene.Measured("B", tt.b)}
			sides[1].Model = "another"
			r := run.Duel{Winner: d.judge(sides, "", 0.05)}
			if r.Winner.Verdict != tt.want {
				t.Errorf("%+v", r.Winner)
			}
			if status := ExitStatus(d.verdict(&r, false, nil)); status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
		})
	}
}

// TestAllTurnsCount has a side one of whose turns differs from the others, and is apart in its report.
func TestAllTurnsCount(t *testing.T) {
	r := &run.Report{Levels: []run.Level{{Name: "c=8", Level: 8, Stages: []int{1, 5}, Apart: []int{3}}}}
	of := func(side compare.Side) float64 {
		return run.NewMeasured(r, "A", func(int) *compare.Series { return &compare.Series{Seconds: 20} }, side).Levels[0].Series.Seconds
	}
	if turns, together := of(compare.Side{Turns: true}), of(compare.Side{}); turns != 60 || together != 40 {
		t.Errorf("by turns %v s count, together %v", turns, together)
	}
}

func TestWhatADuelRefuses(t *testing.T) {
	cfg, _ := config(t)
	other, _ := config(t)
	cfg.Others = []wire.Endpoint{other.Endpoint}
	for name, tt := range map[string]struct {
		Duel
		Output
		want string
	}{
		"a side that is none": {Duel{Winner: "C", Margin: "5%"}, Output{}, "--winner C is no side; they are A to B"},
		"a margin":            {Duel{Winner: "A", Margin: "much"}, Output{}, "--margin"},
		"a form":              {Duel{}, Output{Reports: []string{"r.csv"}}, "--report: "},
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckDuel(t.Context(), cfg, noSources, tt.Output, tt.Duel, streams(t))
			if ExitStatus(err) != StatusUsage || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("status %d, %v", ExitStatus(err), err)
			}
		})
	}
}

func TestEachSideHasItsSources(t *testing.T) {
	s := Sources{GPU: []string{"nvml"}, Metrics: "x"}
	s.Sides[1].GPU, s.Sides[1].NoMetrics = []string{"ssh:b"}, true
	a, b := s.of(0), s.of(1)
	if a.GPU[0] != "nvml" || a.Metrics != "x" || a.NoMetrics || b.GPU[0] != "ssh:b" || b.Metrics != "" || !b.NoMetrics {
		t.Errorf("A has %+v, B has %+v", a, b)
	}
}

// TestSidesEndTogether gives sides one budget, however soon one of them could be judged.
func TestSidesEndTogether(t *testing.T) {
	cfg, _ := config(t)
	cfg.Others, cfg.Enough, cfg.Budget = []wire.Endpoint{{URL: "http://b"}}, time.Second, load.Budget{Duration: time.Minute}
	sides := (&Duel{}).sides(cfg)
	if len(sides) != 2 || sides[1].Endpoint.URL != "http://b" || sides[0].Endpoint.URL != cfg.Endpoint.URL {
		t.Fatalf("%+v", sides)
	}
	for _, s := range sides {
		if s.Others != nil || s.Enough != 0 || s.Budget.Duration != time.Minute {
			t.Errorf("%+v", s)
		}
	}
}
