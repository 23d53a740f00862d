// This file is one level of a pilot's way: what was judged of it, and in words.

package stage

import (
	"fmt"
	"strings"
	"time"

	"tokdyno/engine/chance"
	"tokdyno/engine/slo"
	"tokdyno/engine/units"
)

// State is where a pilot stands with a level.
type State string

// The states.
const (
	Todo     State = "todo"
	Now      State = "now"
	Held     State = State(slo.Held)    // every goal
	Missed   State = State(slo.Missed)  // a goal, or nothing was answered
	Unknown  State = State(slo.Unknown) // none of the goals is known to be missed, and not all to be held
	Measured State = "measured"         // there was no goal
	Skipped  State = "skipped"
)

// Rung is one level of a pilot's way.
type Rung struct {
	Level   float64
	State   State
	Stage   int           // the stage it was measured in; 0: not begun, or known before
	Looks   int           // stages whose requests are judged together, since they agree; see chance.Alike
	Took    time.Duration // until it was over
	N       int           // requests judged, in all those stages
	Few     bool          // fewer than were wanted, when its time was up
	Early   bool          // over before its time, since nothing could change the outcome
	Output  float64       // output tokens a second
	Goals   []Goal        // what it had to hold, and how that went
	Binding string        // the goal that missed by the most; "" if none did
	Share   float64       // of the samples that missed Binding, or the goal nearest to missing; 0–1
	Allowed float64       // of them
	Judged  slo.Judgement // of that goal; of one that is not yet known, where that is what keeps the level from being held
	Stuck   bool          // missed without a verdict on requests: nothing was answered, or it never settled
	Note    string        // what else there is to say, as a clause; "" if nothing

	at int // which of Goals stands for it
}

// Known is what was measured at a level before a pilot took over.
type Known struct {
	Level  float64
	N      int     // requests judged
	Output float64 // output tokens a second; 0: unknown
	Goals  []Goal
}

// rung is a level that was known before.
func (k Known) rung() Rung {
	r := Rung{Level: k.Level, Looks: 1, N: k.N, Output: k.Output, Note: "known"}
	r.judge(k.Goals, 0)
	return r
}

// judge gives it the verdict on its goals, of which the one that says most stands for it.
func (r *Rung) judge(goals []Goal, inFlight int) {
	r.Goals, r.State, r.Binding, r.Share, r.Allowed, r.Judged, r.at = goals, Measured, "", 0, 0, slo.Judgement{}, 0
	var verdicts []slo.Verdict
	for _, g := range goals {
		verdicts = append(verdicts, g.Decide(inFlight).Verdict)
	}
	all := slo.All(verdicts...)
	if all == slo.NoVerdict {
		return
	}
	r.State = State(all)
	most := -1.0
	for i, g := range goals {
		use := g.share() / max(g.Allowed, 1e-9) // of what is allowed
		if verdicts[i] != all || use <= most {
			continue
		}
		most, r.at, r.Share, r.Allowed, r.Judged = use, i, g.share(), g.Allowed, g.Decide(inFlight)
		if all == slo.Missed {
			r.Binding = g.Name
		}
	}
}

// unmeasured names the first goal that could not be judged although requests were; "" if each could.
func (r *Rung) unmeasured() string {
	for _, g := range r.Goals {
		if g.Judged == 0 && r.N > 0 {
			return g.Name
		}
	}
	return ""
}

// upward reports whether the load may go up from here: it held or, where that is not yet known, no more missed so far than
// may.
func (r *Rung) upward() bool {
	return r.State == Held || r.State == Unknown && r.Share <= r.Allowed+1e-9
}

// with is a level with the requests of an earlier look at it, if the two differ by no more than chance would have it, as the
// curve makes one set of the stages of a level. Else the newest look stands.
func (r Rung) with(earlier Rung, inFlight int) Rung {
	if earlier.Level != r.Level || r.N == 0 || earlier.N == 0 || len(r.Goals) != len(earlier.Goals) || r.Note != "" || earlier.Stuck {
		return r
	}
	goals := make([]Goal, len(r.Goals))
	for i, g := range r.Goals {
		e := earlier.Goals[i]
		if !g.PerToken && chance.Alike(g.Judged-g.Missed, g.Judged, e.Judged-e.Missed, e.Judged) < ChanceOfApart {
			return r
		}
		g.Judged, g.Missed = g.Judged+e.Judged, g.Missed+e.Missed
		goals[i] = g
	}
	r.N, r.Looks = r.N+earlier.N, r.Looks+earlier.Looks
	r.judge(goals, inFlight)
	return r
}

// ChanceOfApart is how seldom two sets of requests of one level that do not differ are to be taken for such that do.
const ChanceOfApart = 0.01

// stick makes it one at which the server does not follow any more.
func (r *Rung) stick(what, note string) {
	r.State, r.Stuck, r.Binding, r.Share, r.Note = Missed, true, what, 1, note
}

// missed says how a rung missed: "ttft missed by 3.1 % of 160 requests, 1 % allowed".
func (r *Rung) missed() string {
	if r.Stuck {
		return r.Note
	}
	return fmt.Sprintf("%s missed by %.3g %% of %s, %.3g %% allowed", r.Binding, 100*r.Share, r.samples(), 100*r.Allowed)
}

// held says on what it rests that a rung held: "99.4 % of 512 requests in two looks, 95 % interval 98.3 to 99.8 %".
func (r *Rung) held() string {
	share, _ := r.Judged.Share()
	low, high, _ := r.Judged.Interval()
	text := fmt.Sprintf("%s of %s", units.RoundedDown(share), r.samples())
	if r.Few {
		text += ", fewer than wanted"
	}
	return fmt.Sprintf("%s, 95 %% interval %s to %s", text, strings.TrimSuffix(units.RoundedDown(low), " %"), units.RoundedDown(high))
}

// unknown says why it is not known whether a rung holds: "60 of 100 requests".
func (r *Rung) unknown() string {
	if r.Note != "" {
		return r.Note
	}
	return r.Judged.Why + " requests"
}

// samples are those that the goal which stands for the rung was judged by: "160 requests", "400 requests in 2 looks".
func (r *Rung) samples() string {
	text := requests(r.Judged.N)
	if r.at < len(r.Goals) && r.Goals[r.at].PerToken {
		text = units.Count(r.Judged.N) + " tokens"
	}
	if r.Looks > 1 {
		text += fmt.Sprintf(" in %d looks", r.Looks)
	}
	return text
}

func requests(n int) string {
	if n == 1 {
		return "1 request"
	}
	return units.Count(n) + " requests"
}
