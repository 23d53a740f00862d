// This file is the library: how it is opened, and what it says of itself.

package nvml

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
)

// ErrNotInBuild says that this build cannot load the library: another system, another processor, or the tag nonvml.
var ErrNotInBuild = errors.New("this build has no NVML")

// LoadError says that the library was found nowhere, or could not be loaded where it was.
type LoadError struct {
	Tried []Attempt // in the order of trying
}

// Attempt is one path at which the library was looked for.
type Attempt struct {
	Path string
	Err  error // fs.ErrNotExist, wrapped, if nothing is there
}

// Error names the first path at which something was found but not loaded; else the first path.
func (e *LoadError) Error() string {
	at := e.Tried[0]
	for _, a := range e.Tried {
		if !errors.Is(a.Err, fs.ErrNotExist) {
			at = a
			break
		}
	}
	return fmt.Sprintf("cannot load %s: %v", at.Path, at.Err)
}

// Missing reports whether nothing was found at any path.
func (e *LoadError) Missing() bool {
	for _, a := range e.Tried {
		if !errors.Is(a.Err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// Device is a GPU or a MIG instance; nvmlDevice_t, a pointer that only the library reads.
type Device uintptr

// Sample is a buffer for counters of GPU performance monitoring; nvmlGpmSample_t, a pointer that only the library reads.
type Sample uintptr

// Library is the loaded library.
type Library struct {
	Path string // where it was found
	calls
	missing []any // the fields of calls whose function the driver lacks
}

// lack stands in for a function that the driver lacks: a pointer to its field of calls.
func (l *Library) lack(call any) {
	l.missing = append(l.missing, call)
	function := reflect.ValueOf(call).Elem()
	function.Set(reflect.MakeFunc(function.Type(), func([]reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(FunctionNotFound)}
	}))
}

// lacks reports whether the driver lacks it.
func (l *Library) lacks(call any) bool { return slices.Contains(l.missing, call) }

// calls are the library's functions; one that the driver lacks returns FunctionNotFound. C's unsigned int is uint32 on every
// system here.
type calls struct {
	init            func() Return
	shutdown        func() Return
	processName     func(pid uint32, text *byte, length uint32) Return
	count           func(n *uint32) Return
	byIndex         func(i uint32, d *Device) Return
	name            func(d Device, text *byte, length uint32) Return
	uuid            func(d Device, text *byte, length uint32) Return
	memory          func(d Device, m *memoryV1) Return
	memory2         func(d Device, m *memoryV2) Return
	utilization     func(d Device, u *Utilization) Return
	power           func(d Device, milliwatts *uint32) Return
	powerLimit      func(d Device, milliwatts *uint32) Return
	energy          func(d Device, millijoules *uint64) Return
	temperature     func(d Device, sensor uint32, celsius *uint32) Return
	clock           func(d Device, clock Clock, megahertz *uint32) Return
	maxClock        func(d Device, clock Clock, megahertz *uint32) Return
	clockReasons    func(d Device, set *uint64) Return
	processes       func(d Device, n *uint32, list *Process) Return
	migMode         func(d Device, now, pending *uint32) Return
	migMax          func(d Device, n *uint32) Return
	migByIndex      func(d Device, i uint32, instance *Device) Return
	gpuInstance     func(d Device, id *uint32) Return
	computeInstance func(d Device, id *uint32) Return
	gpmSupport      func(d Device, s *gpmSupport) Return
	gpmAlloc        func(s *Sample) Return
	gpmFree         func(s Sample) Return
	gpmSample       func(d Device, s Sample) Return
	gpmMIGSample    func(d Device, gpuInstance uint32, s Sample) Return
	gpmMetrics      func(m *Metrics) Return
}

// symbol is a function of the library: a pointer to its field of calls, and its names, the newest first. Names of one
// function take the same arguments.
type symbol struct {
	call  any
	names []string
}

func (c *calls) symbols() []symbol {
	one := func(call any, names ...string) symbol { return symbol{call, names} }
	return []symbol{
		one(&c.init, "nvmlInit_v2", "nvmlInit"),
		one(&c.shutdown, "nvmlShutdown"),
		one(&c.processName, "nvmlSystemGetProcessName"),
		one(&c.count, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"),
		one(&c.byIndex, "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"),
		one(&c.name, "nvmlDeviceGetName"),
		one(&c.uuid, "nvmlDeviceGetUUID"),
		one(&c.memory, "nvmlDeviceGetMemoryInfo"),
		one(&c.memory2, "nvmlDeviceGetMemoryInfo_v2"),
		one(&c.utilization, "nvmlDeviceGetUtilizationRates"),
		one(&c.power, "nvmlDeviceGetPowerUsage"),
		one(&c.powerLimit, "nvmlDeviceGetEnforcedPowerLimit"),
		one(&c.energy, "nvmlDeviceGetTotalEnergyConsumption"),
		one(&c.temperature, "nvmlDeviceGetTemperature"),
		one(&c.clock, "nvmlDeviceGetClockInfo"),
		one(&c.maxClock, "nvmlDeviceGetMaxClockInfo"),
		one(&c.clockReasons, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"),
		one(&c.processes, "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"),
		one(&c.migMode, "nvmlDeviceGetMigMode"),
		one(&c.migMax, "nvmlDeviceGetMaxMigDeviceCount"),
		one(&c.migByIndex, "nvmlDeviceGetMigDeviceHandleByIndex"),
		one(&c.gpuInstance, "nvmlDeviceGetGpuInstanceId"),
		one(&c.computeInstance, "nvmlDeviceGetComputeInstanceId"),
		one(&c.gpmSupport, "nvmlGpmQueryDeviceSupport"),
		one(&c.gpmAlloc, "nvmlGpmSampleAlloc"),
		one(&c.gpmFree, "nvmlGpmSampleFree"),
		one(&c.gpmSample, "nvmlGpmSampleGet"),
		one(&c.gpmMIGSample, "nvmlGpmMigSampleGet"),
		one(&c.gpmMetrics, "nvmlGpmMetricsGet"),
	}
}

// text calls a function that writes a string into a buffer.
func text(call func(buffer *byte, length uint32) Return) (string, Return) {
	var buffer [96]byte // NVML_DEVICE_NAME_V2_BUFFER_SIZE, NVML_DEVICE_UUID_V2_BUFFER_SIZE; the longest of those asked for
	r := call(&buffer[0], uint32(len(buffer)))
	if r != Success {
		return "", r
	}
	s, _, _ := bytes.Cut(buffer[:], []byte{0})
	return strings.ToValidUTF8(string(s), "\uFFFD"), Success
}

// number calls a function that writes one number.
func number[T any](call func(n *T) Return) (T, Return) {
	var n T
	r := call(&n)
	return n, r
}
