// This file proves the table of exporters by a list of its own: every name, what it means, and its unit.

package source

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// exporterCase is samples of one device, by a line each, and all that they tell, as "Field=value".
type exporterCase struct{ page, tells string }

// exporterCases are written by what the exporters' own documentation and sources say, not by the table. Each value is such
// that a wrong unit gives another one, or one that is out of range.
func exporterCases() map[string][]exporterCase {
	return map[string][]exporterCase{
		// https://github.com/NVIDIA/dcgm-exporter: etc/dcp-metrics-included.csv; from 4.9 on, names end in their unit.
		"dcgm-exporter": {
			{`DCGM_FI_DEV_FB_USED 2`, "MemUsedMiB=2"},
			{`DCGM_FI_DEV_FB_USED_BYTES 2097152`, "MemUsedMiB=2"},
			{"DCGM_FI_DEV_FB_USED 2\nDCGM_FI_DEV_FB_FREE 3", "MemUsedMiB=2 MemTotalMiB=5"},
			{"DCGM_FI_DEV_FB_USED 2\nDCGM_FI_DEV_FB_FREE_BYTES 3145728", "MemUsedMiB=2 MemTotalMiB=5"},
			{"DCGM_FI_DEV_FB_USED 2\nDCGM_FI_DEV_FB_FREE 3\nDCGM_FI_DEV_FB_RESERVED 4", "MemUsedMiB=2 MemTotalMiB=9 MemReservedMiB=4"},
			{`DCGM_FI_DEV_FB_RESERVED_BYTES 4194304`, "MemReservedMiB=4"},
			{`DCGM_FI_DEV_FB_TOTAL 5`, "MemTotalMiB=5"},
			{`DCGM_FI_DEV_FB_TOTAL_BYTES 5242880`, "MemTotalMiB=5"},
			{`DCGM_FI_DEV_FB_CAPACITY_BYTES 5242880`, "MemTotalMiB=5"},
			{`DCGM_FI_DEV_GPU_UTIL 0.5`, "UtilPercent=0.5"}, // percent, in whole numbers
			{`DCGM_FI_DEV_GPU_UTIL_RATIO 0.5`, "UtilPercent=50"},
			{`DCGM_FI_DEV_GPU_UTIL_PERCENT 0.5`, "UtilPercent=0.5"},
			{`DCGM_FI_DEV_MEM_COPY_UTIL 0.5`, "MemCopyUtil=0.5"},
			{`DCGM_FI_DEV_MEM_COPY_UTIL_RATIO 0.5`, "MemCopyUtil=50"},
			{`DCGM_FI_DEV_MEM_COPY_UTIL_PERCENT 0.5`, "MemCopyUtil=0.5"},
			{`DCGM_FI_PROF_SM_ACTIVE 0.5`, "SMActive=50"},
			{`DCGM_FI_PROF_SM_ACTIVE_RATIO 0.5`, "SMActive=50"},
			{`DCGM_FI_PROF_SM_ACTIVE_PERCENT 0.5`, "SMActive=0.5"},
			{`DCGM_FI_PROF_SM_UTIL_RATIO 0.5`, "SMActive=50"},
			{`DCGM_FI_PROF_SM_UTIL_PERCENT 0.5`, "SMActive=0.5"},
			{`DCGM_FI_PROF_SM_OCCUPANCY 0.5`, "SMOccupancy=50"},
			{`DCGM_FI_PROF_SM_OCCUPANCY_RATIO 0.5`, "SMOccupancy=50"},
			{`DCGM_FI_PROF_SM_OCCUPANCY_PERCENT 0.5`, "SMOccupancy=0.5"},
			{`DCGM_FI_PROF_PIPE_TENSOR_ACTIVE 0.5`, "TensorActive=50"},
			{`DCGM_FI_PROF_PIPE_TENSOR_ACTIVE_RATIO 0.5`, "TensorActive=50"},
			{`DCGM_FI_PROF_PIPE_TENSOR_ACTIVE_PERCENT 0.5`, "TensorActive=0.5"},
			{`DCGM_FI_PROF_TENSOR_UTIL_RATIO 0.5`, "TensorActive=50"},
			{`DCGM_FI_PROF_TENSOR_UTIL_PERCENT 0.5`, "TensorActive=0.5"},
			{`DCGM_FI_PROF_DRAM_ACTIVE 0.5`, "DRAMActive=50"},
			{`DCGM_FI_PROF_DRAM_ACTIVE_RATIO 0.5`, "DRAMActive=50"},
			{`DCGM_FI_PROF_DRAM_ACTIVE_PERCENT 0.5`, "DRAMActive=0.5"},
			{`DCGM_FI_PROF_DRAM_UTIL_RATIO 0.5`, "DRAMActive=50"},
			{`DCGM_FI_PROF_DRAM_UTIL_PERCENT 0.5`, "DRAMActive=0.5"},
			{`DCGM_FI_DEV_POWER_USAGE 300`, "PowerW=300"},
			{`DCGM_FI_DEV_POWER_USAGE_WATTS 300`, "PowerW=300"},
			{`DCGM_FI_DEV_BOARD_POWER_WATTS 300`, "PowerW=300"},
			{`DCGM_FI_DEV_ENFORCED_POWER_LIMIT 700`, "PowerLimitW=700"},
			{`DCGM_FI_DEV_ENFORCED_POWER_LIMIT_WATTS 700`, "PowerLimitW=700"},
			{`DCGM_FI_DEV_POWER_MGMT_LIMIT 700`, "PowerLimitW=700"},
			{`DCGM_FI_DEV_POWER_MGMT_LIMIT_WATTS 700`, "PowerLimitW=700"},
			{`DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 5000`, "EnergyJ=5"}, // mJ
			{`DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION_JOULES_TOTAL 5`, "EnergyJ=5"},
			{`DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION_JOULES 5`, "EnergyJ=5"},
			{`DCGM_FI_DEV_BOARD_ENERGY_JOULES_TOTAL 5`, "EnergyJ=5"},
			{`DCGM_FI_DEV_BOARD_ENERGY_JOULES 5`, "EnergyJ=5"},
			{`DCGM_FI_DEV_GPU_TEMP 64`, "TempC=64"},
			{`DCGM_FI_DEV_GPU_TEMP_CELSIUS 64`, "TempC=64"},
			{`DCGM_FI_DEV_SM_CLOCK 1755`, "SMClockMHz=1755"},
			{`DCGM_FI_DEV_SM_CLOCK_HERTZ 1755000000`, "SMClockMHz=1755"},
			{`DCGM_FI_DEV_SM_CLOCK_MEGAHERTZ 1755`, "SMClockMHz=1755"},
			{`DCGM_FI_DEV_MAX_SM_CLOCK 1980`, "SMClockMaxMHz=1980"},
			{`DCGM_FI_DEV_MAX_SM_CLOCK_HERTZ 1980000000`, "SMClockMaxMHz=1980"},
			{`DCGM_FI_DEV_MAX_SM_CLOCK_MEGAHERTZ 1980`, "SMClockMaxMHz=1980"},
			{`DCGM_FI_DEV_MEM_CLOCK 2619`, "MemClockMHz=2619"},
			{`DCGM_FI_DEV_MEM_CLOCK_HERTZ 2619000000`, "MemClockMHz=2619"},
			{`DCGM_FI_DEV_MEM_CLOCK_MEGAHERTZ 2619`, "MemClockMHz=2619"},
			{`DCGM_FI_PROF_PCIE_TX_BYTES 1048576`, "PCIeTXMiBs=1"},
			{`DCGM_FI_PROF_PCIE_TX_BYTES_PER_SECOND 1048576`, "PCIeTXMiBs=1"},
			{`DCGM_FI_PROF_PCIE_RX_BYTES 1048576`, "PCIeRXMiBs=1"},
			{`DCGM_FI_PROF_PCIE_RX_BYTES_PER_SECOND 1048576`, "PCIeRXMiBs=1"},
			{`DCGM_FI_PROF_NVLINK_TX_BYTES 1048576`, "NVLinkTXMiBs=1"},
			{`DCGM_FI_PROF_NVLINK_TX_BYTES_PER_SECOND 1048576`, "NVLinkTXMiBs=1"},
			{`DCGM_FI_PROF_NVLINK_RX_BYTES 1048576`, "NVLinkRXMiBs=1"},
			{`DCGM_FI_PROF_NVLINK_RX_BYTES_PER_SECOND 1048576`, "NVLinkRXMiBs=1"},
			{`DCGM_FI_DEV_XID_ERRORS 79`, "XID=79"},
			{`DCGM_FI_DEV_CLOCK_THROTTLE_REASONS 4`, "ClockReasons=power cap"},
			{`DCGM_FI_DEV_CLOCKS_EVENT_REASONS 4`, "ClockReasons=power cap"},
			{`DCGM_FI_DEV_GPU_UTIL{gpu="3",UUID="u",modelName="H100",Hostname="h"} 1`, "Index=3 UUID=u Name=H100 Host=h UtilPercent=1"},
			{`DCGM_FI_DEV_GPU_UTIL{UUID="u",GPU_I_ID="2",GPU_I_PROFILE="1g.10gb"} 1`, "UUID=u/2 Name=MIG 1g.10gb Parent=u Instance=2 UtilPercent=1"},
			{`DCGM_FI_DEV_GPU_UTIL{uuid="u",model_name="H100",hostname="h"} 1`, "UUID=u Name=H100 Host=h UtilPercent=1"},
		},
		// https://github.com/utkuozdemir/nvidia_gpu_exporter.
		"nvidia_gpu_exporter": {
			{`nvidia_smi_index 3`, "Index=3 Name=GPU 3"},
			{`nvidia_smi_utilization_gpu_ratio 0.5`, "UtilPercent=50"},
			{`nvidia_smi_utilization_memory_ratio 0.5`, "MemCopyUtil=50"},
			{`nvidia_smi_memory_used_bytes 2097152`, "MemUsedMiB=2"},
			{`nvidia_smi_memory_total_bytes 5242880`, "MemTotalMiB=5"},
			{`nvidia_smi_memory_reserved_bytes 4194304`, "MemReservedMiB=4"},
			{`nvidia_smi_power_draw_watts 300`, "PowerW=300"},
			{`nvidia_smi_enforced_power_limit_watts 700`, "PowerLimitW=700"},
			{`nvidia_smi_power_limit_watts 700`, "PowerLimitW=700"},
			{`nvidia_smi_temperature_gpu 64`, "TempC=64"},
			{`nvidia_smi_clocks_current_sm_clock_hz 1755000000`, "SMClockMHz=1755"},
			{`nvidia_smi_clocks_max_sm_clock_hz 1980000000`, "SMClockMaxMHz=1980"},
			{`nvidia_smi_clocks_current_memory_clock_hz 2619000000`, "MemClockMHz=2619"},
			{`nvidia_smi_power_draw_watts{uuid="u",name="H100",hostname="h"} 300`, "UUID=u Name=H100 Host=h PowerW=300"},
		},
		// https://github.com/ROCm/device-metrics-exporter: docs/configuration/metricslist.md. With a prefix where one is configured.
		"AMD device-metrics-exporter": {
			{`gpu_gfx_activity 0.5`, "UtilPercent=0.5"},
			{`amd_gpu_gfx_activity 0.5`, "UtilPercent=0.5"},
			{`gpu_umc_activity 0.5`, "MemCopyUtil=0.5"},
			{`amd_gpu_umc_activity 0.5`, "MemCopyUtil=0.5"},
			{`gpu_used_vram 2`, "MemUsedMiB=2"},
			{`amd_gpu_used_vram 2`, "MemUsedMiB=2"},
			{`gpu_total_vram 5`, "MemTotalMiB=5"},
			{`amd_gpu_total_vram 5`, "MemTotalMiB=5"},
			{`gpu_package_power 300`, "PowerW=300"},
			{`amd_gpu_package_power 300`, "PowerW=300"},
			{`gpu_average_package_power 300`, "PowerW=300"}, // MI2xx
			{`amd_gpu_average_package_power 300`, "PowerW=300"},
			{`gpu_power_usage 300`, "PowerW=300"},
			{`amd_gpu_power_usage 300`, "PowerW=300"},
			{"gpu_power_usage 290\ngpu_package_power 300", "PowerW=300"},
			{`gpu_energy_consumed 5000000`, "EnergyJ=5"}, // µJ
			{`amd_gpu_energy_consumed 5000000`, "EnergyJ=5"},
			{`gpu_junction_temperature 64`, "TempC=64"},
			{`amd_gpu_junction_temperature 64`, "TempC=64"},
			{`gpu_edge_temperature 64`, "TempC=64"}, // MI2xx
			{`amd_gpu_edge_temperature 64`, "TempC=64"},
			{`gpu_package_power{gpu_id="3",gpu_partition_id="3"} 300`, "Index=3 Name=GPU 3 PowerW=300"},
			{`gpu_package_power{gpu_id="3",serial_number="s",card_model="MI300X",hostname="h"} 300`, "Index=3 UUID=s Name=MI300X Host=h PowerW=300"},
			{`gpu_package_power{gpu_uuid="u",serial_number="s",card_series="MI300"} 300`, "UUID=u Name=MI300 PowerW=300"},
		},
		// https://github.com/inureyes/all-smi: API.md.
		"all-smi": {
			{`all_smi_gpu_utilization 0.5`, "UtilPercent=0.5"},
			{`all_smi_gpu_memory_used_bytes 2097152`, "MemUsedMiB=2"},
			{`all_smi_gpu_memory_total_bytes 5242880`, "MemTotalMiB=5"},
			{`all_smi_gpu_power_consumption_watts 300`, "PowerW=300"},
			{`all_smi_gpu_temperature_celsius 64`, "TempC=64"},
			{`all_smi_gpu_frequency_mhz 1755`, "SMClockMHz=1755"},
			{`all_smi_gpu_sm_occupancy 0.5`, "SMOccupancy=50"}, // "fraction (0.0–1.0)"
			{`all_smi_gpu_utilization{gpu="H200",instance="h",uuid="u",index="3"} 1`, "Index=3 UUID=u Name=H200 Host=h UtilPercent=1"},
			{`all_smi_gpu_utilization{name="H200",host="h",gpu_uuid="u",gpu_index="3"} 1`, "Index=3 UUID=u Name=H200 Host=h UtilPercent=1"},
		},
		// https://github.com/intel/xpumanager: rest/prometheus_exporter_types.py, which scales percent by 0.01 and mJ by 0.001.
		"Intel XPUM": {
			{`xpum_engine_ratio 0.5`, "UtilPercent=50"},
			{`xpum_eu_active_ratio 0.5`, "SMActive=50"},
			{`xpum_memory_used_bytes 2097152`, "MemUsedMiB=2"},
			{`xpum_memory_total_bytes 5242880`, "MemTotalMiB=5"},
			{`xpum_power_watts 300`, "PowerW=300"},
			{`xpum_energy_joules_total 5`, "EnergyJ=5"},
			{`xpum_energy_joules 5`, "EnergyJ=5"},
			{"xpum_temperature_celsius{location=\"gpu\"} 64\nxpum_temperature_celsius{location=\"mem\"} 71", "TempC=64"},
			{"xpum_frequency_mhz{type=\"actual\"} 1600\nxpum_frequency_mhz{type=\"request\"} 1700", "SMClockMHz=1600"},
			{"xpum_frequency_mhz{location=\"gpu\"} 1600\nxpum_frequency_mhz{location=\"media\"} 900", "SMClockMHz=1600"},
			{"xpum_engine_ratio{uuid=\"u\",sub_dev=\"0\"} 0.9\nxpum_engine_ratio{uuid=\"u\",sub_dev=\"1\"} 0.5", "UUID=u UtilPercent=70"},
			{"xpum_memory_used_bytes{tile=\"0\"} 2097152\nxpum_memory_used_bytes{tile=\"1\"} 3145728", "MemUsedMiB=5"}, // its first exporter
			{"xpum_power_watts{uuid=\"u\"} 300\nxpum_power_watts{uuid=\"u\",sub_dev=\"0\"} 150\nxpum_power_watts{card=\"2147483649\"} 600", "UUID=u PowerW=300"},
			{`xpum_power_watts{uuid="u",dev_id="3",dev_name="Max 1550",node="h"} 450`, "Index=3 UUID=u Name=Max 1550 Host=h PowerW=450"},
			{`xpum_power_watts{uuid="u",device_id="3"} 450`, "Index=3 UUID=u Name=GPU 3 PowerW=450"},
		},
		// https://github.com/triton-inference-server/server: docs/user_guide/metrics.md.
		"Triton": {
			{`nv_gpu_utilization 0.5`, "UtilPercent=50"},
			{`nv_gpu_memory_used_bytes 2097152`, "MemUsedMiB=2"},
			{`nv_gpu_memory_total_bytes 5242880`, "MemTotalMiB=5"},
			{`nv_gpu_power_usage 300`, "PowerW=300"},
			{`nv_gpu_power_limit 700`, "PowerLimitW=700"},
			{`nv_energy_consumption 5`, "EnergyJ=5"},
			{`nv_gpu_power_usage{gpu_uuid="u"} 300`, "UUID=u PowerW=300"},
		},
	}
}

// told is all that is known of a device, as "Field=value" in the order of its fields.
func told(d gpu.Device) string {
	var all []string
	v := reflect.ValueOf(d)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch value := v.Field(i).Interface().(type) {
		case optional.Value:
			if value.OK() {
				all = append(all, fmt.Sprintf("%s=%g", name, value.V))
			}
		case gpu.ClockReasons:
			if value.Known() {
				all = append(all, fmt.Sprintf("%s=%v", name, value))
			}
		default:
			if !v.Field(i).IsZero() && value != "GPU 0" { // what it is called for want of a name
				all = append(all, fmt.Sprintf("%s=%v", name, value))
			}
		}
	}
	return strings.Join(all, " ")
}

func TestEveryExportersNameIsReadAsWhatItMeans(t *testing.T) {
	for exporter, cases := range exporterCases() {
		for _, c := range cases {
			devices, name := newExporterTable().devices(promtext.Parse([]byte(c.page+"\n")), time.Unix(1, 0))
			if name != exporter || len(devices) != 1 {
				t.Errorf("%s: %d devices of %q, want one of %q", c.page, len(devices), name, exporter)
				continue
			}
			if got := told(devices[0]); got != c.tells {
				t.Errorf("%s tells %s, want %s", c.page, got, c.tells)
			}
		}
	}
}

// TestTheTableOfExportersHasNoUnprovenRow holds the table against the cases: neither has a name that the other lacks.
func TestTheTableOfExportersHasNoUnprovenRow(t *testing.T) {
	proven := make(map[string][]string)
	for exporter, cases := range exporterCases() {
		for _, c := range cases {
			for _, s := range promtext.Parse([]byte(c.page + "\n")).Samples {
				proven[exporter] = append(proven[exporter], s.Name)
				for label := range s.Labels {
					proven[exporter] = append(proven[exporter], label+" (label)")
				}
			}
		}
	}
	table := make(map[string][]string)
	for _, e := range exporters() {
		add := func(suffix string, names ...string) {
			for _, name := range names {
				table[e.name] = append(table[e.name], name+suffix)
			}
		}
		for _, m := range e.metrics {
			add("", m.names...)
			for _, want := range m.where {
				add(" (label)", want.Name)
			}
		}
		for _, labels := range [][]string{e.uuid, e.index, e.model, e.host, e.partition, e.tile} {
			add(" (label)", labels...)
		}
		for _, label := range []string{e.profile, e.group} {
			if label != "" {
				add(" (label)", label)
			}
		}
	}
	for _, all := range []map[string][]string{proven, table} {
		for exporter, names := range all {
			all[exporter] = slices.Compact(slices.Sorted(slices.Values(names)))
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(proven)), slices.Sorted(maps.Keys(table))); diff != "" {
		t.Errorf("exporters (-proven +in the table):\n%s", diff)
	}
	for exporter := range table {
		if diff := cmp.Diff(proven[exporter], table[exporter]); diff != "" {
			t.Errorf("%s (-proven +in the table):\n%s", exporter, diff)
		}
	}
}
