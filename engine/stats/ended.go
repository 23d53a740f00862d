// This file hands out what is kept of single requests: of those that ended as columns, of those that run as they stand.

package stats

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// Ended are the requests that ended and are kept, in that order, in columns of the same length. They are shared and never
// change: requests that end later are in no column that was handed out before. Durations are Undefined where the request
// has none, numbers of tokens -1 where they are not known.
type Ended struct {
	Dropped  int64 // how many ended before the first: i in a column is the absolute position Dropped + i
	Criteria slo.Criteria

	ID                     []uint64
	Began                  []record.Instant // scheduled or, in a closed loop, taken up
	At                     []record.Instant // when we were done with it
	Stage                  []int32          // 0 or less: it belongs to none
	Slot                   []int32          // from 1; 0: not known
	Endpoint               []uint8          // from 1; 0: there is only one
	Ending                 []slo.Ending
	TTFT, TTFA, TPOT, E2EL []time.Duration
	Lag                    []time.Duration // from Began until it was sent; Undefined: it never was
	Connect                []time.Duration // the part of it that a new connection took; 0: the connection was reused
	GapMax                 []time.Duration
	Input, Output          []int32
	Reasoning              []int32
	Chunks                 []int32
	Stalls                 []Stall // by request

	kind      []kindCode
	estimated []bool
}

// Ended returns what is kept of the requests that ended.
func (l *store) Ended() Ended {
	d := &l.dones
	return Ended{
		Dropped: d.dropped, Criteria: l.criteria,
		ID: d.id, Began: d.began, At: d.at, Stage: d.stage, Slot: d.slot, Endpoint: d.endpoint, Ending: d.ending,
		TTFT: d.ttft, TTFA: d.ttfa, TPOT: d.tpot, E2EL: d.e2el, Lag: d.lag, Connect: d.connect, GapMax: d.gapMax,
		Input: d.input, Output: d.output, Reasoning: d.reasoning, Chunks: d.chunks, Stalls: l.stalls.list,
		kind: d.kind, estimated: d.estimated,
	}
}

// Kind is why request i failed; "" where it did not.
func (e *Ended) Kind(i int) record.Kind { return e.kind[i].kind() }

// OfKind reports which requests failed in a way.
func (e *Ended) OfKind(k record.Kind) func(i int) bool {
	code, kinds := codeOf(k), e.kind
	return func(i int) bool { return kinds[i] == code }
}

// Stalled reports which requests stalled.
func (e *Ended) Stalled() func(i int) bool {
	stalled := make([]bool, len(e.At))
	for _, s := range e.Stalls {
		if i := s.Request - e.Dropped; i >= 0 && i < int64(len(stalled)) {
			stalled[i] = true
		}
	}
	return func(i int) bool { return stalled[i] }
}

// Estimated reports whether the tokens of request i are an estimate.
func (e *Ended) Estimated(i int) bool { return e.estimated[i] }

// StallsOf are the stalls of request i.
func (e *Ended) StallsOf(i int) []Stall {
	position := e.Dropped + int64(i)
	before := func(s Stall, p int64) int { return cmp.Compare(s.Request, p) }
	from, _ := slices.BinarySearchFunc(e.Stalls, position, before)
	to, _ := slices.BinarySearchFunc(e.Stalls[from:], position+1, before)
	return e.Stalls[from : from+to]
}

// UpTo are the first of them, up to an absolute position, that excluded; all where it is 0.
func (e Ended) UpTo(position int64) Ended {
	if n := position - e.Dropped; position > 0 && n < int64(len(e.At)) {
		e.At = e.At[:max(n, 0)]
	}
	return e
}

// kindCode is a record.Kind in one byte, and without a pointer; see tokenSource.
type kindCode uint8

// kinds are the kinds of failure, by their codes; unnamed stands for any other.
func kinds() [15]record.Kind {
	return [...]record.Kind{
		"", record.KindConnect, record.KindTLS, record.KindTimeoutFirstByte, record.KindTimeoutIdle, record.KindHTTP4xx,
		record.KindHTTP5xx, record.KindHTTP429, record.KindHTTPOther, record.KindStreamError, record.KindTruncated,
		record.KindNoTokens, record.KindMalformed, record.KindClientFD, record.KindClientPort,
	}
}

const unnamed kindCode = 255

func codeOf(k record.Kind) kindCode {
	all := kinds()
	if i := slices.Index(all[:], k); i >= 0 {
		return kindCode(i)
	}
	return unnamed
}

func (c kindCode) kind() record.Kind {
	if all := kinds(); int(c) < len(all) {
		return all[c]
	}
	return "other"
}

// Kinds are all kinds of failure.
func Kinds() []record.Kind {
	all := kinds()
	return all[1:]
}

// Unfinished is a request that runs, as it stands. Instants are 0 for what has not happened yet.
type Unfinished struct {
	ID             uint64
	Stage          int
	Slot, Endpoint int
	Began          record.Instant // as in Ended
	Sent           record.Instant
	First, Answer  record.Instant // its first token, and its first that is not reasoning
	Last           record.Instant // its latest token
	Input          int64          // prompt tokens asked for; 0: not known
	Chunks         int
	Stalls         []Stall // see FindStalls

	gaps []packedGap // of which they have not been found yet
}

// FindStalls finds its stalls, which takes a look at all of its gaps: tens of microseconds.
func (u *Unfinished) FindStalls() {
	if u.gaps != nil {
		u.Stalls, u.gaps = stallsIn(u.First, unpacked(nil, u.gaps)), nil
	}
}

// Unfinished returns the requests that run, the oldest first, and at most so many of them. Their stalls, of a range of slots, are
// found by FindStalls, which needs no lock.
func (l *store) Unfinished(most int, stalls SlotRange) []Unfinished {
	if most <= 0 {
		return nil
	}
	all := slices.SortedFunc(maps.Keys(l.running), func(a, b *Running) int { return cmp.Compare(a.id, b.id) })
	all = all[:min(len(all), most)]
	out := make([]Unfinished, len(all))
	for i, f := range all {
		began := f.began
		if f.scheduled != 0 {
			began = f.scheduled
		}
		out[i] = Unfinished{
			ID: f.id, Stage: f.stage, Slot: int(f.slot), Endpoint: int(f.endpoint), Began: began, Sent: f.sent,
			First: f.firstToken, Answer: f.answer, Last: f.last, Input: f.inputGuess, Chunks: int(f.chunks),
		}
		if stalls.Has(f.slot) {
			out[i].gaps = f.gaps()
		}
	}
	return out
}

// SlotRange are the slots from First to Last; the zero SlotRange has all.
type SlotRange struct{ First, Last int32 }

// Has reports whether a slot is among them.
func (r SlotRange) Has(slot int32) bool { return r == SlotRange{} || slot >= r.First && slot <= r.Last }
