// This file is shares: parts of a whole, from 0 to 1.

package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseShare reads a share, "99%" or "0.99", correctly rounded. Above 1 a number needs its sign, for nobody can tell 99
// from a slip; and so does 1, which might be all or a hundredth.
func ParseShare(text string) (float64, error) {
	number := cutName(text, []string{"%", "percent"})
	signed := number != strings.ToLower(strings.TrimSpace(text))
	digits, ok := plain(number)
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return 0, notAShare(text)
	}
	hundredth, err := strconv.ParseFloat(digits+"e-2", 64)
	if err != nil || hundredth > 1 {
		return 0, notAShare(text)
	}
	if signed {
		return hundredth, nil
	}
	v, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil:
		return 0, notAShare(text)
	case v == 1:
		return 0, fmt.Errorf("%s may be a hundredth or all; write 1%% or 100%%", number)
	case hundredth == 1:
		return 0, fmt.Errorf("%s of what? %s%%", number, number)
	case v > 1:
		return 0, fmt.Errorf("%s of what? %s%% or %s", number, number, Number(hundredth))
	}
	return v, nil
}

func notAShare(text string) error {
	return fmt.Errorf("%q is not a share; write it like 30%% or 0.3, at most 100%%", strings.TrimSpace(text))
}

// Share writes a share in percent, in one word: "99.9%".
func Share(share float64) string { return percent(share) + "%" }

// ShareApart writes a share in percent, as it stands on a screen: "99.9 %".
func ShareApart(share float64) string { return percent(share) + " %" }

// percent writes a share in percent so that ParseShare reads it back as exactly the same number: the decimal point is
// moved in the text, since multiplying by 100 rounds.
func percent(share float64) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(share, 'f', -1, 64), ".")
	for len(part) < 2 {
		part += "0"
	}
	whole = strings.TrimLeft(whole+part[:2], "0")
	if whole == "" {
		whole = "0"
	}
	if part = part[2:]; part != "" {
		whole += "." + part
	}
	return whole
}

// RoundedDown writes a share of good ones in percent with one digit, as it stands on a screen, rounded down: only all of
// them is "100 %", and only none of them "0 %". It is "n/a" for what is no number.
func RoundedDown(share float64) string {
	thousandths := math.Floor(share*1000 + 1e-9)
	if share > 0 {
		thousandths = max(thousandths, 1)
	}
	switch {
	case math.IsNaN(thousandths), math.IsInf(thousandths, 0):
		return "n/a"
	case thousandths == 0 || thousandths == 1000:
		return strconv.Itoa(int(thousandths)/10) + " %"
	}
	return strconv.FormatFloat(thousandths/10, 'f', 1, 64) + " %"
}
