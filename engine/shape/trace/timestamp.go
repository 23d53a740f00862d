// This file reads the times of events.

package trace

import (
	"fmt"
	"math"
	"time"

	"tokdyno/engine/jsonscan"
)

// parseDecimal reads a number of units from 0 on; to the nanosecond where float64 has it.
func parseDecimal(field []byte, unit time.Duration) (time.Duration, error) {
	if n, ok := jsonscan.Whole(field); ok && n >= 0 && n <= math.MaxInt64/int64(unit) {
		return time.Duration(n) * unit, nil
	}
	f, ok := jsonscan.Decimal(field)
	if !ok {
		return 0, fmt.Errorf("the timestamp %.30q is not a number", field)
	}
	ns := math.Round(f * float64(unit))
	if ns < 0 || ns >= math.MaxInt64 {
		return 0, fmt.Errorf("the timestamp %.30q is out of range: it goes from 0 to 292 years", field)
	}
	return time.Duration(ns), nil
}

// parseDate reads a date and time such as "2023-11-16 18:15:46.6805900" or "2024-05-10 00:00:00.009930+00:00", which
// is after 1970. Without a zone it is UTC; a date has no unit. (time.Parse does the same in five times the time, and traces have tens of
// millions of lines.)
func parseDate(field []byte, _ time.Duration) (time.Duration, error) {
	d := digits{b: field}
	year, month, day := d.number(4), d.then('-', 2), d.then('-', 2)
	if !d.skip('T') {
		d.expect(' ')
	}
	hour, minute, second := d.number(2), d.then(':', 2), d.then(':', 2)
	nanosecond := d.fraction()
	offset := d.zone()
	at := time.Date(year, time.Month(month), day, hour, minute, second, nanosecond, time.UTC)
	// time.Date carries what is too much, so that 31 April would be 1 May.
	if d.bad || len(d.b) > 0 || at.Day() != day || at.Month() != time.Month(month) || hour > 23 || minute > 59 || second > 59 {
		return 0, fmt.Errorf("the timestamp %.40q is not a date and time like 2023-11-16 18:15:46.680", field)
	}
	at = at.Add(-offset)
	if at.Unix() < 0 || at.Year() > 2200 {
		return 0, fmt.Errorf("the timestamp %.40q is out of range: it goes from 1970 to 2200", field)
	}
	return time.Duration(at.UnixNano()), nil
}

// digits takes numbers off the front of a text.
type digits struct {
	b   []byte
	bad bool
}

// number takes a number of n digits.
func (d *digits) number(n int) int {
	if len(d.b) < n {
		d.bad = true
		return 0
	}
	v := 0
	for _, c := range d.b[:n] {
		if c < '0' || c > '9' {
			d.bad = true
			return 0
		}
		v = 10*v + int(c-'0')
	}
	d.b = d.b[n:]
	return v
}

// skip takes a byte if it is next.
func (d *digits) skip(c byte) bool {
	if len(d.b) == 0 || d.b[0] != c {
		return false
	}
	d.b = d.b[1:]
	return true
}

func (d *digits) expect(c byte) {
	if !d.skip(c) {
		d.bad = true
	}
}

// then takes a byte and a number of n digits.
func (d *digits) then(c byte, n int) int {
	d.expect(c)
	return d.number(n)
}

// fraction takes a fraction of a second, if there is one, in nanoseconds; what is finer is cut.
func (d *digits) fraction() (nanoseconds int) {
	if !d.skip('.') {
		return 0
	}
	unit := int(time.Second)
	if len(d.b) == 0 || d.b[0] < '0' || d.b[0] > '9' {
		d.bad = true
	}
	for len(d.b) > 0 && '0' <= d.b[0] && d.b[0] <= '9' {
		unit /= 10
		nanoseconds += int(d.b[0]-'0') * unit
		d.b = d.b[1:]
	}
	return nanoseconds
}

// zone takes a zone, if there is one: Z, +02:00 or -07:00.
func (d *digits) zone() (offset time.Duration) {
	if d.skip('Z') {
		return 0
	}
	sign := time.Duration(1)
	if d.skip('-') {
		sign = -1
	} else if !d.skip('+') {
		return 0
	}
	hours, minutes := d.number(2), d.then(':', 2)
	if hours > 23 || minutes > 59 {
		d.bad = true
	}
	return sign * (time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
}
