// This file says why the figures of a report are not to be trusted, if they are not.

package run

import (
	"fmt"
	"slices"
	"strings"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
)

// Doubt says in one sentence why there is no verdict that could be relied on: Distrust, or that it is not yet known; "" if
// nothing is known against the figures. Of what an autopilot found, see SweepDoubt.
func (r *Report) Doubt() string {
	if distrust := r.Distrust(); distrust != "" {
		return distrust
	}
	return r.Open()
}

// Distrust says in one sentence why the figures are not to be trusted, however many they are of; "" if nothing is known
// against them.
func (r *Report) Distrust() string {
	switch {
	case r.Requests.OK == 0 && r.Requests.Failed > 0 && len(r.Errors) > 0:
		return fmt.Sprintf("no request completed in %.1f s: %d failed, the first because %s", r.DurationS, r.Requests.Failed, r.Errors[0].Example)
	case r.Requests.OK == 0:
		return fmt.Sprintf("no request completed in %.1f s; run for longer, or ask for fewer output tokens", r.DurationS)
	case r.clientBound():
		return r.clientDoubt()
	case r.Untrusted != nil && r.SLO.ofTokens():
		return *r.Untrusted
	case r.tooManyDropped():
		return fmt.Sprintf("%d arrivals were never started: the requests in flight under --max-in-flight are not enough for the rate", r.Client.Dropped)
	}
	return r.SLO.measurable(&r.Figures)
}

// Open says in one sentence what is not yet known of what was asked for, and what would do; "" if all of it is, or if
// something was missed.
func (r *Report) Open() string {
	s := &r.SLO
	if s.Reached() != slo.Unknown {
		return ""
	}
	if s.Requests == slo.Unknown {
		switch {
		case s.Why != nil && *s.Why == snapshot.Settling:
			return "the load never settled, so nothing was judged by " + s.Text + "; " + r.Longer()
		case s.N < *s.Needed:
			return fmt.Sprintf("whether %s holds is not yet known: %d of the %d requests that %s needs were judged; %s",
				s.Text, s.N, *s.Needed, units.ShareApart(s.Target), r.Longer())
		}
		return fmt.Sprintf("no request could be judged by %s", s.Text)
	}
	for i := range s.Objectives {
		if o := &s.Objectives[i]; o.Reached() == slo.Unknown {
			return fmt.Sprintf("whether %s holds is not yet known: no window held as many as the %d samples it needs (%d in the last); "+
				"run for longer", o.Text, *o.Needed, o.N)
		}
	}
	return ""
}

// Longer says what would make the verdict known, as a clause: "run for longer: about 40 s would do".
func (r *Report) Longer() string {
	switch w := r.Wanted; {
	case w.Requests > 0:
		return fmt.Sprintf("send more: about %d requests would do", w.Requests)
	case w.Duration > 0:
		return "run for longer: about " + units.TimeApart(w.Duration) + " would do"
	}
	return "run for longer"
}

// SweepDoubt says in one sentence why what an autopilot found is not to be trusted; "" if nothing is known against it, and
// where there was none. That it did not come to its end is for Sweep.Done to say.
func (r *Report) SweepDoubt() string {
	s := r.Sweep
	switch {
	case s == nil:
		return ""
	case r.clientBound():
		return r.clientDoubt()
	case !s.Judged:
		return ""
	}
	for i := range r.Stages { // the verdicts are on all of them, and the last may have been judged otherwise
		if untrusted := r.Stages[i].Untrusted; untrusted != nil && r.SLO.ofTokens() {
			return *untrusted
		}
		if doubt := r.SLO.measurable(&r.Stages[i].Figures); doubt != "" {
			return doubt
		}
	}
	switch {
	case r.SLO.Reached() == slo.Held: // by now, what ended after the level was judged counted in
	case s.Done && s.unjudged() && s.few():
		return fmt.Sprintf("no level is known to hold %s, for too few requests were judged; give levels more time", r.SLO.asked())
	case s.Done && s.unjudged():
		return fmt.Sprintf("the %s came to levels that could not be judged by %s", s.Kind, r.SLO.asked())
	}
	return ""
}

// LevelHeld reports whether an autopilot found a level that holds what was asked for. Requests that ended after it had judged
// count too, since the report's answer is of these as well.
func (r *Report) LevelHeld() bool {
	switch r.SLO.Reached() {
	case slo.Held:
		return true
	case slo.Missed:
		return false
	}
	return r.Sweep.Found
}

func (r *Report) clientBound() bool {
	return r.Client.Verdict != nil && *r.Client.Verdict == string(health.ClientBound)
}

func (r *Report) clientDoubt() string {
	return fmt.Sprintf("tokdyno itself was the bottleneck (%s); use fewer streams or a larger machine", r.Client.Note)
}

// tooManyDropped reports whether more than 1 % of all arrivals were never started, and more than one of them. An arrival
// that waits for a slot when the load ends is dropped, and a single one may do so by chance under any cap. Where a rate is
// more than the cap lets through, those that wait become more and more.
func (r *Report) tooManyDropped() bool {
	q, dropped := &r.Requests, r.Client.Dropped
	arrivals := dropped + q.OK + q.Failed + q.Cancelled + q.InFlightAtEnd
	return dropped > 1 && 100*dropped > arrivals
}

// measurable says why what is asked for can't be held against figures whose tokens nobody counted; "" if it can.
func (s *SLO) measurable(f *Figures) string {
	estimated := f.Tokens.Source != nil && *f.Tokens.Source == string(record.SourceEstimated)
	if estimated && s.Criteria.TPOT != nil {
		return estimate(slo.TPOT)
	}
	for i := range s.Objectives {
		switch metric := s.Objectives[i].metric(); {
		case metric == slo.ITL && f.ITLIsChunkGap:
			return "chunks carry other than one token each, so ITL is unknown and can't be held against a limit"
		case estimated && (metric == slo.TPOT || metric == slo.ITL):
			return estimate(metric)
		}
	}
	return ""
}

func estimate(m slo.Metric) string {
	return fmt.Sprintf("the server does not count tokens, so %s is an estimate and can't be held against a limit", strings.ToUpper(m.String()))
}

// ofTokens reports whether what is asked for rests on the instants of tokens within a stream. Where nothing is asked for, all
// figures are of interest, these too.
func (s *SLO) ofTokens() bool {
	if s.Text == "" && len(s.Objectives) == 0 || s.Criteria.TTFT != nil || s.Criteria.TTFA != nil || s.Criteria.TPOT != nil {
		return true
	}
	return slices.ContainsFunc(s.Objectives, func(o Objective) bool { return o.metric().OfTokens() })
}

// metric is what an objective is about; a latency that is always known, TTFT, where its text can't be read.
func (o *Objective) metric() slo.Metric {
	list, err := slo.ParseObjectives(o.Text)
	if err != nil || list.Len() == 0 {
		return slo.TTFT
	}
	return list.At(0).Metric
}

// asked is all that is to be held.
func (s *SLO) asked() string {
	var all []string
	if s.Text != "" {
		all = append(all, s.Text)
	}
	for _, o := range s.Objectives {
		all = append(all, o.Text)
	}
	return strings.Join(all, "; ")
}
