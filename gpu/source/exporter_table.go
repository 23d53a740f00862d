// This file says what exporters call things, and in which units.

package source

import (
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// exporter is a program that shows accelerators on a metrics page.
type exporter struct {
	name string // as shown

	// The labels that say which device a sample is of, and what that is called. Of each the first that is there counts.
	uuid, index, model, host []string

	partition []string // labels of a part that is a device of its own: its UUID or serial number is that of the whole
	tile      []string // labels of a part that is not: its samples stand beside those of the device
	profile   string   // a label that says which kind of part it is, of a MIG instance; "": there is none
	group     string   // a label of what is more than a device, such as a card; "": there is none

	metrics []exported
}

// exported is a metric.
type exported struct {
	value   func(*seen) *optional.Value
	unit    float64          // what one of the exporter's units is here
	names   []string         // the first that is on the page counts
	missing string           // why it may not be on the page; "": ReasonNotExported
	where   []promtext.Label // a sample that has such a label must have this value
}

// seen is a device as a page shows it, with what serves only to compute.
type seen struct {
	gpu.Device
	freeMiB  optional.Value
	number   optional.Value // its index, from an exporter that gives that as a metric
	reasons  optional.Value // clock reasons, as a number
	newestMS int64          // Unix time of its newest sample that says when it was taken; 0: none does

	id      identity
	samples map[string][]promtext.Sample // by name
}

// What exporters' units are here: percent, MiB, W, J, °C and MHz.
const (
	same       = 1.0
	share      = 100.0     // 0–1
	bytesEach  = 1.0 / mib // also per second
	thousandth = 1e-3      // mJ
	millionth  = 1e-6      // Hz, µJ
)

func memUsed(s *seen) *optional.Value      { return &s.MemUsedMiB }
func memTotal(s *seen) *optional.Value     { return &s.MemTotalMiB }
func memFree(s *seen) *optional.Value      { return &s.freeMiB }
func memReserved(s *seen) *optional.Value  { return &s.MemReservedMiB }
func utilization(s *seen) *optional.Value  { return &s.UtilPercent }
func memCopy(s *seen) *optional.Value      { return &s.MemCopyUtil }
func smActive(s *seen) *optional.Value     { return &s.SMActive }
func smOccupancy(s *seen) *optional.Value  { return &s.SMOccupancy }
func tensorActive(s *seen) *optional.Value { return &s.TensorActive }
func dramActive(s *seen) *optional.Value   { return &s.DRAMActive }
func power(s *seen) *optional.Value        { return &s.PowerW }
func powerLimit(s *seen) *optional.Value   { return &s.PowerLimitW }
func energy(s *seen) *optional.Value       { return &s.EnergyJ }
func temperature(s *seen) *optional.Value  { return &s.TempC }
func smClock(s *seen) *optional.Value      { return &s.SMClockMHz }
func smClockMax(s *seen) *optional.Value   { return &s.SMClockMaxMHz }
func memClock(s *seen) *optional.Value     { return &s.MemClockMHz }
func pcieTX(s *seen) *optional.Value       { return &s.PCIeTXMiBs }
func pcieRX(s *seen) *optional.Value       { return &s.PCIeRXMiBs }
func nvlinkTX(s *seen) *optional.Value     { return &s.NVLinkTXMiBs }
func nvlinkRX(s *seen) *optional.Value     { return &s.NVLinkRXMiBs }
func xid(s *seen) *optional.Value          { return &s.XID }
func number(s *seen) *optional.Value       { return &s.number }
func clockReasons(s *seen) *optional.Value { return &s.reasons }

// exporters are all that are known.
func exporters() []exporter {
	one := func(value func(*seen) *optional.Value, unit float64, names ...string) exported {
		return exported{value: value, unit: unit, names: names}
	}
	return []exporter{
		dcgmExporter(),
		{
			name: "nvidia_gpu_exporter",
			uuid: []string{"uuid"}, model: []string{"name"}, host: []string{"hostname"},
			metrics: []exported{
				one(number, same, "nvidia_smi_index"),
				one(utilization, share, "nvidia_smi_utilization_gpu_ratio"),
				one(memCopy, share, "nvidia_smi_utilization_memory_ratio"),
				one(memUsed, bytesEach, "nvidia_smi_memory_used_bytes"),
				one(memTotal, bytesEach, "nvidia_smi_memory_total_bytes"),
				one(memReserved, bytesEach, "nvidia_smi_memory_reserved_bytes"),
				one(power, same, "nvidia_smi_power_draw_watts"),
				one(powerLimit, same, "nvidia_smi_enforced_power_limit_watts", "nvidia_smi_power_limit_watts"),
				one(temperature, same, "nvidia_smi_temperature_gpu"),
				one(smClock, millionth, "nvidia_smi_clocks_current_sm_clock_hz"),
				one(smClockMax, millionth, "nvidia_smi_clocks_max_sm_clock_hz"),
				one(memClock, millionth, "nvidia_smi_clocks_current_memory_clock_hz"),
			},
		},
		{
			name: "AMD device-metrics-exporter",
			uuid: []string{"gpu_uuid", "serial_number"}, index: []string{"gpu_id"},
			model: []string{"card_model", "card_series"}, host: []string{"hostname"}, partition: []string{"gpu_partition_id"},
			metrics: []exported{
				one(utilization, same, "gpu_gfx_activity", "amd_gpu_gfx_activity"),
				one(memCopy, same, "gpu_umc_activity", "amd_gpu_umc_activity"),
				one(memUsed, same, "gpu_used_vram", "amd_gpu_used_vram"), // its MB are MiB
				one(memTotal, same, "gpu_total_vram", "amd_gpu_total_vram"),
				one(power, same, "gpu_package_power", "amd_gpu_package_power"),                 // MI3xx
				one(power, same, "gpu_average_package_power", "amd_gpu_average_package_power"), // MI2xx
				one(power, same, "gpu_power_usage", "amd_gpu_power_usage"),
				one(energy, millionth, "gpu_energy_consumed", "amd_gpu_energy_consumed"),
				one(temperature, same, "gpu_junction_temperature", "amd_gpu_junction_temperature"), // MI3xx
				one(temperature, same, "gpu_edge_temperature", "amd_gpu_edge_temperature"),         // MI2xx
			},
		},
		{
			name: "all-smi",
			uuid: []string{"uuid", "gpu_uuid"}, index: []string{"index", "gpu_index"},
			model: []string{"gpu", "name"}, host: []string{"instance", "host"},
			metrics: []exported{
				one(utilization, same, "all_smi_gpu_utilization"),
				one(memUsed, bytesEach, "all_smi_gpu_memory_used_bytes"),
				one(memTotal, bytesEach, "all_smi_gpu_memory_total_bytes"),
				one(power, same, "all_smi_gpu_power_consumption_watts"),
				one(temperature, same, "all_smi_gpu_temperature_celsius"),
				one(smClock, same, "all_smi_gpu_frequency_mhz"),
				one(smOccupancy, share, "all_smi_gpu_sm_occupancy"),
			},
		},
		{
			name: "Intel XPUM",
			uuid: []string{"uuid"}, index: []string{"dev_id", "device_id"}, model: []string{"dev_name"}, host: []string{"node"},
			tile: []string{"sub_dev", "tile"}, group: "card",
			metrics: []exported{
				one(utilization, share, "xpum_engine_ratio"),
				one(smActive, share, "xpum_eu_active_ratio"),
				one(memUsed, bytesEach, "xpum_memory_used_bytes"),
				one(memTotal, bytesEach, "xpum_memory_total_bytes"),
				one(power, same, "xpum_power_watts"),
				one(energy, same, "xpum_energy_joules_total", "xpum_energy_joules"),
				{
					value: temperature, unit: same, names: []string{"xpum_temperature_celsius"},
					where: []promtext.Label{{Name: "location", Value: "gpu"}},
				},
				{ // beside the one requested, and those of its media engines
					value: smClock, unit: same, names: []string{"xpum_frequency_mhz"},
					where: []promtext.Label{{Name: "location", Value: "gpu"}, {Name: "type", Value: "actual"}},
				},
			},
		},
		{
			name: "Triton",
			uuid: []string{"gpu_uuid"},
			metrics: []exported{
				one(utilization, share, "nv_gpu_utilization"),
				one(memUsed, bytesEach, "nv_gpu_memory_used_bytes"),
				one(memTotal, bytesEach, "nv_gpu_memory_total_bytes"),
				one(power, same, "nv_gpu_power_usage"),
				one(powerLimit, same, "nv_gpu_power_limit"),
				one(energy, same, "nv_energy_consumption"),
			},
		},
	}
}

const dcgmName = "dcgm-exporter"

// dcgmExporter is NVIDIA's own. From 4.9 on, its names end in their unit; those are known by stem and unit, so that a figure
// in another unit than expected is not taken for something else.
func dcgmExporter() exporter {
	type units []struct {
		suffix string
		unit   float64
	}
	var (
		shares   = units{{"_RATIO", share}, {"_PERCENT", same}}
		memory   = units{{"_BYTES", bytesEach}}
		watts    = units{{"_WATTS", same}}
		joules   = units{{"_JOULES_TOTAL", same}, {"_JOULES", same}}
		celsius  = units{{"_CELSIUS", same}}
		hertz    = units{{"_HERTZ", millionth}, {"_MEGAHERTZ", same}}
		perSec   = units{{"_BYTES_PER_SECOND", bytesEach}}
		unitless = units{}
	)
	const dev, prof = "DCGM_FI_DEV_", "DCGM_FI_PROF_"
	e := exporter{
		name: dcgmName,
		uuid: []string{"UUID", "uuid"}, index: []string{"gpu"}, model: []string{"modelName", "model_name"},
		host: []string{"Hostname", "hostname"}, partition: []string{"GPU_I_ID"}, profile: "GPU_I_PROFILE",
	}
	for _, m := range []struct {
		value   func(*seen) *optional.Value
		old     string
		unit    float64 // of the old name
		stems   []string
		units   units
		missing string
	}{
		{memUsed, dev + "FB_USED", same, []string{dev + "FB_USED"}, memory, ""},
		{memFree, dev + "FB_FREE", same, []string{dev + "FB_FREE"}, memory, ""},
		{memReserved, dev + "FB_RESERVED", same, []string{dev + "FB_RESERVED"}, memory, ""},
		{memTotal, dev + "FB_TOTAL", same, []string{dev + "FB_CAPACITY", dev + "FB_TOTAL"}, memory, ""},
		{utilization, dev + "GPU_UTIL", same, []string{dev + "GPU_UTIL"}, shares, ""},
		{memCopy, dev + "MEM_COPY_UTIL", same, []string{dev + "MEM_COPY_UTIL"}, shares, ""},
		{smActive, prof + "SM_ACTIVE", share, []string{prof + "SM_UTIL", prof + "SM_ACTIVE"}, shares, gpu.ReasonOffByDefault},
		{smOccupancy, prof + "SM_OCCUPANCY", share, []string{prof + "SM_OCCUPANCY"}, shares, gpu.ReasonOffByDefault},
		{tensorActive, prof + "PIPE_TENSOR_ACTIVE", share, []string{prof + "TENSOR_UTIL", prof + "PIPE_TENSOR_ACTIVE"}, shares, ""},
		{dramActive, prof + "DRAM_ACTIVE", share, []string{prof + "DRAM_UTIL", prof + "DRAM_ACTIVE"}, shares, ""},
		{power, dev + "POWER_USAGE", same, []string{dev + "BOARD_POWER", dev + "POWER_USAGE"}, watts, ""},
		{powerLimit, dev + "ENFORCED_POWER_LIMIT", same, []string{dev + "ENFORCED_POWER_LIMIT"}, watts, ""},
		{powerLimit, dev + "POWER_MGMT_LIMIT", same, []string{dev + "POWER_MGMT_LIMIT"}, watts, ""},
		{energy, dev + "TOTAL_ENERGY_CONSUMPTION", thousandth, []string{dev + "TOTAL_ENERGY_CONSUMPTION", dev + "BOARD_ENERGY"}, joules, ""},
		{temperature, dev + "GPU_TEMP", same, []string{dev + "GPU_TEMP"}, celsius, ""},
		{smClock, dev + "SM_CLOCK", same, []string{dev + "SM_CLOCK"}, hertz, ""},
		{smClockMax, dev + "MAX_SM_CLOCK", same, []string{dev + "MAX_SM_CLOCK"}, hertz, ""},
		{memClock, dev + "MEM_CLOCK", same, []string{dev + "MEM_CLOCK"}, hertz, ""},
		{pcieTX, prof + "PCIE_TX_BYTES", bytesEach, []string{prof + "PCIE_TX"}, perSec, ""},
		{pcieRX, prof + "PCIE_RX_BYTES", bytesEach, []string{prof + "PCIE_RX"}, perSec, ""},
		{nvlinkTX, prof + "NVLINK_TX_BYTES", bytesEach, []string{prof + "NVLINK_TX"}, perSec, ""},
		{nvlinkRX, prof + "NVLINK_RX_BYTES", bytesEach, []string{prof + "NVLINK_RX"}, perSec, ""},
		{xid, dev + "XID_ERRORS", same, nil, unitless, ""},
		{clockReasons, dev + "CLOCK_THROTTLE_REASONS", same, nil, unitless, ""},
		{clockReasons, dev + "CLOCKS_EVENT_REASONS", same, nil, unitless, ""},
	} {
		e.metrics = append(e.metrics, exported{value: m.value, unit: m.unit, names: []string{m.old}, missing: m.missing})
		for _, stem := range m.stems {
			for _, u := range m.units {
				e.metrics = append(e.metrics, exported{value: m.value, unit: u.unit, names: []string{stem + u.suffix}})
			}
		}
	}
	return e
}
