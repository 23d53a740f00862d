// This file is the setting of the canary: light requests beside the load.

package presets

import (
	"fmt"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

// canarySetting is the rate of the canary. Turned down from the lowest that keys reach, there is none.
func canarySetting() *Setting {
	const first, lowest = 1.0, 0.1
	change := func(k snapshot.Knobs, to float64, up bool) snapshot.Knobs {
		switch {
		case k.Canary == 0 && up:
			k.Canary = first
		case k.Canary == 0:
		case to < lowest-1e-9:
			k.Canary = 0
		default:
			k.Canary = min(to, snapshot.MaxCanary)
		}
		return k
	}
	return &Setting{
		Name: "canary", Short: "canary", Title: "canary", Example: "1/s", Unit: "req/s", Words: []string{"off"},
		Says: fmt.Sprintf("light requests (%d tokens in, %d out) beside the load, on connections of their own and in no figure but theirs: "+
			"what a small user feels", snapshot.CanaryPrompt, snapshot.CanaryOutput),
		Takes: fmt.Sprintf("a `rate` from %s to %s a second such as 1/s, or off", units.Number(snapshot.MinCanary), units.Number(snapshot.MaxCanary)),
		is:    "a rate of a canary",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			if units.Off(text) {
				k.Canary = 0
				return k, nil
			}
			v, err := units.ParseNumber(text, "requests/s", "req/s", "rps", "/s")
			if err != nil || !(v >= snapshot.MinCanary && v <= snapshot.MaxCanary) {
				return k, errRefused
			}
			k.Canary = v
			return k, nil
		},
		print: func(k snapshot.Knobs) string {
			if k.Canary == 0 {
				return "off"
			}
			return units.Number(k.Canary) + "/s"
		},
		note: func(snapshot.Knobs, *snapshot.Snapshot) string { return "beside the load" },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, scale.Rate(k.Canary, up), up)
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, k.Canary*factor, factor > 1)
		},
	}
}
