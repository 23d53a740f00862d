// This file keeps account of what could not be used.

package lines

import "fmt"

// keptFirst is how many bad lines are kept with their reasons.
const keptFirst = 5

// BadLine is a line that could not be used.
type BadLine struct {
	Line int // from 1
	Why  string
}

// String returns "line 7: why".
func (b BadLine) String() string { return fmt.Sprintf("line %d: %s", b.Line, b.Why) }

// Skipped counts lines that could not be used. The zero Skipped has none.
type Skipped struct {
	Count int
	First []BadLine // the first five of them
}

// Add counts a bad line.
func (s *Skipped) Add(line int, why error) {
	s.Count++
	if len(s.First) < keptFirst {
		s.First = append(s.First, BadLine{Line: line, Why: why.Error()})
	}
}

// String returns how many lines were skipped, and the first of them with its reason; "" for none.
func (s Skipped) String() string {
	switch {
	case s.Count == 0:
		return ""
	case s.Count == 1:
		return fmt.Sprintf("1 line skipped; %v", s.First[0])
	default:
		return fmt.Sprintf("%d lines skipped; the first is %v", s.Count, s.First[0])
	}
}
