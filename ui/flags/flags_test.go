package flags

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// parse returns the configuration that a command line gives.
func parse(t *testing.T, slo string, args ...string) (engine.Config, error) {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", " key-from-environment\n")
	var e Endpoint
	var l Load
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	e.Bind(f)
	preset := Plain()
	preset.SLO = slo
	l.Bind(f, preset)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return Config("http://h:1", &e, &l)
}

func TestDefaults(t *testing.T) {
	cfg, err := parse(t, "ttft=500ms")
	if err != nil {
		t.Fatal(err)
	}
	want := engine.Knobs{
		Load:   load.Setting{Mode: load.Closed, Concurrency: 8, Arrival: load.Poisson},
		Shape:  shape.Shape{Prompt: shape.Fixed(512), Output: shape.Fixed(128)},
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

func TestParseShare(t *testing.T) {
	for in, want := range map[string]float64{"99%": 0.99, " 99.9 % ": 0.999, "0.95": 0.95, "100%": 1, "1": 1} {
		if got, err := parseShare(in); err != nil || got != want {
			t.Errorf("parseShare(%q) = %v, %v, want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "%", "0", "0%", "101%", "99", "-1%", "NaN", "lots"} {
		if got, err := parseShare(in); err == nil {
			t.Errorf("parseShare(%q) = %v, want an error", in, got)
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

func FuzzParseShare(f *testing.F) {
	for _, s := range []string{"99%", "99.9 %", "0.95", "1", "", "%", "-1%", "NaN", "1e-9", "Inf%", "0x1p-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := parseShare(s)
		if err == nil && !(v > 0 && v <= 1) {
			t.Errorf("parseShare(%q) = %v", s, v)
		}
	})
}
