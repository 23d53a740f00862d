package nvml

import (
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// The figures are those of nvml.h, compiled for x86-64 and AArch64, where they are the same.
func TestStructsAreLaidOutAsInC(t *testing.T) {
	var (
		v1   memoryV1
		v2   memoryV2
		u    Utilization
		p    Process
		s    gpmSupport
		one  metric
		many Metrics
	)
	for _, c := range []struct {
		what      string
		got, want uintptr
	}{
		{"sizeof nvmlMemory_t", unsafe.Sizeof(v1), 24},
		{"nvmlMemory_t.free", unsafe.Offsetof(v1.free), 8},
		{"nvmlMemory_t.used", unsafe.Offsetof(v1.used), 16},
		{"sizeof nvmlMemory_v2_t", unsafe.Sizeof(v2), 40},
		{"nvmlMemory_v2_t.total", unsafe.Offsetof(v2.total), 8},
		{"nvmlMemory_v2_t.reserved", unsafe.Offsetof(v2.reserved), 16},
		{"nvmlMemory_v2_t.free", unsafe.Offsetof(v2.free), 24},
		{"nvmlMemory_v2_t.used", unsafe.Offsetof(v2.used), 32},
		{"nvmlMemory_v2", memoryVersion2, 0x02000028},
		{"sizeof nvmlUtilization_t", unsafe.Sizeof(u), 8},
		{"nvmlUtilization_t.memory", unsafe.Offsetof(u.Memory), 4},
		{"sizeof nvmlProcessInfo_v2_t", unsafe.Sizeof(p), 24},
		{"nvmlProcessInfo_v2_t.usedGpuMemory", unsafe.Offsetof(p.UsedBytes), 8},
		{"nvmlProcessInfo_v2_t.gpuInstanceId", unsafe.Offsetof(p.GPUInstance), 16},
		{"nvmlProcessInfo_v2_t.computeInstanceId", unsafe.Offsetof(p.ComputeInstance), 20},
		{"sizeof nvmlGpmSupport_t", unsafe.Sizeof(s), 8},
		{"sizeof nvmlGpmMetric_t", unsafe.Sizeof(one), 40},
		{"nvmlGpmMetric_t.nvmlReturn", unsafe.Offsetof(one.result), 4},
		{"nvmlGpmMetric_t.value", unsafe.Offsetof(one.value), 8},
		{"nvmlGpmMetricsGet_t.numMetrics", unsafe.Offsetof(many.n), 4},
		{"nvmlGpmMetricsGet_t.sample1", unsafe.Offsetof(many.from), 8},
		{"nvmlGpmMetricsGet_t.sample2", unsafe.Offsetof(many.to), 16},
		{"nvmlGpmMetricsGet_t.metrics", unsafe.Offsetof(many.metrics), 24},
		{"sizeof nvmlGpmMetricsGet_t", unsafe.Sizeof(many), 24 + 40*477},
	} {
		if c.got != c.want {
			t.Errorf("%s is %d here, %d in C", c.what, c.got, c.want)
		}
	}
}

func TestEveryFunctionHasItsOwnPlaceAndName(t *testing.T) {
	var c calls
	var places []any
	var names []string
	for _, s := range c.symbols() {
		if slices.Contains(places, s.call) {
			t.Errorf("%s: its place is another's too", s.names[0])
		}
		places = append(places, s.call)
		for _, n := range s.names {
			if !strings.HasPrefix(n, "nvml") || slices.Contains(names, n) {
				t.Errorf("%q is no name, or another function's too", n)
			}
			names = append(names, n)
		}
	}
	if size := unsafe.Sizeof(c) / unsafe.Sizeof(uintptr(0)); int(size) != len(places) {
		t.Errorf("%d functions are looked up, of %d", len(places), size)
	}
}

func TestALibraryWithoutFunctionsAnswersSo(t *testing.T) {
	l := new(Library)
	for _, s := range l.symbols() {
		l.lack(s.call)
	}
	answers := map[string]Return{"Init": l.Init(), "Shutdown": l.Shutdown()}
	note := func(what string, r Return) { answers[what] = r }
	_, r := l.Count()
	note("Count", r)
	_, r = l.ByIndex(0)
	note("ByIndex", r)
	_, r = l.Name(0)
	note("Name", r)
	_, r = l.UUID(0)
	note("UUID", r)
	_, r = l.ProcessName(1)
	note("ProcessName", r)
	_, r = l.Memory(0)
	note("Memory", r)
	_, r = l.Utilization(0)
	note("Utilization", r)
	_, r = l.Power(0)
	note("Power", r)
	_, r = l.Temperature(0)
	note("Temperature", r)
	_, r = l.Clock(0, ClockSM)
	note("Clock", r)
	_, r = l.Processes(0)
	note("Processes", r)
	_, r = l.MIG(0)
	note("MIG", r)
	_, r = l.MIGRoom(0)
	note("MIGRoom", r)
	_, r = l.MIGByIndex(0, 0)
	note("MIGByIndex", r)
	_, r = l.GPMSupported(0)
	note("GPMSupported", r)
	_, r = l.NewSample()
	note("NewSample", r)
	note("FreeSample", l.FreeSample(0))
	note("TakeSample", l.TakeSample(0, 0))
	note("TakeMIGSample", l.TakeMIGSample(0, 0, 0))
	note("Measure", l.Measure(new(Metrics), 0, 0, MetricSMUtil))
	for what, r := range answers {
		if r != FunctionNotFound {
			t.Errorf("%s: %v", what, r)
		}
	}
	if l.HasGPM() {
		t.Error("it says that it can monitor")
	}
}
