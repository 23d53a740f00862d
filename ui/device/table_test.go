package device

import (
	"testing"

	"pgregory.net/rapid"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Occupancy is shown, never coloured: in every state of a device it has the look of the figures beside it.
func TestOccupancyIsNeverColoured(t *testing.T) {
	for _, occupancy := range []float64{0, 3, 50, 100} {
		v := &page.Frame{Theme: new(theme.Theme), Shown: scene.Observed()}
		d := scene.H200(0)
		d.SMOccupancy = optional.Of(occupancy)
		row := Row{Device: &d, Role: theme.Text}
		for _, c := range deviceColumns() {
			if c.name == "occup" && c.cell(v, &row, 6)[0].Role != theme.Text {
				t.Errorf("an occupancy of %g has a colour", occupancy)
			}
		}
	}
}

func TestTogetherOfNothingKnownIsUnknown(t *testing.T) {
	for _, devices := range [][]gpu.Device{nil, {{}}, {{}, {MemUsedMiB: optional.NA(gpu.ReasonPermission)}}} {
		all := Together(devices)
		for name, value := range map[string]optional.Value{"SM": all.SMActive, "memory": all.MemUsedMiB, "power": all.PowerW, "°": all.TempC} {
			if value.OK() {
				t.Errorf("%s of %d devices that tell nothing is %g", name, len(devices), value.V)
			}
		}
	}
}

func TestDeviceOrderIsAPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		uuid := rapid.SampledFrom([]string{"", "a", "b", "c", "d"})
		devices := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) gpu.Device {
			return gpu.Device{UUID: uuid.Draw(t, "uuid"), Parent: uuid.Draw(t, "parent")}
		}), 0, 12).Draw(t, "devices")
		seen := make([]bool, len(devices))
		parent := ""
		for _, i := range deviceOrder(devices) {
			if seen[i] {
				t.Fatalf("device %d is there twice", i)
			}
			seen[i] = true
			if !devices[i].Part() {
				parent = devices[i].UUID
				continue
			}
			for j := range devices {
				if !devices[j].Part() && devices[j].UUID == devices[i].Parent && parent != devices[i].Parent {
					t.Fatalf("instance %d of %s stands beneath %s", i, devices[i].Parent, parent)
				}
			}
		}
		for i, ok := range seen {
			if !ok {
				t.Fatalf("device %d is not there", i)
			}
		}
	})
}
