// This file writes the load in a few words.

package ui

import (
	"fmt"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/load"
)

// loadText is the load in the header: "c=32" where that many are in flight, "open 12 req/s poisson" in the open loop.
func loadText(k engine.Knobs) string {
	switch k.Load.Mode {
	case load.Open:
		return strings.TrimSpace(fmt.Sprintf("open %s %s", loadPoint(k), k.Load.Arrival))
	case load.Replay:
		return k.Load.String()
	}
	return loadPoint(k)
}

// loadPoint is the load in its shortest form: "c=32", "12 req/s", "replay ×2".
func loadPoint(k engine.Knobs) string {
	switch k.Load.Mode {
	case load.Open:
		return exactly(k.Load.Level()) + " req/s"
	case load.Replay:
		return "replay ×" + exactly(k.Load.Level())
	}
	return "c=" + grouped(int64(k.Load.Concurrency))
}
