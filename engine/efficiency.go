// This file says what output costs: in accelerators, in energy and in money.

package engine

import (
	"tokdyno/engine/stats"
	"tokdyno/gpu/optional"
)

// Reasons why there is no figure.
const (
	noGPUs   = "no GPU is read behind the endpoint"
	noPower  = "power is not read"
	noPrice  = "no price is given"
	noOutput = "nothing has come out"

	uncounted = "the server does not count tokens"
)

// efficiency computes the figures of a stage or a run, of what it put out, y output tokens and x input tokens a second, on N
// GPUs that drew P watts together (see power):
//
//	output per GPU      y / N                       tokens per second and GPU
//	tokens per joule    y / P                       (tokens/s) / (J/s)
//	output per kW       1000 · y / P                tokens per second and kilowatt
//	cost per million    10⁶ · (N · C / 3600) / y    at C money per GPU-hour: money per second by tokens per second
//	                    C_out + C_in · x / y        at prices per million tokens: each output token brings x/y input ones
//
// A price of tokens goes before one of GPUs: whoever pays by the token does not pay for the hour.
func efficiency(s *stats.Summary, t *Telemetry, p Prices) Efficiency {
	e := Efficiency{
		GPUs:         gpuCount(t),
		OutputPerGPU: optional.NA(noGPUs), TokensPerJoule: optional.NA(noGPUs), OutputPerKW: optional.NA(noGPUs),
		CostPerMillion: optional.NA(noPrice),
	}
	if p.GPUHour > 0 {
		e.CostPerMillion = optional.NA(noGPUs)
	}
	output := s.Throughput.Output
	if s.Spans <= 0 || !(output > 0) {
		nothing := optional.NA(noOutput)
		e.OutputPerGPU, e.TokensPerJoule, e.OutputPerKW, e.CostPerMillion = nothing, nothing, nothing, nothing
		return e
	}
	if n := float64(e.GPUs); n > 0 {
		e.OutputPerGPU = optional.Of(output / n)
		e.TokensPerJoule, e.OutputPerKW = optional.NA(noPower), optional.NA(noPower)
		if p.GPUHour > 0 {
			e.CostPerMillion = optional.Of(p.GPUHour * n / 3600 / output * 1e6)
		}
	}
	if watts, estimated, ok := power(t); ok && watts > 0 {
		e.TokensPerJoule, e.OutputPerKW, e.Estimated = optional.Of(output/watts), optional.Of(1000*output/watts), estimated
	}
	switch {
	case p.OutputMillion <= 0 && p.InputMillion <= 0:
	case p.InputMillion > 0 && !s.Throughput.InputKnown:
		e.CostPerMillion = optional.NA(uncounted)
	default:
		e.CostPerMillion = optional.Of(p.OutputMillion + p.InputMillion*s.Throughput.Input/output)
	}
	return e
}

// gpuCount is the number of GPUs, however they are divided: of instances that are listed without their GPU, that one counts.
func gpuCount(t *Telemetry) int {
	gpus := map[string]bool{}
	n := 0
	for i := range t.GPUs {
		switch d := &t.GPUs[i]; {
		case d.Part:
			gpus[d.Parent] = true
		case d.UUID != "":
			gpus[d.UUID] = true
		default:
			n++ // a source that tells no identity lists every GPU once
		}
	}
	return n + len(gpus)
}

// leastCovered is the share of the time between the first and the last reading that a device's energy has to be of.
const leastCovered = 0.9

// power is the mean power of all devices, in watts: Σ E/t, with E the joules a device took between its first and its last
// reading, by its counter where it has one and else its power summed over time, and t the seconds in between that E is of. It
// is unknown if one of them has none, or has it of less than leastCovered of the time.
func power(t *Telemetry) (watts float64, estimated, ok bool) {
	n := 0
	for i := range t.GPUs {
		d := &t.GPUs[i]
		if d.Part {
			continue // its GPU's power is that of all its instances
		}
		if !d.EnergyJ.OK() || d.Covered <= 0 || float64(d.Covered) < leastCovered*float64(t.Span) {
			return 0, false, false
		}
		n++
		watts += d.EnergyJ.V / d.Covered.Seconds()
		estimated = estimated || d.Estimated
	}
	return watts, estimated, n > 0
}

// spent is what a run has cost so far: (in · C_in + out · C_out) / 10⁶ by the token, of all completed requests, or N · C ·
// hours by the GPU, idle or not.
func spent(tokens stats.Tokens, gpus int, hours float64, p Prices) optional.Value {
	if p.InputMillion > 0 || p.OutputMillion > 0 {
		in, known := tokens.Input.Get()
		out, also := tokens.Output.Get()
		if !known || !also {
			return optional.NA(uncounted)
		}
		return optional.Of((float64(in)*p.InputMillion + float64(out)*p.OutputMillion) / 1e6)
	}
	if p.GPUHour <= 0 {
		return optional.NA(noPrice)
	}
	if gpus == 0 {
		return optional.NA(noGPUs)
	}
	return optional.Of(p.GPUHour * float64(gpus) * hours)
}
