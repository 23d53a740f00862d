package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/presets"
)

// parse returns the configuration that a command line gives.
func parse(t *testing.T, slo string, args ...string) (engine.Config, error) {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", " key-from-environment\n")
	var run Run
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	if err := run.Bind(f, presets.Preset{}); err != nil {
		t.Fatal(err)
	}
	if slo != "" {
		args = append(args, "--slo", slo)
	}
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	cfg, _, err := run.Config([]string{"http://h:1"})
	return cfg, err
}

func TestDefaults(t *testing.T) {
	cfg, err := parse(t, "ttft=500ms")
	if err != nil {
		t.Fatal(err)
	}
	want := snapshot.Knobs{
		Load:   load.Setting{Mode: load.Closed, Concurrency: 8, Arrival: load.Poisson},
		Shape:  shape.Shape{Prompt: shape.Uniform(256, 768), Output: shape.Uniform(64, 192)},
		SLO:    slo.Criteria{slo.TTFT: 500 * time.Millisecond},
		Target: 0.99,
		Window: stats.Last30s,
	}
	if cfg.Knobs != want {
		t.Errorf("knobs %+v, want %+v", cfg.Knobs, want)
	}
	if !cfg.AnyLoad || !cfg.AnyBudget || cfg.Seed == 0 || cfg.Endpoint.Key != "key-from-environment" {
		t.Errorf("any load %v, any budget %v, seed %d, key %q", cfg.AnyLoad, cfg.AnyBudget, cfg.Seed, cfg.Endpoint.Key)
	}
}

func TestLoadFlags(t *testing.T) {
	tests := []struct {
		name string
		args string
		want load.Setting
	}{
		{"closed", "-c 32", load.Setting{Mode: load.Closed, Concurrency: 32, Arrival: load.Poisson}},
		{"open", "--rate 2.5 --arrival constant", load.Setting{Mode: load.Open, Rate: 2.5, Concurrency: 8, Arrival: load.Constant}},
		{"open with a cap", "--rate 2 --max-in-flight 9", load.Setting{Mode: load.Open, Rate: 2, Concurrency: 8, MaxInFlight: 9, Arrival: load.Poisson}},
		{"open, concurrency is the cap", "--rate 2 -c 9", load.Setting{Mode: load.Open, Rate: 2, Concurrency: 9, MaxInFlight: 9, Arrival: load.Poisson}},
		{"open by bursts as often as makes the rate", "--rate 4 --arrival burst:16/2s", load.Setting{Mode: load.Open, Rate: 4, Concurrency: 8, Arrival: load.Burst(16, 4*time.Second)}},
		{"open by bursts, concurrency is the cap", "-c 9 --arrival burst:16/2s", load.Setting{Mode: load.Open, Concurrency: 9, MaxInFlight: 9, Arrival: load.Burst(16, 2*time.Second)}},
		{"open, both given", "--rate 2 -c 9 --max-in-flight 4", load.Setting{Mode: load.Open, Rate: 2, Concurrency: 9, MaxInFlight: 4, Arrival: load.Poisson}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg, err := parse(t, "", strings.Fields(tt.args)...)
			if err != nil || cfg.Knobs.Load != tt.want {
				t.Errorf("got %+v, %v, want %+v", cfg.Knobs.Load, err, tt.want)
			}
			if cfg.AnyLoad {
				t.Error("a load that was chosen is not to be held back")
			}
		})
	}
}

func TestFlagsOverrideAPreset(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	text := "title: T\nfor: t\nrate: 3\nprompt_tokens: 99\nslo: ttft=1s\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := parse(t, "", "--preset", file, "--output-tokens", "7")
	if err != nil || cfg.Knobs.Load.Mode != load.Open || cfg.Knobs.Load.Rate != 3 || cfg.Knobs.Shape.Prompt != shape.Fixed(99) ||
		cfg.Knobs.Shape.Output != shape.Fixed(7) || cfg.Knobs.SLO[slo.TTFT] != time.Second || cfg.AnyLoad {
		t.Errorf("%+v, %v", cfg.Knobs, err)
	}
	cfg, err = parse(t, "", "--preset", file, "-c", "4", "--arrival", "constant")
	if err != nil || cfg.Knobs.Load.Mode != load.Open || cfg.Knobs.Load.MaxInFlight != 4 || cfg.Knobs.Load.Rate != 3 {
		t.Errorf("other arrivals of an open loop, and a cap: %+v, %v", cfg.Knobs.Load, err)
	}
	cfg, err = parse(t, "", "--preset", file, "-c", "4")
	if err != nil || cfg.Knobs.Load.Mode != load.Closed || cfg.Knobs.Load.Concurrency != 4 {
		t.Errorf("%+v, %v", cfg.Knobs.Load, err)
	}
}

func TestFlagsThatDoNotGoTogether(t *testing.T) {
	for args, want := range map[string]string{
		"--arrival constant":         "give --rate",
		"--max-in-flight 3":          "give --rate",
		"--speed 2":                  "give --trace",
		"--loop":                     "give --trace",
		"--preset nosuch":            "tokdyno presets",
		"--concurrency many":         "--concurrency: ",
		"--trace /nonexistent.jsonl": "--trace: ",
		"--data /nonexistent.jsonl":  "--data: ",
		"--turns 2000":               "--turns: ",
		"--think 5s":                 "give --turns",
		"--turns 1 --think 5s":       "give --turns",
		"--conversations":            "give --turns",
		"--prefixes 4":               "give --prefix-overlap",
		"--data testdata/prompts.txt --trace testdata/trace.jsonl": "leave out --data or --trace",
	} {
		if _, err := parse(t, "", strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", args, err, want)
		}
	}
	if cfg, err := parse(t, "", "--arrival", "burst:4/2s"); err != nil || cfg.Knobs.Load.Mode != load.Open {
		t.Errorf("bursts have a rate of their own: %+v, %v", cfg.Knobs.Load, err)
	}
}

func TestFlagsThatNeedAnotherAndHaveIt(t *testing.T) {
	for _, args := range []string{
		"--turns 3 --think 5s",
		"--data testdata/prompts.txt --think 5s",
		"--think 0",
		"--turns 3 --conversations",
		"--preset agent --conversations",
		"--conversations=false",
		"--prefix-overlap 30% --prefixes 4",
		"--preset rag --prefixes 4",
		"--data testdata/prompts.txt",
		"--trace testdata/trace.jsonl",
	} {
		if _, err := parse(t, "", strings.Fields(args)...); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestFilesAreTheSameForFlagsAndPresets has a data set and a trace be one value, by whatever they are opened.
func TestFilesAreTheSameForFlagsAndPresets(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"data.txt": "a prompt\n", "data.yaml": "title: T\nfor: t\ndata: data.txt\n",
		"trace.jsonl": `{"timestamp": 0, "input_length": 8, "output_length": 4, "hash_ids": [1]}` + "\n",
		"trace.yaml":  "title: T\nfor: t\ntrace: trace.jsonl\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	library, err := presets.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	knobs := func(args ...string) snapshot.Knobs {
		t.Helper()
		var flags Load
		f := pflag.NewFlagSet("test", pflag.ContinueOnError)
		if err := flags.Bind(f, library.Nothing()); err != nil {
			t.Fatal(err)
		}
		if err := f.Parse(args); err != nil {
			t.Fatal(err)
		}
		var cfg engine.Config
		if err := flags.Apply(&cfg); err != nil {
			t.Fatal(err)
		}
		return cfg.Knobs
	}
	for _, c := range [][]string{
		{"--data", filepath.Join(folder, "data.txt"), "data"},
		{"--trace", filepath.Join(folder, "trace.jsonl"), "trace"},
	} {
		p, err := library.Lookup(c[2])
		if err != nil {
			t.Fatal(err)
		}
		picked, err := p.Knobs()
		if err != nil {
			t.Fatal(err)
		}
		if knobs(c[0], c[1]) != picked || knobs("--preset", c[2]) != picked {
			t.Errorf("%s: %+v by a flag, %+v by --preset, %+v picked", c[2], knobs(c[0], c[1]), knobs("--preset", c[2]), picked)
		}
	}
}

// parsed parses a command line with every flag, and explains its error as the commands do.
func parsed(args ...string) (load Load, autopilot Autopilot, err error) {
	var endpoint Endpoint
	var telemetry Telemetry
	var simulator Simulator
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	endpoint.Bind(f)
	if err := load.Bind(f, presets.Preset{}); err != nil {
		return load, autopilot, err
	}
	telemetry.Bind(f)
	autopilot.Bind(f)
	simulator.Bind(f)
	return load, autopilot, Explain(f.Parse(args))
}

func TestTimesAndNumbersAreWrittenAsSettingsAre(t *testing.T) {
	load, autopilot, err := parsed("--duration", "1 m 30 s", "--requests", "1,000 requests", "--warmup", "off", "--samples=2,500",
		"--steady", "5 SEC", "--time-scale", "×4", "--gpu-hour-price", "2.5", "--retry", "none", "--gpu-interval", "500 ms")
	if err != nil || load.duration != 90*time.Second || load.requests != 1000 || load.warmup != 0 || autopilot.effort.Requests != 2500 ||
		autopilot.effort.Steady != 5*time.Second {
		t.Errorf("%+v, %+v, %v", load, autopilot, err)
	}
	for args, want := range map[string]string{
		"--duration 30":         "--duration: 30 of what? 30s",
		"--warmup soon":         `--warmup: "soon" is not a time; write it like 10s`,
		"--steady -5s":          `--steady: "-5s" is not a time; write it like 30s`,
		"--gpu-interval 1":      "--gpu-interval: 1 of what? 1s",
		"--connect-timeout 2":   "--connect-timeout: 2 of what? 2s",
		"--requests 1.5":        `--requests: "1.5" is not a whole number; write it like 1,000`,
		"--samples -3":          `--samples: "-3" is not a number of requests above zero; write it like 30`,
		"--gpu-hour-price lots": `--gpu-hour-price: "lots" is not a number; write it like 2 or 0.5`,
		"--seed -1":             `--seed takes a whole number that is not negative, not "-1"`,
		"--insecure=perhaps":    `--insecure takes true or false, not "perhaps"`,
	} {
		if _, _, err := parsed(strings.Fields(args)...); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestLimitsOfAFlagJoinThoseOfAPreset(t *testing.T) {
	for text, want := range map[string]slo.Criteria{
		"tpot=40ms":     {500 * time.Millisecond, 40 * time.Millisecond, 0},
		"ttft=1s":       {slo.TTFT: time.Second, slo.TPOT: 40 * time.Millisecond},
		"off":           {},
		"off e2el=2s":   {slo.E2EL: 2 * time.Second},
		"off, ttft 1 s": {slo.TTFT: time.Second},
	} {
		if cfg, err := parse(t, text, "--preset", "chat"); err != nil || cfg.Knobs.SLO != want {
			t.Errorf("--slo '%s' over chat is %v, %v, want %v", text, cfg.Knobs.SLO, err, want)
		}
	}
}

func TestHeadersKeepTheirSecrets(t *testing.T) {
	h, err := parseHeaders([]string{"api-key: s3cret:with:colons", "X-A:1", "X-A: 2"})
	if err != nil || h.Get("api-key") != "s3cret:with:colons" || len(h["X-A"]) != 2 {
		t.Errorf("headers %v, %v", h, err)
	}
	if _, err := parseHeaders([]string{"s3cret"}); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("error %v, want one that does not repeat the header", err)
	}
}

// A key is read from whatever an editor or a shell has made of its file.
func TestAKeyFileOfEveryEditorIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for name, content := range map[string]string{
		"plain": "sk-one\n", "with a mark": "\xef\xbb\xbfsk-one\r\n",
		"UTF-16, as PowerShell writes it": "\xff\xfes\x00k\x00-\x00o\x00n\x00e\x00\r\x00\n\x00",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var e Endpoint
		f := pflag.NewFlagSet("test", pflag.ContinueOnError)
		e.Bind(f)
		if err := f.Parse([]string{"--api-key-file", path}); err != nil {
			t.Fatal(err)
		}
		if ep, err := e.Config("h"); err != nil || ep.Key != "sk-one" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A check that is told neither how long nor how many may go on until its verdict is known; what it is told is exact.
func TestHowLongACheckTakes(t *testing.T) {
	const usual, longest = 20 * time.Second, time.Minute
	for line, want := range map[string]engine.Config{
		"":                           {Enough: usual, Budget: load.Budget{Duration: longest}},
		"--duration 5s":              {Budget: load.Budget{Duration: 5 * time.Second}},
		"--requests 200":             {Budget: load.Budget{Requests: 200}},
		"--requests 9 --duration 5s": {Budget: load.Budget{Requests: 9, Duration: 5 * time.Second}},
	} {
		var l Load
		f := pflag.NewFlagSet("test", pflag.ContinueOnError)
		if err := l.Bind(f, presets.Preset{}); err != nil {
			t.Fatal(err)
		}
		if err := f.Parse(strings.Fields(line)); err != nil {
			t.Fatal(err)
		}
		l.SetDuration(usual, longest)
		var cfg engine.Config
		if err := l.Apply(&cfg); err != nil {
			t.Fatal(err)
		}
		if cfg.Enough != want.Enough || cfg.Budget != want.Budget {
			t.Errorf("%q: enough %v, budget %+v, want %v and %+v", line, cfg.Enough, cfg.Budget, want.Enough, want.Budget)
		}
	}
}
