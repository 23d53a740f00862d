// This file is the setting of how arrivals are spread.

package presets

import (
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
)

// arrivalSteps are the processes that a key steps through, from even gaps to the most uneven ones. Those with other
// parameters can be typed.
func arrivalSteps() []load.Arrival {
	return []load.Arrival{
		load.Constant, load.Gamma(0.5), load.Poisson, load.Gamma(2), load.Gamma(4),
		load.Burst(4, time.Second), load.Burst(16, time.Second), load.Burst(64, time.Second),
	}
}

// arrivalSetting is the process by which arrivals are spread. Bursts have a rate of their own, and open the loop.
func arrivalSetting() *Setting {
	return &Setting{
		Name: "arrival", Short: "arrival", Title: "arrival", Example: "poisson",
		Words: []string{"constant", "poisson", "gamma:", "burst:"}, Needs: []string{"rate"},
		Says:  "how arrivals are spread in the open loop",
		Takes: "a `process` such as constant, poisson, gamma:2 or burst:16/2s",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			arrival, err := load.ParseArrival(text)
			if err != nil {
				return k, err
			}
			if k.Load.Mode == load.Open {
				k.Load.Rate = k.Load.MeanRate() // that of bursts goes with them
			}
			k.Load.Arrival = arrival
			if (load.Setting{Mode: load.Open, Arrival: arrival}).MeanRate() > 0 {
				k.Load.Mode = load.Open
			}
			return k, nil
		},
		print: func(k snapshot.Knobs) string { return string(arrivalOf(k)) },
		idle:  func(k snapshot.Knobs) string { return unless(k.Load.Mode == load.Open, "counts in the open loop") },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			now, next := unevenness(arrivalOf(k)), arrivalOf(k)
			for _, step := range arrivalSteps() {
				if at := unevenness(step); !up && at < now {
					next = step // the last one below
				} else if up && at > now {
					next = step // the first one above
					break
				}
			}
			if next == arrivalOf(k) {
				return k
			}
			return withArrival(k, next)
		},
	}
}

// arrivalOf is the arrival process, or the one that the open loop will begin with.
func arrivalOf(k snapshot.Knobs) load.Arrival {
	if k.Load.Arrival == "" {
		return load.Poisson
	}
	return k.Load.Arrival
}

// withArrival changes the process and keeps the mean rate where it can: bursts come as often as makes it.
func withArrival(k snapshot.Knobs, a load.Arrival) snapshot.Knobs {
	next := k
	next.Load.Arrival = a
	if k.Load.Mode != load.Open {
		return next
	}
	kept := next
	kept.Load.Rate = k.Load.MeanRate()
	kept.Load = kept.Load.AtLevel(k.Load.MeanRate())
	if kept.Load.Validate() != nil {
		return next
	}
	return kept
}

// unevenness orders arrival processes: by the coefficient of variation of their gaps, with bursts, by size, beyond.
func unevenness(a load.Arrival) float64 {
	const bursts = 1000 // above the variation of any gaps
	name, parameter, _ := strings.Cut(string(a), ":")
	size, _, _ := strings.Cut(parameter, "/")
	v, err := strconv.ParseFloat(size, 64)
	switch {
	case name == "gamma" && err == nil:
		return v
	case name == "burst" && err == nil:
		return bursts + v
	case a == load.Poisson:
		return 1
	}
	return 0
}
