// This file puts the flags of a run together.

package flags

import (
	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/presets"
	"tokdyno/ui/session"
)

// Run are the flags of every command that puts load on an endpoint of the user's.
type Run struct {
	Endpoint  Endpoint
	Load      Load
	Telemetry Telemetry
	Keep      Keep
	Duel      Duel
	Workers   Workers
}

// Bind adds the flags to a command. The preset is what holds where they are not given.
func (r *Run) Bind(f *pflag.FlagSet, base presets.Preset) error {
	r.Endpoint.Bind(f)
	err := r.Load.Bind(f, base)
	r.Telemetry.Bind(f)
	r.Keep.Bind(f)
	r.Duel.Bind(f)
	r.Workers.Bind(f)
	return err
}

// Config returns the configuration that the flags describe, for the endpoints at one or more URLs, and what is read
// besides. Its errors are sentences about the command line.
func (r *Run) Config(urls []string) (cfg engine.Config, sources session.Sources, err error) {
	for i, url := range urls {
		ep, err := r.Endpoint.Config(url)
		if err != nil {
			return cfg, sources, err
		}
		if len(urls) > 1 {
			ep.Model = modelOf(ep.Model, i)
		}
		if i == 0 {
			cfg.Endpoint = ep
		} else {
			cfg.Others = append(cfg.Others, ep)
		}
	}
	cfg.NoProbe = r.Endpoint.noProbe
	if err = r.Load.Apply(&cfg); err != nil {
		return cfg, sources, err
	}
	if sources, err = r.Telemetry.apply(&cfg); err == nil {
		sources.Workers, err = r.Workers.Config()
	}
	return cfg, sources, err
}

// apply puts the flags into a configuration, and says what else they ask for.
func (t *Telemetry) apply(cfg *engine.Config) (s session.Sources, err error) {
	if cfg.Prices, err = t.Prices(); err != nil {
		return s, err
	}
	for _, name := range t.names {
		if side, name := sideOf(name); side >= 0 {
			s.Sides[side].GPU = append(s.Sides[side].GPU, name)
		} else {
			s.GPU = append(s.GPU, name)
		}
	}
	if s.GPU, err = t.checked(s.GPU); err != nil {
		return s, err
	}
	for i := range s.Sides {
		if _, err = t.checked(s.Sides[i].GPU); err != nil {
			return s, err
		}
	}
	if s.GPUOptions, err = t.Options(); err != nil {
		return s, err
	}
	for _, text := range t.metrics {
		to, no := &s.Metrics, &s.NoMetrics
		side, url := sideOf(text)
		if side >= 0 {
			to, no = &s.Sides[side].Metrics, &s.Sides[side].NoMetrics
		}
		if *no = url == NoMetrics; !*no {
			*to = url
		}
	}
	return s, nil
}
