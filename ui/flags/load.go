// This file holds the flags of the load and of the SLO.

package flags

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/stats"
	"tokdyno/presets"
)

// Load are the flags that say how much load there is, of what shape, for how long, and what it is held against.
type Load struct {
	base    presets.Preset
	library *presets.Library // where --preset is looked up, and by which files are opened; nil until it is needed
	preset  string
	values  map[string]*string // of settings, by name

	seed       uint64
	duration   time.Duration
	requests   int
	warmup     time.Duration
	percentile string

	set *pflag.FlagSet
}

// shorthands are the settings with a flag of one letter.
var shorthands = map[string]string{"concurrency": "c", "rate": "r", "preset": "p"}

// Bind adds the flags to a command. The preset is what holds where neither they nor --preset are given; the zero Preset
// sets nothing. Its library is used for --preset, and what the flags open is shared with it; without one, the user's is
// opened.
func (l *Load) Bind(f *pflag.FlagSet, base presets.Preset) error {
	l.set, l.base, l.library = f, base, base.Library()
	l.values = make(map[string]*string)
	defaults, err := base.Knobs()
	if err != nil {
		return err
	}
	f.StringVarP(&l.preset, "preset", shorthands["preset"], base.Name, "`name` or file of a use case that sets what follows; see tokdyno presets")
	for _, s := range presets.Settings() {
		v := value{text: s.Get(defaults), kind: "string"}
		l.values[s.Name] = &v.text
		flag := f.VarPF(&v, flagName(s.Name), shorthands[s.Name], s.Says)
		if s.Switch {
			v.kind, flag.NoOptDefVal = "bool", "true"
		}
	}
	f.Uint64Var(&l.seed, "seed", 0, "`number` that fixes prompts, lengths and arrivals; 0: another one each time")
	f.DurationVar(&l.duration, "duration", 0, "end after this `time`, e.g. 30s; 0: go on until stopped")
	f.IntVar(&l.requests, "requests", 0, "end after so many requests; 0: no limit")
	f.DurationVar(&l.warmup, "warmup", 0, "`time` at the beginning to leave out of the figures, at least")
	f.StringVar(&l.percentile, "percentile", "inverted", "`method`: inverted never understates a tail, linear is numpy's default")
	return nil
}

// value is a flag whose text is understood later, when it is known which flags were given.
type value struct{ text, kind string }

func (v *value) Set(text string) error {
	v.text = text
	return nil
}

func (v *value) String() string { return v.text }
func (v *value) Type() string   { return v.kind }

// flagName is the flag of a setting.
func flagName(setting string) string { return strings.ReplaceAll(setting, "_", "-") }

// given reports whether the flag of a setting was.
func (l *Load) given(setting string) bool { return l.set.Changed(flagName(setting)) }

// SetDuration sets the run's length where neither it nor a number of requests was given.
func (l *Load) SetDuration(d time.Duration) {
	if !l.set.Changed("duration") && l.requests == 0 {
		l.duration = d
	}
}

// Apply puts the flags into a configuration. Its errors are sentences about the command line.
func (l *Load) Apply(cfg *engine.Config) (err error) {
	if cfg.Knobs, err = l.knobs(); err != nil {
		return err
	}
	if cfg.Method, err = parseMethod(l.percentile); err != nil {
		return err
	}
	cfg.AnyLoad = !l.given("concurrency") && !l.given("rate") && !l.set.Changed("preset")
	cfg.AnyBudget = !l.set.Changed("duration") && !l.set.Changed("requests")
	cfg.Budget = load.Budget{Duration: l.duration, Requests: l.requests}
	cfg.Warmup = l.warmup
	if cfg.Seed = l.seed; cfg.Seed == 0 {
		cfg.Seed = uint64(rand.Uint32()) + 1 // short enough to be typed again
	}
	return nil
}

// knobs are those of the preset, as far as no flag says otherwise.
func (l *Load) knobs() (k engine.Knobs, err error) {
	if l.library == nil {
		if l.library, err = presets.Open(presets.Folder()); err != nil {
			return k, err
		}
	}
	base, err := l.chosen()
	if err != nil {
		return k, err
	}
	if k, err = base.Knobs(); err != nil {
		return k, err
	}
	for _, s := range l.library.Settings() {
		if !l.given(s.Name) {
			continue
		}
		if err := s.Set(&k, *l.values[s.Name]); err != nil {
			return k, fmt.Errorf("--%s: %w", flagName(s.Name), err)
		}
	}
	if err := l.chooseMode(&k.Load); err != nil {
		return k, err
	}
	return k, l.checkShape(k)
}

// chosen is the preset that the flags change.
func (l *Load) chosen() (presets.Preset, error) {
	if !l.set.Changed("preset") {
		return l.base, nil
	}
	p, err := l.library.Lookup(l.preset)
	if err != nil {
		return p, fmt.Errorf("--preset: %w", err)
	}
	return p, nil
}

// checkShape refuses flags that would do nothing, for want of another that they belong to.
func (l *Load) checkShape(k engine.Knobs) error {
	converses := k.Shape.MayConverse()
	switch {
	case k.Load.Mode == load.Replay && k.Shape.Data != nil:
		return errors.New("a replay makes prompts as long as those that were recorded, and takes none from a data set; leave out --data or --trace")
	case l.given("think") && k.Shape.Think > 0 && !converses:
		return errors.New("--think is between the turns of a conversation; give --turns or --data as well")
	case l.given("conversations") && k.Load.Conversations && !converses:
		return errors.New("--conversations needs some to count; give --turns or --data as well")
	case l.given("prefixes") && k.Shape.PrefixOverlap == 0:
		return errors.New("--prefixes counts the beginnings that prompts have in common; give --prefix-overlap as well")
	}
	return nil
}

// chooseMode settles which loop is meant by flags that belong to one of them. A concurrency beside what has arrivals of
// its own is the most in flight; alone, it closes the loop that a preset may have opened.
func (l *Load) chooseMode(s *load.Setting) error {
	opened := l.given("rate") || l.given("trace") || s.Mode == load.Open && l.given("arrival")
	switch {
	case l.given("concurrency") && opened && !l.given("max_in_flight"):
		s.MaxInFlight = s.Concurrency
	case l.given("concurrency") && !opened:
		s.Mode = load.Closed
	}
	for _, name := range []string{"arrival", "max_in_flight"} {
		if l.given(name) && s.Mode == load.Closed {
			return fmt.Errorf("--%s belongs to an open loop; give --rate as well", flagName(name))
		}
	}
	for _, name := range []string{"speed", "loop"} {
		if l.given(name) && s.Mode != load.Replay {
			return fmt.Errorf("--%s belongs to a replay; give --trace as well", flagName(name))
		}
	}
	return nil
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
