// This file decides when a level is over, and how it ended.

package stage

import (
	"fmt"
	"math"
	"time"
)

// Effort is how long a level is measured. Zero fields mean their defaults. Where the judge needs more requests for a verdict
// than are asked for, so many are measured; see Needed.
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

	insistence        = 3 // times as long as that, where it is not yet known whether the level holds
	longestLatencies  = 3
	patienceLatencies = 4
)

// WithDefaults is the effort with what its zero fields mean.
func (e Effort) WithDefaults() Effort {
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
	search bool          // a level that can't hold any more is over, and one that is not yet known gets more time
	climbs bool          // with search: nothing missed so far, so that a level which looks well is left without that
	before Rung          // the last look at the level, with which this one is judged if they agree; see Rung.with
	dwell  time.Duration // a level lasts exactly so long; 0: as effort says

	stage    int
	ended    int
	progress time.Duration // when the number of ended requests last grew, or none was in flight
	e2el     time.Duration // the last mean that was known, of whatever level
	expected time.Duration // about how long the level takes; 0: unknown
}

// look returns how the level of a status stands; over says that it is done with. Why is a clause without the level's name.
func (w *watch) look(s Status) (r Rung, over bool, why string) {
	w.follow(s)
	r = w.rung(s).with(w.before, s.InFlight)
	if waited := s.Now - w.progress; waited >= max(w.effort.Patience, patienceLatencies*w.e2el) {
		r.stick("no answer", "no answer in "+seconds(waited))
		return r, true, r.Note
	}
	longest := max(w.effort.Longest, longestLatencies*w.e2el)
	wanted := max(w.effort.Requests, Needed(s.Goals))
	r.Few = r.N < wanted
	narrow := w.search && r.State == Missed && s.Judged < 2*wanted && s.Steady < longest && !lost(s, &r, 2*wanted)
	full := s.Steady >= w.effort.Steady && s.Judged >= wanted
	if s.Judged > 0 {
		pace := time.Duration(float64(s.Steady) * float64(wanted) / float64(s.Judged))
		w.expected = s.Age - s.Steady + min(max(w.effort.Steady, pace), longest)
	}
	// Whether more requests would make no difference.
	known := !w.search || r.State != Unknown || s.Doubt != "" && s.Steady >= longest || full && r.unmeasured() != "" || w.climbs && r.upward()
	switch {
	case w.dwell > 0:
		return r, s.Age >= w.dwell, fmt.Sprintf("%s of %s, n=%d", seconds(s.Age), seconds(w.dwell), s.Judged)
	case s.Steady == 0 && s.Age >= 2*longest && s.InFlight == 0: // nothing is too much here: the next request is not due
		r.Note = fmt.Sprintf("%s in %s, too few to judge", requests(s.Ended), seconds(s.Age))
		return r, true, r.Note
	case s.Steady == 0 && s.Age >= 2*longest:
		r.stick("not settled", "not settled after "+seconds(s.Age))
		return r, true, r.Note
	case s.Steady == 0:
		return r, false, fmt.Sprintf("settling, %d ended", s.Ended)
	case full && narrow:
		return r, false, fmt.Sprintf("n=%d, missed by so little that it asks for as many again", s.Judged)
	case known && (full || s.Steady >= longest), s.Steady >= insistence*longest:
		if name := r.unmeasured(); r.Note == "" && name != "" {
			r.Note = name + " could not be measured"
		}
		return r, true, fmt.Sprintf("n=%d, steady %s", s.Judged, seconds(s.Steady))
	case w.search && r.State == Missed && lost(s, &r, w.atMost(s, wanted)):
		r.Early, r.Few = true, false
		return r, true, fmt.Sprintf("%s can't be met any more, n=%d", r.Binding, s.Judged)
	case w.search && r.State == Unknown && (s.Steady >= longest || s.Steady >= w.effort.Steady && s.Judged >= w.effort.Requests):
		return r, false, r.unknown() + ", asks for more"
	}
	return r, false, fmt.Sprintf("%d of %d requests, steady %s", s.Judged, wanted, seconds(s.Steady))
}

// follow keeps what is known across statuses.
func (w *watch) follow(s Status) {
	if s.Stage != w.stage {
		w.stage, w.ended, w.progress, w.expected = s.Stage, 0, s.Now-s.Age, 0
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
	r := Rung{Level: s.Level, Stage: s.Stage, Looks: 1, Took: s.Age, N: s.Judged, Output: s.Output}
	r.judge(s.Goals, s.InFlight)
	if s.Doubt != "" && r.State != Measured {
		r.State, r.Binding, r.Note = Unknown, "", s.Doubt
		r.Judged = r.Judged.Doubted(s.Doubt)
	}
	return r
}

// atMost is how many requests of the present look may be judged when it is over: as many as are wanted or, if that is more, as
// would end in the remaining time at twice the present rate, besides those in flight.
func (w *watch) atMost(s Status, wanted int) int {
	left := max(w.effort.Steady-s.Steady, 0).Seconds()
	return max(wanted, s.Judged+s.InFlight+int(math.Ceil(2*s.Requests*left)))
}

// lost reports whether some goal can't be held any more, however well the requests do that are still to come, of which there are
// so many at the most in the present look. That a level holds is never known early.
func lost(s Status, r *Rung, most int) bool {
	for i, g := range r.Goals {
		before := g.Judged - s.Goals[i].Judged // in looks before
		if !g.PerToken && g.missedOf(float64(max(before+most, g.Judged))) {
			return true
		}
	}
	return false
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
