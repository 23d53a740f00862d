// This file prints what accelerators and the inference server said, and what output cost.

package report

import (
	"fmt"
	"strings"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
)

// telemetry prints nothing of what nobody read.
func (p reportPrinter) telemetry(r *run.Report) {
	p.gpus(r)
	p.server(&r.ServerMetrics)
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
func (p reportPrinter) gpus(r *run.Report) {
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
		p.line("gpu", "%s (%s)  memory peak %s  power %s  energy %s", d.Name, source,
			told(d.MemPeakMiB, cell.Whole, " MiB"), told(d.PowerMeanW, cell.Whole, " W"), energy)
		p.line("", "on average: GPU-util %s  SM active %s  occupancy %s  tensor %s  DRAM %s",
			told(d.UtilMean, cell.Whole, " %"), told(d.SMActiveMean, cell.Whole, " %"), told(d.OccupancyMean, cell.Whole, " %"),
			told(d.TensorMean, cell.Whole, " %"), told(d.DRAMMean, cell.Whole, " %"))
	}
}

// server prints what the server said over the whole run.
func (p reportPrinter) server(m *run.ServerMetrics) {
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
	p.line("server", "%s  running %s  waiting %s  KV cache %s  prefix hit %s  preemptions %s", *m.Kind,
		meanAndMost(m.RunningMean, m.RunningMax), meanAndMost(m.WaitingMean, m.WaitingMax), kv,
		told(m.PrefixHitRate, cell.Tenths, " %"), told(m.Preemptions, cell.Whole, ""))
	var more []string
	add := func(name string, v *float64, text string) {
		if v != nil {
			more = append(more, name+" "+text)
		}
	}
	add("server TTFT p50", m.TTFTP50MS, latencyOrUnknown(m.TTFTP50MS))
	add("server TTFT p95", m.TTFTP95MS, latencyOrUnknown(m.TTFTP95MS))
	add("server queue p50", m.QueueTimeP50MS, latencyOrUnknown(m.QueueTimeP50MS))
	add("server queue p95", m.QueueTimeP95MS, latencyOrUnknown(m.QueueTimeP95MS))
	add("server output", m.OutputTokPerS, told(m.OutputTokPerS, cell.Rate, " tok/s"))
	add("drafts accepted", m.SpecAcceptRate, told(m.SpecAcceptRate, cell.Tenths, " %"))
	if len(more) > 0 {
		p.line("", "%s", strings.Join(more, "  "))
	}
	if m.Restarted {
		p.line("", "it restarted during the run: what it counted around that is missing")
	}
}

// efficiency prints what output cost at the operating point, and what the run has cost.
func (p reportPrinter) efficiency(r *run.Report) {
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
		p.line("efficiency", "%s tok/s per GPU (%d)  %s  %s", told(e.OutputPerGPU, cell.Rate, ""), e.GPUs,
			energetic(e.TokensPerJoule, cell.Digits, " tok/J"), energetic(e.OutputPerKW, cell.Rate, " tok/s per kW"))
		if e.Estimated {
			p.line("", "~ energy from power readings: there is no energy counter")
		}
	}
	if e.CostPerMillion != nil || r.Spent != nil {
		p.line("cost", "%s per million output tokens  %s spent by the run", told(e.CostPerMillion, cell.Digits, ""),
			told(r.Spent, spentText, ""))
	}
}

// spentText writes money, of which a short run costs fractions of a cent.
func spentText(x float64) string {
	if x > 0 && x < 0.01 {
		return fmt.Sprintf("%.2g", x)
	}
	return cell.Digits(x)
}
