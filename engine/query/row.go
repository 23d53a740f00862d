// This file is one request as a row: its figures, its verdict and the instants of its bar.

package query

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// Row is a request.
type Row struct {
	ID       uint64
	Stage    int    // 0 or less: it belongs to none
	Slot     int    // from 1; 0: not known
	Endpoint int    // from 1; 0: there is only one
	Side     string // of a duel, "A"; "": the run is alone, or is asked alone
	Running  bool
	Ending   slo.Ending   // of one that does not run
	Kind     record.Kind  // of a failure
	Missed   []slo.Metric // of one that runs, what it is over already

	Input, Output, Reasoning             int64 // tokens; negative: not known
	Chunks                               int
	Estimated                            bool          // its tokens are
	TTFT, TTFA, TPOT, E2EL, Lag, Connect time.Duration // slo.Undefined: it has none
	Gap                                  time.Duration // the longest; likewise

	// The instants of its bar; 0: not known, or it did not come to that.
	Began, Sent, First, Answer, Last, End record.Instant
	Stalls                                []stats.Stall
}

// endedRow is request i.
func endedRow(e *stats.Ended, i int) Row {
	r := Row{
		ID: e.ID[i], Stage: int(e.Stage[i]), Slot: int(e.Slot[i]), Endpoint: int(e.Endpoint[i]),
		Ending: e.Ending[i], Kind: e.Kind(i), Input: int64(e.Input[i]), Output: int64(e.Output[i]),
		Reasoning: int64(e.Reasoning[i]), Chunks: int(e.Chunks[i]), Estimated: e.Estimated(i),
		TTFT: e.TTFT[i], TTFA: e.TTFA[i], TPOT: e.TPOT[i], E2EL: e.E2EL[i], Lag: e.Lag[i], Connect: e.Connect[i], Gap: e.GapMax[i],
		Began: e.Began[i], End: e.At[i], Stalls: e.StallsOf(i),
	}
	r.Missed = e.Criteria.Missed(slo.Requests{Endings: e.Ending, TTFT: e.TTFT, TTFA: e.TTFA, TPOT: e.TPOT, E2EL: e.E2EL}, i)
	r.Sent = after(r.Began, r.Lag)
	r.First, r.Answer, r.Last = after(r.Sent, r.TTFT), after(r.Sent, r.TTFA), after(r.Sent, r.E2EL)
	return r
}

// after is the instant that a time after another; 0 where either is not known.
func after(at record.Instant, d time.Duration) record.Instant {
	if at == 0 || d == slo.Undefined {
		return 0
	}
	return at.Add(d)
}

// runningRow is a request that runs.
func runningRow(u *stats.Unfinished, at record.Instant, criteria *slo.Criteria) Row {
	span := func(from, to record.Instant) time.Duration {
		d, ok := to.Since(from)
		if !ok {
			return slo.Undefined
		}
		return d
	}
	r := Row{
		ID: u.ID, Stage: u.Stage, Slot: u.Slot, Endpoint: u.Endpoint, Running: true, Input: u.Input, Output: int64(u.Chunks),
		Reasoning: -1, Chunks: u.Chunks, Estimated: true, TPOT: slo.Undefined, E2EL: slo.Undefined, Gap: slo.Undefined,
		TTFT: span(u.Sent, u.First), TTFA: span(u.Sent, u.Answer), Lag: span(u.Began, u.Sent),
		Began: u.Began, Sent: u.Sent, First: u.First, Answer: u.Answer, Last: u.Last, End: at, Stalls: u.Stalls,
	}
	if u.Input == 0 {
		r.Input = -1
	}
	for _, m := range slo.Metrics() {
		if v, _ := soFar(Figure(m.String()), &r); v != unknown && criteria.Over(m, time.Duration(v)) {
			r.Missed = append(r.Missed, m)
		}
	}
	return r
}

// Phase is a stretch of a request's time.
type Phase uint8

// The phases, in order.
const (
	Dispatch     Phase = iota // scheduled or taken up, and not sent
	Connecting                // the part of that which a new connection took
	Wait                      // sent, without a token
	ReasoningOut              // tokens that are reasoning
	Decode                    // tokens of the answer
	Phases
)

// String is its name.
func (p Phase) String() string {
	return [Phases]string{"dispatch", "connect", "wait", "reasoning", "decode"}[p]
}

// Bar is the phases of a request by when each ends; one that it did not have ends where the one before does.
func (r *Row) Bar() (from record.Instant, ends [Phases]record.Instant) {
	over := r.End
	if !r.Running && r.Last != 0 {
		over = r.Last
	}
	until := func(at record.Instant) record.Instant {
		if at == 0 {
			return over
		}
		return at
	}
	ends[Connecting] = until(r.Sent)
	ends[Dispatch] = ends[Connecting].Add(-max(r.Connect, 0))
	ends[Dispatch] = max(ends[Dispatch], r.Began)
	ends[Wait] = until(r.First)
	ends[ReasoningOut] = until(r.Answer)
	ends[Decode] = over
	return r.Began, ends
}
