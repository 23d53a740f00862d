// This file prints what accelerators and the inference server said, and what output cost.

package report

import (
	"fmt"
	"strconv"

	"tokdyno/engine/run"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// telemetry prints nothing of what nobody read.
func (p *sheet) telemetry(r *run.Report) {
	p.gpus(r)
	p.server(&r.ServerMetrics, len(r.Endpoints))
	p.canary(r.Canary)
	p.efficiency(r)
}

// told writes a figure, n/a where there is none.
func told(v *float64, write func(float64) string, unit string) string {
	if v == nil {
		return cell.Unknown
	}
	return write(*v) + unit
}

// gpus prints two lines per device: what it held and drew, and how its parts were used.
func (p *sheet) gpus(r *run.Report) {
	if r.GPU == nil {
		return
	}
	if len(r.GPU.Devices) == 0 {
		p.line("gpu", "no device could be read (%s)", r.GPU.Source)
	}
	for _, d := range r.GPU.Devices {
		source := r.GPU.Source
		if !r.GPU.Behind {
			source += ", this machine's and not known to be the server's"
		}
		energy := told(d.EnergyJ, cell.Whole, " J")
		if d.EnergyEstimated && d.EnergyJ != nil {
			energy = "~" + energy
		}
		p.facts("gpu", d.Name+" ("+source+")", fact("memory peak", told(d.MemPeakMiB, cell.Whole, " MiB")),
			fact("power", told(d.PowerMeanW, cell.Whole, " W")), fact("energy", energy))
		p.facts("", "on average:", fact("GPU-util", told(d.UtilMean, cell.Whole, " %")), fact("SM active", told(d.SMActiveMean, cell.Whole, " %")),
			fact("occupancy", told(d.OccupancyMean, cell.Whole, " %")), fact("tensor", told(d.TensorMean, cell.Whole, " %")),
			fact("DRAM", told(d.DRAMMean, cell.Whole, " %")))
	}
}

// server prints what the server said over the whole run.
func (p *sheet) server(m *run.ServerMetrics, endpoints int) {
	if m.Kind == nil {
		return
	}
	meanAndMost := func(mean, most *float64) string {
		if mean == nil && most == nil {
			return cell.Unknown
		}
		return fmt.Sprintf("%s (max %s)", told(mean, cell.Digits, ""), told(most, cell.Whole, ""))
	}
	kv := cell.Unknown
	if m.KVUsageMean != nil || m.KVUsageMax != nil {
		kv = fmt.Sprintf("%s (max %s)", told(m.KVUsageMean, cell.Hundredths, " %"), told(m.KVUsageMax, cell.Hundredths, " %"))
	}
	known := func(name string, v *float64, text string) string { // "" where it is not, for few servers tell it
		if v == nil {
			return ""
		}
		return fact(name, text)
	}
	p.facts("server", *m.Kind, fact("running", meanAndMost(m.RunningMean, m.RunningMax)), fact("waiting", meanAndMost(m.WaitingMean, m.WaitingMax)),
		fact("KV cache", kv), fact("prefix hit", told(m.PrefixHitRate, cell.Tenths, " %")), fact("preemptions", told(m.Preemptions, cell.Whole, "")),
		known("server TTFT p50", m.TTFTP50MS, latencyOrUnknown(m.TTFTP50MS)),
		known("server TTFT p95", m.TTFTP95MS, latencyOrUnknown(m.TTFTP95MS)),
		known("server queue p50", m.QueueTimeP50MS, latencyOrUnknown(m.QueueTimeP50MS)),
		known("server queue p95", m.QueueTimeP95MS, latencyOrUnknown(m.QueueTimeP95MS)),
		known("server output", m.OutputTokPerS, told(m.OutputTokPerS, cell.Rate, " tok/s")),
		known("drafts accepted", m.SpecAcceptRate, told(m.SpecAcceptRate, cell.Tenths, " %")),
		known("tokens per step", m.SpecAcceptLength, told(m.SpecAcceptLength, cell.Digits, "")))
	if len(m.SpecPositionAccepts) > 0 {
		p.line("", "drafts accepted by position: %s %%", cell.Shares(m.SpecPositionAccepts))
	}
	if endpoints > max(m.Servers, 1) {
		p.line("", "of the one server whose metrics are read, not of all %d endpoints", endpoints)
	}
	if m.Restarted {
		p.line("", "it restarted during the run: what it counted around that is missing")
	}
}

// canary prints what light requests beside the load were answered; they are in no other line.
func (p *sheet) canary(c *run.Canary) {
	if c == nil {
		return
	}
	p99 := func(d *run.Distribution) string {
		if stats.Few(d.N, 0.99) && d.P99 != nil {
			return latencyOrUnknown(d.P99) + "*"
		}
		return latencyOrUnknown(d.P99)
	}
	p.facts("canary", "light requests, in no other figure:",
		fact("TTFT p50", latencyOrUnknown(c.TTFT.P50)), fact("p99", p99(&c.TTFT)),
		fact("E2EL p50", latencyOrUnknown(c.E2EL.P50)), fact("p99", p99(&c.E2EL)),
		fact("n", cell.Grouped(int64(c.OK))), fact("failed", cell.Grouped(int64(c.Failed))), fact("skipped", cell.Grouped(int64(c.Skipped))),
		fact("sent late p99", latencyOrUnknown(c.DispatchLag.P99)))
	if c.Problem != nil {
		p.line("", "the last that failed: %s", *c.Problem)
	}
}

// efficiency prints what output cost at the operating point, and what the run has cost.
func (p *sheet) efficiency(r *run.Report) {
	e := &r.Efficiency
	if e.OutputPerGPU != nil {
		mark := ""
		if e.Estimated {
			mark = "~"
		}
		energetic := func(v *float64, write func(float64) string, unit string) string {
			if v == nil {
				return cell.Unknown
			}
			return mark + write(*v) + unit
		}
		p.facts("efficiency", fact("output per GPU", told(e.OutputPerGPU, cell.Rate, " tok/s")), fact("GPUs", strconv.Itoa(e.GPUs)),
			fact("per joule", energetic(e.TokensPerJoule, cell.Digits, " tok")), fact("per kW", energetic(e.OutputPerKW, cell.Rate, " tok/s")))
		if e.Estimated {
			p.line("", "~ energy from power readings: there is no energy counter")
		}
	}
	if e.CostPerMillion != nil || r.Spent != nil {
		p.facts("cost", fact("per million output tokens", told(e.CostPerMillion, cell.Digits, "")),
			fact("spent by the run", told(r.Spent, spentText, "")))
	}
}

// spentText writes money, of which a short run costs fractions of a cent.
func spentText(x float64) string {
	if x > 0 && x < 0.01 {
		return fmt.Sprintf("%.2g", x)
	}
	return cell.Digits(x)
}
