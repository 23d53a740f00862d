package gpu

import (
	"testing"
	"time"

	"tokdyno/gpu/optional"
)

// gpuOf is a GPU that tells everything that Together reads.
func gpuOf(uuid string, sm, used, total, watts float64) Device {
	return Device{
		UUID: uuid, SMActive: optional.Of(sm), UtilPercent: optional.Of(sm), DRAMActive: optional.Of(sm),
		MemUsedMiB: optional.Of(used), MemTotalMiB: optional.Of(total), PowerW: optional.Of(watts), TempC: optional.Of(sm),
		ClockReasons: ClockReasonsKnown,
	}
}

// instanceOf is a MIG instance as NVML tells of it: it has its own activity and memory, and no power.
func instanceOf(parent, instance string, sm, used, total float64) Device {
	d := gpuOf(parent+"/"+instance, sm, used, total, 0)
	d.Parent, d.Instance, d.PowerW, d.TempC = parent, instance, optional.NA(ReasonMIG), optional.NA(ReasonMIG)
	return d
}

func TestDevicesPutTogether(t *testing.T) {
	divided := gpuOf("a", 0, 60, 100, 300)
	divided.SMActive, divided.UtilPercent = optional.NA(ReasonMIG), optional.NA(ReasonMIG)
	lost := lostDevice("c")
	unsized := gpuOf("d", 10, 50, 0, 100)
	unsized.MemTotalMiB = optional.NA(ReasonUnified)
	instanceWithPower := instanceOf("a", "1", 30, 20, 40) // as dcgm-exporter shows it: its GPU's power, at every instance
	instanceWithPower.PowerW = optional.Of(300)
	hot := gpuOf("b", 20, 30, 100, 200)
	hot.TempC, hot.ClockReasons = optional.Of(80), ClockReasonsKnown|ClockPowerCap
	whole := gpuOf("a", 40, 60, 100, 300)

	for _, c := range []struct {
		name                      string
		devices                   []Device
		gpus, lost                int
		sm, used, share, watts, c optional.Value
		reasons                   ClockReasons
	}{
		{
			"none", nil, 0, 0, optional.NA("n/a"), optional.NA("n/a"), optional.NA("n/a"), optional.NA("n/a"), optional.NA("n/a"), 0,
		},
		{
			"two GPUs",
			[]Device{whole, hot},
			2, 0,
			optional.Of(30), optional.Of(90), optional.Of(0.45), optional.Of(500), optional.Of(80), ClockReasonsKnown | ClockPowerCap,
		},
		{
			"two GPUs of different size",
			[]Device{whole, gpuOf("b", 20, 0, 300, 200)},
			2, 0,
			optional.Of(30), optional.Of(60), optional.Of(0.15), optional.Of(500), optional.Of(40), ClockReasonsKnown,
		},
		{
			"a GPU and a divided one",
			[]Device{divided, instanceOf("a", "1", 30, 20, 40), instanceOf("a", "2", 70, 40, 40), hot},
			2, 0,
			optional.Of(40), optional.Of(90), optional.Of(0.45), optional.Of(500), optional.Of(80), ClockReasonsKnown | ClockPowerCap,
		},
		{
			"instances without their GPUs",
			[]Device{instanceWithPower, instanceOf("a", "2", 70, 40, 40), instanceOf("b", "1", 20, 40, 40)},
			2, 0,
			optional.Of(40), optional.NA("n/a"), optional.NA("n/a"), optional.NA("n/a"), optional.NA(ReasonMIG), ClockReasonsKnown,
		},
		{
			"one that is lost",
			[]Device{lost, hot},
			2, 1,
			optional.Of(20), optional.Of(30), optional.Of(0.3), optional.Of(200), optional.Of(80), ClockReasonsKnown | ClockPowerCap,
		},
		{
			"all lost", []Device{lost}, 1, 1, optional.NA("lost"), optional.NA("lost"), optional.NA("lost"), optional.NA("lost"), optional.NA("lost"), 0,
		},
		{
			"one that tells no size",
			[]Device{unsized, hot},
			2, 0,
			optional.Of(15), optional.Of(30), optional.Of(0.3), optional.Of(300), optional.Of(80), ClockReasonsKnown | ClockPowerCap,
		},
		{
			"none that tells a size",
			[]Device{unsized},
			1, 0,
			optional.Of(10), optional.Of(50), optional.NA(ReasonUnified), optional.Of(100), optional.Of(10), ClockReasonsKnown,
		},
		{
			"two without identity",
			[]Device{gpuOf("", 10, 1, 2, 3), gpuOf("", 20, 1, 2, 3)},
			2, 0,
			optional.Of(15), optional.Of(2), optional.Of(0.5), optional.Of(6), optional.Of(20), ClockReasonsKnown,
		},
	} {
		all := Together(c.devices)
		if all.GPUs != c.gpus || all.LostGPUs != c.lost || all.ClockReasons != c.reasons {
			t.Errorf("%s: %d GPUs, %d lost, %v", c.name, all.GPUs, all.LostGPUs, all.ClockReasons)
		}
		for what, v := range map[string][2]optional.Value{
			"SM active": {all.SMActive, c.sm}, "memory": {all.MemUsedMiB, c.used}, "share": {all.MemUsedShare(), c.share},
			"power": {all.PowerW, c.watts}, "temperature": {all.TempC, c.c},
		} {
			if v[0] != v[1] {
				t.Errorf("%s: %s is %+v, want %+v", c.name, what, v[0], v[1])
			}
		}
	}
}

func TestPowerOverASpanIsOfAllGPUsOrUnknown(t *testing.T) {
	const span = 10 * time.Second
	used := func(uuid string, joules float64, over time.Duration) Total {
		return Total{UUID: uuid, EnergyJ: optional.Of(joules), Covered: over}
	}
	estimate := used("b", 1000, span)
	estimate.Estimated = true
	none := optional.NA(optional.ReasonNone)
	for name, c := range map[string]struct {
		devices   []Total
		watts     optional.Value
		estimated bool
	}{
		"nothing":                 {nil, none, false},
		"two GPUs":                {[]Total{used("a", 5000, span), used("b", 1000, span)}, optional.Of(600), false},
		"one estimated":           {[]Total{used("a", 5000, span), estimate}, optional.Of(600), true},
		"instances beside theirs": {[]Total{used("a", 5000, span), {UUID: "a/1", Parent: "a", EnergyJ: optional.Of(5000), Covered: span}}, optional.Of(500), false},
		"instances alone":         {[]Total{{UUID: "a/1", Parent: "a", EnergyJ: optional.Of(5000), Covered: span}}, none, false},
		"one without energy":      {[]Total{estimate, {UUID: "a"}}, none, false},
		"partitions of one": {
			[]Total{used("s/0", 5000, span), {UUID: "s/1", EnergyJ: optional.NA(ReasonPartition)}, {UUID: "s/2", EnergyJ: optional.NA(ReasonPartition)}},
			optional.Of(500), false,
		},
		"nine tenths of the time": {[]Total{used("a", 4500, 9*time.Second)}, optional.Of(500), false},
		"less of it":              {[]Total{used("a", 4000, 8*time.Second), used("b", 1000, span)}, none, false},
		"a moment":                {[]Total{used("a", 0, 0)}, none, false},
	} {
		if watts, estimated := MeanPower(c.devices, span); watts != c.watts || estimated != c.estimated {
			t.Errorf("%s: %+v, estimated %v; want %+v, %v", name, watts, estimated, c.watts, c.estimated)
		}
	}
}

func TestASumThatHasToBeCompleteSaysWhatIsMissing(t *testing.T) {
	power := func(d *Total) optional.Value { return d.PowerMeanW }
	two := []Total{{UUID: "a", PowerMeanW: optional.Of(100)}, {UUID: "b", PowerMeanW: optional.NA(ReasonPermission)}}
	if got := Sum(two, power); got != optional.Of(100) {
		t.Errorf("the sum of those that tell is %+v", got)
	}
	if got := Complete(two, power); got != optional.NA(ReasonPermission) {
		t.Errorf("the sum of all is %+v", got)
	}
	two[1].Parent = "a" // an instance need not tell
	if got := Complete(two, power); got != optional.Of(100) {
		t.Errorf("the sum of a GPU and its instance is %+v", got)
	}
}
