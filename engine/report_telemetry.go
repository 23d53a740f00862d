// This file says in a report what accelerators and the inference server said, and what output cost.

package engine

import (
	"math"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/server"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// reportTelemetry adds what was read over the whole run.
func (e *Engine) reportTelemetry(r *run.Report, now record.Instant) {
	whole := e.telemetry.run.telemetry()
	r.GPU = e.gpuReport(whole.GPUs)
	r.ServerMetrics = serverReport(whole.Server)
	gpus := gpu.Count(whole.GPUs)
	if e.cfg.GPUElsewhere {
		gpus = 0
	}
	if e.start != 0 {
		elapsed, _ := now.Since(e.start)
		r.Spent = known(spent(e.collector.Tokens(), gpus, elapsed.Hours(), e.cfg.Prices), 1)
	}
}

// known is a value for JSON, times a factor; null where it is unknown.
func known(v optional.Value, factor float64) *float64 {
	if !v.OK() {
		return nil
	}
	scaled := math.Round(v.V*factor*1e6) / 1e6
	return &scaled
}

// gpuReport is nil where no accelerator was read.
func (e *Engine) gpuReport(devices []gpu.Total) *run.GPU {
	t := &e.telemetry.run.gpu
	if t.Source == "" {
		return nil
	}
	out := &run.GPU{Source: t.Source, Behind: !e.cfg.GPUElsewhere, Devices: []run.Device{}}
	if t.Simulated {
		out.Source += " SIMULATED"
	}
	for _, d := range devices {
		out.Devices = append(out.Devices, run.Device{
			UUID: d.UUID, Name: d.Name, MemPeakMiB: known(d.MemPeakMiB, 1), UtilMean: known(d.UtilMean, 1),
			SMActiveMean: known(d.SMActiveMean, 1), OccupancyMean: known(d.OccupancyMean, 1), TensorMean: known(d.TensorMean, 1),
			DRAMMean: known(d.DRAMMean, 1), PowerMeanW: known(d.PowerMeanW, 1), EnergyJ: known(d.EnergyJ, 1),
			EnergyEstimated: d.Estimated,
		})
	}
	return out
}

func serverReport(s *server.Summary) run.ServerMetrics {
	if s == nil {
		return run.ServerMetrics{}
	}
	kind := string(s.Kind)
	w := &s.Window
	return run.ServerMetrics{
		Kind:        &kind,
		RunningMean: known(s.RunningMean, 1), RunningMax: known(s.RunningMax, 1),
		WaitingMean: known(s.WaitingMean, 1), WaitingMax: known(s.WaitingMax, 1),
		KVUsageMean: known(s.KVUsageMean, 1), KVUsageMax: known(s.KVUsageMax, 1),
		PrefixHitRate: known(w.HitRate, 1), Preemptions: known(w.Preemptions, 1), SpecAcceptRate: known(w.AcceptRate, 1),
		TTFTP50MS: known(w.TTFT.P50, 1000), TTFTP95MS: known(w.TTFT.P95, 1000),
		QueueTimeP50MS: known(w.QueueTime.P50, 1000), QueueTimeP95MS: known(w.QueueTime.P95, 1000),
		OutputTokPerS: known(w.GenerationTokensPerSecond, 1), Restarted: w.Restarted,
	}
}

func efficiencyReport(e *Efficiency) run.Efficiency {
	return run.Efficiency{
		GPUs: e.GPUs, OutputPerGPU: known(e.OutputPerGPU, 1), TokensPerJoule: known(e.TokensPerJoule, 1),
		OutputPerKW: known(e.OutputPerKW, 1), Estimated: e.Estimated, CostPerMillion: known(e.CostPerMillion, 1),
	}
}
