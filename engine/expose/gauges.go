// This file is the table of tokdyno_*: what of a snapshot has which name.

package expose

import (
	"math"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// row is a metric. A value that is NaN is not known, and not there.
type row struct {
	name, help string
	kind       prometheus.ValueType
	label      string // its one label; "": it has none
	values     func(s *snapshot.Snapshot) []value
}

type value struct {
	label string
	of    float64
}

// collect hands out what is known.
func (r *row) collect(s *snapshot.Snapshot, to chan<- prometheus.Metric) {
	var labels []string
	if r.label != "" {
		labels = []string{r.label}
	}
	desc := prometheus.NewDesc(r.name, r.help, labels, nil)
	for _, v := range r.values(s) {
		switch {
		case math.IsNaN(v.of):
		case r.label == "":
			to <- prometheus.MustNewConstMetric(desc, r.kind, v.of)
		default:
			to <- prometheus.MustNewConstMetric(desc, r.kind, v.of, v.label)
		}
	}
}

// one is a metric without a label.
func one(of func(s *snapshot.Snapshot) float64) func(*snapshot.Snapshot) []value {
	return func(s *snapshot.Snapshot) []value { return []value{{"", of(s)}} }
}

func known(v float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return v
}

func count(c record.Count) float64 {
	n, ok := c.Get()
	return known(float64(n), ok)
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// table lists the metrics. Rates, goodput and attainment are over the live window; see snapshot.Knobs.
func table() []row {
	type shot = *snapshot.Snapshot
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	return []row{
		{
			"tokdyno_requests_in_flight", "Requests that run.", gauge, "",
			one(func(s shot) float64 { return float64(s.InFlight.Total) }),
		},
		{
			"tokdyno_requests_waiting", "Requests that run and have no token yet.", gauge, "",
			one(func(s shot) float64 { return float64(s.InFlight.Waiting) }),
		},
		{
			"tokdyno_requests_backlog", "Arrivals that wait in the client for a place.", gauge, "",
			one(func(s shot) float64 { return float64(s.Backlog) }),
		},
		{
			"tokdyno_requests_started_total", "Requests that were taken up.", counter, "",
			one(func(s shot) float64 { return float64(s.Counts.Started) }),
		},
		{"tokdyno_requests_total", "Requests that ended, by outcome.", counter, "outcome", func(s shot) []value {
			return []value{
				{string(record.OK), float64(s.Counts.OK)},
				{string(record.Failed), float64(s.Counts.Failed)},
				{string(record.Cancelled), float64(s.Counts.Cancelled)},
			}
		}},
		{"tokdyno_failures_total", "Requests that failed, by kind.", counter, "kind", failures},
		{"tokdyno_canary_requests_total", "Light requests beside the load, which are in no other metric, by outcome.", counter, "outcome", canaryRequests},
		{
			"tokdyno_canary_ttft_seconds", "TTFT of the light requests beside the load, over the live window.", gauge, "quantile",
			canaryQuantiles(func(f *snapshot.CanaryFigures) *stats.Distribution { return &f.TTFT }),
		},
		{
			"tokdyno_canary_e2el_seconds", "End-to-end latency of the light requests beside the load, over the live window.", gauge, "quantile",
			canaryQuantiles(func(f *snapshot.CanaryFigures) *stats.Distribution { return &f.E2EL }),
		},
		{
			"tokdyno_input_tokens_total", "Prompt tokens of completed requests.", counter, "",
			one(func(s shot) float64 { return count(s.Tokens.Input) }),
		},
		{
			"tokdyno_output_tokens_total", "Output tokens of completed requests.", counter, "",
			one(func(s shot) float64 { return count(s.Tokens.Output) }),
		},
		{"tokdyno_output_tokens_per_second", "Output tokens a second over the live window.", gauge, "", one(func(s shot) float64 {
			return known(s.Live.Throughput.Output, s.Live.Spans > 0)
		})},
		{"tokdyno_requests_per_second", "Completed requests a second over the live window.", gauge, "", one(func(s shot) float64 {
			return known(s.Live.Throughput.Requests, s.Live.Spans > 0)
		})},
		{"tokdyno_goodput_requests_per_second", "Requests a second that met the SLO, over the live window.", gauge, "", one(func(s shot) float64 {
			return known(s.Live.Goodput, s.Live.GoodputKnown)
		})},
		{"tokdyno_slo_attainment_ratio", "Share of the judged requests that met the SLO, over the live window.", gauge, "", one(func(s shot) float64 {
			return known(s.Live.Score.Attainment(s.Knobs.SLO))
		})},
		{"tokdyno_slo_target_ratio", "Share of requests that the SLO asks for.", gauge, "", one(func(s shot) float64 {
			return known(s.Knobs.Target, s.Knobs.SLO.Active())
		})},
		{"tokdyno_slo_threshold_seconds", "Limits of the SLO, by metric.", gauge, "metric", thresholds},
		{
			"tokdyno_speculation_acceptance_ratio", "Share of drafted tokens that were accepted over the live window, by the server's counters.",
			gauge, "", one(func(s shot) float64 { return known(s.Speculation.Rate.V, s.Speculation.Rate.OK()) }),
		},
		{
			"tokdyno_speculation_tokens_per_step", "Tokens per step of speculative decoding over the live window, by the server's counters.",
			gauge, "", one(func(s shot) float64 { return known(s.Speculation.Length.V, s.Speculation.Length.OK()) }),
		},
		{"tokdyno_target_load", "Load that is asked for: requests in flight, requests a second, or the speed of a replay.", gauge, "mode", func(s shot) []value {
			return []value{{string(s.Knobs.Load.Mode), s.Knobs.Load.Level()}}
		}},
		{"tokdyno_stage", "Number of the stage, which grows with each change of the load.", gauge, "", one(func(s shot) float64 {
			return known(float64(s.Stage.Stage), s.Stage.Stage > 0)
		})},
		{
			"tokdyno_stage_settling", "1 while the load settles, so that figures include the ramp.", gauge, "",
			one(func(s shot) float64 { return flag(s.Stage.Settling) }),
		},
		{
			"tokdyno_elapsed_seconds", "Time since the load began.", gauge, "",
			one(func(s shot) float64 { return s.Elapsed.Seconds() }),
		},
		{"tokdyno_state", "1 for the state that the run is in.", gauge, "state", func(s shot) []value { return []value{{string(s.State), 1}} }},
		{"tokdyno_client_health", "1 for the verdict on the load generator itself.", gauge, "verdict", func(s shot) []value {
			verdict := string(s.Health.Verdict)
			if s.Health.Verdict == health.Unknown {
				verdict = "unknown"
			}
			return []value{{verdict, 1}}
		}},
		{"tokdyno_client_cpu_cores", "Processor time that the load generator uses, by second.", gauge, "", one(func(s shot) float64 {
			return known(s.Health.CPUCores, s.Health.Verdict != health.Unknown)
		})},
		{"tokdyno_client_read_lag_seconds", "P99 of how late arrivals are read.", gauge, "", one(func(s shot) float64 {
			return known(s.Health.LagP99.Seconds(), s.Health.Kernel && s.Health.Verdict != health.Unknown)
		})},
	}
}

func failures(s *snapshot.Snapshot) []value {
	sums, order := make(map[string]float64), []string{}
	for i := range s.Problems {
		kind := string(s.Problems[i].Kind)
		if sums[kind] == 0 {
			order = append(order, kind)
		}
		sums[kind] += float64(s.Problems[i].Count)
	}
	var list []value
	for _, kind := range order {
		list = append(list, value{kind, sums[kind]})
	}
	return list
}

func canaryRequests(s *snapshot.Snapshot) []value {
	if s.Canary == nil {
		return nil
	}
	f := &s.Canary.Run
	return []value{{string(record.OK), float64(f.OK)}, {string(record.Failed), float64(f.Failed)}, {"skipped", float64(f.Skipped)}}
}

// canaryQuantiles are the median and the 99th percentile of a latency.
func canaryQuantiles(of func(*snapshot.CanaryFigures) *stats.Distribution) func(*snapshot.Snapshot) []value {
	return func(s *snapshot.Snapshot) []value {
		if s.Canary == nil {
			return nil
		}
		d := of(&s.Canary.Live)
		return []value{{"0.5", known(d.P50.Seconds(), d.N > 0)}, {"0.99", known(d.P99.Seconds(), d.N > 0)}}
	}
}

func thresholds(s *snapshot.Snapshot) (list []value) {
	for _, m := range slo.Metrics() {
		if limit := s.Knobs.SLO[m]; limit > 0 {
			list = append(list, value{m.String(), limit.Seconds()})
		}
	}
	return list
}

// collectInfo hands out who is measured by whom.
func collectInfo(s *snapshot.Snapshot, version string, to chan<- prometheus.Metric) {
	desc := prometheus.NewDesc("tokdyno_info", "Who is measured, and by which tokdyno.",
		[]string{"version", "endpoint", "model", "server", "simulated"}, nil)
	to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, 1,
		version, s.Endpoint.URL, s.Endpoint.Model, s.Endpoint.Server, strconv.FormatBool(s.Simulated))
}
