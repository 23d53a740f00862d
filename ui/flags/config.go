// This file puts the flags together.

package flags

import "tokdyno/engine"

// Config returns the configuration that the flags describe, for the endpoint at a URL. Its errors are sentences about
// the command line.
func Config(url string, endpoint *Endpoint, load *Load) (engine.Config, error) {
	var cfg engine.Config
	ep, err := endpoint.Config(url)
	if err != nil {
		return cfg, err
	}
	cfg.Endpoint = ep
	cfg.NoProbe = endpoint.noProbe
	return cfg, load.apply(&cfg)
}
