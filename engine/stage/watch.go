// This file decides when a level is over, and how it ended.

package stage

import (
	"fmt"
	"math"
	"time"
)

// Effort is how long a level is measured. Zero fields mean their defaults.
type Effort struct {
	Requests int           // judged at least; 100
	Steady   time.Duration // at least; 30 s
	Longest  time.Duration // steady at most, whatever Requests says; 2 min, or three times the mean E2EL if that is more
	Patience time.Duration // if nothing ends for so long, nothing will; 60 s, or four times the mean E2EL if that is more
}

// The defaults of Effort, and how many mean latencies its limits are at least.
const (
	defaultRequests = 100
	defaultSteady   = 30 * time.Second
	defaultLongest  = 2 * time.Minute
	defaultPatience = 60 * time.Second

	longestLatencies  = 3
	patienceLatencies = 4
)

func (e Effort) withDefaults() Effort {
	or := func(d, otherwise time.Duration) time.Duration {
		if d <= 0 {
			return otherwise
		}
		return d
	}
	if e.Requests <= 0 {
		e.Requests = defaultRequests
	}
	e.Steady = or(e.Steady, defaultSteady)
	e.Longest = max(or(e.Longest, defaultLongest), e.Steady)
	e.Patience = or(e.Patience, defaultPatience)
	return e
}

// watch looks at one level after another.
type watch struct {
	effort Effort
	early  bool          // a level that can't hold any more is over
	dwell  time.Duration // a level lasts exactly so long; 0: as effort says

	stage    int
	ended    int
	progress time.Duration // when the number of ended requests last grew, or none was in flight
	e2el     time.Duration // the last mean that was known, of whatever level
}

// look returns how the level of a status stands; over says that it is done with. Why is a clause without the level's name.
func (w *watch) look(s Status) (r Rung, over bool, why string) {
	w.follow(s)
	r = w.rung(s)
	if waited := s.Now - w.progress; waited >= max(w.effort.Patience, patienceLatencies*w.e2el) {
		r.State, r.Binding, r.Share, r.Note = Missed, "no answer", 1, "no answer in "+seconds(waited)
		return r, true, r.Note
	}
	longest := max(w.effort.Longest, longestLatencies*w.e2el)
	switch {
	case w.dwell > 0:
		r.Few = r.N < w.effort.Requests
		return r, s.Age >= w.dwell, fmt.Sprintf("%s of %s, n=%d", seconds(s.Age), seconds(w.dwell), s.Judged)
	case s.Steady == 0 && s.Age >= 2*longest && s.InFlight == 0: // nothing is too much here: the next request is not due
		r.State, r.Few, r.Note = Measured, true, fmt.Sprintf("%s in %s, too few to judge", requests(s.Ended), seconds(s.Age))
		return r, true, r.Note
	case s.Steady == 0 && s.Age >= 2*longest:
		r.State, r.Binding, r.Share, r.Note = Missed, "no steady state", 1, "not settled after "+seconds(s.Age)
		return r, true, r.Note
	case s.Steady == 0:
		return r, false, fmt.Sprintf("settling, %d ended", s.Ended)
	case s.Steady >= longest, s.Steady >= w.effort.Steady && s.Judged >= w.effort.Requests:
		r.Few = s.Judged < w.effort.Requests
		return r, true, fmt.Sprintf("n=%d, steady %s", s.Judged, seconds(s.Steady))
	case w.early && w.lost(s):
		r.Early = true
		return r, true, fmt.Sprintf("%s can't be met any more, n=%d", r.Binding, s.Judged)
	}
	return r, false, fmt.Sprintf("%d of %d requests, steady %s", s.Judged, w.effort.Requests, seconds(s.Steady))
}

// follow keeps what is known across statuses.
func (w *watch) follow(s Status) {
	if s.Stage != w.stage {
		w.stage, w.ended, w.progress = s.Stage, 0, s.Now-s.Age
	}
	if s.Ended != w.ended || s.InFlight == 0 {
		w.ended, w.progress = s.Ended, s.Now
	}
	if s.MeanE2EL > 0 {
		w.e2el = s.MeanE2EL
	}
}

// rung judges a status by its goals.
func (w *watch) rung(s Status) Rung {
	r := Rung{Level: s.Level, State: Measured, Stage: s.Stage, Took: s.Age, N: s.Judged, Output: s.Output}
	worst := -1.0
	for _, g := range s.Goals {
		if g.Judged == 0 {
			continue
		}
		if r.State == Measured {
			r.State = Held
		}
		share := float64(g.Missed) / float64(g.Judged)
		if use := share / max(g.Allowed, 1e-9); use > worst { // of what is allowed
			worst, r.Share, r.Allowed = use, share, g.Allowed
			if g.missedOf(float64(g.Judged)) {
				r.State, r.Binding = Missed, g.Name
			}
		}
	}
	return r
}

// lost reports whether some goal can't be held any more, however well the requests do that are still to come. Of those
// there are at most as many as are missing from what is wanted or, if that is more, as would end in the remaining time at
// twice the present rate, besides those in flight. That a level holds is never known early.
func (w *watch) lost(s Status) bool {
	left := max(w.effort.Steady-s.Steady, 0).Seconds()
	most := max(float64(w.effort.Requests), float64(s.Judged+s.InFlight)+math.Ceil(2*s.Requests*left))
	for _, g := range s.Goals {
		if !g.PerToken && g.missedOf(max(most, float64(g.Judged))) {
			return true
		}
	}
	return false
}

// missedOf reports whether more missed than may among n.
func (g Goal) missedOf(n float64) bool { return float64(g.Missed) > g.Allowed*n+1e-9*n }

func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
