// This file is the settings of what a load is held against.

package presets

import (
	"fmt"
	"math"
	"strconv"

	"tokdyno/engine"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

func sloSettings() []Setting {
	return []Setting{
		{
			Name: "slo", Says: "`limits` that every request is held against, e.g. 'ttft=500ms tpot=40ms e2el=3s'",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.SLO, err = slo.Parse(v)
				return err
			},
			Get: func(k engine.Knobs) string { return k.SLO.String() },
		},
		{
			Name: "slo_target", Says: "`share` of requests that has to keep them",
			Set: func(k *engine.Knobs, v string) error {
				target, err := share(v)
				if err == nil && target == 0 {
					err = fmt.Errorf("%q leaves nothing to hold; write a share above 0%%, such as 99%%", v)
				}
				k.Target = target
				return err
			},
			Get: func(k engine.Knobs) string {
				return strconv.FormatFloat(math.Round(k.Target*1e9)/1e7, 'g', -1, 64) + "%"
			},
		},
		{
			Name: "objectives", Says: "`objectives` over many requests, e.g. 'ttft p99 <= 500ms over 5m for 99.9%', several parted by ;",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Objectives, err = slo.ParseObjectives(v)
				return err
			},
			Get: func(k engine.Knobs) string { return k.Objectives.String() },
		},
		{
			Name: "window", Says: "`stretch` that the console looks at first: 10s, 30s, 1m, 5m, stage or run",
			Set: func(k *engine.Knobs, v string) error {
				for w := stats.Last10s; w <= stats.WholeRun; w++ {
					if w.String() == v {
						k.Window = w
						return nil
					}
				}
				return fmt.Errorf("%q is not a window; there are 10s, 30s, 1m, 5m, stage and run", v)
			},
			Get: func(k engine.Knobs) string { return k.Window.String() },
		},
	}
}
