package gpu

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/gpu/optional"
)

// counter is a source that counts its readings; every third one fails.
type counter struct{ reads int }

func (c *counter) Name() string    { return "counter" }
func (c *counter) Simulated() bool { return true }
func (c *counter) Close() error    { return nil }
func (c *counter) Read(context.Context) ([]Device, error) {
	c.reads++
	if c.reads%3 == 0 {
		return nil, errors.New("the driver is busy")
	}
	return []Device{{UUID: "u", UtilPercent: optional.Of(float64(c.reads))}}, nil
}

func TestPollReadsAtOnceAndThenAtTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		var readings []Reading
		Poll(ctx, &counter{}, time.Second, func(r Reading) { readings = append(readings, r) })
		if len(readings) != 3 {
			t.Fatalf("%d readings in 2.5 s, want 3", len(readings))
		}
		if r := readings[1]; r.Source != "counter" || !r.Simulated || r.Err != nil || r.Devices[0].UtilPercent.V != 2 {
			t.Errorf("second reading %+v", r)
		}
		if r := readings[2]; r.Err == nil || r.Devices != nil {
			t.Errorf("a read that failed gave %+v", r)
		}
	})
}

func TestTotalsSumUpWhatIsKnown(t *testing.T) {
	var totals Totals
	add := func(mem, util, energy optional.Value) {
		totals.Add(Reading{Source: "nvml", Devices: []Device{{
			UUID: "GPU-1", Name: "H200", MemUsedMiB: mem, UtilPercent: util, EnergyJ: energy,
			SMActive: optional.NA("needs Hopper+"), PowerW: optional.Of(0),
		}}})
	}
	add(optional.Of(1000), optional.Of(50), optional.Of(7000))
	add(optional.Of(3000), optional.NA("n/a"), optional.Of(7100))
	add(optional.Of(2000), optional.Of(100), optional.Of(7250))
	got := totals.Devices()
	if len(got) != 1 {
		t.Fatalf("%d devices, want 1", len(got))
	}
	want := Total{
		UUID: "GPU-1", Name: "H200", MemPeakMiB: optional.Of(3000), UtilMean: optional.Of(75),
		SMActiveMean: optional.NA("n/a"), OccupancyMean: optional.NA("n/a"), TensorMean: optional.NA("n/a"), DRAMMean: optional.NA("n/a"),
		PowerMeanW: optional.Of(0), EnergyJ: optional.Of(250),
	}
	if got[0] != want {
		t.Errorf("got %+v, want %+v", got[0], want)
	}
}

func TestAnEnergyCounterThatFallsHasStartedAnew(t *testing.T) {
	var totals Totals
	for _, joules := range []float64{900, 1000, 10, 60} {
		totals.Add(Reading{Devices: []Device{{UUID: "u", EnergyJ: optional.Of(joules)}}})
	}
	if e := totals.Devices()[0].EnergyJ; e != optional.Of(150) {
		t.Errorf("energy %+v, want 100 before the restart and 50 after it", e)
	}
}
