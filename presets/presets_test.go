package presets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tokdyno/engine/load"
)

// library is the built-in presets and those of a folder.
func library(t *testing.T, folder string) *Library {
	t.Helper()
	l, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// folder writes files into a folder of a test's own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const sound = "title: T\nfor: testers\nconcurrency: 3\nprompt_tokens: 512\n"

func TestEveryBuiltInPresetIsSound(t *testing.T) {
	all := library(t, "/nonexistent").Presets()
	if len(all) < 19 {
		t.Fatalf("%d presets", len(all))
	}
	for _, p := range all {
		k, err := p.Knobs()
		if err != nil {
			t.Error(err)
		}
		if p.Title == "" || p.For == "" || p.Source == "" || p.Path != "" {
			t.Errorf("%s: title %q, for %q, source %q, path %q", p.Name, p.Title, p.For, p.Source, p.Path)
		}
		sets := func(name string) bool {
			return slices.ContainsFunc(p.settings, func(a assignment) bool { return a.setting.Name == name })
		}
		if !sets("prompt_tokens") || !sets("output_tokens") {
			t.Errorf("%s leaves a length to chance", p.Name)
		}
		if p.Name != "batch-offline" && !k.SLO.Active() {
			t.Errorf("%s has no SLO", p.Name)
		}
	}
}

func TestLimitsOfMLPerf(t *testing.T) {
	for name, want := range map[string]string{
		"chat":                          "ttft=500ms tpot=40ms",
		"mlperf-llama2-70b-server":      "ttft=2s tpot=200ms",
		"mlperf-llama2-70b-interactive": "ttft=450ms tpot=40ms",
		"mlperf-llama3.1-8b-server":     "ttft=2s tpot=100ms", "mlperf-llama3.1-8b-interactive": "ttft=500ms tpot=30ms",
		"mlperf-llama3.1-405b-server": "ttft=6s tpot=175ms", "mlperf-llama3.1-405b-interactive": "ttft=4.5s tpot=80ms",
		"mlperf-deepseek-r1-server": "ttft=2s tpot=80ms", "mlperf-deepseek-r1-interactive": "ttft=1.5s tpot=15ms",
		"mlperf-gpt-oss-120b-server": "ttft=3s tpot=80ms",
	} {
		p, err := library(t, "").Lookup(name)
		if err != nil {
			t.Error(err)
			continue
		}
		k, err := p.Knobs()
		if err != nil || k.SLO.String() != want || k.Target != 0.99 {
			t.Errorf("%s: %s for %v, %v, want %s", name, k.SLO, k.Target, err, want)
		}
		if mode := k.Load.Mode; strings.HasPrefix(name, "mlperf") && mode != load.Open {
			t.Errorf("%s has a %s loop; MLPerf's arrivals don't wait for answers", name, mode)
		}
	}
}

func TestOwnPresetsOverrideAndAdd(t *testing.T) {
	dir := folder(t, map[string]string{"chat.yaml": sound, "mine.yaml": sound, "notes.txt": "not a preset"})
	l := library(t, dir)
	if n, before := len(l.Presets()), len(library(t, "").Presets()); n != before+1 {
		t.Errorf("%d presets, %d without the folder", n, before)
	}
	for _, name := range []string{"chat", "mine"} {
		p, err := l.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if k, err := p.Knobs(); err != nil || k.Load.Concurrency != 3 || p.Path != filepath.Join(dir, name+".yaml") {
			t.Errorf("%s: c=%d at %s, %v", name, k.Load.Concurrency, p.Path, err)
		}
	}
	if p, err := l.Lookup(filepath.Join(dir, "mine.yaml")); err != nil || p.Name != "mine" || p.Text() != sound {
		t.Errorf("by its path: %+v, %v", p, err)
	}
}

func TestABrokenOwnPresetTakesNoOtherAway(t *testing.T) {
	dir := folder(t, map[string]string{"mine.yaml": sound + "cocurrency: 9\n"})
	l := library(t, dir)
	if len(l.Broken()) != 1 || len(l.Presets()) != len(library(t, "").Presets()) {
		t.Errorf("broken: %v, %d presets", l.Broken(), len(l.Presets()))
	}
	for _, name := range []string{"mine", filepath.Join(dir, "mine.yaml")} {
		if _, err := l.Lookup(name); err == nil || !strings.Contains(err.Error(), "mine.yaml:5:1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestABrokenOwnPresetStandsForItsName makes sure that nobody gets the built-in preset who wrote another of its name.
func TestABrokenOwnPresetStandsForItsName(t *testing.T) {
	dir := folder(t, map[string]string{
		"chat.yaml":    sound + "cocurrency: 9\n",
		"my-chat.yaml": sound + "cocurrency: 9\n",
		"rag.yaml":     "",
	})
	l := library(t, dir)
	for _, name := range []string{"chat", "rag", "my-chat"} {
		if _, err := l.Lookup(name); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, name+".yaml")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, p := range l.Presets() {
		if p.Name == "chat" || p.Name == "rag" {
			t.Errorf("%s is offered", p.Name)
		}
	}
	// What ends in the name of a broken one is another.
	for _, name := range []string{"hat", "at", ""} {
		if _, err := l.Lookup(name); err == nil || !strings.Contains(err.Error(), "there is no preset") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := l.Lookup("chat-zh"); err != nil {
		t.Error(err)
	}
}

func TestUnknownNamesAreRefused(t *testing.T) {
	_, err := library(t, "").Lookup("nosuch")
	if err == nil || !strings.Contains(err.Error(), "tokdyno presets") {
		t.Errorf("%v", err)
	}
	if _, err := library(t, "").Lookup("./nosuch.yaml"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
}

func TestErrorsSayWhereAndWhatIsAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		says []string // nil: it is sound
	}{
		"sound":            {sound, nil},
		"comments":         {"# mine\n" + sound + "\n# end\n", nil},
		"unknown key":      {sound + "concurency: 9\n", []string{"x.yaml:5:1", `"concurency"`, "did you mean concurrency?"}},
		"no key at all":    {sound + "something: 9\n", []string{"x.yaml:5:1", `"something"`, "concurrency, "}},
		"key twice":        {sound + "concurrency: 9\n", []string{"x.yaml:5:1", "concurrency"}},
		"not a number":     {sound + "max_in_flight: many\n", []string{"x.yaml:5:16", "many", "write a number from 1 on"}},
		"fraction":         {"title: T\nfor: t\nconcurrency: 1.5\n", []string{"x.yaml:3:14", "write a number from 1 to 100,000"}},
		"bad length":       {sound + "output_tokens: lots\n", []string{"x.yaml:5:16", "lots", "512"}},
		"out of range":     {"title: T\nfor: t\nconcurrency: 0\n", []string{"x.yaml:3:14", "from 1"}},
		"bad SLO":          {sound + "slo: ttft=500\n", []string{"x.yaml:5:6", "500 of what? ttft=500ms"}},
		"bad share":        {sound + "slo_target: 110%\n", []string{"x.yaml:5:13", "at most 100%"}},
		"bad arrival":      {sound + "arrival: sometimes\n", []string{"x.yaml:5:10", "poisson"}},
		"no value":         {sound + "slo:\n", []string{"x.yaml:5:", "no value"}},
		"nested":           {sound + "slo:\n  ttft: 500ms\n", []string{"x.yaml:6:", "one value"}},
		"list at the top":  {"- title: T\n", []string{"x.yaml:1:1", "lines such as"}},
		"no title":         {"for: t\n", []string{"x.yaml", "title:"}},
		"empty":            {"", []string{"x.yaml", "concurrency: 8", "there is none in this one"}},
		"comments alone":   {"# mine\n", []string{"x.yaml", "there is none in this one"}},
		"not YAML":         {"title: [T\n", []string{"x.yaml:1:8"}},
		"several in one":   {sound + "---\n" + sound, []string{"x.yaml", "one list", "this one is 2"}},
		"three in one":     {sound + "---\n" + sound + "---\n" + sound, []string{"this one is 3"}},
		"data and a trace": {sound + "data: d.txt\ntrace: t.csv\n", []string{"x.yaml:6:1", "leave out data or trace"}},
		"a binary":         {"\x00\x01\x02", []string{"x.yaml"}},
		"an anchor abused": {"title: T\nfor: &a t\n", []string{"x.yaml:2:6", "anchors"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse("x.yaml", []byte(c.text), Settings())
			if (err == nil) != (c.says == nil) {
				t.Fatalf("error %v", err)
			}
			for _, want := range c.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if err != nil && strings.ContainsRune(err.Error(), '\n') {
				t.Errorf("error %q is not one line", err)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte("title: |\n  T\nfor: {a: b}\nobjectives:\n  - x\n  - [y]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parse("x.yaml", text, Settings())
		if err == nil && (p.Title == "" || p.For == "") {
			t.Errorf("%q became %+v", text, p)
		}
	})
}
