package gpu

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEnergyWithoutACounterIsPowerOverTime(t *testing.T) {
	var totals Totals
	at := time.Unix(0, 0)
	add := func(after time.Duration, power Value) {
		at = at.Add(after)
		totals.Add(Reading{At: at, Devices: []Device{{UUID: "u", PowerW: power}}})
	}
	add(0, Of(100))
	if e := totals.Devices()[0]; e.EnergyJ.OK() || e.Estimated {
		t.Errorf("energy of a moment: %+v", e)
	}
	add(time.Second, Of(200))          // 150 J
	add(2*time.Second, Of(400))        // 600 J
	add(time.Second, NA(ReasonLost))   // unknown
	add(time.Second, Of(400))          // still unknown
	add(longestGap+1, Of(400))         // the process was suspended
	add(500*time.Millisecond, Of(600)) // 250 J
	totals.Add(Reading{At: at.Add(time.Second), Stale: 5 * time.Second, Devices: []Device{{UUID: "u", PowerW: Of(1e9)}}})
	if got := totals.Devices()[0]; got.EnergyJ != Of(1000) || !got.Estimated {
		t.Errorf("%+v, want 1000 J, estimated", got)
	}
}

func TestTheDevicesOwnCounterIsTakenBeforeItsPower(t *testing.T) {
	var totals Totals
	for i := range 3 {
		d := Device{UUID: "u", PowerW: Of(1000), TensorActive: Of(float64(10 * i)), DRAMActive: Of(60), SMOccupancy: Of(30)}
		d.EnergyJ = Of(float64(100 * i))
		totals.Add(Reading{At: time.Unix(int64(i), 0), Devices: []Device{d}})
	}
	got := totals.Devices()[0]
	if got.EnergyJ != Of(200) || got.Estimated || got.TensorMean != Of(10) || got.DRAMMean != Of(60) || got.OccupancyMean != Of(30) {
		t.Errorf("%+v", got)
	}
}

func TestDevicesWithoutIdentityAreKeptApart(t *testing.T) {
	var totals Totals
	totals.Add(Reading{Devices: []Device{{Index: 0, MemUsedMiB: Of(1)}, {Index: 1, MemUsedMiB: Of(2)}, {Index: 1, Host: "b", MemUsedMiB: Of(3)}}})
	if got := totals.Devices(); len(got) != 3 || got[2].MemPeakMiB != Of(3) {
		t.Errorf("%+v", got)
	}
}

func TestCountedEnergyIsNeverNegativeNorMoreThanItsRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counter := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 20).Draw(t, "counter")
		var totals Totals
		rises := 0.0
		for i, v := range counter {
			totals.Add(Reading{Devices: []Device{{UUID: "u", EnergyJ: Of(v)}}})
			if i > 0 {
				rises += max(v-counter[i-1], 0)
			}
		}
		if e := totals.Devices()[0].EnergyJ; !e.OK() || math.Abs(e.V-rises) > 1e-6 {
			t.Fatalf("%+v, want %v", e, rises)
		}
	})
}
