// This file is the advisor: the facts that it is given, and what it says of them.

package advice

import (
	"tokdyno/engine/health"
	"tokdyno/engine/stage"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// Level is what was measured at one level of load, in a steady stage.
type Level struct {
	Level  float64        // requests in flight, or requests a second
	N      int            // requests judged
	Output float64        // output tokens a second
	TTFT   optional.Value // ms, the median
	TPOT   optional.Value // ms, the median
}

// Input is one moment, as a person would read it off the screen. The zero Input knows nothing.
type Input struct {
	Stage   int // the number of the current stage: trends do not reach over a change of the load
	Axis    stage.Axis
	Levels  []Level // the run's steady levels of one mode and shape, ascending; they are not changed
	Current float64 // the level that the load is at

	// The accelerators behind the endpoint, averaged over devices; unknown if they are not known to be behind it.
	GPUUtil       optional.Value // percent of the time in which any kernel ran
	SMActive      optional.Value // percent
	DRAMActive    optional.Value // percent
	PowerW        optional.Value // of the device that is nearest to its limit
	PowerLimitW   optional.Value // of the same
	SMClockMHz    optional.Value
	SMClockMaxMHz optional.Value
	Reasons       gpu.ClockReasons // of all devices together

	// The inference server.
	Running     optional.Value // requests in its batch
	Waiting     optional.Value // requests in its queue
	KVUse       optional.Value // 0–1
	Preemptions optional.Value // a counter
	HitRate     optional.Value // of the prefix cache, 0–1

	// Speculative decoding in this stage, and in the latest before it of which enough is known.
	Drafting, DraftingBefore Drafting
	Turned                   string // what was changed between the two, in a few characters: "c 8→64"

	Common  optional.Value // share of a prompt that all have in common whatever is asked for, such as a chat template, 0–1
	Overlap optional.Value // share of a prompt that is common to earlier ones, as asked for, 0–1; conversations have it too
	Client  health.Verdict
}

// Drafting is how speculative decoding went in a stage. The zero Drafting is unknown.
type Drafting struct {
	Stage  int            // its number
	Tokens optional.Value // drafted; unknown where the server gives averages only
	Rate   optional.Value // of them, accepted, 0–1
}

// Enough reports whether it is of so many drafted tokens that the rate is no chance.
func (d Drafting) Enough() bool { return d.Rate.OK() && atLeast(d.Tokens, leastDrafted) }

// Advice is what one rule has to say.
type Advice struct {
	Rule     string // its name, stable
	Sentence string // what it means and what to do
	Evidence string // the numbers that it follows from: "SM 92 %, 3914 tok/s at c=32, 3880 at c=24 already"
}

// What an Advisor remembers.
const (
	held     = 3  // samples for which a rule has to hold before it is shown: one is chance
	reach    = 10 // samples over which a trend is looked at
	shortest = 3  // samples that make a trend
)

// Advisor takes one sample after another, a second apart, and says what has held for three of them. The zero Advisor
// has seen none. It must not be used by two goroutines at once.
type Advisor struct {
	recent []Input // of the current stage, oldest first, at most reach
	counts [ruleCount]int
}

// Observe takes in a sample and returns the advice that now holds, the most important first. What no longer applies
// goes at once.
func (a *Advisor) Observe(in Input) []Advice {
	if n := len(a.recent); n > 0 && a.recent[n-1].Stage != in.Stage {
		a.recent = a.recent[:0]
	}
	if len(a.recent) == reach {
		a.recent = append(a.recent[:0], a.recent[1:]...)
	}
	a.recent = append(a.recent, in)
	m := moment{Input: in}
	if len(a.recent) >= shortest {
		m.before = &a.recent[0]
	}
	var all []Advice
	for i, r := range rules() {
		evidence, holds := r.when(m)
		if !holds {
			a.counts[i] = 0
			continue
		}
		a.counts[i] = min(a.counts[i]+1, held)
		if a.counts[i] == held {
			all = append(all, Advice{Rule: r.name, Sentence: r.says, Evidence: evidence})
		}
	}
	return all
}

// atLeast reports whether a value is known to be x or more; below, whether it is known to be less.
func atLeast(v optional.Value, x float64) bool { return v.OK() && v.V >= x }
func below(v optional.Value, x float64) bool   { return v.OK() && v.V < x }

// moment is what a rule looks at.
type moment struct {
	Input
	before *Input // some seconds ago, in the same stage; nil: not known
}
