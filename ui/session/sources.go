// This file opens what is read besides the endpoint.

package session

import (
	"context"
	"fmt"
	"slices"

	"tokdyno/engine"
	"tokdyno/engine/server"
	"tokdyno/gpu"
)

// Sources say what is read besides the endpoint.
type Sources struct {
	GPU        []string // as gpu.ParseSpec takes them; none: auto
	GPUOptions gpu.Options
	Metrics    string // the page of the server's own figures; "": to be looked for
	NoMetrics  bool   // the server is not asked
}

// open opens the sources into a configuration. The function that it returns closes them, after the run.
func (s Sources) open(ctx context.Context, cfg *engine.Config) (done func(), err error) {
	var closers []func() error
	done = func() {
		for _, closer := range closers {
			_ = closer() // nothing was written
		}
	}
	var tried []gpu.Tried
	cfg.GPU, tried = gpu.Open(ctx, s.GPU, s.GPUOptions)
	cfg.GPUInterval = s.GPUOptions.Every
	// Accelerators that were not named are this machine's.
	named := len(s.GPU) > 0 && !slices.Contains(s.GPU, string(gpu.KindAuto))
	cfg.GPUElsewhere = !named && !cfg.Endpoint.OnThisHost()
	if cfg.GPU != nil {
		closers = append(closers, cfg.GPU.Close)
	} else if len(tried) > 0 {
		cfg.GPUNote = tried[0].Reason
		if named {
			return nil, fmt.Errorf("--gpu %s: %s", tried[0].Spec, tried[0].Reason)
		}
	}
	if s.NoMetrics {
		return done, nil
	}
	client, header, err := cfg.Endpoint.PageClient()
	if err != nil {
		done()
		return nil, err
	}
	source, err := server.New(cfg.Endpoint.URL, server.Options{MetricsURL: s.Metrics, Header: header, Client: client})
	if err != nil {
		done()
		return nil, err
	}
	cfg.Metrics = source
	closers = append(closers, source.Close, func() error {
		client.CloseIdleConnections()
		return nil
	})
	return done, nil
}
