// This file holds the flags of the autopilot.

package flags

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/presets"
)

// Autopilot are the flags that say what an autopilot does.
type Autopilot struct {
	search bool
	levels string
	effort stage.Effort

	set *pflag.FlagSet
}

// Bind adds the flags to a command.
func (f *Autopilot) Bind(set *pflag.FlagSet) {
	f.set = set
	set.StringVar(&f.levels, "levels", "", "`levels` to walk: 1,2,4,8, or 1-32 for doublings, 10..100/10 for steps, 1,2,4,8@30s for so long each; default: doublings, as far as there is something to learn")
	set.BoolVar(&f.search, "search", false, "find the highest level that still holds the SLO")
	f.effort = stage.Effort{}.WithDefaults()
	for _, s := range presets.EffortSettings() {
		read := func(text string) (stage.Effort, error) { return s.Set(f.effort, text) }
		set.Var(&unitValue[stage.Effort]{&f.effort, read, s.Print, "value"}, s.Name, s.Says)
	}
}

// Config returns what the flags describe. Its errors are sentences about the command line.
func (f *Autopilot) Config() (*snapshot.AutopilotRun, error) {
	run := &snapshot.AutopilotRun{Kind: snapshot.Ladder, Effort: f.effort}
	if f.search {
		run.Kind = snapshot.Search
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
			run.Kind = snapshot.Steps
		}
	}
	return run, nil
}
