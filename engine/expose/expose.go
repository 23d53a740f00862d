// This file is what is served: it takes in records, and is asked by whoever reads.

package expose

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Run is what is served. Its methods may be called from anywhere at any time.
type Run interface {
	Snapshot() *snapshot.Snapshot
	// ChunkGaps are the gaps between chunks of the whole run so far.
	ChunkGaps() stats.Sparse
}

// Exporter serves one run at a time. Its methods may be called from anywhere.
type Exporter struct {
	version  string
	registry *prometheus.Registry // of the page; the sides of a duel have one
	run      atomic.Pointer[Run]
	requests histograms

	mu   sync.Mutex // of what follows
	gaps floor
}

// New returns an exporter that serves no run yet. version is that of the program.
func New(version string) *Exporter {
	registry := prometheus.NewRegistry()
	return newExporter(version, registry, registry)
}

// Sides returns an exporter for each side of a duel. Any of them serves the one page of all, on which every figure has the label
// side: "A", "B".
func Sides(version string, n int) []*Exporter {
	registry := prometheus.NewRegistry()
	all := make([]*Exporter, n)
	for i := range all {
		labels := prometheus.Labels{"side": snapshot.Letter(i)}
		all[i] = newExporter(version, registry, prometheus.WrapRegistererWith(labels, registry))
	}
	return all
}

// newExporter returns one that stands on a page, by what adds its labels.
func newExporter(version string, page *prometheus.Registry, by prometheus.Registerer) *Exporter {
	x := &Exporter{version: version, registry: page, requests: newHistograms()}
	by.MustRegister(x, x.requests.duration, x.requests.first, x.requests.tokens) // names and labels that differ can't fail
	return x
}

// Follow says which run is served from now on.
func (x *Exporter) Follow(r Run) { x.run.Store(&r) }

// Handler answers with the figures.
func (x *Exporter) Handler() http.Handler {
	return promhttp.HandlerFor(x.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError})
}

// snapshot is the run's present; nil while there is none.
func (x *Exporter) snapshot() *snapshot.Snapshot {
	if r := x.run.Load(); r != nil {
		return (*r).Snapshot()
	}
	return nil
}

// Describe implements prometheus.Collector: what is collected depends on the run.
func (x *Exporter) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (x *Exporter) Collect(to chan<- prometheus.Metric) {
	r := x.run.Load()
	if r == nil {
		return
	}
	s := (*r).Snapshot()
	for _, g := range table() {
		g.collect(s, to)
	}
	collectInfo(s, x.version, to)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.gaps.raise((*r).ChunkGaps())
	x.gaps.collect(names(s), to)
}

// identity says whose figures they are, by the names of OpenTelemetry's attributes.
type identity struct{ operation, provider, model, address, port string }

// names are those of the endpoint. Of several, there is no address.
func names(s *snapshot.Snapshot) identity {
	id := identity{operation: "chat", provider: "unknown", model: s.Endpoint.Model}
	if s.Endpoint.API == endpoint.Completions {
		id.operation = "text_completion"
	}
	if name, _, _ := strings.Cut(s.Endpoint.Server, " "); name != "" {
		id.provider = strings.ToLower(name)
	}
	if u, err := url.Parse(s.Endpoint.URL); err == nil && len(s.Endpoints) == 0 {
		id.address, id.port = u.Hostname(), u.Port()
	}
	return id
}

// identityLabels are the labels of identity, in the order of its values.
func identityLabels() []string {
	return []string{
		"gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "server_address", "server_port",
	}
}

func (id identity) values(more ...string) []string {
	return append([]string{id.operation, id.provider, id.model, id.address, id.port}, more...)
}
