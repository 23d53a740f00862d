// This file says what output costs: in accelerators, in energy and in money.

package engine

import (
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// Prices are what things cost, in any currency. Zero: not known.
type Prices struct {
	GPUHour       float64 // an accelerator for an hour
	InputMillion  float64 // a million input tokens
	OutputMillion float64 // a million output tokens
}

// Efficiency is what output costs over a stage, or over the run. Unknown figures have their reason.
type Efficiency struct {
	GPUs           int            // that were read; 0: none, or not known to be behind the endpoint
	OutputPerGPU   optional.Value // output tokens per second, divided by GPUs
	TokensPerJoule optional.Value // output tokens per second, divided by the power of all devices
	OutputPerKW    optional.Value // output tokens per second for every kilowatt
	Estimated      bool           // the energy is power integrated over time
	CostPerMillion optional.Value // of output tokens, at the prices given
}

// Reasons why there is no figure.
const (
	noGPUs   = "no GPU is read behind the endpoint"
	noPower  = "power is not read"
	noPrice  = "no price is given"
	noOutput = "nothing has come out"

	uncounted = "the server does not count tokens"
)

// efficiency computes the figures. Power is the energy of all devices over the time between their readings: by their
// counters where they have one, else estimated.
func efficiency(s *stats.Summary, t *Telemetry, p Prices) Efficiency {
	e := Efficiency{
		GPUs:         gpu.Count(t.GPUs),
		OutputPerGPU: optional.NA(noGPUs), TokensPerJoule: optional.NA(noGPUs), OutputPerKW: optional.NA(noGPUs),
		CostPerMillion: optional.NA(noPrice),
	}
	if p.GPUHour > 0 {
		e.CostPerMillion = optional.NA(noGPUs)
	}
	output := s.Throughput.Output
	if s.Spans <= 0 || !(output > 0) {
		e.OutputPerGPU, e.TokensPerJoule, e.OutputPerKW, e.CostPerMillion = optional.NA(noOutput), optional.NA(noOutput), optional.NA(noOutput), optional.NA(noOutput)
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

// spent is what a run has cost so far: tokens at their prices, or accelerators for its time.
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
