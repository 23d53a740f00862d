// This file is how a file's numbers are to be read, where its format leaves that open.

package trace

import (
	"fmt"
	"strings"
	"time"
)

// Unit is what the timestamps of a file count: a second, a millisecond and so on; 0: what the data say.
type Unit time.Duration

// units are the names of the units, in the order in which people are told of them.
var units = [...]struct {
	unit Unit
	name string
}{
	{Unit(time.Second), "s"}, {Unit(time.Millisecond), "ms"}, {Unit(time.Microsecond), "us"}, {Unit(time.Nanosecond), "ns"},
}

// String returns the unit's name; "auto" for what the data say.
func (u Unit) String() string {
	for _, k := range units {
		if k.unit == u {
			return k.name
		}
	}
	return "auto"
}

// ParseUnit reads the name of a unit in any case; false for what is none. "auto" and "" are what the data say.
func ParseUnit(s string) (Unit, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, k := range units {
		if s == k.name {
			return k.unit, true
		}
	}
	return 0, s == "" || s == "auto"
}

// MaxBlock is the most tokens that a block may have.
const MaxBlock = 1 << 20

// Reading is how a file's numbers are read. The zero Reading is what the data say.
type Reading struct {
	Unit  Unit // of the timestamps; 0: by the data
	Block int  // tokens of a block that an id stands for; 0: by the data, and of a file that is open: it has none
}

// documented is the reading that those who published a format say it has.
func (f Format) documented() Reading {
	switch f {
	case Mooncake:
		return Reading{Unit: Unit(time.Millisecond), Block: 512}
	case BurstGPT:
		return Reading{Unit: Unit(time.Second)}
	default:
		return Reading{}
	}
}

// over returns the reading with what it leaves open as the other has it.
func (r Reading) over(other Reading) Reading {
	if r.Unit == 0 {
		r.Unit = other.Unit
	}
	if r.Block == 0 {
		r.Block = other.Block
	}
	return r
}

// fits returns why a format can't be read like that; nil where it can.
func (r Reading) fits(f Format) error {
	switch of := f.documented(); {
	case r.Unit != 0 && of.Unit == 0:
		return fmt.Errorf("its times are dates, which have no unit; leave out trace-unit")
	case r.Block != 0 && of.Block == 0:
		return fmt.Errorf("the format %s has no blocks; leave out block", f)
	}
	return nil
}
