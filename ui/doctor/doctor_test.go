package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"tokdyno/gpu"
	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// good is a machine with nothing in the way, with an environment to be changed.
func good(t *testing.T) (Facts, map[string]string) {
	t.Helper()
	env := map[string]string{"TERM": "xterm-256color", "LANG": "de_DE.UTF-8"}
	f := Facts{
		Env: func(name string) string { return env[name] }, Terminal: true, Columns: 120, Rows: 36,
		GPU:   gpu.Survey{Reading: gpu.Reading{Source: "nvml", Devices: make([]gpu.Device, 2)}, Tried: []gpu.Tried{{Spec: "nvml", OK: true}}},
		Files: 20000, Streams: 19926, Bound: "this process may have 20000 files open",
		Tick: 40 * time.Nanosecond, Sleep: 1060 * time.Microsecond,
		Stamps: "kernel", Folder: "/home/me/runs", Cores: 8, Procs: 8,
	}
	themed(t, &f)
	return f, env
}

// themed chooses the theme that the environment suggests.
func themed(t *testing.T, f *Facts) {
	t.Helper()
	chosen, err := theme.Choose(theme.Terminal{Getenv: f.Env, LineCells: 1})
	if err != nil {
		t.Fatal(err)
	}
	f.Theme = chosen
}

func TestNothingInTheWayIsFine(t *testing.T) {
	f, _ := good(t)
	found := Examine(f)
	for _, one := range found {
		if one.State != Fine || one.Do != "" || one.Says == "" {
			t.Errorf("%+v", one)
		}
	}
	if err := Err(found); err != nil {
		t.Error(err)
	}
}

func TestEachCheckSaysWhatToDo(t *testing.T) {
	tests := []struct {
		name, check string
		change      func(f *Facts, env map[string]string)
		state       State
		says, do    string
	}{
		{"a pipe", "terminal", func(f *Facts, _ map[string]string) { f.Terminal = false }, Advice, "none", "check, sweep and report need none"},
		{"size unknown", "terminal", func(f *Facts, _ map[string]string) { f.Columns, f.Rows = 0, 0 }, Advice, "not known", "stty"},
		{"too small", "terminal", func(f *Facts, _ map[string]string) { f.Columns = 59 }, Advice, "59×36", "at least 60×16"},
		{"small", "terminal", func(f *Facts, _ map[string]string) { f.Rows = 20 }, Advice, "120×20", "80×24"},
		{"16 colours", "colours", func(_ *Facts, env map[string]string) { env["TERM"] = "xterm" }, Advice, "16, theme dark", "TERM=xterm-256color"},
		{"all colours", "colours", func(_ *Facts, env map[string]string) { env["COLORTERM"] = "truecolor" }, Fine, "16 million, theme dark", ""},
		{"no colour wanted", "colours", func(_ *Facts, env map[string]string) { env["NO_COLOR"] = "1" }, Fine, "none, as NO_COLOR asks: theme mono", ""},
		{"another locale", "characters", func(_ *Facts, env map[string]string) { env["LC_ALL"] = "C" }, Advice, "ASCII only: charts are drawn with * and o (LC_ALL=C,", "LANG=C.UTF-8"},
		{"no locale", "characters", func(_ *Facts, env map[string]string) { delete(env, "LANG") }, Advice, "no locale is set", "LANG=C.UTF-8"},
		{"a kernel's console", "characters", func(_ *Facts, env map[string]string) { env["TERM"] = "linux" }, Advice, "TERM=linux", "--ascii=false"},
		{
			"no GPU", "GPU",
			func(f *Facts, _ map[string]string) {
				f.GPU = gpu.Survey{Tried: []gpu.Tried{{Spec: "nvml", Reason: "no NVIDIA driver here"}}}
			},
			Advice, "none can be read: no NVIDIA driver here", "--gpu ssh:HOST",
		},
		{"GPUs not asked for", "GPU", func(f *Facts, _ map[string]string) { f.GPU = gpu.Survey{} }, Fine, "none was looked for", ""},
		{"one GPU", "GPU", func(f *Facts, _ map[string]string) { f.GPU.Reading.Devices = f.GPU.Reading.Devices[:1] }, Fine, "1 GPU by nvml", ""},
		{"few files", "open files", func(f *Facts, _ map[string]string) { f.Files, f.Streams = 256, 182 }, Advice, "limit 256, for up to 182 requests", "this process may have"},
		{"no files", "open files", func(f *Facts, _ map[string]string) { f.Files, f.Streams = 64, 0 }, Blocked, "up to 0 requests", "ulimit -n"},
		{"no limit", "open files", func(f *Facts, _ map[string]string) { f.Files, f.Streams, f.Bound = 0, math.MaxInt, "" }, Fine, "no limit", ""},
		{"a coarse clock", "clock", func(f *Facts, _ map[string]string) { f.Tick = time.Millisecond }, Advice, "steps of 1,000,000 ns", "no finer"},
		{"late sleeps", "clock", func(f *Facts, _ map[string]string) { f.Sleep = 16 * time.Millisecond }, Advice, "takes 16.0 ms", "CPU limit"},
		{"an unknown clock", "clock", func(f *Facts, _ map[string]string) { f.Tick, f.Sleep = 0, 0 }, Fine, "steps of not known; a sleep of 1ms takes n/a", ""},
		{"no kernel stamps", "arrival stamps", func(f *Facts, _ map[string]string) { f.Stamps = "read" }, Advice, "when tokdyno reads", "Linux"},
		{"no loopback", "arrival stamps", func(f *Facts, _ map[string]string) { f.Loopback = errors.New("not permitted") }, Blocked, "failed: not permitted", "127.0.0.1"},
		{
			"a proxy", "proxy",
			func(_ *Facts, env map[string]string) {
				env["https_proxy"], env["NO_PROXY"] = "http://me:s3cret@proxy.corp:3128", "10.0.0.1"
			},
			Advice, "HTTPS_PROXY is proxy.corp:3128, NO_PROXY=10.0.0.1", "--no-proxy",
		},
		{"a proxy without a scheme", "proxy", func(_ *Facts, env map[string]string) { env["HTTP_PROXY"] = "me:s3cret@proxy:1" }, Advice, "HTTP_PROXY is proxy:1", "NO_PROXY"},
		{"no proxy's address", "proxy", func(_ *Facts, env map[string]string) { env["HTTP_PROXY"] = "s3cret @%" }, Advice, "not an address", "--no-proxy"},
		{"a folder of somebody else", "kept runs", func(f *Facts, _ map[string]string) { f.FolderErr = errors.New("permission denied") }, Advice, "/home/me/runs: permission denied", "XDG_STATE_HOME"},
		{"a limit of processors", "processor", func(f *Facts, _ map[string]string) { f.Procs = 2 }, Advice, "8 cores, of which tokdyno uses 2", "GOMAXPROCS"},
		{"one core", "processor", func(f *Facts, _ map[string]string) { f.Cores, f.Procs = 1, 1 }, Advice, "1 core", "another"},
	}
	proven := make(map[string]bool)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, env := good(t)
			tt.change(&f, env)
			themed(t, &f)
			for _, one := range Examine(f) {
				switch {
				case one.Check == tt.check:
					proven[one.Check] = true
					if one.State != tt.state || !strings.Contains(one.Says, tt.says) || !strings.Contains(one.Do, tt.do) {
						t.Errorf("%+v, want %s, %q, %q", one, tt.state, tt.says, tt.do)
					}
					if (one.State == Fine) != (one.Do == "") || strings.Contains(one.Says, "s3cret") {
						t.Errorf("%+v", one)
					}
				case one.State != Fine && one.Check != "colours": // what a terminal is shows in several
					t.Errorf("it changed %+v as well", one)
				}
			}
		})
	}
	for _, c := range checks() {
		if !proven[c.name] {
			t.Errorf("no case proves the check %q", c.name)
		}
	}
}

func TestWhatBlocksIsAnError(t *testing.T) {
	f, _ := good(t)
	f.Streams = 0
	found := Examine(f)
	if err := Err(found); !errors.Is(err, ErrBlocked) {
		t.Error(err)
	}
	var out bytes.Buffer
	if err := JSON(&out, "1.2.3", found); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Version string
		Works   *bool
		Checks  []Finding
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Works == nil || *got.Works || got.Version != "1.2.3" || len(got.Checks) != len(checks()) {
		t.Errorf("%v: %s", err, &out)
	}
}

func TestLinesFitAndSayWhatToDo(t *testing.T) {
	f, _ := good(t)
	f.Streams, f.Cores, f.Procs = 0, 1, 1
	f.Loopback = errors.New("dial\x1b[31m tcp")
	f.FolderErr = errors.New("permission denied") // its advice has a flag
	for _, ascii := range []bool{false, true} {
		g := f.Theme.Glyphs
		signs := []string{"✓ terminal", "✗ open files", "! processor"}
		if ascii {
			g, signs = theme.ASCII(), []string{"+ terminal", "x open files", "! processor"}
		}
		var out bytes.Buffer
		if err := Print(&out, Examine(f), 80, &g); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if cell.Width(strings.TrimSuffix(line, "\n")) > 80 || strings.ContainsRune(line, '\x1b') {
				t.Errorf("%q", line)
			}
		}
		for width := 40; width < 80; width++ { // at some, the flag stands at the end of a line
			var narrow bytes.Buffer
			if err := Print(&narrow, Examine(f), width, &g); err != nil || !strings.Contains(narrow.String(), "--no-keep") {
				t.Errorf("at %d, %v: the flag is broken in\n%s", width, err, &narrow)
			}
		}
		for _, want := range append(signs, "\n                  with a server on the same machine") {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in\n%s", want, &out)
			}
		}
	}
}
