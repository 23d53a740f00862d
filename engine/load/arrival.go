// This file is the arrival processes of the open loop: their names, and the gaps they draw.

package load

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Arrival names an arrival process. It is a string rather than a number because processes may take parameters in their
// name.
type Arrival string

// The arrival processes.
const (
	Constant Arrival = "constant" // equal gaps: coefficient of variation 0
	Poisson  Arrival = "poisson"  // exponential gaps, as independent users make them: coefficient of variation 1
)

// ParseArrival returns the process of that name, in any case and with space around it, or a sentence that lists the
// names there are.
func ParseArrival(name string) (Arrival, error) {
	a := Arrival(strings.ToLower(strings.TrimSpace(name)))
	if a.process() == nil {
		return "", fmt.Errorf("arrival %q is not known: it is %s or %s", name, Constant, Poisson)
	}
	return a, nil
}

// process draws the next gap between arrivals, in mean gaps: its mean is 1, so that the rate scales it. It may keep
// state between gaps.
type process func(*rand.Rand) float64

// process returns a fresh process of that name; nil for a name that is not known.
func (a Arrival) process() process {
	switch a {
	case Constant:
		return func(*rand.Rand) float64 { return 1 }
	case Poisson:
		return (*rand.Rand).ExpFloat64
	default:
		return nil
	}
}
