package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/compare"
	"tokdyno/engine/kept"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
)

// shelf keeps two short checks of one server in a folder, the first of which is called "before".
func shelf(t *testing.T) (Streams, engine.Config) {
	t.Helper()
	cfg, _ := config(t)
	std := streams(t)
	std.Runs = filepath.Join(t.TempDir(), "runs")
	cfg.Keep = Keeping{}.To(std)
	for _, name := range []string{"before", ""} {
		if err := starved(Check(t.Context(), cfg, noSources, Output{}, std)); err != nil {
			t.Fatal(err)
		}
		if name != "" {
			if err := NameRun(std, "last", name); err != nil {
				t.Fatal(err)
			}
		}
	}
	std.Out = streams(t).Out
	return std, cfg
}

// starved is an error but that of a busy machine, on which a check is not to be trusted.
func starved(err error) error {
	if ExitStatus(err) == StatusUntrusted {
		return nil
	}
	return err
}

func TestRunsAreCompared(t *testing.T) {
	t.Parallel()
	std, cfg := shelf(t)
	comparing := Comparing{Noise: "5%"}
	if err := Compare(std, "before", []string{"last"}, comparing); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before of ", "c=4 ", "TTFT p50", "can't tell", "by up to 38 % was measured"} {
		if out := strings.Join(strings.Fields(text(t, std.Out)), " "); !strings.Contains(out, strings.TrimSpace(want)) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	// Several are pooled, and further ones are each compared with them.
	comparing.File = filepath.Join(t.TempDir(), "out.json")
	if err := Compare(std, "before,last", []string{"last", "before"}, comparing); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(comparing.File)
	if err != nil {
		t.Fatal(err)
	}
	var d compare.Document
	if err := json.Unmarshal(b, &d); err != nil || len(d.Baseline) != 2 || len(d.Runs) != 2 || len(d.Runs[1].Levels) != 1 {
		t.Errorf("%v: %s", err, b)
	}
	for _, want := range []string{"last is compared with itself", "before is compared with itself"} {
		if !slices.Contains(d.Notes, want) {
			t.Errorf("%q is not in %q", want, d.Notes)
		}
	}

	comparing.File = filepath.Join(t.TempDir(), "out.html")
	if err := Compare(std, "before", []string{"last"}, comparing); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(comparing.File); err != nil || !strings.HasPrefix(string(b), "<!DOCTYPE html>") || !strings.Contains(string(b), "last against before") {
		t.Errorf("%v: %.300s", err, b)
	}

	cfg.Knobs.Shape.Prompt = shape.Fixed(64)
	if err := starved(Check(t.Context(), cfg, noSources, Output{}, std)); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		baseline string
		c        Comparing
		want     string
	}{
		"another shape":     {"before", Comparing{Noise: "5%"}, "before and last don't compare: prompt tokens 32 against 64; --force"},
		"no such run":       {"after", Comparing{Noise: "5%"}, "there is no run"},
		"no such metric":    {"before", Comparing{Noise: "5%", Metrics: "ttft p94"}, "there are ttft_p50"},
		"no noise":          {"before", Comparing{Noise: "0"}, "--noise"},
		"not a share":       {"before", Comparing{Noise: "much"}, "--noise"},
		"no such form":      {"before", Comparing{Noise: "5%", Format: "csv"}, "md, json or txt"},
		"no such ending":    {"last", Comparing{Noise: "5%", File: "out.csv"}, ".md, .json or .txt"},
		"unwritable":        {"last", Comparing{Noise: "5%", File: filepath.Join(t.TempDir(), "no", "file.txt")}, "-o"},
		"a name and a file": {"before,nothing", Comparing{Noise: "5%"}, "there is no run"},
	} {
		err := Compare(std, tt.baseline, []string{"last"}, tt.c)
		if err == nil || !strings.Contains(err.Error(), tt.want) || ExitStatus(err) != StatusUsage {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	std.Out = streams(t).Out
	if err := Compare(std, "before", []string{"last"}, Comparing{Noise: "5%", Force: true}); err != nil {
		t.Fatal(err)
	}
	if out := text(t, std.Out); !strings.Contains(out, "warning     these don't compare: prompt tokens 32 against 64") {
		t.Errorf("there is no warning:\n%s", out)
	}
}

// A check is too short here to tell anything, which is what it says.
func TestACheckAgainstABaseline(t *testing.T) {
	t.Parallel()
	std, cfg := shelf(t)
	output := Output{JSON: filepath.Join(t.TempDir(), "result.json")}
	for _, baseline := range []string{"last-good", "before", "last"} {
		std.Out = streams(t).Out
		err := CheckAgainst(t.Context(), cfg, noSources, output, Against{Baseline: baseline, Regression: "ttft p50 10%"}, std)
		if ExitStatus(err) != StatusUntrusted {
			t.Errorf("against %s: exit status %d: %v", baseline, ExitStatus(err), err)
		}
		var r run.Report
		b, err := os.ReadFile(output.JSON)
		if err == nil {
			err = json.Unmarshal(b, &r)
		}
		if err != nil || !r.Baseline.Is(compare.NotYetKnown) || r.Baseline.Run.Name != baseline || len(r.Baseline.Criteria) != 1 {
			t.Errorf("against %s: %v, %+v", baseline, err, r.Baseline)
		}
		if out := text(t, std.Out); !strings.Contains(out, "it can't be told whether it is worse than") {
			t.Errorf("against %s:\n%s", baseline, out)
		}
	}
	std.Out = streams(t).Out
	if err := starved(CheckAgainst(t.Context(), cfg, noSources, Output{}, Against{Baseline: "last-good"}, std)); err != nil {
		t.Errorf("nothing is asked of it: %v", err)
	}
	other := cfg
	other.Knobs.Shape.Prompt = shape.Fixed(64)
	more := cfg
	more.Knobs.Load.Concurrency = 2
	for name, tt := range map[string]struct {
		cfg     engine.Config
		against Against
		want    string
	}{
		"no baseline":          {cfg, Against{Regression: "ttft p50 10%"}, "need a --baseline"},
		"nothing to confirm":   {cfg, Against{Baseline: "before", Confirm: true}, "--confirm needs --max-regression"},
		"no such metric":       {cfg, Against{Baseline: "before", Regression: "speed 10%"}, "there are ttft_p50"},
		"no such run":          {cfg, Against{Baseline: "after"}, "there is no run"},
		"another shape":        {other, Against{Baseline: "before"}, "prompt tokens 32 against 64"},
		"none of that shape":   {other, Against{Baseline: "last-good"}, "there is no good run"},
		"another load":         {more, Against{Baseline: "before"}, "was not measured at this load: it has c=4"},
		"none under that load": {more, Against{Baseline: "last-good"}, "there is no good run"},
	} {
		sent := len(runs(t, std))
		err := CheckAgainst(t.Context(), tt.cfg, noSources, Output{}, tt.against, std)
		if err == nil || !strings.Contains(err.Error(), tt.want) || ExitStatus(err) != StatusUsage {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if len(runs(t, std)) != sent {
			t.Errorf("%s: there was a load before it was refused", name)
		}
	}
}

func runs(t *testing.T, std Streams) []kept.Run {
	t.Helper()
	list, err := kept.Runs{Folder: std.Runs}.List()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The newest good one is taken, but one that was marked before it; one that missed its SLO is none.
func TestWhichRunIsTheLastGoodOne(t *testing.T) {
	t.Parallel()
	std, cfg := shelf(t)
	missing := cfg
	missing.Knobs.SLO = slo.Criteria{slo.E2EL: time.Nanosecond}
	if err := Check(t.Context(), missing, noSources, Output{}, std); starved(err) != nil && ExitStatus(err) != StatusMissed {
		t.Fatal(err)
	}
	list := runs(t, std)
	open := func() string {
		t.Helper()
		eng, err := engine.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		first := *eng.Snapshot()
		first.Endpoint.Model = list[0].Header.Model
		a := Against{Baseline: lastGood}
		if err := a.open(std, &first); err != nil || len(a.before) != 1 {
			t.Fatalf("%v, %d", err, len(a.before))
		}
		return a.before[0].File
	}
	if got, want := open(), list[1].File(); got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
	if err := remember(list[1].Path); err != nil {
		t.Fatal(err)
	}
	if got, want := open(), list[2].File(); got != want {
		t.Errorf("one that was worse than its own baseline is taken: %s, want %s", got, want)
	}
	if err := kept.Say(list[1].Path, kept.Said{}); err != nil {
		t.Fatal(err)
	}
	if err := MarkBaseline(std, "before", true); err != nil {
		t.Fatal(err)
	}
	if got, want := open(), list[2].File(); got != want {
		t.Errorf("a marked one is passed over: %s, want %s", got, want)
	}
}

// What a baseline says goes into the exit status where nothing else has spoken.
func TestExitStatusOfABaseline(t *testing.T) {
	verdictOf := func(v string) *run.Report {
		r := &run.Report{Baseline: &run.Baseline{Verdict: &v}}
		r.Requests.OK = 1
		return r
	}
	missed, open, unusable := &failure{StatusMissed, nil}, &failure{StatusUntrusted, nil}, &failure{StatusEndpoint, nil}
	for name, tt := range map[string]struct {
		report *run.Report
		err    error
		want   int
	}{
		"worse":                    {verdictOf(compare.Missed), nil, StatusMissed},
		"no worse":                 {verdictOf(compare.Held), nil, StatusOK},
		"not known":                {verdictOf(compare.NotYetKnown), nil, StatusUntrusted},
		"none":                     {&run.Report{}, nil, StatusOK},
		"worse, SLO not known":     {verdictOf(compare.Missed), open, StatusMissed},
		"no worse, SLO not known":  {verdictOf(compare.Held), open, StatusUntrusted},
		"no worse, SLO missed":     {verdictOf(compare.Held), missed, StatusMissed},
		"worse, endpoint unusable": {verdictOf(compare.Missed), unusable, StatusEndpoint},
	} {
		if got := ExitStatus(decide(tt.report, tt.err)); got != tt.want {
			t.Errorf("%s: exit status %d, want %d", name, got, tt.want)
		}
	}
}
