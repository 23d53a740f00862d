// This file holds the flags of what accelerators and the inference server say of themselves.

package flags

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/duel"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
)

// Telemetry are the flags that say what is read besides the endpoint, and what it costs.
type Telemetry struct {
	GPUs
	metrics []string
	prices  snapshot.Prices
}

// NoMetrics is the value of --metrics by which the server is not asked.
const NoMetrics = "none"

// Bind adds the flags to a command.
func (t *Telemetry) Bind(f *pflag.FlagSet) {
	t.GPUs.Bind(f)
	f.StringArrayVar(&t.metrics, "metrics", nil, "`URL` of the inference server's own /metrics, of a duel A=URL and B=URL; none: don't ask; default: looked for next to the endpoint")
	numberVar(f, &t.prices.GPUHour, "gpu-hour-price", 0, "`price` of a GPU for an hour, for the cost of output")
	numberVar(f, &t.prices.InputMillion, "price-in", 0, "`price` of a million input tokens")
	numberVar(f, &t.prices.OutputMillion, "price-out", 0, "`price` of a million output tokens")
}

// Prices are what things cost. The error is a sentence.
func (t *Telemetry) Prices() (snapshot.Prices, error) {
	p := t.prices
	for _, v := range []float64{p.GPUHour, p.InputMillion, p.OutputMillion} {
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return p, fmt.Errorf("a price is a number from 0 on; got %g", v)
		}
	}
	if p.GPUHour > 0 && (p.InputMillion > 0 || p.OutputMillion > 0) {
		return p, fmt.Errorf("give --gpu-hour-price or --price-in and --price-out, not both: they are two ways to pay for the same")
	}
	return p, nil
}

// GPUs are the flags that say which accelerators are read, and how.
type GPUs struct {
	names   []string
	every   time.Duration
	library string
}

// Bind adds the flags to a command.
func (g *GPUs) Bind(f *pflag.FlagSet) {
	f.StringArrayVar(&g.names, "gpu", nil, "`source` of GPU figures: auto, nvml, smi, ssh:HOST, an exporter's URL or none; may be repeated, and of a duel name a side, as A=nvml")
	timeVar(f, &g.every, "gpu-interval", gpu.DefaultInterval, "1s", "`time` between two readings of the GPUs")
	f.StringVar(&g.library, "nvml-lib", "", "`file` of NVIDIA's NVML library, where it is not found by itself")
}

// Names are the sources as they were given, checked; none: auto.
func (g *GPUs) Names() ([]string, error) { return g.checked(g.names) }

func (g *GPUs) checked(names []string) ([]string, error) {
	if _, err := gpu.ParseSpecs(names); err != nil {
		return nil, fmt.Errorf("--gpu: %w", err)
	}
	return names, nil
}

// sideOf takes the letter of a duel's side from what was named for it: "B=nvml". -1: it was named for all.
func sideOf(text string) (side int, rest string) {
	if letter, rest, named := strings.Cut(text, "="); named && len(letter) == 1 && letter == strings.ToUpper(letter) {
		if side, ok := snapshot.SideOf(letter, duel.Most); ok {
			return side, rest
		}
	}
	return -1, text
}

// modelOf is the model of one side of a duel, where each was named one: "A=llama,B=qwen"; else it is that of all.
func modelOf(text string, of int) string {
	own := ""
	for part := range strings.SplitSeq(text, ",") {
		side, model := sideOf(part)
		if side < 0 {
			return text
		}
		if side == of {
			own = model
		}
	}
	return own
}

// Options are how they are opened. The error is a sentence.
func (g *GPUs) Options() (gpu.Options, error) {
	if g.every < gpu.ShortestInterval {
		return gpu.Options{}, fmt.Errorf("--gpu-interval %s is too short; %s is the least", g.every, gpu.ShortestInterval)
	}
	return gpu.Options{NVMLLib: g.library, Every: g.every}, nil
}
