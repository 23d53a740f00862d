// This file is the axis along which an autopilot moves.

package stage

import (
	"fmt"
	"math"
	"strconv"
)

// Axis is what a level is a quantity of. Its text is that of load.Setting.Axis.
type Axis string

// The axes.
const (
	Concurrency Axis = "concurrency" // requests in flight, whole
	Rate        Axis = "req/s"       // arrivals a second
	Speed       Axis = "speed"       // of a replay, as a factor
)

// Tolerance is how near the levels that held and missed come to each other before a search is content: a twentieth of
// the level, and at least 1 for concurrency.
const Tolerance = 0.05

// Name names a level as a person would: "c=16", "12.5 req/s", "speed ×2".
func (a Axis) Name(level float64) string {
	number := strconv.FormatFloat(level, 'f', -1, 64)
	switch a {
	case Rate:
		return number + " req/s"
	case Speed:
		return "speed ×" + number
	}
	return "c=" + number
}

// round returns the nearest level that the axis has: a whole number, or three significant digits.
func (a Axis) round(level float64) float64 {
	if a == Concurrency {
		return math.Round(level)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(level, 'e', 2, 64), 64)
	if err != nil {
		return level
	}
	return rounded
}

// tolerance is how far above a level the next may be that counts as its neighbour.
func (a Axis) tolerance(level float64) float64 {
	if a == Concurrency {
		return max(1, Tolerance*level)
	}
	return Tolerance * level
}

// validate says what is wrong with a level.
func (a Axis) validate(level float64) error {
	switch {
	case a != Concurrency && a != Rate && a != Speed:
		return fmt.Errorf("the load has no axis %q to move along; there are %s, %s and %s", a, Concurrency, Rate, Speed)
	case !(level > 0) || math.IsInf(level, 0):
		return fmt.Errorf("a level must be above zero, not %v", level)
	case a == Concurrency && level != math.Round(level):
		return fmt.Errorf("concurrency is a whole number, not %v", level)
	}
	return nil
}

// Same reports whether two levels are the same, but for what is lost where one is turned into a setting and back: the rate
// of bursts is kept as the time between them, in whole nanoseconds.
func (a Axis) Same(one, other float64) bool {
	if a == Concurrency {
		return one == other
	}
	return math.Abs(one-other) <= 1e-4*max(math.Abs(one), math.Abs(other))
}
