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
	"tokdyno/engine/snapshot"
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
	enough     time.Duration // see engine.Config
	requests   int
	warmup     time.Duration
	percentile string

	set *pflag.FlagSet
}

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
	f.StringVarP(&l.preset, "preset", "p", base.Name, "`name` or file of a use case that sets what follows; see tokdyno presets")
	for _, s := range presets.Settings() {
		v := value{kind: "string"}
		if !s.Off(defaults) {
			v.text = s.Print(defaults)
		}
		l.values[s.Name] = &v.text
		flag := f.VarPF(&v, s.FlagName(), s.Letter, s.Usage())
		if s.Switch {
			v.kind, flag.NoOptDefVal = "bool", "true"
		}
	}
	f.Uint64Var(&l.seed, "seed", 0, "`number` that fixes prompts, lengths and arrivals; 0: another one each time")
	timeVar(f, &l.duration, "duration", 0, "30s", "end after this `time`, e.g. 30s; off: go on until stopped")
	countVar(f, &l.requests, "requests", 0, "end after this `number` of requests; off: no limit", "requests", "request")
	timeVar(f, &l.warmup, "warmup", 0, "10s", "`time` at the beginning to leave out of the figures, at least; off: none")
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

// given reports whether the flag of a setting was.
func (l *Load) given(s *presets.Setting) bool { return l.set.Changed(s.FlagName()) }

// SetDuration sets the run's length where neither it nor a number of requests was given: enough if the verdict is known by
// then, and else until it is, up to most.
func (l *Load) SetDuration(enough, most time.Duration) {
	if !l.set.Changed("duration") && l.requests == 0 {
		l.enough, l.duration = enough, most
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
	cfg.AnyLoad = l.anyLoad()
	cfg.AnyBudget = !l.set.Changed("duration") && !l.set.Changed("requests")
	cfg.Budget = load.Budget{Duration: l.duration, Requests: l.requests}
	cfg.Enough = l.enough
	cfg.Warmup = l.warmup
	if cfg.Seed = l.seed; cfg.Seed == 0 {
		cfg.Seed = uint64(rand.Uint32()) + 1 // short enough to be typed again
	}
	return nil
}

// anyLoad reports whether nobody chose how much load there is: on the command line, or in the configuration.
func (l *Load) anyLoad() bool {
	for _, name := range []string{"concurrency", "rate"} {
		if l.set.Changed(name) || l.library != nil && l.library.Configured(name) {
			return false
		}
	}
	return !l.set.Changed("preset")
}

// Origin says where the value of a setting comes from: its flag, the preset, the place in the configuration file; "" where
// nothing sets it. It is for knobs that there are.
func (l *Load) Origin(s *presets.Setting) string {
	if l.given(s) {
		return "flag"
	}
	p, err := l.chosen()
	if err != nil {
		return ""
	}
	return p.Origin(s.Name)
}

// knobs are those of the preset, as far as no flag says otherwise.
func (l *Load) knobs() (k snapshot.Knobs, err error) {
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
	before := k.Load.Mode
	table := l.library.Settings()
	for _, s := range table {
		if !l.given(s) {
			continue
		}
		if k, err = s.Set(k, *l.values[s.Name]); err != nil {
			return k, fmt.Errorf("--%s: %w", s.FlagName(), err)
		}
	}
	l.keepOpen(&k.Load, before)
	if k.Load.Mode == load.Replay && k.Shape.Data != nil {
		return k, errors.New("a replay makes prompts as long as those that were recorded, and takes none from a data set; " +
			"leave out --data or --trace")
	}
	for _, s := range table {
		if idle := s.Idle(k); l.given(s) && idle != "" && !s.Off(k) && s.Needs != nil {
			return k, fmt.Errorf("--%s %s; give %s as well", s.FlagName(), idle, flagNames(table, s.Needs))
		}
	}
	return k, nil
}

// flagNames are the flags of settings, any of which will do.
func flagNames(table presets.Table, names []string) string {
	var flags []string
	for _, name := range names {
		flags = append(flags, "--"+table.Find(name).FlagName())
	}
	return strings.Join(flags, " or ")
}

// keepOpen settles what a concurrency means beside what has arrivals of its own, be it on the command line or, where the
// way they are spread is changed, in a preset: it is the most in flight.
func (l *Load) keepOpen(s *load.Setting, before load.Mode) {
	if !l.set.Changed("concurrency") {
		return
	}
	if before == load.Open && s.Mode == load.Closed && l.set.Changed("arrival") && !l.set.Changed("rate") {
		s.Mode = load.Open
	}
	if s.Mode != load.Closed && !l.set.Changed("max-in-flight") {
		s.MaxInFlight = s.Concurrency
	}
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

func parseMethod(s string) (stats.Method, error) {
	switch s {
	case "inverted":
		return stats.Inverted, nil
	case "linear":
		return stats.Linear, nil
	}
	return 0, fmt.Errorf("--percentile %q is unknown; it is inverted or linear", s)
}
