// This file says what output costs: in accelerators, in energy and in money.

package engine

import (
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
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
// GPUs that drew P watts together (gpu.MeanPower):
//
//	output per GPU      y / N                       tokens per second and GPU
//	tokens per joule    y / P                       (tokens/s) / (J/s)
//	output per kW       1000 · y / P                tokens per second and kilowatt
//	cost per million    10⁶ · (N · C / 3600) / y    at C money per GPU-hour: money per second by tokens per second
//	                    C_out + C_in · x / y        at prices per million tokens: each output token brings x/y input ones
//
// A price of tokens goes before one of GPUs: whoever pays by the token does not pay for the hour.
func efficiency(s *stats.Summary, t *snapshot.Telemetry, p snapshot.Prices) snapshot.Efficiency {
	e := snapshot.Efficiency{
		GPUs:         gpu.Count(t.GPUs),
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
	if watts, estimated := gpu.MeanPower(t.GPUs, t.Span); watts.OK() && watts.V > 0 {
		e.TokensPerJoule, e.OutputPerKW, e.Estimated = optional.Of(output/watts.V), optional.Of(1000*output/watts.V), estimated
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

// spent is what a run has cost so far: (in · C_in + out · C_out) / 10⁶ by the token, of all completed requests, or N · C ·
// hours by the GPU, idle or not.
func spent(tokens stats.Tokens, gpus int, hours float64, p snapshot.Prices) optional.Value {
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
