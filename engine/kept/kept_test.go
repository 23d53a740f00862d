package kept

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/runfile"
)

// shelf has runs of different hours in a folder, the oldest first; the clock is a day later.
func shelf(t *testing.T, reports ...string) (Runs, []string) {
	t.Helper()
	begun := time.Date(2026, 11, 30, 4, 25, 23, 0, time.Local)
	runs := Runs{Folder: filepath.Join(t.TempDir(), "deep", "runs"), Now: func() time.Time { return begun.Add(24 * time.Hour) }}
	var paths []string
	for i, report := range reports {
		at := begun.Add(time.Duration(i) * time.Hour)
		rec, err := runs.Create(runfile.Header{Started: at, URL: "http://gpu-7:8000/v1", Model: "org/some model:1"}, runfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := rec.Close(nil, runfile.End{Report: json.RawMessage(report)}); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(rec.Path(), at, at); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, rec.Path())
	}
	return runs, paths
}

const plainReport = `{"schema":1,"duration_s":20,"requests":{"ok":7,"failed":1},"slo":{"verdict":null},
	"answer":{"level":null},"load":{"concurrency":16},"levels":[
	{"load":{"concurrency":8},"settled":true,"throughput":{"output_tok_per_s":100}},
	{"load":{"concurrency":12},"settled":false,"throughput":{"output_tok_per_s":110}},
	{"load":{"concurrency":16},"settled":true,"throughput":{"output_tok_per_s":90}}]}`

func TestARunIsFoundByWhatItIsCalled(t *testing.T) {
	runs, paths := shelf(t, plainReport, plainReport, plainReport)
	if err := Say(paths[0], Said{Name: "good one"}); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{
		"last": paths[2], "last~0": paths[2], "last~2": paths[0], "good one": paths[0],
		"2026-11-30T05-25-23_gpu-7_some-model-1": paths[1], filepath.Base(paths[1]): paths[1], outside: outside,
	} {
		if got, err := runs.Find(what); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", what, got, err, want)
		}
	}
	for what, want := range map[string]string{
		"last~3": "3 are kept here, from last to last~2", filepath.Dir(outside): "is a folder", os.DevNull: "is no file",
		"last~-1": "no run", "last~x": "no run", "lasting": "there is no run", "": "there is no run",
	} {
		if got, err := runs.Find(what); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v, want an error with %q", what, got, err, want)
		}
	}
}

func TestFewRunsAreCountedInWords(t *testing.T) {
	runs := Runs{Folder: t.TempDir()}
	if _, err := runs.Find("last"); err == nil || !strings.HasSuffix(err.Error(), "none is kept here so far") {
		t.Error(err)
	}
	runs, _ = shelf(t, plainReport)
	if _, err := runs.Find("last~1"); err == nil || !strings.HasSuffix(err.Error(), "one is kept here, which is last") {
		t.Error(err)
	}
}

func TestRunsOfTheSameSecondDoNotMeet(t *testing.T) {
	runs := Runs{Folder: t.TempDir()}
	seen := make(map[string]bool)
	for range 3 {
		rec, err := runs.Create(runfile.Header{Started: time.Unix(0, 0)}, runfile.Options{})
		if err != nil || seen[rec.Path()] {
			t.Fatal(err, seen)
		}
		seen[rec.Path()] = true
		if err := rec.Close(nil, runfile.End{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOldRunsGo(t *testing.T) {
	runs, paths := shelf(t, plainReport, plainReport, plainReport, plainReport, plainReport, plainReport)
	for i, s := range map[int]Said{0: {Name: "mine"}, 1: {Baseline: true}} {
		if err := Say(paths[i], s); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(paths[2], runs.Now(), runs.Now()); err != nil { // it goes on
		t.Fatal(err)
	}
	left := func() (list string) {
		for i, p := range paths {
			if _, err := os.Stat(p); err == nil {
				list += string(rune('0' + i))
			}
		}
		return list
	}
	for _, step := range []struct {
		limits Limits
		want   string
	}{
		{Limits{}, "012345"},
		{Limits{Runs: 2}, "01245"},
		{Limits{Bytes: 1}, "012"},
	} {
		if err := runs.Prune(step.limits); err != nil || left() != step.want {
			t.Errorf("%+v leaves %s, %v, want %s", step.limits, left(), err, step.want)
		}
	}
	if err := (Runs{Folder: filepath.Join(runs.Folder, "none")}).Prune(DefaultLimits()); err != nil {
		t.Error(err)
	}
}

func TestWhatWasSaidCanBeTakenBack(t *testing.T) {
	_, paths := shelf(t, plainReport)
	for _, s := range []Said{{Name: "a"}, {Name: "b", Baseline: true}, {}} {
		if err := Say(paths[0], s); err != nil || said(paths[0]) != s {
			t.Errorf("said %+v, want %+v, %v", said(paths[0]), s, err)
		}
	}
	files, err := os.ReadDir(filepath.Dir(paths[0]))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	for _, name := range []string{"", "last", "last~1", "a/b", "x.tdr", " a", strings.Repeat("a", 65), "a\nb"} {
		if CheckName(name) == nil {
			t.Errorf("%q is taken as a name", name)
		}
	}
	if err := CheckName("good 2.1_b-3 ä"); err != nil {
		t.Error(err)
	}
}

func TestASumOfARun(t *testing.T) {
	asked := func(verdict, level string) string {
		return strings.NewReplacer(`"verdict":null`, `"verdict":`+verdict, `"level":null`, `"level":`+level).Replace(plainReport)
	}
	for name, c := range map[string]struct {
		report        string
		best, verdict string
	}{
		"no SLO":        {plainReport, "c=8", ""},
		"held":          {asked(`"held"`, "16"), "c=16", "held"},
		"missed":        {asked(`"missed"`, "null"), "", "missed"},
		"not yet known": {asked(`"unknown"`, "null"), "", "unknown"},
		"at a rate":     {strings.Replace(asked(`"held"`, "12.5"), `"concurrency":16}`, `"rate":12.5}`, 1), "12.5/s", "held"},
	} {
		_, paths := shelf(t, c.report)
		run := Look(paths[0])
		if sum, ok := run.Sum(); !ok || sum.Best != c.best || sum.Verdict != c.verdict {
			t.Errorf("%s: %+v, %v, want %q, %q", name, sum, ok, c.best, c.verdict)
		}
	}
	_, paths := shelf(t, plainReport)
	run := Look(paths[0])
	if sum, _ := run.Sum(); sum.OK != 7 || sum.Failed != 1 || sum.Seconds != 20 {
		t.Errorf("%+v", sum)
	}
	if err := os.Truncate(paths[0], run.Size-3); err != nil {
		t.Fatal(err)
	}
	killed := Look(paths[0])
	if _, ok := killed.Sum(); ok || killed.Err != nil || killed.Header.Model != run.Header.Model {
		t.Errorf("of a run that was cut short: %+v", killed)
	}
}
