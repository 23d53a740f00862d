// This file is how a prompt is divided into what is common, what is its own, and what asks for a long answer.

package shape

import "math"

// layout is how many units each part of a prompt has, in their order. The instruction's are in none of them.
type layout struct {
	prefix, salt, body int
	instructed         bool
}

// plan lays out a prompt of that many units, of which the share overlap is common to others, with a salt and an
// instruction of so many units (0: none).
//
// Where there is no room for both behind the prefix, the instruction is left out; where there is none for the salt, it
// is cut short. With an overlap of 1 all is common, instruction included.
func plan(units int, overlap float64, salt, instruction int) layout {
	if overlap >= 1 {
		if units < salt+instruction || instruction == 0 {
			return layout{prefix: units}
		}
		return layout{prefix: units - instruction, instructed: true}
	}
	var l layout
	if overlap > 0 { // false for NaN too
		l.prefix = min(int(math.Round(overlap*float64(units))), units-1) // what is not all is not quite all
	}
	rest := units - l.prefix
	l.salt = min(salt, rest)
	rest -= l.salt
	if instruction > 0 && rest >= instruction {
		l.instructed = true
		rest -= instruction
	}
	l.body = rest
	return l
}
