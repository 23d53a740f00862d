// This file holds the flags of the load and of the SLO.

package flags

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/presets"
)

// Plain is the load where none is chosen: enough to see batching, little to any server, and no SLO.
func Plain() presets.Preset {
	return presets.Preset{PromptTokens: "512", OutputTokens: "128", Concurrency: 8}
}

// Load are the flags that say how much load there is, of what shape, for how long, and what it is held against.
type Load struct {
	concurrency   int
	rate          float64
	arrival       string
	maxInFlight   int
	prompt        string
	output        string
	prefixOverlap float64
	seed          uint64
	duration      time.Duration
	requests      int
	warmup        time.Duration
	slo           string
	sloTarget     string
	percentile    string

	set *pflag.FlagSet
}

// Bind adds the flags to a command. The preset is what holds where they are not given.
func (l *Load) Bind(f *pflag.FlagSet, p presets.Preset) {
	l.set = f
	f.IntVarP(&l.concurrency, "concurrency", "c", p.Concurrency, "requests in flight; with --rate, if given: the most in flight")
	f.Float64VarP(&l.rate, "rate", "r", 0, "`requests` per second, whatever the server does (open loop)")
	f.StringVar(&l.arrival, "arrival", string(load.Poisson), "how arrivals of --rate are spread: constant or poisson")
	f.IntVar(&l.maxInFlight, "max-in-flight", 0, "with --rate: arrivals beyond so many wait, and their wait is counted; 0: no cap")
	f.StringVar(&l.prompt, "prompt-tokens", p.PromptTokens, "prompt `length`: 512, 128-1024 or normal 512/128")
	f.StringVar(&l.output, "output-tokens", p.OutputTokens, "output `length`, likewise")
	f.Float64Var(&l.prefixOverlap, "prefix-overlap", 0, "`share` of the prompt that all requests have in common, 0 to 1")
	f.Uint64Var(&l.seed, "seed", 0, "`number` that fixes prompts, lengths and arrivals; 0: another one each time")
	f.DurationVar(&l.duration, "duration", 0, "end after this `time`, e.g. 30s; 0: go on until stopped")
	f.IntVar(&l.requests, "requests", 0, "end after so many requests; 0: no limit")
	f.DurationVar(&l.warmup, "warmup", 0, "`time` at the beginning to leave out of the figures, at least")
	f.StringVar(&l.slo, "slo", p.SLO, "`limits` that every request is held against, e.g. 'ttft=500ms tpot=40ms e2el=3s'")
	f.StringVar(&l.sloTarget, "slo-target", fmt.Sprintf("%g%%", 100*engine.DefaultTarget), "`share` of requests that has to keep them")
	f.StringVar(&l.percentile, "percentile", "inverted", "`method`: inverted never understates a tail, linear is numpy's default")
}

// SetDuration sets the run's length where neither it nor a number of requests was given.
func (l *Load) SetDuration(d time.Duration) {
	if !l.set.Changed("duration") && l.requests == 0 {
		l.duration = d
	}
}

// apply puts the flags into a configuration.
func (l *Load) apply(cfg *engine.Config) error {
	k := engine.Knobs{Window: stats.Last30s}
	var err error
	if k.Load, err = l.setting(); err != nil {
		return err
	}
	if k.Shape.Prompt, err = shape.ParseLength(l.prompt); err != nil {
		return fmt.Errorf("--prompt-tokens: %w", err)
	}
	if k.Shape.Output, err = shape.ParseLength(l.output); err != nil {
		return fmt.Errorf("--output-tokens: %w", err)
	}
	k.Shape.PrefixOverlap = l.prefixOverlap
	if k.SLO, err = slo.Parse(l.slo); err != nil {
		return fmt.Errorf("--slo: %w", err)
	}
	if k.Target, err = parseShare(l.sloTarget); err != nil {
		return fmt.Errorf("--slo-target: %w", err)
	}
	if cfg.Method, err = parseMethod(l.percentile); err != nil {
		return err
	}
	cfg.Knobs = k
	cfg.AnyLoad = !l.set.Changed("concurrency") && !l.set.Changed("rate")
	cfg.AnyBudget = !l.set.Changed("duration") && !l.set.Changed("requests")
	cfg.Budget = engine.Budget{Duration: l.duration, Requests: l.requests}
	cfg.Warmup = l.warmup
	if cfg.Seed = l.seed; cfg.Seed == 0 {
		cfg.Seed = uint64(rand.Uint32()) + 1 // short enough to be typed again
	}
	return nil
}

func (l *Load) setting() (load.Setting, error) {
	s := load.Setting{Mode: load.Closed, Concurrency: l.concurrency, Arrival: load.Poisson, MaxInFlight: l.maxInFlight}
	var err error
	if s.Arrival, err = load.ParseArrival(l.arrival); err != nil {
		return s, fmt.Errorf("--arrival: %w", err)
	}
	if l.set.Changed("rate") {
		s.Mode, s.Rate = load.Open, l.rate
		if l.set.Changed("concurrency") && !l.set.Changed("max-in-flight") {
			s.MaxInFlight = l.concurrency
		}
		return s, nil
	}
	for _, name := range []string{"arrival", "max-in-flight"} {
		if l.set.Changed(name) {
			return s, fmt.Errorf("--%s belongs to an open loop; give --rate as well", name)
		}
	}
	return s, nil
}

// parseShare reads "99%", "99.9 %" or "0.99".
func parseShare(s string) (float64, error) {
	text, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if percent {
		v = math.Round(v*1e7) / 1e9 // 99.9 % is 0.999, not the float beside it
	}
	if err != nil || !(v > 0 && v <= 1) {
		return 0, fmt.Errorf("%q is not a share; write it like 99%%, above 0%% and at most 100%%", s)
	}
	return v, nil
}

func parseMethod(s string) (stats.Method, error) {
	switch s {
	case "inverted":
		return stats.Inverted, nil
	case "linear":
		return stats.Linear, nil
	}
	return 0, fmt.Errorf("--percentile %q is unknown; it is inverted or linear", s)
}
