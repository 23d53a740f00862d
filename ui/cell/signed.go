// This file writes differences.

package cell

import (
	"math"
	"strconv"
)

// Sign is what stands before the size of a difference.
func Sign(by float64) string {
	switch {
	case by > 0:
		return "+"
	case by < 0:
		return "−"
	}
	return "±"
}

// SignedShare writes a relative difference in percent: +58, −0.4.
func SignedShare(by float64) string {
	const most = 99.99 // beyond a hundredfold, the exact share says nothing more
	percent := 100 * min(math.Abs(by), most)
	number := strconv.FormatFloat(percent, 'f', 0, 64)
	if percent < 9.95 {
		number = strconv.FormatFloat(percent, 'f', 1, 64)
	}
	return Sign(by) + number
}
