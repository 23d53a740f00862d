// This file writes the load in a few words.

package figure

import (
	"fmt"
	"strings"

	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
)

// LevelName is a level as it is spoken of: "c=16", "12 req/s", "replay ×2".
func LevelName(k snapshot.Knobs, level float64) string {
	k.Load = k.Load.AtLevel(level)
	return LoadPoint(k)
}

// LoadText is the load in the header: "c=32" where that many are in flight, "open 12 req/s poisson" in the open loop.
func LoadText(k snapshot.Knobs) string {
	switch k.Load.Mode {
	case load.Open:
		return strings.TrimSpace(fmt.Sprintf("open %s %s", LoadPoint(k), k.Load.Arrival))
	case load.Replay:
		return k.Load.String()
	}
	return LoadPoint(k)
}

// LoadPoint is the load in its shortest form: "c=32", "12 req/s", "replay ×2".
func LoadPoint(k snapshot.Knobs) string {
	switch k.Load.Mode {
	case load.Open:
		return cell.Exactly(k.Load.Level()) + " req/s"
	case load.Replay:
		return "replay ×" + cell.Exactly(k.Load.Level())
	}
	return "c=" + cell.Grouped(int64(k.Load.Concurrency))
}
