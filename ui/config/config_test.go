package config

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"tokdyno/engine/golden"
	"tokdyno/presets"
	"tokdyno/ui/flags"
	"tokdyno/ui/theme"
)

// write puts a configuration file into a folder of the test's own and returns its path.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func library(t *testing.T) *presets.Library {
	t.Helper()
	l, err := presets.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func nothing(string) string { return "" }

// rows are those of a command line over a file, by key.
func rows(t *testing.T, text string, getenv func(string) string, args ...string) map[string]Row {
	t.Helper()
	l := library(t)
	f, err := Read(write(t, text), l)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newFlags(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.set.Parse(args); err != nil {
		t.Fatal(err)
	}
	list, err := e.Rows(f, l, getenv)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]Row)
	for _, r := range list {
		if r.Set != (r.Origin != Default) {
			t.Errorf("%s: set %v, from %s", r.Key, r.Set, r.Origin)
		}
		all[r.Key] = r
	}
	return all
}

// A flag is stronger than the environment, that than --preset, that than the file, and the file than the default.
func TestPrecedence(t *testing.T) {
	const file = `preset: chat
concurrency: 12
text: code
url: http://in-file:1
seed: 7
theme: light
gpu: [none]
`
	env := func(key string) string {
		return map[string]string{"OPENAI_BASE_URL": "http://u:p@in-env:1", "NO_COLOR": "1", "OPENAI_API_KEY": "s3cret"}[key]
	}
	for _, tt := range []struct {
		name   string
		env    func(string) string
		args   []string
		key    string
		value  string
		origin string
	}{
		{"the default", nothing, nil, "arrival", "poisson", Default},
		{"the file over the default", nothing, nil, "text", "code", "c.yaml:3"},
		{"the file over its preset", nothing, nil, "concurrency", "12", "c.yaml:2"},
		{"the file's preset over the default", nothing, nil, "prefix_overlap", "25 %", "preset chat"},
		{"--preset over the file", nothing, []string{"--preset", "rag"}, "prompt_tokens", "4096±1024", "preset rag"},
		{"the file over what --preset leaves out", nothing, []string{"--preset", "rag"}, "text", "code", "c.yaml:3"},
		{"--preset in place of the file's", nothing, []string{"--preset", "rag"}, "prefixes", "1", Default},
		{"the flag over --preset", nothing, []string{"--preset", "rag", "--prompt-tokens", "9"}, "prompt_tokens", "9", "flag"},
		{"the flag over the file", nothing, []string{"--seed", "9"}, "seed", "9", "flag"},
		{"the file, of what is none of the load", nothing, nil, "seed", "7", "c.yaml:5"},
		{"what may be repeated is replaced", nothing, []string{"--gpu", "nvml"}, "gpu", "nvml", "flag"},
		{"a list", nothing, nil, "gpu", "none", "c.yaml:7"},
		{"the file's endpoint", nothing, nil, "url", "http://in-file:1", "c.yaml:4"},
		{"the environment's over it", env, nil, "url", "http://u:xxxxx@in-env:1", "OPENAI_BASE_URL"},
		{"a key is not shown", env, nil, "api_key", "set", "OPENAI_API_KEY"},
		{"the file's theme", nothing, nil, "theme", "light", "c.yaml:6"},
		{"NO_COLOR over it", env, nil, "theme", "mono", "NO_COLOR"},
		{"the flag over NO_COLOR", env, []string{"--theme", "dark"}, "theme", "dark", "flag"},
		{"a header's value is not shown", nothing, []string{"--header", "X-Team: s3cret"}, "header", "X-Team: …", "flag"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rows(t, file, tt.env, tt.args...)[tt.key]; got.Value != tt.value || got.Origin != tt.origin {
				t.Errorf("%s is %q from %q, want %q from %q", tt.key, got.Value, got.Origin, tt.value, tt.origin)
			}
		})
	}
}

// The environment's key is stronger than the file that the configuration names.
func TestTheKeyOfTheEnvironment(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("k"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := "api_key_env: MY_KEY\napi_key_file: " + key + "\n"
	if got := rows(t, file, nothing)["api_key_file"]; got.Value != key {
		t.Errorf("without one, the file is %q", got.Value)
	}
	t.Setenv("MY_KEY", "s3cret")
	got := rows(t, file, os.Getenv)
	if got["api_key_file"].Value != unset || got["api_key"].Origin != "MY_KEY" {
		t.Errorf("with one: %+v, %+v", got["api_key_file"], got["api_key"])
	}
}

func TestAFaultIsASentenceWithItsPlace(t *testing.T) {
	for _, tt := range []struct{ text, says string }{
		{"concurency: 3", `c.yaml:1:1: "concurency" is not known here; did you mean concurrency?`},
		{"something: 3", `c.yaml:1:1: "something" is not known here; "tokdyno config --all" lists`},
		{"keep-runs: 3", `c.yaml:1:1: "keep-runs" is written keep_runs here`},
		{"seed: 1\nslo: ttft=500", "c.yaml:2:6: slo: 500 of what? ttft=500ms"},
		{"duration: 20", "c.yaml:1:11: duration: 20 of what?"},
		{"percentile: foo", `c.yaml:1:13: percentile: "foo" is unknown`},
		{"insecure: on", `c.yaml:1:11: insecure: takes true or false, not "on"`},
		{"gpu: [nvml, foo]", `: gpu: "foo" is no GPU source`},
		{"preset: nosuch", `c.yaml:1:9: preset: there is no preset "nosuch"`},
		{"mouse: maybe", `c.yaml:1:8: mouse: "maybe" is none of`},
		{"theme: nope", `c.yaml:1:8: theme: unknown theme "nope"; the themes are dark,`},
		{"seed: 1\nseed: 2", "c.yaml:2:1: "},
		{"wait:", "c.yaml:1:7: wait has no value"},
		{"json: out.json", "c.yaml:1:1: json: it names where one run's result goes"},
		{"duel: together", "c.yaml:1:1: duel: it is about the endpoints"},
		{"search: true", "c.yaml:1:1: search: "},
		{"config: x.yaml", `c.yaml:1:1: "config" is not known here`},
		{"- seed", "c.yaml:1:1: a configuration file is lines"},
		{"themes: 3", "c.yaml:1:9: themes: it holds themes by name"},
		{"themes:\n  mine:\n    god: '#123456'", `c.yaml:3:5: "god" is no colour of a theme; did you mean good?`},
		{"themes:\n  mine:\n    good: red", `c.yaml:3:11: good: "red" is no colour`},
		{"themes:\n  mine:\n    base: neon", `c.yaml:3:11: base: unknown theme "neon"`},
		{"themes:\n  dark:\n    base: light", "c.yaml:2:3: there is a theme dark already"},
		// What is secret is refused, and not repeated.
		{"api_key: s3cret", "c.yaml:1:1: api_key: a key is never kept in this file"},
		{"model: sk-s3cret", "c.yaml:1:8: model: this looks like a key"},
		{`header: "Authorization: Bearer s3cret"`, "c.yaml:1:9: header: this looks like a key"},
		{`header: ["X-Team: a", "X-Api-Key: s3cret"]`, "header: this looks like a key"},
		{"url: https://me:s3cret@host/v1", "c.yaml:1:6: url: this looks like a key"},
	} {
		path := write(t, tt.text)
		_, err := Read(path, library(t))
		if err == nil {
			t.Errorf("%q: nothing is said", tt.text)
			continue
		}
		said := strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
		if !strings.Contains(said, tt.says) || strings.Contains(said, "\n") || strings.Contains(said, "s3cret") {
			t.Errorf("%q: %s\nwant it to say %s", tt.text, said, tt.says)
		}
	}
}

// Every setting of the load can stand in the file, and is there what it is everywhere.
func TestEverySettingCanStandInTheFile(t *testing.T) {
	for _, s := range presets.Settings() {
		if s.File || s.Example == "" {
			continue
		}
		got := rows(t, s.Name+": '"+s.Example+"'\n", nothing)[s.Name]
		k, err := s.Set(presets.Plain(), s.Example)
		if want := cmp.Or(s.Print(k), "off"); err != nil || got.Value != want || got.Origin != "c.yaml:1" {
			t.Errorf("%s: %+v, want %q, %v", s.Name, got, want, err)
		}
	}
}

// A file is looked for beside the configuration, not where tokdyno was started.
func TestPathsAreBesideTheFile(t *testing.T) {
	path := write(t, "data: d.txt\nca: ca.pem\napi_key_file: /run/key\nmodel: m.gguf\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "d.txt"), []byte("What is a queue?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := library(t)
	f, err := Read(path, l)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"ca": filepath.Join(filepath.Dir(path), "ca.pem"), "api_key_file": "/run/key", "model": "m.gguf"} {
		if got := f.lines[key].Value(); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	none := l.Nothing()
	if k, err := none.Knobs(); err != nil || k.Shape.Data == nil {
		t.Errorf("the data set is not there: %v", err)
	}
}

func TestNoFile(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "nosuch.yaml"), library(t)); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that was named and is not there: %v", err)
	}
	f, err := Read(Off, library(t))
	if err != nil || f.Path != "" || f.URL() != nil {
		t.Errorf("off: %+v, %v", f, err)
	}
}

// A flag that the file sets counts as given, so that what a command does where nobody said anything is not done.
func TestApply(t *testing.T) {
	f, err := Read(write(t, "duration: 5m\ngpu: [nvml, smi]\ntheme: light\n"), library(t))
	if err != nil {
		t.Fatal(err)
	}
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	var load flags.Load
	var gpus flags.GPUs
	var look flags.Look
	if err := load.Bind(set, presets.Preset{}); err != nil {
		t.Fatal(err)
	}
	gpus.Bind(set)
	look.Bind(set)
	if err := f.Apply(set, nothing); err != nil {
		t.Fatal(err)
	}
	if !set.Changed("duration") || set.Changed("seed") {
		t.Error("duration is not given, or seed is")
	}
	if names, err := gpus.Names(); err != nil || !slices.Equal(names, []string{"nvml", "smi"}) {
		t.Errorf("the sources are %q, %v", names, err)
	}
	if look.Theme() != "" || f.Theme() != theme.Light {
		t.Error("the file's theme is as strong as the flag")
	}
}

func TestThemesOfTheFile(t *testing.T) {
	f, err := Read(write(t, "theme: brighter\nthemes:\n  mine: {base: light, good: '#0F0'}\n  brighter: {base: mine, bad: 'bold 9'}\n"), library(t))
	if err != nil {
		t.Fatal(err)
	}
	th, err := f.Themes.Lookup(f.Theme())
	if err != nil {
		t.Fatal(err)
	}
	if th.Look(theme.Good).String() != "#0F0" || th.Look(theme.Bad).String() != "9 bold" {
		t.Errorf("good is %s, bad is %s", th.Look(theme.Good), th.Look(theme.Bad))
	}
}

func TestTheConfigurationInTheDocumentationIsCurrent(t *testing.T) {
	e, err := newFlags(library(t))
	if err != nil {
		t.Fatal(err)
	}
	golden.Page(t, "config.md", markdown(e))
}

// markdown is the page of the documentation on the file.
func markdown(e *Flags) string {
	var out strings.Builder
	out.WriteString(`# The configuration file

What you would otherwise type every time goes into ` + "`$XDG_CONFIG_HOME/tokdyno/config.yaml`, mostly `~/.config/tokdyno/config.yaml`" + `;
` + "`tokdyno config --path`" + ` says where. ` + "`--config FILE`" + ` reads another one, ` + "`--config off`" + ` none. Its keys are the flags, with _ for -:

` + "```yaml" + `
url: http://gpu-1:8000
slo: ttft=500ms tpot=40ms
preset: chat            # what it says holds unless this file says otherwise
gpu: [nvml]
keep_runs: 500
theme: mine
themes:
  mine: {base: dark, good: "#00FF00 bold"}
` + "```" + `

**What is stronger**: a flag, then the environment (` + "`OPENAI_BASE_URL`, `OPENAI_API_KEY`, `NO_COLOR`" + `), then ` + "`--preset`" + `, then this file,
then the default. ` + "`tokdyno config`" + ` prints what is set and where it comes from, as ` + "`config.yaml:3`" + `; with ` + "`--all`" + ` every setting;
with flags and ` + "`--preset`" + ` what a run with them would have.

**Files** that it names, such as ` + "`data` or `ca`" + `, are looked for beside it unless their paths are whole.

**No secrets**: the file is read, shown and shared. An API key goes into ` + "`OPENAI_API_KEY`" + `, or into a file of its own that
` + "`api_key_file`" + ` names. What looks like a key, a password or a header that carries one is refused.

**Mistakes** are one sentence with file, line and column, and exit status 2, as those of flags. Commands that
take none of the flags, such as ` + "`tokdyno runs`" + `, don't read the file.

## Themes

A theme of your own has a ` + "`base`" + `, which is a theme that there is already, and what differs from it. A colour is ` + "`#RRGGBB`, `#RGB`" + ` or the
number of one of 256, and beside it or without it ` + "`bold`, `faint`, `underline`, `reverse`; `plain`" + ` is the terminal's own.
` + "`tokdyno themes`" + ` shows them all.

| name | what is drawn in it |
|---|---|
`)
	for _, role := range theme.Roles() {
		out.WriteString("| `" + role.Name + "` | " + role.For + " |\n")
	}
	out.WriteString(`
## Keys

What the load's keys take is on the page of [settings](settings.md).

| key | what it sets |
|---|---|
| ` + "`url`" + ` | the endpoint, or a list of them, where the command line names none |
`)
	for _, name := range e.names {
		out.WriteString("| `" + keyOf(name) + "` | " + strings.NewReplacer("`", "", "|", `\|`).Replace(e.set.Lookup(name).Usage) + " |\n")
	}
	out.WriteString("| `themes` | themes of your own, by name |\n")
	return out.String()
}
