// This file is the arrival processes of the open loop: their names, as people write them and as they are kept.

package load

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/units"
)

// Arrival names an arrival process. It is a string rather than a number because processes take parameters in their
// name: "gamma:0.5", "burst:16/2s".
type Arrival string

// The arrival processes without a parameter. Gamma and Burst name the others.
const (
	Constant Arrival = "constant" // equal gaps: coefficient of variation 0
	Poisson  Arrival = "poisson"  // exponential gaps, as independent users make them: coefficient of variation 1
)

// What the parameters of an arrival process may be. Below MinVariation gaps are equal to the eye and to a server; the
// longest wait between bursts is the longest mean gap there is, 1/MinRate.
const (
	MinVariation  = 0.001   // coefficient of variation of gamma-distributed gaps
	MaxVariation  = 10.0    // the same
	MaxBurst      = 100_000 // arrivals at once
	MaxBurstEvery = 1000 * time.Second
)

// arrivalForms says what ParseArrival takes.
const arrivalForms = "it is constant, poisson, gamma:CV (as gamma:2) or burst:K/EVERY (as burst:16/2s)"

// Gamma names the process of independent gamma-distributed gaps with that coefficient of variation, from MinVariation to
// MaxVariation: below 1 they are more even than those of Poisson, above 1 they cluster; with 1 they are distributed as
// those.
func Gamma(variation float64) Arrival {
	return Arrival("gamma:" + strconv.FormatFloat(variation, 'f', -1, 64))
}

// Burst names the process of size arrivals at once (1 to MaxBurst), time and again after every (to MaxBurstEvery). It
// has a rate of its own, size/every, and the Rate of a Setting does not count beside it.
func Burst(size int, every time.Duration) Arrival {
	return Arrival(fmt.Sprintf("burst:%d/%s", size, units.Time(every)))
}

// ParseArrival returns the process of that name, in any case and with space around its parts; the result is written in
// one way, so that equal processes are equal. The error is a sentence that says what was wrong and lists what there is.
func ParseArrival(name string) (Arrival, error) {
	form, err := Arrival(name).form()
	if err != nil {
		return "", err
	}
	return form.name(), nil
}

// form is an arrival process in parts.
type form struct {
	plain     Arrival       // Constant or Poisson; "": one of the others
	variation float64       // gamma
	size      int           // burst; 0: it is none
	every     time.Duration // burst
}

// rate returns the mean rate that the process has by itself, in arrivals a second; false where the Setting gives it.
func (f form) rate() (float64, bool) {
	if f.size == 0 {
		return 0, false
	}
	return float64(f.size) / f.every.Seconds(), true
}

func (f form) name() Arrival {
	switch {
	case f.plain != "":
		return f.plain
	case f.size > 0:
		return Burst(f.size, f.every)
	default:
		return Gamma(f.variation)
	}
}

// form takes the name apart.
func (a Arrival) form() (form, error) {
	name, parameter, parameters := strings.Cut(strings.ToLower(string(a)), ":")
	name, parameter = strings.TrimSpace(name), strings.TrimSpace(parameter)
	var f form
	var err error
	switch {
	case !parameters && (name == string(Constant) || name == string(Poisson)):
		f.plain = Arrival(name)
	case parameters && name == "gamma":
		f.variation, err = parseVariation(parameter)
	case parameters && name == "burst":
		f.size, f.every, err = parseBurst(parameter)
	default:
		return form{}, fmt.Errorf("arrival %q is not known: %s", string(a), arrivalForms)
	}
	if err != nil {
		return form{}, fmt.Errorf("arrival %q: %w; %s", string(a), err, arrivalForms)
	}
	return f, nil
}

func parseVariation(text string) (float64, error) {
	variation, err := units.ParseNumber(text)
	if err != nil || !(variation >= MinVariation && variation <= MaxVariation) {
		return 0, fmt.Errorf("the coefficient of variation is a number from %v to %v", MinVariation, MaxVariation)
	}
	return variation, nil
}

func parseBurst(text string) (size int, every time.Duration, err error) {
	first, second, ok := strings.Cut(text, "/")
	if !ok {
		return 0, 0, errors.New("after burst comes how many arrive at once, a slash, and the time between bursts")
	}
	size, err = units.ParseCount(first)
	if err != nil || size < 1 || size > MaxBurst {
		return 0, 0, fmt.Errorf("a burst is a whole number of arrivals, from 1 to %d", MaxBurst)
	}
	every, err = units.ParseTime(second, "2s")
	if err != nil {
		return 0, 0, err
	}
	if every <= 0 || every > MaxBurstEvery {
		return 0, 0, fmt.Errorf("the time between bursts is more than none, and at most %s", units.Time(MaxBurstEvery))
	}
	if rate, _ := (form{size: size, every: every}).rate(); rate > MaxRate {
		return 0, 0, fmt.Errorf("that is more than %d requests a second", MaxRate)
	}
	return size, every, nil
}
