// This file is the ramp of a setting: what it is and how people write it.

package load

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"tokdyno/engine/units"
)

// RampKind says along which curve a level moves.
type RampKind string

// The curves.
const (
	AtOnce      RampKind = ""            // none: the level jumps
	Linear      RampKind = "linear"      // by the same amount in every second
	Exponential RampKind = "exponential" // by the same factor in every second: it gives each doubling the same time
)

// MaxRamp is the longest that a ramp may take.
const MaxRamp = 24 * time.Hour

// Ramp is how the level of the load (Setting.Level) gets to where a setting wants it. The zero Ramp lets it jump.
type Ramp struct {
	Kind RampKind
	Over time.Duration // how long it takes, to MaxRamp; does not count when the kind is AtOnce
}

// rampForms says what ParseRamp takes.
const rampForms = `write a time (30s), a curve and a time ("exponential 30s") or off`

// ParseRamp reads a ramp: "30s" and "linear 30s" are linear, "exp 30s" and "exponential 30s" exponential; a time of 0 and
// what units.Off knows are none. Case and space around the parts do not matter. The error is a sentence that says what was
// wrong and what may be written.
func ParseRamp(text string) (Ramp, error) {
	if units.Off(text) {
		return Ramp{}, nil
	}
	r, err := parseRamp(strings.ToLower(strings.TrimSpace(text)))
	if err == nil {
		err = r.Validate()
	}
	if err != nil {
		return Ramp{}, fmt.Errorf("ramp %q: %w; %s", text, err, rampForms)
	}
	return r, nil
}

func parseRamp(text string) (Ramp, error) {
	r := Ramp{Kind: Linear}
	if curve, rest, ok := strings.Cut(text, " "); ok && unicode.IsLetter(rune(curve[0])) {
		switch curve {
		case "linear":
		case "exp", "exponential":
			r.Kind = Exponential
		default:
			return Ramp{}, fmt.Errorf("%q is no curve that is known", curve)
		}
		text = rest
	}
	var err error
	if r.Over, err = units.ParseTime(text, "30s"); err != nil || r.Over == 0 {
		return Ramp{}, err
	}
	return r, nil
}

// Validate returns nil, or what is wrong in a few words.
func (r Ramp) Validate() error {
	switch {
	case r.Kind == AtOnce:
		return nil
	case r.Kind != Linear && r.Kind != Exponential:
		return fmt.Errorf("%q is no curve that is known", string(r.Kind))
	case r.Over <= 0 || r.Over > MaxRamp:
		return fmt.Errorf("%s is out of range: a ramp takes more than no time and at most %s", units.Time(r.Over), units.Time(MaxRamp))
	default:
		return nil
	}
}

// String returns the ramp as ParseRamp reads it: "off", "30s", "exponential 30s".
func (r Ramp) String() string {
	switch r.Kind {
	case AtOnce:
		return "off"
	case Linear:
		return units.Time(r.Over)
	default:
		return string(r.Kind) + " " + units.Time(r.Over)
	}
}
