// This file reads numbers.

package jsonscan

import (
	"math"
	"strconv"
)

// maxDigits is how many digits are read without a look at how large the number is: nearly all numbers have no more.
const maxDigits = 15

// Digits reads the digits that b begins with as a whole number, and says how many there are: none where there is no
// digit, more than 15, or a zero before another one.
func Digits(b []byte) (value int64, length int) {
	for length < len(b) && b[length]-'0' <= 9 {
		if length == maxDigits {
			return 0, 0
		}
		value = 10*value + int64(b[length]-'0')
		length++
	}
	if length > 1 && b[0] == '0' {
		return 0, 0
	}
	return value, length
}

// Whole reads a whole number in decimals, also one spelled 12.0 or 1.2e1; false for everything else, and from ±2⁵³ on,
// where not every whole number can be told from the next.
func Whole(b []byte) (int64, bool) {
	if n, length := Digits(b); length > 0 && length == len(b) {
		return n, true
	}
	f, ok := Decimal(b)
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
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
