package run

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tokdyno/engine/slo"

	"github.com/google/go-cmp/cmp"
)

// TestSchema pins every member of the JSON form: a program that reads reports relies on them.
func TestSchema(t *testing.T) {
	all := Figures{SLO: SLO{Objectives: []Objective{{}}}}
	r := &Report{
		Schema: Schema, Notes: []string{""}, Errors: []Problem{{}}, Retries: Retries{Refused: []Problem{{}}}, Levels: []Level{{Figures: all}}, Stages: []Stage{{Figures: all, GPU: &GPU{Devices: []Device{{}}}}},
		GPU: &GPU{Devices: []Device{{}}}, Canary: &Canary{}, Sweep: &Sweep{Rungs: []Rung{{}}}, Endpoints: []EndpointLine{{}}, Workers: []Worker{{}},
		Figures: all,
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(b.Bytes(), &document); err != nil {
		t.Fatal(err)
	}

	distribution := []string{"max", "mean", "n", "p50", "p90", "p95", "p99"}
	figures := []string{"requests.cancelled", "requests.failed", "requests.in_flight_at_end", "requests.ok"}
	for _, name := range []string{
		"ttft_ms", "ttfa_ms", "ttft_from_schedule_ms", "tpot_ms", "itl_ms", "chunk_gap_ms", "e2el_ms", "dispatch_lag_ms",
	} {
		for _, member := range distribution {
			figures = append(figures, name+"."+member)
		}
	}
	figures = append(figures,
		"tokens.cached", "tokens.input", "tokens.output", "tokens.reasoning", "tokens.source",
		"throughput.input_tok_per_s", "throughput.output_tok_per_s", "throughput.requests_per_s", "throughput.total_tok_per_s",
		"slo.attainment", "slo.binding", "slo.target", "slo.criteria.e2el_ms", "slo.criteria.tpot_ms", "slo.criteria.ttft_ms", "slo.criteria.ttfa_ms",
		"slo.goodput_per_s", "slo.held", "slo.objectives.attainment", "slo.objectives.held", "slo.objectives.text",
		"slo.objectives.value_ms", "slo.objectives.value_share", "slo.objectives.judged", "slo.attainment_interval",
		"slo.verdict", "slo.n", "slo.needed", "slo.why", "slo.objectives.verdict", "slo.objectives.n", "slo.objectives.needed",
		"slo.objectives.why")
	members := func(of string, names ...string) []string {
		for i, name := range names {
			names[i] = of + "." + name
		}
		return names
	}
	// What the whole, each of its levels and each of its stages have.
	every := slices.Concat(figures, []string{"measured_s", "in_step", "untrusted"},
		members("load", "arrival", "concurrency", "conversations", "max_in_flight", "mode", "ramp", "rate", "seed", "shape_hash",
			"speed", "start", "trace"),
		members("load.shape", "data", "output_tokens", "prefix_overlap", "prefixes", "prompt_tokens", "text", "think_s", "turns"))
	// What the whole and each of its stages have.
	both := slices.Concat(every,
		members("gpu", "source", "behind_endpoint"),
		members("gpu.devices", "dram_active_mean", "energy_estimated", "energy_j", "mem_peak_mib", "name", "power_w_mean",
			"sm_active_mean", "sm_occupancy_mean", "tensor_active_mean", "util_mean", "uuid"),
		members("server_metrics", "kind", "servers", "kv_usage_max", "kv_usage_mean", "output_tok_per_s", "preemptions", "prefix_hit_rate",
			"queue_time_p50_ms", "queue_time_p95_ms", "restarted", "running_max", "running_mean",
			"spec_accept_length", "spec_accept_rate", "spec_accepted_tokens", "spec_draft_tokens", "spec_drafts", "spec_position_accept_rates",
			"ttft_p50_ms", "ttft_p95_ms", "waiting_max", "waiting_mean"),
		members("efficiency", "cost_per_million_output_tok", "energy_estimated", "gpus", "output_tok_per_joule",
			"output_tok_per_s_per_gpu", "output_tok_per_s_per_kw"))
	want := slices.Concat(both, members("levels", slices.Clone(every)...), members("stages", slices.Clone(both)...), []string{
		"schema", "tokdyno", "baseline", "notes", "started", "duration_s", "spent", "stages.number", "stages.settled_s",
	},
		members("answer", "binding", "level", "missed", "relaxed"),
		members("levels", "settled", "stages", "stages_apart"),
		members("retries", "requests", "attempts", "waited_s", "waiting"),
		members("endpoint", "api", "model", "output_unlimited", "server", "url"),
		members("endpoints", "api", "model", "output_unlimited", "server", "url", "ok", "failed", "output_tok_per_s"),
		members("endpoints.ttft_ms", slices.Clone(distribution)...), members("endpoints.tpot_ms", slices.Clone(distribution)...),
		members("endpoints.e2el_ms", slices.Clone(distribution)...),
		members("workers", "name", "host", "tokdyno", "cores", "state", "problem", "started", "lost", "client", "reason", "clock_ms", "clock_within_ms", "reported_bytes"),
		members("canary", "failed", "ok", "problem", "skipped"),
		members("canary.ttft_ms", slices.Clone(distribution)...), members("canary.e2el_ms", slices.Clone(distribution)...),
		members("canary.dispatch_lag_ms", slices.Clone(distribution)...),
		members("errors", "count", "example", "kind", "status"),
		members("retries.refused", "count", "example", "kind", "status"),
		members("prompts", "achieved_mean", "asked_mean", "method", "n"),
		members("answers", "achieved_mean", "asked_mean", "n", "stopped_early"),
		members("sweep", "attainment", "attainment_interval", "axis", "binding", "done", "doubtful", "found", "kind", "level", "missed", "plateau", "samples",
			"sentence"),
		members("sweep.levels", "binding", "few", "level", "looks", "missed_share", "n", "needed", "note",
			"output_tok_per_s", "stage", "state"),
		members("client", "closed_after_answer", "cpu_cores", "lag_p99_ms", "merged_share", "note", "reconnects", "sched_p99_ms", "stamps", "verdict"))
	got := paths("", document)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

// paths lists the members of a document down to its values; the elements of a list share a path.
func paths(prefix string, value any) []string {
	switch v := value.(type) {
	case map[string]any:
		var list []string
		for name, member := range v {
			list = append(list, paths(strings.TrimPrefix(prefix+"."+name, "."), member)...)
		}
		return list
	case []any:
		var list []string
		for _, element := range v {
			list = append(list, paths(prefix, element)...)
		}
		return list
	}
	return []string{prefix}
}

// TestNothingKnownIsNull makes sure that what is absent is null, never 0.
func TestNothingKnownIsNull(t *testing.T) {
	var b bytes.Buffer
	if err := (&Report{Schema: Schema}).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`"p99": null`, `"output": null`, `"output_tok_per_s": null`, `"attainment": null`, `"gpu": null`, `"kv_usage_max": null`} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %s in %s", line, b.String())
		}
	}
}

func TestObjectivesHoldTogetherWithTheSLO(t *testing.T) {
	yes, no := true, false
	const none, held, missed, unknown = slo.NoVerdict, slo.Held, slo.Missed, slo.Unknown
	for name, c := range map[string]struct {
		requests slo.Verdict // on the SLO for single requests
		of       []slo.Verdict
		want     slo.Verdict
		held     *bool
	}{
		"nothing asked":                {none, nil, none, nil},
		"SLO alone":                    {held, nil, held, &yes},
		"all hold":                     {held, []slo.Verdict{held, held}, held, &yes},
		"an objective missed":          {held, []slo.Verdict{held, missed}, missed, &no},
		"the SLO missed":               {missed, []slo.Verdict{held}, missed, &no},
		"missed, whatever is open":     {held, []slo.Verdict{unknown, missed}, missed, &no},
		"one without a verdict":        {held, []slo.Verdict{unknown}, unknown, nil},
		"objectives alone":             {none, []slo.Verdict{held}, held, &yes},
		"an SLO that nobody could say": {unknown, []slo.Verdict{held}, unknown, nil},
	} {
		s := SLO{Requests: c.requests}
		var list []Objective
		for _, v := range c.of {
			list = append(list, Objective{Judgement: judged(v, 100)})
		}
		s.Hold(list)
		if s.Reached() != c.want || (s.Held == nil) != (c.held == nil) || s.Held != nil && *s.Held != *c.held {
			t.Errorf("%s: %s, held %v, want %s", name, s.Reached(), s.Held, c.want)
		}
	}
}
