// This file tests that what a page tells of one device is never taken for another's.

package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

func TestPartitionsOfAMDAreDevices(t *testing.T) {
	devices, _ := read(t, "amd-partitions.prom")
	if len(devices) != 16 || gpu.Count(devices) != 16 {
		t.Fatalf("%d devices, %d counted", len(devices), gpu.Count(devices))
	}
	for i, d := range devices {
		serial, partition := 692407005120+i/8, i%8
		util, used := []float64{97, 95, 96, 94, 93, 92, 91, 0}[partition], float64(20000+10*partition)
		if partition == 7 {
			used = 283
		}
		if d.Index != i || d.UUID != fmt.Sprintf("%d/%d", serial, partition) || d.Host != "amd-1" || d.Part() || d.Note != "" ||
			d.UtilPercent != optional.Of(util) || d.MemUsedMiB != optional.Of(used) || d.MemTotalMiB != optional.Of(24574) {
			t.Errorf("device %d: %+v", i, d)
		}
		if partition > 0 && d.PowerW != optional.NA(gpu.ReasonPartition) {
			t.Errorf("device %d: power %+v", i, d.PowerW)
		}
	}
	if all := gpu.Together(devices); all.PowerW != optional.Of(1201) || all.MemTotalMiB != optional.Of(16*24574) || all.UtilPercent != optional.Of(82.25) {
		t.Errorf("power %+v, memory %+v, utilisation %+v", all.PowerW, all.MemTotalMiB, all.UtilPercent)
	}
	var totals gpu.Totals
	for second := range int64(3) {
		totals.Add(gpu.Reading{At: time.Unix(second, 0), Devices: devices})
	}
	if watts, estimated := gpu.MeanPower(totals.Devices(), 2*time.Second); watts != optional.Of(1201) || !estimated {
		t.Errorf("power over a span is %+v, estimated %v", watts, estimated)
	}
}

// TestDevicesAreToldApart lists devices as "index uuid host util" with what is said of them.
func TestDevicesAreToldApart(t *testing.T) {
	const zero = "00000000-0000-0000-0000-000000000000"
	for name, c := range map[string]struct{ page, want string }{
		"all-zero UUIDs": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-` + zero + `",Hostname="h"} 1
			 DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-` + zero + `",Hostname="h"} 2`, "0  h 1 | 1  h 2",
		},
		"no UUIDs": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="",Hostname="h"} 1
			 DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="N/A",Hostname="h"} 2`, "0  h 1 | 1  h 2",
		},
		"one index on several hosts": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",Hostname="a"} 1
			 DCGM_FI_DEV_GPU_UTIL{gpu="0",Hostname="b"} 2`, "0  a 1 | 0  b 2",
		},
		"hosts that only Prometheus tells apart": {
			`gpu_gfx_activity{gpu_id="0",instance="a:5000"} 1
			 gpu_gfx_activity{gpu_id="0",instance="b:5000"} 2`, "0  a:5000 1 | 0  b:5000 2",
		},
		"one serial number, several indexes": {
			`gpu_gfx_activity{gpu_id="0",serial_number="s"} 1
			 gpu_gfx_activity{gpu_id="1",serial_number="s"} 2`, "0 s/0  1 | 1 s/1  2",
		},
		"one serial number on several hosts": {
			`gpu_gfx_activity{gpu_id="0",serial_number="s",hostname="a"} 1
			 gpu_gfx_activity{gpu_id="0",serial_number="s",hostname="b"} 2`, "0 s/a a 1 | 0 s/b b 2",
		},
		"a metric with fewer labels": {
			`xpum_memory_used_bytes{uuid="u"} 1
			 xpum_engine_ratio{uuid="u",dev_id="3",node="n"} 0.01
			 xpum_engine_ratio{uuid="v",dev_id="4",node="n"} 0.02`, "3 u n 1 | 4 v n 2",
		},
		"a sum over all beside them": {
			`nv_gpu_utilization 0.99
			 nv_gpu_utilization{gpu_uuid="a"} 0.01
			 nv_gpu_utilization{gpu_uuid="b"} 0.02`, "0 a  1 | 1 b  2",
		},
		"tiles beside their device": {
			`xpum_engine_ratio{uuid="u",sub_dev="0"} 0.9
			 xpum_engine_ratio{uuid="u"} 0.01
			 xpum_engine_ratio{uuid="u",sub_dev="1"} 0.5`, "0 u  1",
		},
		"a device twice with one figure": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u",pod="p"} 1
			 DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u",pod="q"} 1`, "0 u  1",
		},
		"a contradiction": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u",pod="p"} 1
			 DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u",pod="q"} 2`, "0 u  1 DCGM_FI_DEV_GPU_UTIL differs by pod: the first counts",
		},
		"a line twice": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u"} 1
			 DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u"} 2`, "0 u  1 DCGM_FI_DEV_GPU_UTIL is there twice: the first counts",
		},
		"two names of a figure": {
			`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u"} 1
			 DCGM_FI_DEV_POWER_MGMT_LIMIT{gpu="0",UUID="u"} 700
			 DCGM_FI_DEV_ENFORCED_POWER_LIMIT{gpu="0",UUID="u"} 500`, "0 u  1 limit 500",
		},
	} {
		devices, _ := newExporterTable().devices(promtext.Parse([]byte(c.page+"\n")), time.Unix(1, 0))
		var all []string
		for _, d := range devices {
			text := fmt.Sprintf("%d %s %s %g", d.Index, d.UUID, d.Host, d.UtilPercent.V)
			if d.PowerLimitW.OK() {
				text += fmt.Sprintf(" limit %g", d.PowerLimitW.V)
			}
			all = append(all, strings.TrimSpace(text+" "+d.Note))
		}
		if got := strings.Join(all, " | "); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

func TestWhatATileTellsIsPutTogether(t *testing.T) {
	page := ""
	for tile, v := range []float64{1, 3} {
		for _, name := range []string{
			"xpum_engine_ratio", "xpum_memory_used_bytes", "xpum_power_watts", "xpum_energy_joules_total", "xpum_temperature_celsius", "xpum_frequency_mhz",
		} {
			if name == "xpum_engine_ratio" {
				v /= 100
			}
			page += fmt.Sprintf("%s{uuid=\"u\",sub_dev=\"%d\"} %g\n", name, tile, v)
			if name == "xpum_engine_ratio" {
				v *= 100
			}
		}
	}
	devices, _ := newExporterTable().devices(promtext.Parse([]byte(page)), time.Unix(1, 0))
	if len(devices) != 1 {
		t.Fatalf("%d devices", len(devices))
	}
	d := devices[0]
	expect(t, d, map[string]optional.Value{
		"util": optional.Of(2), "mem_used": optional.Of(4.0 / mib), "power": optional.Of(4), "energy": optional.Of(4), "temp": optional.Of(3), "clock": optional.Of(2),
	})
}
