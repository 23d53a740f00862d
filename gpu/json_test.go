package gpu

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tokdyno/gpu/optional"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// device draws a device in which everything may be unknown.
func device(t *rapid.T) Device {
	text := rapid.StringMatching(`[A-Za-z0-9 _/-]{0,12}`)
	value := func(name string) optional.Value {
		if rapid.Bool().Draw(t, name+" known") {
			return optional.Of(rapid.Float64Range(-1e12, 1e12).Draw(t, name))
		}
		return optional.NA(rapid.SampledFrom([]string{optional.ReasonNone, ReasonMIG, optional.ReasonFirstSample}).Draw(t, name+" reason"))
	}
	d := Device{
		Index: rapid.IntRange(0, 99).Draw(t, "index"), UUID: text.Draw(t, "uuid"), Name: text.Draw(t, "name"),
		Parent: text.Draw(t, "parent"), Unified: rapid.Bool().Draw(t, "unified"), Note: text.Draw(t, "note"),
		Age: time.Duration(rapid.IntRange(0, 100).Draw(t, "age")) * time.Second,
	}
	for _, v := range d.Values() {
		*v = value("value")
	}
	if rapid.Bool().Draw(t, "reasons known") {
		d.ClockReasons = ClockReasonsKnown | ClockReasons(rapid.Uint64Range(0, 0x1ff).Draw(t, "reasons"))
	}
	if rapid.Bool().Draw(t, "processes known") {
		d.Processes = &Processes{At: time.Unix(5, 0).UTC(), List: []Process{{PID: 7, Name: "python3", MemUsedMiB: value("process")}}}
	}
	return d
}

func TestJSONKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := device(t)
		if rapid.Bool().Draw(t, "lost") {
			last := d
			d = lostDevice(last.UUID)
			d.Last = &last
		}
		r := Reading{At: time.Unix(9, 0).UTC(), Source: "nvml", Devices: []Device{d}, Stale: 4 * time.Second}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got Reading
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	})
}

func TestJSONSaysValueOrWhyNot(t *testing.T) {
	d := Device{Index: 3, UUID: "GPU-x", MemUsedMiB: optional.Of(0), SMActive: optional.NA(ReasonPermission), ClockReasons: ClockReasonsKnown | ClockPowerCap}
	text, err := json.Marshal(Survey{
		Reading: Reading{Source: "nvml", Devices: []Device{d}},
		Tried:   []Tried{{Spec: "nvml", OK: true}, {Spec: "smi", Reason: "no nvidia-smi here"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"source":"nvml"`, `"index":3`, `"uuid":"GPU-x"`, `"mem_used_mib":{"value":0}`, `"sm_active_percent":{"na":"permission"}`,
		`"xid":{"na":"n/a"}`, `"clock_reasons":["power cap"]`,
		`"tried":[{"spec":"nvml","ok":true},{"spec":"smi","ok":false,"reason":"no nvidia-smi here"}]`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if text, err := json.Marshal(Survey{}); err != nil || !strings.Contains(string(text), `"devices":[],"tried":[]`) {
		t.Errorf("nothing: %s, %v", text, err)
	}
}

func TestClockReasonsAreNamed(t *testing.T) {
	for set, want := range map[ClockReasons]string{
		0:                                     "n/a",
		ClockReasonsKnown:                     "none",
		ClockReasonsKnown | 0x4 | 0x40:        "power cap, HW thermal",
		ClockReasonsKnown | 0x1:               "idle",
		ClockReasonsKnown | 0x20 | 0x80 | 0x8: "HW slowdown, power brake, SW thermal",
		ClockReasonsKnown | 0x4 | 0x800:       "power cap, other",
	} {
		if got := set.String(); got != want {
			t.Errorf("%#x is %q, want %q", uint64(set), got, want)
		}
	}
	if set := ClockReasonsKnown | ClockPowerCap; !set.Has(ClockPowerCap) || set.Has(ClockPowerCap|ClockIdle) || ClockPowerCap.Has(ClockPowerCap) {
		t.Error("Has does not tell what is in a set")
	}
}
