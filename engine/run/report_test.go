package run

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSchema pins every member of the JSON form: a program that reads reports relies on them.
func TestSchema(t *testing.T) {
	all := Figures{SLO: SLO{Objectives: []Objective{{}}}}
	r := &Report{
		Schema: Schema, Notes: []string{""}, Errors: []Problem{{}}, Stages: []Stage{{Figures: all}},
		GPU:     &GPU{Devices: []Device{{}}},
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
		"ttft_ms", "ttft_from_schedule_ms", "tpot_ms", "itl_ms", "chunk_gap_ms", "e2el_ms", "dispatch_lag_ms",
	} {
		for _, member := range distribution {
			figures = append(figures, name+"."+member)
		}
	}
	figures = append(figures,
		"tokens.cached", "tokens.input", "tokens.output", "tokens.reasoning", "tokens.source",
		"throughput.input_tok_per_s", "throughput.output_tok_per_s", "throughput.requests_per_s", "throughput.total_tok_per_s",
		"slo.attainment", "slo.binding", "slo.target", "slo.criteria.e2el_ms", "slo.criteria.tpot_ms", "slo.criteria.ttft_ms",
		"slo.goodput_per_s", "slo.held", "slo.objectives.attainment", "slo.objectives.held", "slo.objectives.text",
		"slo.objectives.value_ms")
	load := []string{
		"load.arrival", "load.concurrency", "load.max_in_flight", "load.mode", "load.rate", "load.seed", "load.shape_hash",
		"load.shape.output_tokens", "load.shape.prefix_overlap", "load.shape.prompt_tokens",
	}
	want := slices.Concat(figures, load, []string{
		"schema", "tokdyno", "notes", "started", "duration_s", "measured_s",
		"endpoint.api", "endpoint.model", "endpoint.server", "endpoint.url",
		"errors.count", "errors.example", "errors.kind", "errors.status",
		"gpu.source", "gpu.devices.energy_j", "gpu.devices.mem_peak_mib", "gpu.devices.name", "gpu.devices.power_w_mean",
		"gpu.devices.sm_active_mean", "gpu.devices.util_mean", "gpu.devices.uuid",
		"server_metrics.kv_usage_max", "server_metrics.preemptions", "server_metrics.prefix_hit_rate",
		"server_metrics.running_max", "server_metrics.waiting_max",
		"client.cpu_cores", "client.lag_p99_ms", "client.note", "client.reconnects", "client.sched_p99_ms",
		"client.stamps", "client.verdict",
		"stages.measured_s", "stages.settled_s", // and the same figures and load as the whole
	})
	for _, member := range slices.Concat(figures, load) {
		want = append(want, "stages."+member)
	}
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
