// This file is the setting of the load: the knobs a person turns while the run goes on.

package load

import (
	"errors"
	"fmt"
	"math"
)

// Mode says what starts a request.
type Mode string

// The modes.
const (
	Closed Mode = "closed" // the end of another request: a fixed number is in flight
	Open   Mode = "open"   // an arrival process, independent of completions
	Replay Mode = "replay" // a recording of arrivals, independent of completions
)

// What a Setting may ask for. The upper limits keep a slip of the finger from taking the machine down; the lower limit
// of the rate, one request in a thousand seconds, keeps every gap far from the end of time.Duration.
const (
	MaxConcurrency = 100_000 // requests in flight, closed loop
	MinRate        = 0.001   // requests a second, open loop
	MaxRate        = 100_000 // requests a second, open loop
	MinSpeed       = 0.01    // of a recording's time, replay
	MaxSpeed       = 1000    // of a recording's time, replay
)

// Setting is one operating point. Only the fields of its Mode count, so a caller may keep the others while the mode is
// switched back and forth. The zero Setting is not valid. Settings can be compared: what == finds equal is the same in
// every field, what Same does puts the same load on.
type Setting struct {
	Mode Mode

	Concurrency   int  // closed loop: requests in flight, 1 to MaxConcurrency
	Conversations bool // closed loop: what is in flight are conversations, with the time their users think
	Together      bool // closed loop: slots begin with whole requests, in step, rather than out of phase; see Job.Residual

	Rate    float64 // open loop: arrivals a second, MinRate to MaxRate; an Arrival with a rate of its own overrules it
	Arrival Arrival // open loop: how the gaps between arrivals spread around their mean, 1/Rate

	Timetable Timetable // replay: the recording
	Speed     float64   // replay: recorded seconds that pass in a second, MinSpeed to MaxSpeed; 0 is read as 1
	Loop      bool      // replay: begin again when the recording ends, rather than end the run

	MaxInFlight int // open loop and replay: an arrival that finds so many in flight waits in the client; 0: no cap

	Ramp   Ramp // any mode: how Concurrency, Rate or Speed gets to a new value
	Cancel bool // any mode: requests above Concurrency or MaxInFlight are cancelled, rather than left to finish
}

// Validate returns nil, or one sentence that says which field is wrong and what it may be.
func (s Setting) Validate() error {
	if err := s.Ramp.Validate(); err != nil {
		return fmt.Errorf("ramp: %w; %s", err, rampForms)
	}
	switch s.Mode {
	case Closed:
		if s.Concurrency < 1 || s.Concurrency > MaxConcurrency {
			return fmt.Errorf("concurrency %d is out of range: it goes from 1 to %d", s.Concurrency, MaxConcurrency)
		}
		return nil
	case Open:
		return s.validateOpen()
	case Replay:
		return s.validateReplay()
	case "":
		return errors.New("the load has no mode: " + modes)
	default:
		return fmt.Errorf("load mode %q is not known: %s", s.Mode, modes)
	}
}

// modes says what modes there are.
const modes = "it is closed (a number in flight), open (a rate) or replay (a recording)"

func (s Setting) validateOpen() error {
	form, err := s.Arrival.form()
	if _, own := form.rate(); !own && !(s.Rate >= MinRate && s.Rate <= MaxRate) {
		return fmt.Errorf("rate %v is out of range: it goes from %v to %d requests a second", s.Rate, MinRate, MaxRate)
	}
	if err != nil {
		return err
	}
	return s.validateCap()
}

func (s Setting) validateReplay() error {
	if s.Timetable == nil {
		return errors.New("a replay has no recording: give it one")
	}
	if speed := s.speed(); !(speed >= MinSpeed && speed <= MaxSpeed) {
		return fmt.Errorf("speed %v is out of range: it goes from %v to %d times that of the recording", speed, MinSpeed, MaxSpeed)
	}
	return s.validateCap()
}

func (s Setting) validateCap() error {
	if s.MaxInFlight < 0 {
		return fmt.Errorf("max in flight %d is negative: it is a number of requests, or 0 for no cap", s.MaxInFlight)
	}
	return nil
}

// Same reports whether two settings put the same load on: what does not count in their mode may differ, and so may how
// the load gets there (Ramp, Together) and what becomes of the surplus (Cancel).
func (s Setting) Same(o Setting) bool { return s.essence() == o.essence() }

// essence returns the setting with only the fields that count, each written in one way.
func (s Setting) essence() Setting {
	switch s.Mode {
	case Closed:
		return Setting{Mode: Closed, Concurrency: s.Concurrency, Conversations: s.Conversations}
	case Open:
		e := Setting{Mode: Open, Rate: s.Rate, Arrival: s.Arrival, MaxInFlight: s.MaxInFlight}
		if form, err := s.Arrival.form(); err == nil {
			e.Arrival = form.name()
			if _, own := form.rate(); own {
				e.Rate = 0
			}
		}
		return e
	case Replay:
		return Setting{Mode: Replay, Timetable: s.Timetable, Speed: s.speed(), Loop: s.Loop, MaxInFlight: s.MaxInFlight}
	default:
		s.Ramp, s.Cancel, s.Together = Ramp{}, false, false
		return s
	}
}

// Target returns the number of requests meant to be in flight: the concurrency, or 0 in an open loop and in a replay,
// which means none in particular.
func (s Setting) Target() int {
	if s.Arrives() {
		return 0
	}
	return s.Concurrency
}

// The ways in which the slots of a closed loop begin, as people write them.
const (
	StartFair     = "fair"     // out of phase
	StartTogether = "together" // all at once
)

// Start returns the way in which the slots of a closed loop begin.
func (s Setting) Start() string {
	if s.Together {
		return StartTogether
	}
	return StartFair
}

// MeanRate returns the mean arrivals a second of an open loop: the Rate, or that of an Arrival which has its own. It is
// NaN in the other modes, where the server or the recording has the say.
func (s Setting) MeanRate() float64 {
	if s.Mode != Open {
		return math.NaN()
	}
	form, err := s.Arrival.form()
	if rate, own := form.rate(); err == nil && own {
		return rate
	}
	return s.Rate
}

// speed returns the speed of a replay.
func (s Setting) speed() float64 {
	if s.Speed == 0 {
		return 1
	}
	return s.Speed
}

// Arrives reports whether requests arrive by themselves, rather than when others end.
func (s Setting) Arrives() bool { return s.Mode == Open || s.Mode == Replay }
