// This file is the setting of the load: the knobs a person turns while the run goes on.

// Package load decides how many requests run and when they start.
//
// A closed loop holds a number of requests in flight: one starts when another ends. An open loop starts requests when
// an arrival process says so, whatever the server does about the earlier ones. A Pool runs either, and changes from one
// operating point to the next while requests are in flight. What a request is, it does not know: it calls a Runner.
package load

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Mode says what starts a request.
type Mode string

// The modes.
const (
	Closed Mode = "closed" // the end of another request: a fixed number is in flight
	Open   Mode = "open"   // an arrival process, independent of completions
)

// What a Setting may ask for. The upper limits keep a slip of the finger from taking the machine down; the lower limit
// of the rate, one request in a thousand seconds, keeps every gap far from the end of time.Duration.
const (
	MaxConcurrency = 100_000 // requests in flight, closed loop
	MinRate        = 0.001   // requests a second, open loop
	MaxRate        = 100_000 // requests a second, open loop
)

// Setting is one operating point. Only the fields of its Mode count, so a caller may keep the others while the mode is
// switched back and forth. The zero Setting is not valid.
type Setting struct {
	Mode        Mode
	Concurrency int     // closed loop: requests in flight, 1 to MaxConcurrency
	Rate        float64 // open loop: arrivals a second, MinRate to MaxRate
	Arrival     Arrival // open loop: how the gaps between arrivals spread around their mean, 1/Rate
	MaxInFlight int     // open loop: an arrival that finds so many in flight waits in the client; 0: no cap
}

// Validate returns nil, or one sentence that says which field is wrong and what it may be.
func (s Setting) Validate() error {
	switch s.Mode {
	case Closed:
		if s.Concurrency < 1 || s.Concurrency > MaxConcurrency {
			return fmt.Errorf("concurrency %d is out of range: it goes from 1 to %d", s.Concurrency, MaxConcurrency)
		}
		return nil
	case Open:
		return s.validateOpen()
	case "":
		return errors.New("the load has no mode: it is closed (a number in flight) or open (a rate)")
	default:
		return fmt.Errorf("load mode %q is not known: it is closed (a number in flight) or open (a rate)", s.Mode)
	}
}

func (s Setting) validateOpen() error {
	if math.IsNaN(s.Rate) || s.Rate < MinRate || s.Rate > MaxRate {
		return fmt.Errorf("rate %v is out of range: it goes from %v to %d requests a second", s.Rate, MinRate, MaxRate)
	}
	if s.MaxInFlight < 0 {
		return fmt.Errorf("max in flight %d is negative: it is a number of requests, or 0 for no cap", s.MaxInFlight)
	}
	_, err := ParseArrival(string(s.Arrival))
	return err
}

// String names the operating point as a person would: "c=32", "12 req/s poisson", "12 req/s poisson, max 64 in flight".
func (s Setting) String() string {
	if s.Mode != Open {
		return "c=" + strconv.Itoa(s.Concurrency)
	}
	text := fmt.Sprintf("%s req/s %s", strconv.FormatFloat(s.Rate, 'f', -1, 64), s.Arrival)
	if s.MaxInFlight > 0 {
		text += fmt.Sprintf(", max %d in flight", s.MaxInFlight)
	}
	return text
}

// Target returns the number of requests meant to be in flight: the concurrency, or 0 in an open loop, which means none
// in particular.
func (s Setting) Target() int {
	if s.Mode == Open {
		return 0
	}
	return s.Concurrency
}
