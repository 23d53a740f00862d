// This file asks the library about the system and its devices.

package nvml

// Init begins; every call but it answers Uninitialized before. Shutdown is its counterpart.
func (l *Library) Init() Return { return l.init() }

// Shutdown ends what Init began. The library stays loaded.
func (l *Library) Shutdown() Return { return l.shutdown() }

// ProcessName returns the program of a process, as it was started.
func (l *Library) ProcessName(pid uint32) (string, Return) {
	return text(func(b *byte, n uint32) Return { return l.processName(pid, b, n) })
}

// Count returns the number of GPUs, those that cannot be used included.
func (l *Library) Count() (int, Return) {
	n, r := number(l.count)
	return int(n), r
}

// ByIndex returns a GPU. One may answer NoPermission or GPUIsLost while the others are fine.
func (l *Library) ByIndex(i int) (Device, Return) {
	return number(func(d *Device) Return { return l.byIndex(uint32(i), d) })
}

// Name returns the product's name.
func (l *Library) Name(d Device) (string, Return) {
	return text(func(b *byte, n uint32) Return { return l.name(d, b, n) })
}

// UUID returns the device's identity, "GPU-…" or "MIG-…".
func (l *Library) UUID(d Device) (string, Return) {
	return text(func(b *byte, n uint32) Return { return l.uuid(d, b, n) })
}

// Memory is how a device's memory is used, in bytes.
type Memory struct {
	Total, Used uint64
	Reserved    uint64 // by driver and firmware; in Used too where HasReserved is false
	HasReserved bool
}

// Memory asks in the newest form that the driver knows.
func (l *Library) Memory(d Device) (Memory, Return) {
	m2 := memoryV2{version: memoryVersion2}
	switch r := l.memory2(d, &m2); r {
	case Success:
		return Memory{m2.total, m2.used, m2.reserved, true}, Success
	case FunctionNotFound, ArgumentVersion:
	default:
		return Memory{}, r
	}
	m, r := number(func(m *memoryV1) Return { return l.memory(d, m) })
	return Memory{Total: m.total, Used: m.used}, r
}

// Utilization returns how much of the last sample period GPU and memory were busy.
func (l *Library) Utilization(d Device) (Utilization, Return) {
	return number(func(u *Utilization) Return { return l.utilization(d, u) })
}

// Power returns what is drawn, in milliwatts.
func (l *Library) Power(d Device) (uint32, Return) { return ask(l.power, d) }

// PowerLimit returns the limit in force, in milliwatts.
func (l *Library) PowerLimit(d Device) (uint32, Return) { return ask(l.powerLimit, d) }

// Energy returns what was used since the driver was loaded, in millijoules.
func (l *Library) Energy(d Device) (uint64, Return) { return ask(l.energy, d) }

// ClockReasons returns why clocks are not higher, as bits.
func (l *Library) ClockReasons(d Device) (uint64, Return) { return ask(l.clockReasons, d) }

// ask calls a function that writes one number about a device.
func ask[T any](call func(Device, *T) Return, d Device) (T, Return) {
	return number(func(n *T) Return { return call(d, n) })
}

// Temperature returns the die's temperature in degrees Celsius.
func (l *Library) Temperature(d Device) (uint32, Return) {
	return number(func(n *uint32) Return { return l.temperature(d, temperatureGPU, n) })
}

// Clock returns a clock's frequency in MHz.
func (l *Library) Clock(d Device, c Clock) (uint32, Return) { return askClock(l.clock, d, c) }

// MaxClock returns a clock's highest frequency in MHz.
func (l *Library) MaxClock(d Device, c Clock) (uint32, Return) { return askClock(l.maxClock, d, c) }

func askClock(call func(Device, Clock, *uint32) Return, d Device, c Clock) (uint32, Return) {
	return number(func(n *uint32) Return { return call(d, c, n) })
}

// Processes returns the processes that compute on a device.
func (l *Library) Processes(d Device) ([]Process, Return) {
	list := make([]Process, 32)
	for try := 0; ; try++ { // processes may start between two tries
		n := uint32(len(list))
		r := l.processes(d, &n, &list[0])
		if r == InsufficientSize && try < 3 {
			list = make([]Process, 2*max(int(n), len(list)))
			continue
		}
		if r != Success {
			return nil, r
		}
		return list[:min(int(n), len(list))], Success
	}
}

// MIG reports whether a GPU is divided into instances.
func (l *Library) MIG(d Device) (bool, Return) {
	var now, pending uint32
	r := l.migMode(d, &now, &pending)
	return now == 1, r // NVML_DEVICE_MIG_ENABLE
}

// MIGRoom returns how many instances a GPU may have.
func (l *Library) MIGRoom(d Device) (int, Return) {
	n, r := ask(l.migMax, d)
	return int(n), r
}

// MIGByIndex returns an instance, or NotFound where the index is a hole: others may follow.
func (l *Library) MIGByIndex(d Device, i int) (Device, Return) {
	return number(func(instance *Device) Return { return l.migByIndex(d, uint32(i), instance) })
}

// GPUInstance returns the number of the GPU instance that a MIG instance is in.
func (l *Library) GPUInstance(d Device) (uint32, Return) { return ask(l.gpuInstance, d) }

// ComputeInstance returns the number of a MIG instance within its GPU instance.
func (l *Library) ComputeInstance(d Device) (uint32, Return) { return ask(l.computeInstance, d) }
