// This file is the setting as a point on an axis: its level, and its name.

package load

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/units"
)

// Level returns the quantity that says how much load the setting is, on its Axis: the concurrency, the mean rate in
// requests a second, or the speed of the replay. It is 0 for a mode that is not known.
func (s Setting) Level() float64 {
	switch s.Mode {
	case Closed:
		return float64(s.Concurrency)
	case Open:
		return s.MeanRate()
	case Replay:
		return s.speed()
	default:
		return 0
	}
}

// AtLevel returns the setting with another level, which must be more than 0; what is out of range shows when the result
// is validated. Concurrency is rounded to a whole number. Bursts keep their size and come at other times.
func (s Setting) AtLevel(level float64) Setting {
	switch s.Mode {
	case Closed:
		s.Concurrency = int(math.Round(min(max(level, 0), 10*MaxConcurrency)))
	case Open:
		if form, err := s.Arrival.form(); err == nil && form.size > 0 {
			every := float64(form.size) / level * float64(time.Second)
			s.Arrival = Burst(form.size, time.Duration(math.Round(min(max(every, 0), float64(10*MaxBurstEvery)))))
			return s
		}
		s.Rate = level
	case Replay:
		s.Speed = level
	}
	return s
}

// Axis names what Level is a quantity of: "concurrency", "req/s" or "speed"; "" for a mode that is not known.
func (s Setting) Axis() string {
	switch s.Mode {
	case Closed:
		return "concurrency"
	case Open:
		return "req/s"
	case Replay:
		return "speed"
	default:
		return ""
	}
}

// String names the operating point as a person would: "c=32", "c=32 conversations", "12 req/s poisson", "12 req/s
// gamma:2, max 64 in flight", "bursts of 16 every 2s", "replay azure.csv ×2, looped". A ramp is named behind the level:
// "c=32 over 30s".
func (s Setting) String() string {
	var text strings.Builder
	switch s.Mode {
	case Open:
		text.WriteString(s.arrivals())
	case Replay:
		text.WriteString(s.recording())
	default:
		text.WriteString("c=" + strconv.Itoa(s.Concurrency))
		if s.Conversations {
			text.WriteString(" conversations")
		}
	}
	switch s.Ramp.Kind {
	case AtOnce:
	case Linear:
		text.WriteString(" over " + units.Time(s.Ramp.Over))
	default:
		text.WriteString(" exponentially over " + units.Time(s.Ramp.Over))
	}
	if s.Mode == Replay && s.Loop {
		text.WriteString(", looped")
	}
	if s.MaxInFlight > 0 && s.Arrives() {
		fmt.Fprintf(&text, ", max %d in flight", s.MaxInFlight)
	}
	return text.String()
}

// arrivals names the arrivals of an open loop.
func (s Setting) arrivals() string {
	if form, err := s.Arrival.form(); err == nil && form.size > 0 {
		return fmt.Sprintf("bursts of %d every %s", form.size, units.Time(form.every))
	}
	return fmt.Sprintf("%s req/s %s", number(s.Rate), s.Arrival)
}

// recording names what is replayed.
func (s Setting) recording() string {
	name := "nothing"
	if s.Timetable != nil {
		name = s.Timetable.Name()
	}
	text := "replay " + name
	if speed := s.speed(); speed != 1 {
		text += " ×" + number(speed)
	}
	return text
}

// number writes a level without an exponent and with no more digits than it has.
func number(level float64) string { return strconv.FormatFloat(level, 'f', -1, 64) }
