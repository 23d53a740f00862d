// This file measures whether the requests of a closed loop move in step.

package stats

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tokdyno/engine/record"
)

const (
	leastSends = 20   // of which R is told
	mostSends  = 4096 // of which R is computed, so that a look at a huge load costs no more than one at a large one
	// In step is said of at least leastInStep requests, for fewer are it by chance, and above an R of muchInStep.
	leastInStep = 4
	muchInStep  = 0.8
	freshStep   = record.Instant(time.Second) // how often R is computed anew
)

// InStep says whether requests of a closed loop are sent, and so served, at the same times in every turn of theirs: the
// load is then not so many requests at random phases, but a wave of them, and latencies are those of a wave.
type InStep struct {
	Requests int     // that are meant to be in flight
	N        int     // sends that R is of; 0: too few yet, or not a closed loop
	R        float64 // 0 (spread evenly) to 1 (all at once); for random phases 0.89/√N is expected
}

// Known reports whether R was measured.
func (s InStep) Known() bool { return s.N > 0 }

// Sentence says what to do about requests that move in step; "" where they don't, or it is not known.
func (s InStep) Sentence() string {
	if s.Requests < leastInStep || !(s.R > muchInStep) {
		return ""
	}
	return fmt.Sprintf("%d requests move in step: R = %.2f; vary lengths, or ramp", s.Requests, s.R)
}

// NewInStep measures how much requests move in step by when the latest m = max(2·slots, 20) of them were sent, in any
// order:
//
//	R = |Σ exp(2πi·sentⱼ/T)| / m
//
// the order parameter of coupled oscillators (Kuramoto, 1975). T is the mean time from a slot's send to its next, for
// which stands the mean time from a send to the one that is as many sends later as there are slots. With fewer than m
// sends, or a T of 0, it is unknown.
func NewInStep(slots int, sent []record.Instant) InStep {
	s := InStep{Requests: slots}
	m := sendsFor(slots)
	if slots < 1 || m <= slots || len(sent) < m {
		return s
	}
	latest := slices.Sorted(slices.Values(sent))[len(sent)-m:]
	var turns float64
	for i := slots; i < m; i++ {
		turns += float64(latest[i] - latest[i-slots])
	}
	period := turns / float64(m-slots)
	if period <= 0 {
		return s
	}
	var sin, cos float64
	for _, at := range latest {
		y, x := math.Sincos(2 * math.Pi * float64(at-latest[0]) / period)
		sin, cos = sin+y, cos+x
	}
	s.N, s.R = m, math.Hypot(sin, cos)/float64(m)
	return s
}

// sendsFor is how many sends R is of, for a number of slots.
func sendsFor(slots int) int { return max(2*slots, leastSends) }

// sends keeps when the latest requests of a stage were sent. The zero sends keeps none.
type sends struct {
	slots  int
	latest []record.Instant // at least as many as R is of, once there were, and at most twice as many
	told   InStep
	made   record.Instant // when told was computed; 0: not yet
}

// newSends is for a closed loop of so many slots; 0: for another load. Of a load too large to look at, none are kept.
func newSends(slots int) sends {
	if sendsFor(slots) > mostSends {
		slots = 0
	}
	return sends{slots: slots}
}

func (s *sends) add(at record.Instant) {
	if s.slots == 0 {
		return
	}
	if m := sendsFor(s.slots); len(s.latest) == 2*m {
		s.latest = s.latest[:copy(s.latest, s.latest[m:])]
	}
	s.latest = append(s.latest, at)
}

// inStep is the measure as of now, computed anew once a second.
func (s *sends) inStep(now record.Instant) InStep {
	if s.slots > 0 && s.latest != nil && (s.made == 0 || !s.told.Known() || now-s.made >= freshStep) {
		s.told, s.made = NewInStep(s.slots, s.latest), now
	}
	return s.told
}

// close computes the measure for the last time: no more requests of the stage are sent.
func (s *sends) close() {
	if s.latest != nil {
		s.told = NewInStep(s.slots, s.latest)
	}
	s.latest = nil
}
