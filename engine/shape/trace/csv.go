// This file reads lines of comma-separated values.

package trace

import (
	"bytes"
	"fmt"
	"iter"
	"time"

	"tokdyno/engine/jsonscan"
)

// columns reads the columns of a file that have a request's time and lengths. Which those are, its header tells.
type columns struct {
	parseTime func(field []byte, unit time.Duration) (time.Duration, error)
	unit      Unit      // of the times; 0 where they have none
	names     [3]string // of time, prompt and answer, as people are told them
	at        [3]int    // where they stand, from 0
}

// find finds the columns by the header, in any case. It returns the first that is missing; "" where all are there.
func (c *columns) find(header []byte) (missing string) {
	for i, name := range c.names {
		c.at[i] = -1
		n := 0
		for field := range fields(header) {
			if bytes.EqualFold(field, []byte(name)) && c.at[i] < 0 {
				c.at[i] = n
			}
			n++
		}
		if c.at[i] < 0 {
			return name
		}
	}
	return ""
}

func (c *columns) event(line []byte) (Event, error) {
	var found [3][]byte
	n := 0
	for field := range fields(line) {
		for i, at := range c.at {
			if at == n {
				found[i] = field
			}
		}
		n++
	}
	for i, field := range found {
		if len(field) == 0 {
			return Event{}, fmt.Errorf("%s is missing", c.names[i])
		}
	}
	var e Event
	var err error
	if e.At, err = c.parseTime(found[0], time.Duration(c.unit)); err != nil {
		return Event{}, err
	}
	input, ok := jsonscan.Whole(found[1])
	if !ok {
		return Event{}, fmt.Errorf("%s is %.30q, which is not a whole number", c.names[1], found[1])
	}
	output, ok := jsonscan.Whole(found[2])
	if !ok {
		return Event{}, fmt.Errorf("%s is %.30q, which is not a whole number", c.names[2], found[2])
	}
	return e, e.lengths(input, output)
}

// fields yields a line's fields without the white space around them. A field in quotes may have commas in it; its
// quotes are taken off, doubled ones inside stay doubled, for no field that matters has any. Lines are not joined.
func fields(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for more := true; more; {
			var field []byte
			for len(line) > 0 && line[0] == ' ' {
				line = line[1:]
			}
			if n := closingQuote(line); n > 0 {
				field, line = line[1:n], line[n+1:]
				_, line, more = bytes.Cut(line, []byte(","))
			} else {
				field, line, more = bytes.Cut(line, []byte(","))
				field = bytes.TrimSpace(field)
			}
			if !yield(field) {
				return
			}
		}
	}
}

// closingQuote returns where the quote stands that ends the quoted field that b begins with; 0 where it begins with none.
func closingQuote(b []byte) int {
	if len(b) == 0 || b[0] != '"' {
		return 0
	}
	for i := 1; i < len(b); i++ {
		switch {
		case b[i] != '"':
		case i+1 < len(b) && b[i+1] == '"':
			i++
		default:
			return i
		}
	}
	return 0
}
