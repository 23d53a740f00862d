// This file is the fair start of a closed loop: its slots enter out of phase.

package load

import "math/rand/v2"

// residualStream sets the residual lives apart from whatever else is drawn from the same seed.
const residualStream = 0x7265_7369_6475_616c // "residual"

// fairStart keeps count of the slots of a closed loop and says how much of its answer the first request of each is to ask
// for. Slots that all began with a whole request would end together, and be prefilled together, for as long as the run
// lasts; with a share that is uniform in (0, 1] each begins somewhere in a request, as it would be found in one that has
// gone on for ever (the residual life of a renewal process in equilibrium).
type fairStart struct {
	random *rand.Rand
	slots  int  // that have begun, and go on from one request to the next
	joined bool // other pools have slots too
}

func newFairStart(seed uint64) fairStart {
	return fairStart{random: rand.New(rand.NewPCG(seed, residualStream))}
}

// keep takes note of the slots that are no longer: those above the number that turn requests over, once theirs has ended.
// With turning 0, nothing is turned over: a slot is then no more than a request in flight.
func (f *fairStart) keep(inFlight, turning int) {
	if turning == 0 {
		f.slots = inFlight
		return
	}
	f.slots = min(f.slots, max(inFlight, turning))
}

// next returns what Job.Residual is of the request that starts now, beside so many in flight. It is 0 where a slot goes on
// with its next request, and where there is nothing to be out of phase with: in a loop of one, and in a run whose budget
// is spent on first requests.
func (f *fairStart) next(inFlight int, s Setting, b Budget) float64 {
	if inFlight < f.slots {
		return 0
	}
	f.slots = inFlight + 1
	if s.Together || s.Concurrency == 1 && !f.joined || b.Requests > 0 && b.Requests <= s.Concurrency {
		return 0
	}
	return 1 - f.random.Float64()
}
