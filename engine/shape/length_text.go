// This file is the lengths as people write them.

package shape

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// forms says what ParseLength takes.
const forms = `write a number of tokens (512), a range (128-1024) or a mean and its spread (512±128 or "normal 512/128")`

// ParseLength reads a length: "512" is fixed, "128-1024" uniform, "512±128" or "normal 512/128" normal with mean 512 and
// standard deviation 128. "+-" and "+/-" stand for "±", which not every keyboard has. Space does not matter between
// these parts, nor does case. The error is a sentence that says what was wrong and what may be written.
func ParseLength(s string) (Length, error) {
	l, err := parseLength(strings.ToLower(strings.TrimSpace(s)))
	if err == nil {
		err = l.Validate()
	}
	if err != nil {
		return Length{}, fmt.Errorf("length %q: %w; %s", s, err, forms)
	}
	return l, nil
}

func parseLength(text string) (Length, error) {
	if text == "" {
		return Length{}, errors.New("there is nothing in it")
	}
	if rest, named := strings.CutPrefix(text, "normal"); named {
		mean, sd, ok := strings.Cut(rest, "/")
		if !ok {
			return Length{}, errors.New(`after "normal" comes mean/spread`)
		}
		return parsePair(mean, sd, Normal)
	}
	for _, sign := range []string{"±", "+/-", "+-"} {
		if mean, sd, ok := strings.Cut(text, sign); ok {
			return parsePair(mean, sd, Normal)
		}
	}
	if lo, hi, ok := strings.Cut(text, "-"); ok {
		return parsePair(lo, hi, Uniform)
	}
	n, err := parseNumber(text)
	return Fixed(n), err
}

func parsePair(first, second string, of func(a, b int) Length) (Length, error) {
	a, err := parseNumber(first)
	if err != nil {
		return Length{}, err
	}
	b, err := parseNumber(second)
	return of(a, b), err
}

func parseNumber(text string) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseUint(text, 10, 31)
	switch {
	case err == nil:
		return int(n), nil
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is out of range: a length goes from 1 to %d", text, MaxTokens)
	case text == "":
		return 0, errors.New("a number is missing")
	default:
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
}

// String returns the length as ParseLength reads it: "512", "128-1024", "512±128". Equal lengths give equal strings, and
// Shape.Hash rests on them: they are not to be changed.
func (l Length) String() string {
	switch l.kind {
	case uniform:
		return fmt.Sprintf("%d-%d", l.a, l.b)
	case normal:
		return fmt.Sprintf("%d±%d", l.a, l.b)
	default:
		return strconv.Itoa(l.a)
	}
}

// MarshalText writes the length as String does, for JSON and YAML.
func (l Length) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the length as ParseLength does.
func (l *Length) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLength(string(text))
	return err
}
