package session

import (
	"context"
	"strings"
	"testing"

	"tokdyno/engine"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
)

// page is the address of an exporter, the only source that openSources finds.
const page = "http://gpu-7:9400/metrics"

// exporter is the source behind page.
type exporter struct{ gpu.Source }

func (exporter) Close() error { return nil }

// openSources opens GPU sources on a machine without NVIDIA's driver.
func openSources(t *testing.T, endpoint string, names ...string) (engine.Config, error) {
	t.Helper()
	open := func(_ context.Context, names []string, _ gpu.Options) (src gpu.Source, tried []gpu.Tried) {
		nvml, smi := gpu.Tried{Spec: "nvml", Reason: "no NVIDIA driver here"}, gpu.Tried{Spec: "smi", Reason: "no nvidia-smi here"}
		if len(names) == 0 {
			names = []string{"auto"}
		}
		for _, name := range names {
			switch name {
			case "auto":
				tried = append(tried, nvml, smi)
			case "nvml":
				tried = append(tried, nvml)
			case "smi":
				tried = append(tried, smi)
			case page:
				tried, src = append(tried, gpu.Tried{Spec: page, OK: true}), exporter{}
			}
		}
		return src, tried
	}
	cfg := engine.Config{Endpoint: wire.Endpoint{URL: endpoint}}
	done, err := Sources{GPU: names, OpenGPU: open, NoMetrics: true}.open(t.Context(), &cfg)
	if err == nil {
		done()
	}
	return cfg, err
}

func TestANamedSourceThatIsNotThereIsAnError(t *testing.T) {
	for _, c := range []struct {
		names []string
		says  string // "": all is well
	}{
		{[]string{page}, ""},
		{[]string{"auto", page}, ""},
		{[]string{"auto"}, ""},
		{nil, ""},
		{[]string{"none"}, ""},
		{[]string{"nvml"}, "--gpu nvml: "},
		{[]string{"nvml", page}, "--gpu nvml: "},
		{[]string{page, "smi"}, "--gpu smi: no nvidia-smi here"},
		{[]string{"auto", "smi", page}, "--gpu smi: no nvidia-smi here"},
	} {
		_, err := openSources(t, "http://127.0.0.1:1", c.names...)
		if (err == nil) != (c.says == "") || err != nil && !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.names, err, c.says)
		}
		if err != nil && ExitStatus(err) != StatusUsage {
			t.Errorf("%v: status %d", c.names, ExitStatus(err))
		}
	}
}

// TestAutoMayFailWhereTheSameSourceIsNamed has nvidia-smi find no GPU, which only auto minds at once.
func TestAutoMayFailWhereTheSameSourceIsNamed(t *testing.T) {
	tried := []gpu.Tried{{Spec: "nvml", Reason: "no library"}, {Spec: "smi", Reason: "no devices"}, {Spec: "smi", OK: true}}
	if err := refused([]string{"auto", "smi"}, tried); err != nil {
		t.Error(err)
	}
	if err := refused([]string{"nvml", "auto", "smi"}, tried); err == nil {
		t.Error("nvml was named")
	}
}

// TestOnlyWhatWasFoundMayBeElsewhere has accelerators that were named count as those behind the endpoint.
func TestOnlyWhatWasFoundMayBeElsewhere(t *testing.T) {
	for _, c := range []struct {
		endpoint string
		names    []string
		want     bool
	}{
		{"http://gpu-7.example:8000", nil, true},
		{"http://gpu-7.example:8000", []string{"auto"}, true},
		{"http://gpu-7.example:8000", []string{page}, false},
		{"http://gpu-7.example:8000", []string{"auto", page}, false},
		{"http://gpu-7.example:8000", []string{page, "auto"}, false},
		{"http://127.0.0.1:8000", nil, false},
		{"http://127.0.0.1:8000", []string{"auto", page}, false},
	} {
		cfg, err := openSources(t, c.endpoint, c.names...)
		if err != nil || cfg.GPUElsewhere != c.want {
			t.Errorf("%v for %s: elsewhere %v, %v", c.names, c.endpoint, cfg.GPUElsewhere, err)
		}
	}
}
