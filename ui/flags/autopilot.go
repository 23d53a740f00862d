// This file holds the flags of the autopilot.

package flags

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/stage"
)

// Autopilot are the flags that say what an autopilot does.
type Autopilot struct {
	search  bool
	levels  string
	samples int
	steady  time.Duration
	longest time.Duration

	set *pflag.FlagSet
}

// Bind adds the flags to a command.
func (f *Autopilot) Bind(set *pflag.FlagSet) {
	f.set = set
	set.StringVar(&f.levels, "levels", "", "`levels` to walk: 1,2,4,8, or 1-32 for doublings, 10..100/10 for steps, 1,2,4,8@30s for so long each; default: doublings, as far as there is something to learn")
	set.BoolVar(&f.search, "search", false, "find the highest level that still holds the SLO")
	countVar(set, &f.samples, "samples", 100, "`requests` to measure at each level, at least", "requests", "request")
	timeVar(set, &f.steady, "steady", 30*time.Second, "30s", "`time` to measure each level, at least")
	timeVar(set, &f.longest, "longest", 2*time.Minute, "2m", "`time` after which a level is left with fewer requests")
}

// Config returns what the flags describe. Its errors are sentences about the command line.
func (f *Autopilot) Config() (*engine.AutopilotRun, error) {
	if f.samples < 1 || f.steady <= 0 || f.longest <= 0 {
		return nil, errors.New("--samples, --steady and --longest are above zero")
	}
	run := &engine.AutopilotRun{
		Kind:   engine.Ladder,
		Effort: stage.Effort{Requests: f.samples, Steady: f.steady, Longest: f.longest},
	}
	if f.search {
		run.Kind = engine.Search
		if f.set.Changed("levels") {
			return nil, errors.New("--search finds its levels itself; leave --levels out")
		}
		return run, nil
	}
	if f.set.Changed("levels") {
		levels, err := load.ParseLevels(f.levels)
		if err != nil {
			return nil, fmt.Errorf("--levels: %w", err)
		}
		run.Levels = levels
		if levels.Dwell > 0 {
			run.Kind = engine.Steps
		}
	}
	return run, nil
}
