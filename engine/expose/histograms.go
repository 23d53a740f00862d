// This file is the histograms of OpenTelemetry's names.

package expose

import (
	"github.com/prometheus/client_golang/prometheus"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// histograms are those of requests, which are told of as they end.
type histograms struct{ duration, first, tokens *prometheus.HistogramVec }

// seconds are the boundaries that OpenTelemetry asks for of times, from 10 ms on.
func seconds() []float64 { return prometheus.ExponentialBuckets(0.01, 2, 14) }

// chunkSeconds reach further down: chunks come every few milliseconds.
func chunkSeconds() []float64 { return append([]float64{0.001, 0.0025, 0.005}, seconds()...) }

func newHistograms() histograms {
	vector := func(name, help string, buckets []float64, more ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, append(identityLabels(), more...))
	}
	return histograms{
		duration: vector("gen_ai_client_operation_duration_seconds",
			"From a request's send to its last token, or to its failure.", seconds(), "error_type"),
		first: vector("gen_ai_client_operation_time_to_first_chunk_seconds",
			"From a completed request's send to its first token (TTFT).", seconds()),
		tokens: vector("gen_ai_client_token_usage", "Tokens of completed requests, as the server counts them.",
			prometheus.ExponentialBuckets(1, 4, 14), "gen_ai_token_type"),
	}
}

// Records takes in requests that ended; see engine.Config.Records. Requests that were cancelled are in none of the histograms.
func (x *Exporter) Records(ended []*record.Record, _ record.Instant) {
	s := x.snapshot()
	if s == nil {
		return
	}
	id, h := names(s), &x.requests
	for _, r := range ended {
		switch r.Outcome {
		case record.OK:
			if d, ok := r.E2EL(); ok {
				h.duration.WithLabelValues(id.values("")...).Observe(d.Seconds())
			}
			if d, ok := r.TTFT(); ok {
				h.first.WithLabelValues(id.values()...).Observe(d.Seconds())
			}
			if r.TokenSource == record.SourceEstimated {
				continue // usage is what the server says
			}
			if n, ok := r.InputTokens.Get(); ok {
				h.tokens.WithLabelValues(id.values("input")...).Observe(float64(n))
			}
			if n, ok := r.OutputTokens.Get(); ok {
				h.tokens.WithLabelValues(id.values("output")...).Observe(float64(n))
			}
		case record.Failed:
			if d, ok := r.End.Since(max(r.Sent, r.Started)); ok {
				h.duration.WithLabelValues(id.values(string(r.Kind))...).Observe(d.Seconds())
			}
		}
	}
}

// floor is a histogram of chunk gaps that never falls: those of a request that failed are taken back in the run's figures, but
// what falls is a restart to Prometheus.
type floor struct {
	count   uint64
	sum     float64
	buckets map[float64]uint64
}

// raise takes in gaps. A gap counts where the middle of its bucket lies, which is at most 0.4 % off.
func (f *floor) raise(gaps stats.Sparse) {
	if f.buckets == nil {
		f.buckets = make(map[float64]uint64)
	}
	count, bounds := uint64(0), chunkSeconds()
	within := make([]uint64, len(bounds))
	for _, b := range gaps.Buckets {
		count += uint64(b.N)
		for i, bound := range bounds {
			if b.Middle().Seconds() <= bound {
				within[i] += uint64(b.N)
			}
		}
	}
	f.count, f.sum = max(f.count, count), max(f.sum, gaps.Sum.Seconds())
	for i, bound := range bounds {
		f.buckets[bound] = max(f.buckets[bound], within[i])
	}
}

func (f *floor) collect(id identity, to chan<- prometheus.Metric) {
	if f.count == 0 {
		return
	}
	desc := prometheus.NewDesc("gen_ai_client_operation_time_per_output_chunk_seconds",
		"Time between two chunks of a stream.", identityLabels(), nil)
	buckets := make(map[float64]uint64, len(f.buckets))
	for bound, n := range f.buckets {
		buckets[bound] = n
	}
	to <- prometheus.MustNewConstHistogram(desc, f.count, f.sum, buckets, id.values()...)
}
