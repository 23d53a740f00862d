package engine

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

func TestEfficiency(t *testing.T) {
	s := &stats.Summary{Spans: 10 * time.Second, Throughput: stats.Throughput{Output: 3000, Input: 6000, InputKnown: true}}
	counter := gpu.Total{EnergyJ: optional.Of(5000), Covered: 10 * time.Second}
	lost := gpu.Total{EnergyJ: optional.Of(2000), Covered: 4 * time.Second}
	two := snapshot.Telemetry{GPUs: []gpu.Total{named(counter, "a"), named(counter, "b"), {Parent: "b"}}, Span: 10 * time.Second} // 1 kW in all
	for _, c := range []struct {
		name      string
		s         *stats.Summary
		telemetry snapshot.Telemetry
		prices    snapshot.Prices
		gpus      int
		want      [4]float64 // per GPU, per joule, per kW, cost a million; NaN: unknown
	}{
		{"two GPUs, one of them divided", s, two, snapshot.Prices{}, 2, [4]float64{1500, 3, 3000, math.NaN()}},
		{"by the hour", s, two, snapshot.Prices{GPUHour: 5.4}, 2, [4]float64{1500, 3, 3000, 1}},
		{"by the token", s, snapshot.Telemetry{}, snapshot.Prices{InputMillion: 1, OutputMillion: 4}, 0, [4]float64{math.NaN(), math.NaN(), math.NaN(), 6}},
		{
			"input that nobody counts", &stats.Summary{Spans: time.Second, Throughput: stats.Throughput{Output: 3000}},
			snapshot.Telemetry{},
			snapshot.Prices{InputMillion: 1, OutputMillion: 4},
			0,
			[4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()},
		},
		{"by the hour of no GPU", s, snapshot.Telemetry{}, snapshot.Prices{GPUHour: 1}, 0, [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}},
		{"one without energy", s, snapshot.Telemetry{GPUs: []gpu.Total{counter, {}}, Span: time.Second}, snapshot.Prices{}, 2, [4]float64{1500, math.NaN(), math.NaN(), math.NaN()}},
		{"one that was lost", s, snapshot.Telemetry{GPUs: []gpu.Total{counter, lost}, Span: 10 * time.Second}, snapshot.Prices{}, 2, [4]float64{1500, math.NaN(), math.NaN(), math.NaN()}},
		{"instances alone", s, snapshot.Telemetry{GPUs: []gpu.Total{{Parent: "a"}, {Parent: "a"}}}, snapshot.Prices{}, 1, [4]float64{3000, math.NaN(), math.NaN(), math.NaN()}},
		{"no output yet", &stats.Summary{}, two, snapshot.Prices{GPUHour: 1}, 2, [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}},
	} {
		e := efficiency(c.s, &c.telemetry, c.prices)
		if e.GPUs != c.gpus {
			t.Errorf("%s: %d GPUs, want %d", c.name, e.GPUs, c.gpus)
		}
		for i, v := range []optional.Value{e.OutputPerGPU, e.TokensPerJoule, e.OutputPerKW, e.CostPerMillion} {
			if v.OK() == math.IsNaN(c.want[i]) || v.OK() && math.Abs(v.V-c.want[i]) > 1e-9 {
				t.Errorf("%s: figure %d is %+v, want %v", c.name, i, v, c.want[i])
			}
			if !v.OK() && v.NA == "" {
				t.Errorf("%s: figure %d is unknown without a reason", c.name, i)
			}
		}
	}
}

// named is a device with an identity.
func named(d gpu.Total, uuid string) gpu.Total {
	d.UUID = uuid
	return d
}

func TestSpent(t *testing.T) {
	tokens := stats.Tokens{Input: record.Known(2_000_000), Output: record.Known(500_000)}
	for name, c := range map[string]struct {
		got  optional.Value
		want float64
	}{
		"tokens":          {spent(tokens, 0, 1, snapshot.Prices{InputMillion: 1, OutputMillion: 4}), 4},
		"GPUs":            {spent(tokens, 2, 0.5, snapshot.Prices{GPUHour: 3}), 3},
		"no price":        {spent(tokens, 2, 1, snapshot.Prices{}), math.NaN()},
		"uncounted":       {spent(stats.Tokens{}, 2, 1, snapshot.Prices{OutputMillion: 1}), math.NaN()},
		"no GPU is known": {spent(tokens, 0, 1, snapshot.Prices{GPUHour: 3}), math.NaN()},
	} {
		if c.got.OK() == math.IsNaN(c.want) || c.got.OK() && math.Abs(c.got.V-c.want) > 1e-9 {
			t.Errorf("%s: %+v, want %v", name, c.got, c.want)
		}
	}
}
