// This file is counts, numbers, and the words for on and off.

package units

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Off reports whether a text is one of the words that switch something off.
func Off(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "off", "none", "no", "0", "no cap", "-", "false":
		return true
	}
	return false
}

// ParseSwitch reads on or off.
func ParseSwitch(text string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "on", "yes", "true", "1":
		return true, nil
	}
	if Off(text) {
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off; write one of them", text)
}

// Switch writes on or off.
func Switch(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// ParseCount reads a whole number, behind which one of the names of what is counted may stand: "1,024", "64 requests". It
// is not negative; one that is too large for an int is the largest int, for the caller to find out of range.
func ParseCount(text string, names ...string) (int, error) {
	number, ok := plain(cutName(text, names))
	if !ok || strings.Trim(number, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a whole number", strings.TrimSpace(text))
	}
	n, err := strconv.Atoi(number)
	if errors.Is(err, strconv.ErrRange) {
		return math.MaxInt, nil
	}
	return n, err
}

// Count writes a whole number with a comma before every three digits: "1,024".
func Count(n int) string {
	text := strconv.Itoa(n)
	least := 0
	if n < 0 {
		least = 1
	}
	for at := len(text) - 3; at > least; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// ParseNumber reads a number, behind which one of the names of its unit may stand: "12", "0.5", "12 req/s".
func ParseNumber(text string, names ...string) (float64, error) {
	number, ok := plain(cutName(text, names))
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil {
		return 0, fmt.Errorf("%q is not a number", strings.TrimSpace(text))
	}
	return v, nil
}

// ParseFactor reads a number that something is multiplied by: "2", "×2", "2x".
func ParseFactor(text string) (float64, error) {
	number := strings.ToLower(strings.TrimSpace(text))
	for _, sign := range []string{"×", "x"} {
		if after, ok := strings.CutPrefix(number, sign); ok {
			return ParseNumber(after)
		}
	}
	return ParseNumber(number, "×", "x")
}

// Number writes a number without an exponent and with no more digits than it has.
func Number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// cutName returns the text without the name of a unit behind it, in lower case and without space around it.
func cutName(text string, names []string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, name := range names {
		if before, ok := strings.CutSuffix(text, name); ok {
			return strings.TrimSpace(before)
		}
	}
	return text
}

// plain returns a decimal number without its commas. It reports false where the text is none, or where a comma stands
// elsewhere than before three digits: what is 0,5 in other languages is not to become 5.
func plain(text string) (string, bool) {
	end := strings.IndexAny(text, ".e")
	if end < 0 {
		end = len(text)
	}
	whole, rest := text[:end], text[end:]
	first, groups, grouped := strings.Cut(whole, ",")
	if grouped {
		if len(first) < 1 || len(first) > 3 {
			return "", false
		}
		for group := range strings.SplitSeq(groups, ",") {
			if len(group) != 3 {
				return "", false
			}
			first += group
		}
	}
	text = first + rest
	if text == "" || strings.Trim(text, "0123456789.e+-") != "" {
		return "", false
	}
	return text, true
}
