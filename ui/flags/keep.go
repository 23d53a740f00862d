// This file holds the flags of whether a run is kept, and of how many are.

package flags

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"tokdyno/engine/kept"
	"tokdyno/engine/units"
	"tokdyno/ui/session"
)

// Keep are the flags of whether a run is kept, and of how many are.
type Keep struct{ keeping session.Keeping }

// Bind adds the flags to a command.
func (k *Keep) Bind(f *pflag.FlagSet) {
	to, limits := &k.keeping, kept.DefaultLimits()
	f.BoolVar(&to.No, "no-keep", false, "keep no file of this run; see tokdyno runs")
	f.BoolVar(&to.NoGaps, "no-gaps", false, "keep how many chunks came, not when each did: a smaller file")
	f.BoolVar(&to.Texts, "record-text", false, "the run's file has prompt and answer too, of the requests that can be opened: the 200 "+
		"slowest, the last 200, and the last 200 that failed; without it, it has none")
	countVar(f, &to.Limits.Runs, "keep-runs", limits.Runs, "keep this `number` of runs, beside those with a name and baselines; off: any", "runs", "run")
	to.Limits.Bytes = limits.Bytes
	f.Var(&unitValue[int64]{&to.Limits.Bytes, parseBytes, func(n int64) string {
		if n == 0 {
			return ""
		}
		return humanize.Bytes(uint64(n))
	}, "size"}, "keep-size", "keep so many bytes of them, as `2GB`; off: any")
}

// Keeping is what the flags say.
func (k *Keep) Keeping() session.Keeping { return k.keeping }

func parseBytes(text string) (int64, error) {
	if units.Off(text) {
		return 0, nil
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 || n > math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size; write it like 500MB or 2GB", text)
	}
	return int64(n), nil
}
