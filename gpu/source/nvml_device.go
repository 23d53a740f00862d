// This file reads one NVIDIA GPU and the MIG instances that it is divided into.

package source

import (
	"fmt"
	"strings"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/nvml"
	"tokdyno/gpu/optional"
)

const mib = 1 << 20

// nvmlGPU is a GPU, and what has to be known of it from one reading to the next.
type nvmlGPU struct {
	index      int
	handle     nvml.Device
	identity   gpu.Device // its names; UUID "" until it was met
	meter      gpmMeter
	divided    bool // by MIG
	instances  []*nvmlInstance
	processes  *gpu.Processes
	seldomRead time.Time   // when processes and instances were last asked for
	last       *gpu.Device // what it showed when it was last well
}

// nvmlInstance is a MIG instance.
type nvmlInstance struct {
	handle      nvml.Device
	identity    gpu.Device
	gpuInstance uint32
	meter       gpmMeter
}

// read appends the GPU and its instances as they are now. uninitialised says that the driver went away.
func (g *nvmlGPU) read(s *nvmlSource, now time.Time, to []gpu.Device) (_ []gpu.Device, uninitialised bool) {
	var q question
	if g.identity.UUID == "" {
		if r := g.meet(s.lib); r != nvml.Success {
			q.note(r)
			d := gpu.Device{Index: g.index, Name: fmt.Sprintf("GPU %d", g.index)}
			if q.lost {
				return append(to, lost(d, nil)), false
			}
			return append(to, withdrawn(d, because(r))), q.uninitialised
		}
	}
	if g.seldomRead.IsZero() || now.Sub(g.seldomRead) >= seldom {
		g.seldomRead = now
		g.readInstances(s.lib, &q)
		g.processes = readProcesses(s.lib, g.handle, now, &q)
	}
	d := g.identity
	if !q.lost {
		g.readMemory(s.lib, &d, now, &q)
	}
	if !q.lost {
		g.readGauges(s.lib, &d, &q)
		g.readActivity(s, &d, now, &q)
	}
	if q.uninitialised {
		*g = nvmlGPU{index: g.index}
		return to, true
	}
	if q.lost {
		g.meter.forget()
		to = append(to, lost(g.identity, g.last))
		for _, i := range g.instances {
			to = append(to, lost(i.identity, nil))
		}
		return to, false
	}
	g.last = &d
	to = append(to, d)
	for _, i := range g.instances {
		to = append(to, i.read(s, g, now))
	}
	return to, false
}

// meet finds out who the GPU is.
func (g *nvmlGPU) meet(lib *nvml.Library) nvml.Return {
	handle, r := lib.ByIndex(g.index)
	if r != nvml.Success {
		return r
	}
	uuid, r := lib.UUID(handle)
	if r != nvml.Success {
		return r
	}
	g.handle = handle
	g.identity = gpu.Device{Index: g.index, UUID: uuid, Name: fmt.Sprintf("GPU %d", g.index)}
	if name, r := lib.Name(handle); r == nvml.Success {
		g.identity.Name = name
	}
	return nvml.Success
}

// readInstances finds out whether the GPU is divided, and into what. An instance that was there before keeps its samples.
func (g *nvmlGPU) readInstances(lib *nvml.Library, q *question) {
	divided, r := lib.MIG(g.handle)
	q.note(r)
	before := g.instances
	g.divided, g.instances = divided && r == nvml.Success, nil
	room := 0
	if g.divided {
		room, _ = lib.MIGRoom(g.handle)
	}
	for i := range room {
		handle, r := lib.MIGByIndex(g.handle, i)
		q.note(r)
		if r != nvml.Success {
			continue // NotFound: a hole
		}
		uuid, r := lib.UUID(handle)
		if r != nvml.Success {
			continue
		}
		g.instances = append(g.instances, g.instance(lib, handle, uuid, before))
	}
	for _, old := range before {
		if old.handle != 0 {
			old.meter.free(lib)
		}
	}
}

// instance is the instance with that UUID: one of those before, moved, or a new one.
func (g *nvmlGPU) instance(lib *nvml.Library, handle nvml.Device, uuid string, before []*nvmlInstance) *nvmlInstance {
	for _, old := range before {
		if old.identity.UUID == uuid {
			kept := *old
			kept.handle = handle
			*old = nvmlInstance{}
			return &kept
		}
	}
	i := &nvmlInstance{handle: handle}
	i.identity = gpu.Device{Index: g.index, UUID: uuid, Parent: g.identity.UUID, Name: g.identity.Name + " MIG"}
	if name, r := lib.Name(handle); r == nvml.Success {
		i.identity.Name = name
	}
	i.gpuInstance, _ = lib.GPUInstance(handle)
	compute, _ := lib.ComputeInstance(handle)
	i.identity.Instance = fmt.Sprintf("%d/%d", i.gpuInstance, compute)
	return i
}

// readMemory reads memory. A device that has none of its own uses the host's: then what its processes hold is all that is
// known.
func (g *nvmlGPU) readMemory(lib *nvml.Library, d *gpu.Device, now time.Time, q *question) {
	memory, r := lib.Memory(g.handle)
	if r == nvml.NotSupported || r == nvml.Success && memory.Total == 0 {
		d.Unified, d.Note = true, gpu.TextUnified
		d.MemTotalMiB, d.MemReservedMiB = optional.NA(gpu.ReasonUnified), optional.NA(gpu.ReasonUnified)
		g.processes = readProcesses(lib, g.handle, now, q)
		d.MemUsedMiB = held(g.processes)
		d.Processes = g.processes
		return
	}
	q.note(r)
	d.Processes = g.processes
	setMemory(d, memory, r)
}

func setMemory(d *gpu.Device, m nvml.Memory, r nvml.Return) {
	if r != nvml.Success {
		unknown := optional.NA(because(r))
		d.MemUsedMiB, d.MemTotalMiB, d.MemReservedMiB = unknown, unknown, unknown
		return
	}
	d.MemUsedMiB, d.MemTotalMiB = optional.Of(float64(m.Used)/mib), optional.Of(float64(m.Total)/mib)
	d.MemReservedMiB = optional.NA(gpu.ReasonOldDriver)
	if m.HasReserved {
		d.MemReservedMiB = optional.Of(float64(m.Reserved) / mib)
	}
}

// readGauges reads power, heat and clocks, which a divided GPU has as a whole.
func (g *nvmlGPU) readGauges(lib *nvml.Library, d *gpu.Device, q *question) {
	const thousandth = 1e-3
	d.PowerW = answered[uint32](q, thousandth)(lib.Power(g.handle))
	d.PowerLimitW = answered[uint32](q, thousandth)(lib.PowerLimit(g.handle))
	d.EnergyJ = answered[uint64](q, thousandth)(lib.Energy(g.handle))
	d.TempC = answered[uint32](q, 1)(lib.Temperature(g.handle))
	d.SMClockMHz = answered[uint32](q, 1)(lib.Clock(g.handle, nvml.ClockSM))
	d.SMClockMaxMHz = answered[uint32](q, 1)(lib.MaxClock(g.handle, nvml.ClockSM))
	d.MemClockMHz = answered[uint32](q, 1)(lib.Clock(g.handle, nvml.ClockMemory))
	reasons, r := lib.ClockReasons(g.handle)
	if q.note(r); r == nvml.Success {
		d.ClockReasons = gpu.ClockReasons(reasons) | gpu.ClockReasonsKnown
	}
	d.XID = optional.NA(gpu.ReasonNotInSource)
	if !d.Unified {
		return
	}
	for _, v := range []*optional.Value{&d.PowerW, &d.PowerLimitW, &d.EnergyJ, &d.TempC, &d.SMClockMHz, &d.SMClockMaxMHz, &d.MemClockMHz} {
		if v.OK() && v.V == 0 {
			*v = optional.NA(gpu.ReasonSuspect)
		}
	}
}

// readActivity reads how busy the GPU is. Of a divided one only its instances know.
func (g *nvmlGPU) readActivity(s *nvmlSource, d *gpu.Device, now time.Time, q *question) {
	if g.divided {
		d.UtilPercent, d.MemCopyUtil = optional.NA(gpu.ReasonMIG), optional.NA(gpu.ReasonMIG)
		explain(d, gpu.ReasonMIG)
		return
	}
	utilization, r := s.lib.Utilization(g.handle)
	d.UtilPercent = answered[uint32](q, 1)(utilization.GPU, r)
	d.MemCopyUtil = answered[uint32](q, 1)(utilization.Memory, r)
	g.meter.read(s, d, now, q, g.handle, func(sample nvml.Sample) nvml.Return {
		return s.lib.TakeSample(g.handle, sample)
	})
}

// read reads an instance: memory and activity. The rest only the whole GPU has.
func (i *nvmlInstance) read(s *nvmlSource, g *nvmlGPU, now time.Time) gpu.Device {
	var q question
	d := i.identity
	memory, r := s.lib.Memory(i.handle)
	setMemory(&d, memory, r)
	i.meter.read(s, &d, now, &q, g.handle, func(sample nvml.Sample) nvml.Return {
		return s.lib.TakeMIGSample(g.handle, i.gpuInstance, sample)
	})
	explain(&d, gpu.ReasonMIG)
	return d
}

// readProcesses reads who computes on a device; nil if the driver does not tell.
func readProcesses(lib *nvml.Library, handle nvml.Device, now time.Time, q *question) *gpu.Processes {
	list, r := lib.Processes(handle)
	q.note(r)
	if r != nvml.Success {
		return nil
	}
	p := &gpu.Processes{At: now, List: make([]gpu.Process, 0, len(list))}
	for _, one := range list {
		process := gpu.Process{PID: int(one.PID), MemUsedMiB: optional.NA(gpu.ReasonNotSupported)}
		if one.UsedBytes != nvml.NotAvailable {
			process.MemUsedMiB = optional.Of(float64(one.UsedBytes) / mib)
		}
		if name, r := lib.ProcessName(one.PID); r == nvml.Success {
			process.Name = name[strings.LastIndexAny(name, `/\`)+1:]
		}
		p.List = append(p.List, process)
	}
	return p
}

// held is the memory that the processes hold; unknown if one of them does not say.
func held(p *gpu.Processes) optional.Value {
	if p == nil {
		return optional.NA(gpu.ReasonUnified)
	}
	total := 0.0
	for _, process := range p.List {
		if !process.MemUsedMiB.OK() {
			return optional.NA(gpu.ReasonUnified)
		}
		total += process.MemUsedMiB.V
	}
	return optional.Of(total)
}
