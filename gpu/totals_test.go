package gpu

import (
	"math"
	"testing"
	"time"

	"tokdyno/gpu/optional"

	"pgregory.net/rapid"
)

func TestEnergyWithoutACounterIsPowerOverTime(t *testing.T) {
	var totals Totals
	at := time.Unix(0, 0)
	add := func(after time.Duration, power optional.Value) {
		at = at.Add(after)
		totals.Add(Reading{At: at, Devices: []Device{{UUID: "u", PowerW: power}}})
	}
	add(0, optional.Of(100))
	if e := totals.Devices()[0]; e.EnergyJ.OK() || e.Estimated {
		t.Errorf("energy of a moment: %+v", e)
	}
	add(time.Second, optional.Of(200))                 // 150 J
	add(2*time.Second, optional.Of(400))               // 600 J
	add(time.Second, optional.NA(optional.ReasonLost)) // unknown
	add(time.Second, optional.Of(400))                 // still unknown
	add(longestGap+1, optional.Of(400))                // the process was suspended
	add(500*time.Millisecond, optional.Of(600))        // 250 J
	totals.Add(Reading{At: at.Add(time.Second), Stale: 5 * time.Second, Devices: []Device{{UUID: "u", PowerW: optional.Of(1e9)}}})
	if got := totals.Devices()[0]; got.EnergyJ != optional.Of(1000) || got.Covered != 3500*time.Millisecond || !got.Estimated {
		t.Errorf("%+v, want 1000 J in 3.5 s, estimated", got)
	}
}

// TestEnergyGoesWithTheTimeThatItCovers has devices that use 100 W for as long as they are seen.
func TestEnergyGoesWithTheTimeThatItCovers(t *testing.T) {
	const watts = 100
	type seen struct {
		at              int // seconds
		power, counter  bool
		countedFromZero int // the second in which the counter was 0
	}
	for name, c := range map[string]struct {
		seen      []seen
		covered   time.Duration
		estimated bool
	}{
		"one reading":                     {[]seen{{0, true, true, 0}}, 0, false},
		"a counter":                       {[]seen{{0, true, true, 0}, {1, true, true, 0}, {2, true, true, 0}}, 2 * time.Second, false},
		"a counter, with a long gap":      {[]seen{{0, true, true, 0}, {1, true, true, 0}, {61, true, true, 0}}, 61 * time.Second, false},
		"a device that was lost":          {[]seen{{0, true, true, 0}, {4, true, true, 0}, {5, false, false, 0}, {60, false, false, 0}}, 4 * time.Second, false},
		"a counter that began anew":       {[]seen{{0, false, true, -50}, {5, false, true, -50}, {10, false, true, 9}, {12, false, true, 9}}, 7 * time.Second, false},
		"a counter that was read once":    {[]seen{{0, true, true, 0}, {1, true, false, 0}, {2, true, false, 0}}, 2 * time.Second, true},
		"power, with a long gap":          {[]seen{{0, true, false, 0}, {1, true, false, 0}, {61, true, false, 0}, {63, true, false, 0}}, 3 * time.Second, true},
		"power of a device that was lost": {[]seen{{0, true, false, 0}, {5, true, false, 0}, {6, false, false, 0}}, 5 * time.Second, true},
		"nothing":                         {[]seen{{0, false, false, 0}, {1, false, false, 0}}, 0, false},
	} {
		var totals Totals
		for _, s := range c.seen {
			d := Device{UUID: "u", PowerW: optional.NA(optional.ReasonLost), EnergyJ: optional.NA(optional.ReasonLost)}
			if s.power {
				d.PowerW = optional.Of(watts)
			}
			if s.counter {
				d.EnergyJ = optional.Of(watts * float64(s.at-s.countedFromZero))
			}
			totals.Add(Reading{At: time.Unix(int64(s.at), 0), Devices: []Device{d}})
		}
		got := totals.Devices()[0]
		if got.Covered != c.covered || got.Estimated != c.estimated {
			t.Errorf("%s: %v covered, estimated: %v, want %v, %v", name, got.Covered, got.Estimated, c.covered, c.estimated)
		}
		if c.covered > 0 && got.EnergyJ.V/got.Covered.Seconds() != watts {
			t.Errorf("%s: %v J in %v, which is not %d W", name, got.EnergyJ, got.Covered, watts)
		}
	}
}

func TestInstancesNameTheirGPU(t *testing.T) {
	var totals Totals
	totals.Add(Reading{Devices: []Device{
		{UUID: "a/1", Parent: "a", Instance: "1"}, {UUID: "a/2", Parent: "a", Instance: "2"}, {UUID: "b"},
	}})
	got := totals.Devices()
	if got[0].Parent != "a" || got[1].Parent != "a" || got[2].Parent != "" || !got[0].Part() || got[2].Part() {
		t.Errorf("%+v", got)
	}
}

func TestTheDevicesOwnCounterIsTakenBeforeItsPower(t *testing.T) {
	var totals Totals
	for i := range 3 {
		d := Device{UUID: "u", PowerW: optional.Of(1000), TensorActive: optional.Of(float64(10 * i)), DRAMActive: optional.Of(60), SMOccupancy: optional.Of(30)}
		d.EnergyJ = optional.Of(float64(100 * i))
		totals.Add(Reading{At: time.Unix(int64(i), 0), Devices: []Device{d}})
	}
	got := totals.Devices()[0]
	if got.EnergyJ != optional.Of(200) || got.Estimated || got.TensorMean != optional.Of(10) || got.DRAMMean != optional.Of(60) || got.OccupancyMean != optional.Of(30) {
		t.Errorf("%+v", got)
	}
}

func TestDevicesWithoutIdentityAreKeptApart(t *testing.T) {
	var totals Totals
	totals.Add(Reading{Devices: []Device{{Index: 0, MemUsedMiB: optional.Of(1)}, {Index: 1, MemUsedMiB: optional.Of(2)}, {Index: 1, Host: "b", MemUsedMiB: optional.Of(3)}}})
	if got := totals.Devices(); len(got) != 3 || got[2].MemPeakMiB != optional.Of(3) {
		t.Errorf("%+v", got)
	}
}

func TestCountedEnergyIsNeverNegativeNorMoreThanItsRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counter := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 20).Draw(t, "counter")
		var totals Totals
		rises := 0.0
		for i, v := range counter {
			totals.Add(Reading{Devices: []Device{{UUID: "u", EnergyJ: optional.Of(v)}}})
			if i > 0 {
				rises += max(v-counter[i-1], 0)
			}
		}
		if e := totals.Devices()[0].EnergyJ; !e.OK() || math.Abs(e.V-rises) > 1e-6 {
			t.Fatalf("%+v, want %v", e, rises)
		}
	})
}
