// This file holds the rules about the GPU, the server and the client.

package advice

import (
	"fmt"

	"tokdyno/engine/health"
	"tokdyno/gpu"
)

// Where shares of a machine begin to mean something, in percent.
const (
	kernelsBusy = 90.0 // GPU-util
	working     = 80.0 // SM or DRAM activity of a machine that is at work
	idling      = 50.0 // SM activity of one that is not
)

// Where the figures of a server begin to mean something.
const (
	smallBatch  = 4    // requests running
	cacheFull   = 0.9  // KV use
	cacheFree   = 0.8  // KV use
	queueStands = 0.9  // of what it was some seconds ago
	cacheHits   = 0.01 // hit rate that is no chance
	noOverlap   = 1e-9

	leastDrafted = 2000 // tokens: of so many, a rate is known to 2 or 3 points
	lessAccepted = 0.05 // of the drafted tokens, at least
	lessOf       = 0.15 // of the rate before, at least
)

// Where a GPU is power-limited, as shares of its limits.
const (
	powerAtLimit = 0.95
	clockDown    = 0.9
)

// idle reports whether nothing waits at the server and its GPU is hardly at work.
func (m moment) idle() bool {
	return below(m.Waiting, 1) && below(m.SMActive, idling) && !atLeast(m.DRAMActive, working)
}

func clientLimit(m moment) (string, bool) {
	if m.Client == health.ClientBound {
		return "client-bound", true
	}
	return fmt.Sprintf("client strained, 0 waiting, SM %.0f %%", m.SMActive.V), m.Client == health.Strained && m.idle()
}

func cacheMeasured(m moment) (string, bool) {
	return fmt.Sprintf("hit rate %.1f %%", 100*m.HitRate.V), atLeast(m.HitRate, m.Common.V+cacheHits) && below(m.Overlap, noOverlap)
}

// hardwareSlowdown leaves a slowdown for the sake of temperature to thermalLimit: the driver then gives both reasons.
func hardwareSlowdown(m moment) (string, bool) {
	evidence := "clocks held down by a hardware slowdown"
	if m.Reasons.Has(gpu.ClockPowerBrake) {
		evidence = "clocks held down by a power brake"
	}
	return evidence, (m.Reasons.Has(gpu.ClockHWSlowdown) || m.Reasons.Has(gpu.ClockPowerBrake)) && !m.Reasons.Has(gpu.ClockHWThermal)
}

func thermalLimit(m moment) (string, bool) {
	return "clocks held down by temperature", m.Reasons.Has(gpu.ClockSWThermal) || m.Reasons.Has(gpu.ClockHWThermal)
}

func powerLimit(m moment) (string, bool) {
	evidence := fmt.Sprintf("%.0f of %.0f W, SM clock %.0f of %.0f MHz", m.PowerW.V, m.PowerLimitW.V, m.SMClockMHz.V, m.SMClockMaxMHz.V)
	return evidence, m.Reasons.Has(gpu.ClockPowerCap) &&
		m.PowerLimitW.OK() && atLeast(m.PowerW, powerAtLimit*m.PowerLimitW.V) &&
		m.SMClockMaxMHz.OK() && below(m.SMClockMHz, clockDown*m.SMClockMaxMHz.V)
}

func kvLimit(m moment) (string, bool) {
	if atLeast(m.KVUse, cacheFull) && atLeast(m.Waiting, 1) {
		return fmt.Sprintf("KV %.0f %%, %.0f waiting", 100*m.KVUse.V, m.Waiting.V), true
	}
	if m.before == nil || !m.before.Preemptions.OK() {
		return "", false
	}
	more := m.Preemptions.V - m.before.Preemptions.V
	return fmt.Sprintf("%.0f preemptions in the last seconds", more), m.Preemptions.OK() && more > 0
}

// schedulerLimit wants a queue that grows or stands: in a closed loop it stops growing, at what exceeds the cap.
func schedulerLimit(m moment) (string, bool) {
	evidence := fmt.Sprintf("%.0f waiting, KV %.0f %%", m.Waiting.V, 100*m.KVUse.V)
	if m.Running.OK() {
		evidence = fmt.Sprintf("%.0f running, %s", m.Running.V, evidence)
	}
	return evidence, m.before != nil && atLeast(m.before.Waiting, 1) && atLeast(m.Waiting, max(1, queueStands*m.before.Waiting.V)) &&
		below(m.KVUse, cacheFree)
}

// acceptanceFell compares with the stage before, since what is drafted is accepted the less the less it can be foreseen.
func acceptanceFell(m moment) (string, bool) {
	now, before := m.Drafting, m.DraftingBefore
	since := fmt.Sprintf("from stage %d to %d", before.Stage, now.Stage)
	if m.Turned != "" {
		since += " (" + m.Turned + ")"
	}
	return fmt.Sprintf("acceptance %.0f → %.0f %% %s", 100*before.Rate.V, 100*now.Rate.V, since),
		now.Enough() && before.Enough() && now.Rate.V <= before.Rate.V-max(lessAccepted, lessOf*before.Rate.V)
}

func launchBound(m moment) (string, bool) {
	evidence := fmt.Sprintf("GPU-util %.0f %%, SM %.0f %%, %.0f running", m.GPUUtil.V, m.SMActive.V, m.Running.V)
	return evidence, atLeast(m.GPUUtil, kernelsBusy) && below(m.SMActive, idling) && below(m.Running, smallBatch+1) &&
		!atLeast(m.DRAMActive, working)
}

// underDriven leaves a small batch that keeps kernels busy to launchBound, and a curve that is flat or falls to the rules about it.
func underDriven(m moment) (string, bool) {
	if _, ok := launchBound(m); ok {
		return "", false
	}
	return fmt.Sprintf("SM %.0f %%, 0 waiting", m.SMActive.V), m.Client == health.OK && m.idle() && !m.stuck()
}

// computeLimit and bandwidthLimit name what is the more at work; where only one is known, that.
func computeLimit(m moment) (string, bool) {
	evidence, flat := m.flatEvidence()
	return fmt.Sprintf("SM %.0f %%, %s", m.SMActive.V, evidence), flat && atLeast(m.SMActive, working) && !m.bandwidthLeads()
}

func bandwidthLimit(m moment) (string, bool) {
	evidence, flat := m.flatEvidence()
	return fmt.Sprintf("DRAM %.0f %%, %s", m.DRAMActive.V, evidence), flat && atLeast(m.DRAMActive, working) &&
		(m.bandwidthLeads() || !atLeast(m.SMActive, working))
}

func (m moment) bandwidthLeads() bool { return m.DRAMActive.OK() && m.DRAMActive.V > m.SMActive.V }
