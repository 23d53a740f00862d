// This file reads the limits of a request as a person types them.

package slo

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"tokdyno/engine/units"
)

// With returns the criteria with the limits of a text, such as "ttft=500ms tpot=40ms e2el=3s". Limits that it does not
// name stay as they are. A limit is a metric and a time with its unit, or off, with "=", "<=" or nothing between them;
// spaces and commas part limits. "off" by itself drops every limit named before it, and so does the empty text. Of a
// metric that is there twice the last limit counts. The error is a sentence that says what to write.
func (c Criteria) With(text string) (Criteria, error) {
	words := limitWords(text)
	if len(words) == 0 {
		return Criteria{}, nil
	}
	next := c
	for len(words) > 0 {
		if words[0] == "no" && len(words) > 1 && words[1] == "cap" || units.Off(words[0]) {
			next, words = Criteria{}, words[1:]
			continue
		}
		m, err := parseMetric(words[0], text)
		if err != nil {
			return c, err
		}
		n := valueWords(words[1:])
		if n == 0 {
			return c, fmt.Errorf("%s has no limit; write it like %s=500ms, or %s=off", m, m, m)
		}
		value := strings.Join(words[1:1+n], " ")
		words = words[1+n:]
		if next[m] = 0; units.Off(value) {
			continue
		}
		if next[m], err = units.ParseTime(value, m.String()+"=500ms"); err != nil {
			return c, err
		}
	}
	return next, nil
}

// limitWords are the words of a row of limits, in lower case.
func limitWords(text string) []string {
	text = strings.NewReplacer("<=", " ", "≤", " ", "=", " ", "<", " ").Replace(strings.ToLower(text))
	// A comma parts limits, unless it stands between digits: 1,500ms.
	runes := []rune(text)
	for i, r := range runes {
		if r == ',' && (i == 0 || i+1 == len(runes) || !unicode.IsDigit(runes[i-1]) || !unicode.IsDigit(runes[i+1])) {
			runes[i] = ' '
		}
	}
	return strings.Fields(string(runes))
}

// valueWords returns how many of the words, from the first on, belong to one limit: 1 for "300ms", 2 for "300 ms".
func valueWords(words []string) int {
	if len(words) == 0 {
		return 0
	}
	n := 1
	for n < len(words) && (units.IsTimeUnit(words[n]) || unicode.IsDigit([]rune(words[n])[0])) && !units.Off(words[0]) {
		n++
	}
	return n
}

// parseMetric reads the name of what a limit is of; in is the whole text.
func parseMetric(name, in string) (Metric, error) {
	switch name {
	case "ttft":
		return TTFT, nil
	case "ttfa":
		return TTFA, nil
	case "tpot":
		return TPOT, nil
	case "e2el", "e2e":
		return E2EL, nil
	case "itl":
		return 0, errors.New("itl is a figure of tokens, not of requests; limit tpot instead, e.g. tpot=40ms")
	case Errors:
		return 0, errors.New("errors is a share of many requests, not a latency; write an objective, e.g. errors <= 1% over 1m")
	}
	if !unicode.IsLetter([]rune(name)[0]) {
		return 0, fmt.Errorf("%q is not a row of limits; write them like ttft=300ms tpot=40ms, or off", strings.TrimSpace(in))
	}
	return 0, fmt.Errorf("there is no metric %q; there are ttft, ttfa, tpot and e2el", name)
}
