// This file says in a report what accelerators and the inference server said, and what output cost.

package run

import (
	"math"
	"slices"

	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// known is a value for JSON, times a factor; null where it is unknown.
func known(v optional.Value, factor float64) *float64 {
	if !v.OK() {
		return nil
	}
	scaled := micro(v.V * factor)
	return &scaled
}

// micro rounds to a millionth.
func micro(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// rounded is shares for JSON; nil where they are not told.
func rounded(shares []float64) []float64 {
	list := slices.Clone(shares)
	for i, x := range list {
		list[i] = micro(x)
	}
	return list
}

// newGPU is nil where no accelerator was read.
func newGPU(s *snapshot.Snapshot, devices []gpu.Total) *GPU {
	if s.Telemetry.Source == "" {
		return nil
	}
	out := &GPU{Source: s.Telemetry.Source, Behind: !s.GPUElsewhere, Devices: []Device{}}
	for _, d := range devices {
		out.Devices = append(out.Devices, Device{
			UUID: d.UUID, Name: d.Name, MemPeakMiB: known(d.MemPeakMiB, 1), UtilMean: known(d.UtilMean, 1),
			SMActiveMean: known(d.SMActiveMean, 1), OccupancyMean: known(d.OccupancyMean, 1), TensorMean: known(d.TensorMean, 1),
			DRAMMean: known(d.DRAMMean, 1), PowerMeanW: known(d.PowerMeanW, 1), EnergyJ: known(d.EnergyJ, 1),
			EnergyEstimated: d.Estimated,
		})
	}
	return out
}

func newServerMetrics(s *server.Summary) ServerMetrics {
	if s == nil {
		return ServerMetrics{}
	}
	kind := string(s.Kind)
	w := &s.Window
	spec := &w.Speculation
	return ServerMetrics{
		Kind:        &kind,
		Servers:     s.Servers,
		RunningMean: known(s.RunningMean, 1), RunningMax: known(s.RunningMax, 1),
		WaitingMean: known(s.WaitingMean, 1), WaitingMax: known(s.WaitingMax, 1),
		KVUsageMean: known(s.KVUsageMean, 1), KVUsageMax: known(s.KVUsageMax, 1),
		PrefixHitRate: known(w.HitRate, 1), Preemptions: known(w.Preemptions, 1),
		SpecAcceptRate: known(spec.Rate, 1), SpecAcceptLength: known(spec.Length, 1), SpecDrafts: known(spec.Drafts, 1),
		SpecDraftTokens: known(spec.Drafted, 1), SpecAcceptedTokens: known(spec.Accepted, 1), SpecPositionAccepts: rounded(spec.Positions),
		TTFTP50MS: known(w.TTFT.P50, 1000), TTFTP95MS: known(w.TTFT.P95, 1000),
		QueueTimeP50MS: known(w.QueueTime.P50, 1000), QueueTimeP95MS: known(w.QueueTime.P95, 1000),
		OutputTokPerS: known(w.GenerationTokensPerSecond, 1), Restarted: w.Restarted,
	}
}

func newEfficiency(e *snapshot.Efficiency) Efficiency {
	return Efficiency{
		GPUs: e.GPUs, OutputPerGPU: known(e.OutputPerGPU, 1), TokensPerJoule: known(e.TokensPerJoule, 1),
		OutputPerKW: known(e.OutputPerKW, 1), Estimated: e.Estimated, CostPerMillion: known(e.CostPerMillion, 1),
	}
}
