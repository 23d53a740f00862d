// This file opens what is read besides the endpoint.

package session

import (
	"context"
	"fmt"
	"slices"

	"tokdyno/engine"
	"tokdyno/engine/duel"
	"tokdyno/engine/server/scrape"
	"tokdyno/engine/wire"
	"tokdyno/gpu"
)

// Sources say what is read besides the endpoint, and who makes the load.
type Sources struct {
	Workers    Workers
	GPU        []string // as gpu.ParseSpec takes them, each of which has to be there; none: auto
	GPUOptions gpu.Options
	OpenGPU    gpu.Open // opens them; nil: accelerators are not read
	Metrics    string   // the page of the server's own figures; "": to be looked for
	NoMetrics  bool     // the server is not asked
	// Sides are what was named for one side of a duel alone, in the place of what is named for all.
	Sides [duel.Most]struct {
		GPU       []string
		Metrics   string
		NoMetrics bool
	}
}

// of are the sources of one side of a duel, from 0.
func (s Sources) of(side int) Sources {
	own := &s.Sides[side]
	if len(own.GPU) > 0 {
		s.GPU = own.GPU
	}
	if own.Metrics != "" || own.NoMetrics {
		s.Metrics, s.NoMetrics = own.Metrics, own.NoMetrics
	}
	return s
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
	if s.OpenGPU != nil {
		cfg.GPU, tried = s.OpenGPU(ctx, s.GPU, s.GPUOptions)
	}
	cfg.GPUInterval = s.GPUOptions.Every
	if cfg.GPU != nil {
		closers = append(closers, cfg.GPU.Close)
	} else if len(tried) > 0 {
		cfg.GPUNote = tried[0].Reason
	}
	if err := refused(s.GPU, tried); err != nil {
		done()
		return nil, err
	}
	if s.Workers.Any() {
		closer, err := s.Workers.open(ctx, cfg)
		if err != nil {
			done()
			return nil, err
		}
		closers = append(closers, closer)
	}
	cfg.GPUElsewhere = !s.namesGPU() && !cfg.Endpoint.OnThisHost()
	if s.NoMetrics {
		return done, nil
	}
	endpoints := append([]wire.Endpoint{cfg.Endpoint}, cfg.Others...)
	if s.Metrics != "" {
		endpoints = endpoints[:1] // whose page it is, of all or of one, is for who named it to know
	}
	var pages scrape.Several
	for _, endpoint := range endpoints {
		client, header, err := endpoint.PageClient()
		if err != nil {
			done()
			return nil, err
		}
		closers = append(closers, func() error {
			client.CloseIdleConnections()
			return nil
		})
		page, err := scrape.New(endpoint.URL, scrape.Options{MetricsURL: s.Metrics, Header: header, Client: client})
		if err != nil {
			done()
			return nil, err
		}
		pages = append(pages, page)
	}
	closers = append(closers, pages.Close)
	if cfg.Metrics = pages; len(pages) == 1 {
		cfg.Metrics = pages[0]
	}
	return done, nil
}

// namesGPU reports whether any source of accelerators was named, which says that they serve the endpoint. Accelerators that
// were merely found are this machine's. Where both are read, nothing tells them apart, and all count as named.
func (s Sources) namesGPU() bool {
	return slices.ContainsFunc(s.GPU, func(name string) bool { return name != string(gpu.KindAuto) })
}

// refused returns the first source that was named and could not be opened. It would be missed only in the figures, were
// the others taken alone.
func refused(names []string, tried []gpu.Tried) error {
	for _, name := range names {
		spec, err := gpu.ParseSpec(name)
		if err != nil {
			return fmt.Errorf("--gpu: %w", err)
		}
		if spec.Kind == gpu.KindAuto {
			continue // whatever it finds
		}
		// Auto may have tried the same source in vain, since it asks for an answer too.
		of := func(ok bool) int {
			return slices.IndexFunc(tried, func(t gpu.Tried) bool { return t.Spec == spec.String() && t.OK == ok })
		}
		if at := of(false); at >= 0 && of(true) < 0 {
			return fmt.Errorf("--gpu %s: %s", tried[at].Spec, tried[at].Reason)
		}
	}
	return nil
}
