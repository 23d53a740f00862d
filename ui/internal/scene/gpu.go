// This file is accelerators and servers in many states.

package scene

import (
	"errors"
	"math"
	"time"

	"tokdyno/engine/advice"
	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// Observed is a run whose accelerators and server tell everything.
func Observed() *snapshot.Snapshot {
	s := Staged(8, 16, 32)
	s.GPU = &gpu.Reading{Source: "nvml", Devices: []gpu.Device{H200(0)}}
	s.Simulated = false
	metrics := server.Metrics{
		Kind: server.VLLM, At: Still(), Engines: 1,
		Running: optional.Of(32), Waiting: optional.Of(3), KVUsage: optional.Of(0.61), HitRate: optional.NA("not on the server's page"),
	}
	s.Server = &server.Reading{At: Still(), Metrics: metrics}
	for i := range s.Stages {
		row := &s.Stages[i]
		c := float64(row.Knobs.Load.Concurrency)
		load := 1 - math.Exp(-c/14)
		for j := range s.GPU.Devices {
			d := &s.GPU.Devices[j]
			row.Telemetry.GPUs = append(row.Telemetry.GPUs, gpu.Total{
				UUID: d.UUID, Name: d.Name, MemPeakMiB: optional.Of(90_000 + 15_000*load), UtilMean: optional.Of(99), SMActiveMean: optional.Of(100 * load),
				PowerMeanW: optional.Of(300 + 340*load), EnergyJ: optional.Of(18 * (300 + 340*load)),
			})
		}
		row.Telemetry.Span = 18 * time.Second
		row.Telemetry.Server = &server.Summary{
			Kind: server.VLLM, Readings: 18,
			RunningMean: optional.Of(c - 0.4), RunningMax: optional.Of(c), WaitingMean: optional.Of(c / 20), WaitingMax: optional.Of(c / 5),
			KVUsageMean: optional.Of(0.6 * load), KVUsageMax: optional.Of(0.7 * load),
			Window: server.Window{
				Over: 18 * time.Second, HitRate: optional.Of(0.012), Preemptions: optional.Of(0),
				GenerationTokensPerSecond: optional.Of(row.Summary.Throughput.Output * 0.99),
				TTFT:                      serverTimes(row.Summary.TTFT.Mean - MS(14)),
				QueueTime:                 serverTimes(MS(3 * c / 8)),
			},
		}
		output := row.Summary.Throughput.Output
		watts := 300 + 340*load
		row.Efficiency = snapshot.Efficiency{
			GPUs: 1, OutputPerGPU: optional.Of(output), TokensPerJoule: optional.Of(output / watts), OutputPerKW: optional.Of(1000 * output / watts),
			CostPerMillion: optional.NA("no price is given"),
		}
	}
	for i := range s.History {
		p := &s.History[i]
		s.ServerHistory = append(s.ServerHistory, snapshot.ServerPoint{
			At: p.At, Running: float64(p.InFlight - p.Waiting), Waiting: float64(p.Waiting), KVUsage: 0.02 * float64(p.InFlight),
		})
	}
	s.Advice = []advice.Advice{
		{
			Rule: "gpu-limit", Sentence: "the GPU is the limit: more load only adds queue; stay at c=24 or add GPUs",
			Evidence: "SM 92 %, 3,914 tok/s at c=32, 3,880 at c=24 already",
		},
		{
			Rule: "prefix", Sentence: "the prefix cache is being measured: prompts have more in common than was asked for",
			Evidence: "hit rate 1.2 %, no overlap asked",
		},
	}
	return s
}

func serverTimes(mean time.Duration) server.Latency {
	m := mean.Seconds()
	return server.Latency{
		N: 300, Mean: optional.Of(m), P50: optional.Of(0.9 * m), P90: optional.Of(1.3 * m), P95: optional.Of(1.4 * m),
		P99: optional.NA("above the server's last bucket"),
	}
}

// H200 is an accelerator that tells everything, at its power limit.
func H200(index int) gpu.Device {
	return gpu.Device{
		Index: index, UUID: "GPU-0000-" + string(rune('0'+index%10)) + string(rune('0'+index/10)), Name: "NVIDIA H200",
		MemUsedMiB: optional.Of(102_707 - 500*float64(index)), MemTotalMiB: optional.Of(143_771), MemReservedMiB: optional.Of(612),
		UtilPercent: optional.Of(99), MemCopyUtil: optional.Of(44), SMActive: optional.Of(92 - float64(index)), SMOccupancy: optional.Of(31),
		TensorActive: optional.Of(38), DRAMActive: optional.Of(61),
		PowerW: optional.Of(688), PowerLimitW: optional.Of(700), EnergyJ: optional.Of(1e6), TempC: optional.Of(64),
		SMClockMHz: optional.Of(1755), SMClockMaxMHz: optional.Of(1980), MemClockMHz: optional.Of(3201),
		ClockReasons: gpu.ClockReasonsKnown | gpu.ClockPowerCap,
		PCIeTXMiBs:   optional.Of(12), PCIeRXMiBs: optional.Of(340), NVLinkTXMiBs: optional.NA("not supported"), NVLinkRXMiBs: optional.NA("not supported"),
		XID: optional.Of(0),
		Processes: &gpu.Processes{At: Still(), List: []gpu.Process{
			{PID: 911, Name: "Xorg", MemUsedMiB: optional.Of(310)},
			{PID: 41_231, Name: "VLLM::EngineCore", MemUsedMiB: optional.Of(101_800)},
		}},
	}
}

// Machine is a host with n accelerators.
func Machine(n int) func() *snapshot.Snapshot {
	return func() *snapshot.Snapshot {
		s := Observed()
		s.GPU.Devices = nil
		for i := range n {
			s.GPU.Devices = append(s.GPU.Devices, H200(i))
		}
		return s
	}
}

// Troubled is eight accelerators of which one was lost, one is old news, and none tells of its SMs; its source and its
// server have fallen silent.
func Troubled() *snapshot.Snapshot {
	s := Machine(8)()
	for i := range s.GPU.Devices {
		s.GPU.Devices[i].SMActive, s.GPU.Devices[i].SMOccupancy = optional.NA(gpu.ReasonPermission), optional.NA(gpu.ReasonPermission)
	}
	last := s.GPU.Devices[5]
	gone := optional.NA(optional.ReasonLost)
	s.GPU.Devices[5] = gpu.Device{
		Index: 5, UUID: last.UUID, Name: last.Name, Lost: true, Last: &last,
		MemUsedMiB: gone, MemTotalMiB: gone, UtilPercent: gone, SMActive: gone, PowerW: gone, TempC: gone,
	}
	s.GPU.Devices[6].Age, s.GPU.Devices[6].Note = 30*time.Second, "30 s old: set DCGM_EXPORTER_INTERVAL=1000"
	s.GPU.Devices[7].Restarted = true
	s.GPU.Stale = 4 * time.Second
	for i := range s.GPUHistory {
		s.GPUHistory[i].SMActivePercent = math.NaN()
	}
	s.Server.At, s.Server.Err = Still().Add(7*time.Second), errors.New("the server's metrics page does not answer:\n timeout")
	return s
}

// Divided is a GPU in two MIG instances beside a whole one.
func Divided() *snapshot.Snapshot {
	s := Machine(2)()
	whole := &s.GPU.Devices[0]
	whole.SMActive, whole.UtilPercent, whole.SMOccupancy, whole.TensorActive, whole.DRAMActive = optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG)
	for i, slice := range []string{"1/0", "2/0"} {
		d := H200(0)
		d.UUID, d.Parent, d.Instance, d.Name = "MIG-"+slice, whole.UUID, slice, "NVIDIA H200 MIG 3g.71gb"
		d.MemUsedMiB, d.MemTotalMiB = optional.Of(40_000+10_000*float64(i)), optional.Of(71_000)
		d.PowerW, d.PowerLimitW, d.UtilPercent = optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG)
		d.Processes = nil
		s.GPU.Devices = append(s.GPU.Devices, d)
	}
	return s
}

// Elsewhere is a remote endpoint, whose server gives no metrics; the accelerator is this machine's.
func Elsewhere() *snapshot.Snapshot {
	s := Observed()
	s.GPUElsewhere = true
	s.Server = &server.Reading{At: Still(), Err: errors.New("llama.cpp gives no metrics: start llama-server with --metrics")}
	s.ServerHistory, s.Advice = nil, nil
	for i := range s.Stages {
		none := optional.NA("no GPU is read behind the endpoint")
		s.Stages[i].Telemetry.Server = nil
		s.Stages[i].Efficiency = snapshot.Efficiency{OutputPerGPU: none, TokensPerJoule: none, OutputPerKW: none, CostPerMillion: optional.NA("no price is given")}
	}
	return s
}

// Speculating is a server that drafts three tokens a step.
func Speculating() *snapshot.Snapshot {
	s := Observed()
	now := &s.Stages[len(s.Stages)-1].Telemetry.Server.Window.Speculation
	*now = server.Speculation{
		Drafts: optional.Of(5200), Drafted: optional.Of(15_600), Accepted: optional.Of(10_100), Rate: optional.Of(0.647), Length: optional.Of(2.94),
		Positions: []float64{0.81, 0.63, 0.5},
	}
	s.Speculation = *now
	s.Speculation.Rate, s.Speculation.Length = optional.Of(0.48), optional.Of(2.44)
	s.Live.TokensPerChunk = 2.96
	return s
}

// Halved is a run on two servers, of which one's metrics are read.
func Halved() *snapshot.Snapshot {
	s := Observed()
	s.Endpoints = make([]snapshot.EndpointLine, 2)
	s.Server.Metrics.URL = "http://gpu-7:8000/metrics"
	return s
}

// Unseen is a run without any source; Ollama tells of its models.
func Unseen() *snapshot.Snapshot {
	s := Elsewhere()
	s.GPU, s.GPUHistory, s.GPUElsewhere, s.GPUNote = nil, nil, false, "no NVIDIA driver here"
	none := optional.NA("Ollama does not tell")
	s.Server = &server.Reading{At: Still(), Metrics: server.Metrics{
		Kind: server.Ollama, At: Still(), Running: none, Waiting: none, KVUsage: none, HitRate: none,
		Loaded: []server.LoadedModel{{Name: "llama3.1:8b", VRAMBytes: optional.Of(6 << 30), ContextTokens: optional.Of(8192)}},
	}}
	return s
}
