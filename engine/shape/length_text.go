// This file is the lengths as people write them.

package shape

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tokdyno/engine/units"
)

// forms says what ParseLength takes.
const forms = `write a number of tokens (512), a range (128-1024), a mean and its spread (512±128, "normal 512/128" or ` +
	`"lognormal 512/256") or a file with a length in each line ("file:lens.txt")`

// filePrefix stands before the path of a file of lengths.
const filePrefix = "file:"

// ParseLength reads a length: "512" is fixed, "128-1024" uniform, "512±128" or "normal 512/128" normal with mean 512 and
// standard deviation 128, "lognormal 512/128" or "logn 512/128" lognormal with the same. "+-" and "+/-" stand for "±",
// which not every keyboard has. Space does not matter between these parts, nor does case, and behind them may stand what
// is counted: "512 tokens", "4 turns".
//
// "file:lens.txt" reads that file, as Listed takes it, and "file:lens.txt ×1.5" (or x1.5) makes its lengths one and a half
// times as long. What ParseLength returned doesn't change with the file.
//
// The error is a sentence that says what was wrong and, except about a file's content, what may be written.
func ParseLength(s string) (Length, error) {
	text := strings.TrimSpace(s)
	if len(text) >= len(filePrefix) && strings.EqualFold(text[:len(filePrefix)], filePrefix) {
		l, err := parseFile(strings.TrimSpace(text[len(filePrefix):]))
		if err != nil {
			return Length{}, fmt.Errorf("length %q: %w", s, err)
		}
		return l, nil
	}
	l, err := parseLength(withoutUnit(strings.ToLower(text)))
	if err == nil {
		err = l.Validate()
	}
	if err != nil {
		return Length{}, fmt.Errorf("length %q: %w; %s", s, err, forms)
	}
	return l, nil
}

// withoutUnit returns a length without the word for what it counts.
func withoutUnit(text string) string {
	for _, unit := range []string{"tokens", "token", "turns", "turn"} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			return strings.TrimSpace(number)
		}
	}
	return text
}

// parseFile reads what stands behind "file:".
func parseFile(text string) (Length, error) {
	path, factor, _ := cutFactor(text)
	l, err := openListed(path)
	if err != nil {
		return Length{}, err
	}
	return l.times(factor), nil
}

func parseLength(text string) (Length, error) {
	if text == "" {
		return Length{}, errors.New("there is nothing in it")
	}
	for _, named := range []struct {
		name string
		of   func(mean, sd int) Length
	}{{"normal", Normal}, {"lognormal", Lognormal}, {"logn", Lognormal}} {
		rest, ok := strings.CutPrefix(text, named.name)
		if !ok {
			continue
		}
		mean, sd, ok := strings.Cut(rest, "/")
		if !ok {
			return Length{}, fmt.Errorf("after %q comes mean/spread", named.name)
		}
		return parsePair(mean, sd, named.of)
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
	if strings.TrimSpace(text) == "" {
		return 0, errors.New("a number is missing")
	}
	n, err := units.ParseCount(text)
	if err == nil && n > math.MaxInt32 { // more than any length, and less than arithmetic with it needs
		return 0, fmt.Errorf("%s is out of range: a length goes from 1 to %d", strings.TrimSpace(text), MaxTokens)
	}
	return n, err
}

// String returns the length as ParseLength reads it: "512", "128-1024", "512±128", "lognormal 512/128", "file:lens.txt".
// Equal lengths give equal strings, and Shape.Hash rests on them: they are not to be changed.
func (l Length) String() string {
	switch l.kind {
	case uniform:
		return fmt.Sprintf("%d-%d", l.a, l.b)
	case normal:
		return fmt.Sprintf("%d±%d", l.a, l.b)
	case lognormal:
		return fmt.Sprintf("lognormal %d/%d", l.a, l.b)
	case listed:
		return l.file.String()
	default:
		return strconv.Itoa(l.a)
	}
}

// canonical returns the length as Shape.Hash takes it: as String does, but lengths from a file by its content.
func (l Length) canonical() string {
	if l.kind == listed {
		return "listed " + l.file.digest()
	}
	return l.String()
}

// MarshalText writes the length as String does, for JSON and YAML.
func (l Length) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the length as ParseLength does.
func (l *Length) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLength(string(text))
	return err
}
