// This file holds the structs that cross into C, laid out as in nvml.h on 64-bit systems. Pointers that C writes are
// uintptr, so that the garbage collector never follows one.

package nvml

// memoryV1 is nvmlMemory_t, 24 bytes.
type memoryV1 struct{ total, free, used uint64 }

// memoryV2 is nvmlMemory_v2_t, 40 bytes. Its used does not contain reserved.
type memoryV2 struct {
	version  uint32
	_        uint32
	total    uint64
	reserved uint64
	free     uint64
	used     uint64
}

// memoryVersion2 is nvmlMemory_v2: the struct's size, and its version in the top byte.
const memoryVersion2 = 40 | 2<<24

// Utilization is nvmlUtilization_t, 8 bytes: percent of a sample period of 1/6 to 1 s.
type Utilization struct {
	GPU    uint32 // in which any kernel ran
	Memory uint32 // in which device memory was read or written: not how full it is
}

// Process is nvmlProcessInfo_v2_t, 24 bytes, as both _v2 and _v3 of the function fill it in.
type Process struct {
	PID             uint32
	_               uint32
	UsedBytes       uint64 // NotAvailable: not told
	GPUInstance     uint32 // 0xFFFFFFFF: no MIG
	ComputeInstance uint32 // 0xFFFFFFFF: no MIG
}

// NotAvailable is NVML_VALUE_NOT_AVAILABLE in a 64-bit field.
const NotAvailable = ^uint64(0)

// Clock is nvmlClockType_t.
type Clock uint32

// The clocks asked for.
const (
	ClockSM     Clock = 1
	ClockMemory Clock = 2
)

// temperatureGPU is NVML_TEMPERATURE_GPU, the sensor on the die.
const temperatureGPU = 0

// gpmSupport is nvmlGpmSupport_t, 8 bytes.
type gpmSupport struct {
	version   uint32 // NVML_GPM_SUPPORT_VERSION
	supported uint32
}

const gpmSupportVersion = 1

// Metric identifies a figure of GPU performance monitoring; nvmlGpmMetricId_t.
type Metric uint32

// The figures asked for.
const (
	MetricSMUtil        Metric = 2  // percent of multiprocessors that were busy
	MetricSMOccupancy   Metric = 3  // warps active, percent of the most possible
	MetricAnyTensorUtil Metric = 5  // percent of time in which tensor operations of any kind were done
	MetricDRAMBandwidth Metric = 10 // percent of the most possible
	MetricPCIeTX        Metric = 20 // MiB per second, from the GPU
	MetricPCIeRX        Metric = 21 // to the GPU
	MetricNVLinkRX      Metric = 60 // over all links
	MetricNVLinkTX      Metric = 61
)

// metric is nvmlGpmMetric_t, 40 bytes.
type metric struct {
	id     Metric
	result Return
	value  float64
	_      [3]uintptr // short name, long name, unit; char pointers into the library
}

// metricsRoom is NVML_GPM_METRIC_MAX of the newest header; older ones have less, and no library touches more than asked.
const metricsRoom = 477

// metricsVersion is NVML_GPM_METRICS_GET_VERSION.
const metricsVersion = 1

// Metrics is nvmlGpmMetricsGet_v1_t, a header of 24 bytes and room for every metric there is. It is large, and used
// again for every question.
type Metrics struct {
	version uint32
	n       uint32
	from    Sample
	to      Sample
	metrics [metricsRoom]metric
}
