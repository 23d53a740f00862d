package report

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
)

func telemetryReport(t *testing.T, r *run.Report) string {
	t.Helper()
	return printed(t, r, 120)
}

func TestReportPrintsTelemetry(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	kind := "vLLM"
	r := &run.Report{}
	r.GPU = &run.GPU{Source: "nvml", Behind: true, Devices: []run.Device{{
		Name: "NVIDIA H200", MemPeakMiB: of(102_707), UtilMean: of(98.6), SMActiveMean: of(91.4), OccupancyMean: of(31), DRAMMean: of(61),
		PowerMeanW: of(612.2), EnergyJ: of(11_020), EnergyEstimated: true,
	}}}
	r.ServerMetrics = run.ServerMetrics{
		Kind: &kind, RunningMean: of(31.6), RunningMax: of(32), WaitingMean: of(0), WaitingMax: of(3),
		KVUsageMean: of(0.55), KVUsageMax: of(0.612), PrefixHitRate: of(0.012), Preemptions: of(0),
		TTFTP50MS: of(216), TTFTP95MS: of(336), OutputTokPerS: of(4091), Restarted: true,
	}
	r.Efficiency = run.Efficiency{
		GPUs: 1, OutputPerGPU: of(4132), TokensPerJoule: of(6.83), OutputPerKW: of(6825), Estimated: true, CostPerMillion: of(0.269),
	}
	r.Spent = of(0.0021)
	got := telemetryReport(t, r)
	for _, want := range []string{
		"gpu         NVIDIA H200 (nvml)  memory peak 102,707 MiB  power 612 W  energy ~11,020 J",
		"on average:  GPU-util 99 %  SM active 91 %  occupancy 31 %  tensor n/a  DRAM 61 %",
		"server      vLLM  running 31.6 (max 32)  waiting 0.00 (max 3)  KV cache 55 % (max 61 %)  prefix hit 1.2 %  preemptions 0",
		"  server TTFT p50 216 ms  server TTFT p95 336 ms  server output 4,091 tok/s",
		"it restarted during the run",
		"efficiency  output per GPU 4,132 tok/s  GPUs 1  per joule ~6.83 tok  per kW ~6,825 tok/s",
		"cost        per million output tokens 0.27  spent by the run 0.0021",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
}

func TestReportSaysWhoseAcceleratorsTheyAre(t *testing.T) {
	r := &run.Report{GPU: &run.GPU{Source: "nvml", Devices: []run.Device{{Name: "NVIDIA T4"}}}}
	got := telemetryReport(t, r)
	if want := "NVIDIA T4 (nvml, this machine's and not known to be the server's)  memory peak n/a  power n/a  energy n/a"; !strings.Contains(got, want) {
		t.Errorf("it does not say %q:\n%s", want, got)
	}
	if strings.Contains(got, "~") {
		t.Error("an unknown figure is marked as an estimate")
	}
	r.GPU.Devices = nil
	if got := telemetryReport(t, r); !strings.Contains(got, "no device could be read") {
		t.Errorf("it is not said that no device could be read:\n%s", got)
	}
}

func TestReportSaysNothingOfWhatNobodyRead(t *testing.T) {
	got := telemetryReport(t, &run.Report{})
	for _, label := range []string{"gpu ", "server  ", "efficiency", "cost "} {
		if strings.Contains(got, "\n"+label) {
			t.Errorf("there is a line %q:\n%s", label, got)
		}
	}
}

func TestReportPrintsSpeculationAndTheCanary(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	kind, why := "vLLM", "the server answered 503"
	r := &run.Report{
		ServerMetrics: run.ServerMetrics{
			Kind: &kind, SpecAcceptRate: of(0.6506), SpecAcceptLength: of(2.93), SpecPositionAccepts: []float64{0.802, 0.631, 0.5},
		},
		Canary: &run.Canary{
			OK: 32, Failed: 1, Skipped: 3, TTFT: run.Distribution{N: 32, P50: of(48), P99: of(5537)},
			E2EL: run.Distribution{N: 100, P50: of(270), P99: of(6006)}, DispatchLag: run.Distribution{N: 32, P99: of(11)}, Problem: &why,
		},
	}
	got := telemetryReport(t, r)
	for _, want := range []string{
		"drafts accepted 65.1 %", "tokens per step 2.93", "drafts accepted by position: 80 63 50 %",
		"canary      light requests, in no other figure:  TTFT p50 48.0 ms  p99 5.54 s*  E2EL p50 270 ms  p99 6.01 s",
		"failed 1  skipped 3  sent late p99 11.0 ms", "the last that failed: the server answered 503",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	r.Endpoints = make([]run.EndpointLine, 2)
	if got := telemetryReport(t, r); !strings.Contains(got, "not of all 2 endpoints") {
		t.Errorf("it does not say whose the server's figures are:\n%s", got)
	}
	if got := telemetryReport(t, &run.Report{}); strings.Contains(got, "canary") {
		t.Error("it tells of a canary that nobody sent")
	}
}
