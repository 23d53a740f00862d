// This file is times, which always have a unit.

package units

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ParseTime reads a time with its unit: "300ms", "1.5 s", "1m30s", "5 min". Only 0 needs none. The example, such as
// "ttft=300ms", is what the error tells the person to write; a number without a unit is put into it.
func ParseTime(text, example string) (time.Duration, error) {
	trimmed := strings.TrimSpace(text)
	canonical := ""
	finest := len(timeUnits())
	for rest := strings.ToLower(trimmed); rest != ""; {
		number, name, after := firstTime(rest)
		digits, ok := plain(number)
		if !ok {
			return 0, notATime(trimmed, example)
		}
		if number == rest && canonical == "" {
			return withoutUnit(digits, number, example)
		}
		at, unit := timeUnit(name)
		if at >= finest { // no unit, or not a finer one than before
			return 0, notATime(trimmed, example)
		}
		finest = at
		canonical += digits + unit
		rest = after
	}
	d, err := time.ParseDuration(canonical)
	if err != nil {
		return 0, notATime(trimmed, example)
	}
	return d, nil
}

// withoutUnit is what a number alone means: nothing where it is 0, else a question.
func withoutUnit(digits, number, example string) (time.Duration, error) {
	v, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil:
		return 0, notATime(number, example)
	case v == 0:
		return 0, nil
	}
	prefix, unit := around(example)
	return 0, fmt.Errorf("%s of what? %s%s%s", number, prefix, number, unit)
}

func notATime(text, example string) error {
	return fmt.Errorf("%q is not a time; write it like %s", text, example)
}

// firstTime takes the first number off a text, and the letters behind it.
func firstTime(text string) (number, name, after string) {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != ',' })
	if end < 0 {
		return text, "", ""
	}
	number, text = text[:end], strings.TrimSpace(text[end:])
	end = strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	return number, text[:end], strings.TrimSpace(text[end:])
}

// timeUnits are the units of time with their names, the finest first and the shortest name first.
func timeUnits() [][]string {
	return [][]string{
		{"ns"},
		{"us", "µs", "μs"},
		{"ms", "millisecond", "milliseconds"},
		{"s", "sec", "second", "seconds"},
		{"m", "min", "minute", "minutes"},
		{"h", "hour", "hours"},
	}
}

// timeUnit returns how coarse the unit of a name is and its shortest name; more than any for what is none.
func timeUnit(name string) (coarse int, unit string) {
	all := timeUnits()
	for i, names := range all {
		for _, n := range names {
			if n == name {
				return i, names[0]
			}
		}
	}
	return len(all), ""
}

// IsTimeUnit reports whether a word is a unit of time, as ParseTime takes it behind a space.
func IsTimeUnit(word string) bool {
	_, unit := timeUnit(strings.ToLower(word))
	return unit != ""
}

// around takes an example such as "ttft=300ms" apart into what stands before its last number and what stands behind it.
func around(example string) (prefix, unit string) {
	number := strings.TrimRightFunc(example, unicode.IsLetter)
	return strings.TrimRight(number, "0123456789."), example[len(number):]
}

// Time writes a time in one word, as short as it goes: "300ms", "1m30s", "2h".
func Time(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// TimeApart writes a time of setting as it stands on a screen, in milliseconds below a second and in seconds above, with
// every digit that it has: "300 ms", "1.5 s", "90 s". 0 is "off".
func TimeApart(d time.Duration) string {
	switch {
	case d <= 0:
		return "off"
	case d < time.Second:
		return inUnits(d, time.Millisecond, 6) + " ms"
	}
	return inUnits(d, time.Second, 9) + " s"
}

// inUnits writes a time in a unit of so many decimals, without a float's rounding.
func inUnits(d, unit time.Duration, decimals int) string {
	text := fmt.Sprintf("%d.%0*d", d/unit, decimals, d%unit)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
