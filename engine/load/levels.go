// This file is a list of levels to be walked, as people write it.

package load

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/units"
)

// What a list of levels may hold.
const (
	MaxLevels = 1000           // levels in a list
	MaxLevel  = 100_000        // one level; the limits of a Setting are narrower
	MaxDwell  = 24 * time.Hour // time at each level
)

// Levels are levels (Setting.AtLevel) in the order in which they are to be visited. The zero Levels is empty.
type Levels struct {
	Values []float64     // each more than 0, to MaxLevel
	Dwell  time.Duration // how long to stay at each; 0: not said
}

// levelForms says what ParseLevels takes.
const levelForms = "write levels with commas (1,2,4,8), from-to for doubling (1-32) or from..to/step (10..100/10), " +
	"and a time at each behind them if you like (@30s)"

// ParseLevels reads a list of levels, in any order, with commas between them. A part of the list may be a range:
//
//	1-32         doubles: 1, 2, 4, 8, 16, 32
//	10..100/10   goes up by the step behind the slash: 10, 20, … 100
//
// Both go up, and end with their upper end, whether or not the last step is a whole one. Behind the list may stand an @
// and the time to stay at each level ("1-32@30s"). Numbers are plain decimals. Space between the parts does not matter.
// The error is a sentence that says what was wrong and what may be written.
func ParseLevels(text string) (Levels, error) {
	l, err := parseLevels(text)
	if err != nil {
		return Levels{}, fmt.Errorf("levels %q: %w; %s", text, err, levelForms)
	}
	return l, nil
}

func parseLevels(text string) (Levels, error) {
	list, dwell, timed := strings.Cut(text, "@")
	var l Levels
	for part := range strings.SplitSeq(list, ",") {
		values, err := parseRange(part, MaxLevels-len(l.Values))
		if err != nil {
			return Levels{}, err
		}
		l.Values = append(l.Values, values...)
	}
	if timed {
		var err error
		if l.Dwell, err = units.ParseTime(dwell, "@30s"); err != nil {
			return Levels{}, err
		}
		if l.Dwell <= 0 || l.Dwell > MaxDwell {
			return Levels{}, fmt.Errorf("behind the @ comes a time of at most %s", units.Time(MaxDwell))
		}
	}
	return l, nil
}

var errTooManyLevels = fmt.Errorf("there are more than %d of them", MaxLevels)

// parseRange reads one part of a list, which may have that many levels.
func parseRange(part string, most int) ([]float64, error) {
	if first, rest, ok := strings.Cut(part, ".."); ok {
		last, step, ok := strings.Cut(rest, "/")
		if !ok {
			return nil, errors.New("a range with two dots needs a step behind a slash")
		}
		by, err := parseLevel(step)
		if err != nil {
			return nil, err
		}
		return spread(first, last, most, func(level float64, n int) float64 { return level + float64(n)*by })
	}
	if first, last, ok := strings.Cut(part, "-"); ok {
		return spread(first, last, most, math.Ldexp)
	}
	level, err := parseLevel(part)
	if err == nil && most < 1 {
		err = errTooManyLevels
	}
	return []float64{level}, err
}

// spread returns the levels from the first to the last, of which nth computes all but the last.
func spread(first, last string, most int, nth func(first float64, n int) float64) ([]float64, error) {
	from, err := parseLevel(first)
	if err != nil {
		return nil, err
	}
	to, err := parseLevel(last)
	if err != nil {
		return nil, err
	}
	if from >= to {
		return nil, fmt.Errorf("a range goes up, and %s is not below %s", number(from), number(to))
	}
	var levels []float64
	for level := from; level < to; level = decimal(nth(from, len(levels))) {
		if len(levels)+1 >= most { // the last comes on top
			return nil, errTooManyLevels
		}
		levels = append(levels, level)
	}
	return append(levels, to), nil
}

// decimal rounds to twelve digits, so that ten steps of 0.1 make 1.
func decimal(level float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(level, 'e', 11, 64), 64)
	return rounded
}

func parseLevel(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errors.New("a number is missing")
	}
	level, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, ".0123456789") != "" {
		return 0, fmt.Errorf("%q is not a plain number", text)
	}
	if !(level > 0 && level <= MaxLevel) {
		return 0, fmt.Errorf("%s is out of range: a level is more than 0 and at most %d", text, MaxLevel)
	}
	return level, nil
}

// String returns the levels as ParseLevels reads them, one by one: "1,2,4,8@30s".
func (l Levels) String() string {
	texts := make([]string, len(l.Values))
	for i, level := range l.Values {
		texts[i] = number(level)
	}
	text := strings.Join(texts, ",")
	if l.Dwell > 0 {
		text += "@" + units.Time(l.Dwell)
	}
	return text
}
