// This file walks through JSON that has been checked, without allocations.

package lines

import (
	"bytes"
	"encoding/json"
	"iter"
	"math"
	"strconv"
)

// Members yields an object's members in their order: the name as it stands between its quotes, escapes and all, and
// the value. A value that is not an object has none. The JSON must be valid, as Check knows it, and UTF-8.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		rest, more := enter(object, '{')
		for more {
			n := textLength(rest)
			name := rest[1 : n-1]
			rest = trim(trim(rest[n:])[1:])
			n = valueLength(rest)
			if !yield(name, rest[:n]) {
				return
			}
			rest, more = step(rest[n:])
		}
	}
}

// Elements yields an array's elements in their order. A value that is not an array has none. The JSON must be valid.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest, more := enter(array, '[')
		for more {
			n := valueLength(rest)
			if !yield(rest[:n]) {
				return
			}
			rest, more = step(rest[n:])
		}
	}
}

// enter steps to the first entry of the list that b begins with; false where there is none.
func enter(b []byte, open byte) ([]byte, bool) {
	b = trim(b)
	if len(b) == 0 || b[0] != open {
		return nil, false
	}
	b = trim(b[1:])
	return b, b[0] != open+2 // "]" is "[" + 2, and so with braces
}

// step steps over the comma behind an entry; false where the list ends.
func step(b []byte) ([]byte, bool) {
	b = trim(b)
	if b[0] != ',' {
		return nil, false
	}
	return trim(b[1:]), true
}

// trim takes white space off the front. (bytes.TrimLeft is slow where there is one byte of it or none, as mostly.)
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\r' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// valueLength is the length of the valid value that b begins with.
func valueLength(b []byte) int {
	switch b[0] {
	case '"':
		return textLength(b)
	case '{', '[':
		return listLength(b)
	}
	n := 1
	for n < len(b) && b[n] > ' ' && b[n] != ',' && b[n] != ']' && b[n] != '}' {
		n++
	}
	return n
}

// listLength is valueLength of an object or an array.
func listLength(b []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		case '"':
			i += textLength(b[i:]) - 1
		}
	}
}

// textLength is valueLength of a string: up to the first quote with an even number of backslashes before it.
func textLength(b []byte) int {
	for i := 1; ; i++ {
		i += bytes.IndexByte(b[i:], '"')
		slashes := 0
		for b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// Text returns what stands between the quotes of a string, escapes and all; false where the value is none.
func Text(value []byte) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	return value[1 : len(value)-1], true
}

// Decode returns the text of a string; "" where the value is none. Half of a surrogate pair becomes U+FFFD.
func Decode(value []byte) string {
	raw, ok := Text(value)
	if !ok {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// Whole reads a whole number in decimals, also one spelled 12.0 or 1.2e1; false for everything else, and from ±2⁵³ on.
func Whole(b []byte) (int64, bool) {
	if n, ok := natural(b); ok {
		return n, true
	}
	f, ok := Decimal(b)
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// natural reads up to 15 digits, which is how nearly all numbers are written.
func natural(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 15 {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// Decimal reads a finite number in decimals; false for everything else.
func Decimal(b []byte) (float64, bool) {
	for _, c := range b { // ParseFloat also takes hexadecimal, underscores, inf and nan
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(b), 64)
	return f, err == nil
}
