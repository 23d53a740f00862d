// This file keeps per-request figures in columns: a pass over one column is a pass over memory in order.

package stats

import (
	"math"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// keepRequests bounds the requests whose figures are kept one by one.
const keepRequests = 1 << 20

// undefined marks a latency that a request does not have.
const undefined = slo.Undefined

// firsts are the first tokens, in order of arrival. Positions are absolute: they go on counting when old ones are
// dropped.
type firsts struct {
	dropped      int64
	at           []record.Instant
	sent         []record.Instant
	stage        []int32
	ttft         []time.Duration // undefined: taken back, because the request failed or was cancelled
	fromSchedule []time.Duration
}

func (f *firsts) push(at, sent record.Instant, stage int, ttft, fromSchedule time.Duration) int64 {
	if len(f.at) >= 2*keepRequests {
		f.dropped += keepRequests
		f.at = dropHead(f.at)
		f.sent = dropHead(f.sent)
		f.stage = dropHead(f.stage)
		f.ttft = dropHead(f.ttft)
		f.fromSchedule = dropHead(f.fromSchedule)
	}
	f.at = append(f.at, at)
	f.sent = append(f.sent, sent)
	f.stage = append(f.stage, int32(stage))
	f.ttft = append(f.ttft, ttft)
	f.fromSchedule = append(f.fromSchedule, fromSchedule)
	return f.dropped + int64(len(f.at)) - 1
}

// retract takes a sample back.
func (f *firsts) retract(position int64) {
	if i := position - f.dropped; position >= 0 && i >= 0 {
		f.ttft[i], f.fromSchedule[i] = undefined, undefined
	}
}

// truncate leaves so many, or has there be so many again after that.
func (f *firsts) truncate(n int) {
	f.at, f.sent, f.stage, f.ttft, f.fromSchedule = f.at[:n], f.sent[:n], f.stage[:n], f.ttft[:n], f.fromSchedule[:n]
}

// dones are the requests that ended, in order.
type dones struct {
	dropped               int64 // those that are no longer kept
	at                    []record.Instant
	sent                  []record.Instant
	stage                 []int32
	ending                []slo.Ending
	ttft, tpot, e2el      []time.Duration
	e2elFromSchedule, lag []time.Duration
	input, output         []int32 // -1: unknown
	reasoning, chunks     []int32
	estimated             []bool // its tokens are

	// What is only looked at request by request.
	id              []uint64
	began           []record.Instant // scheduled or, in a closed loop, taken up
	ttfa            []time.Duration
	connect, gapMax []time.Duration
	kind            []kindCode
	endpoint        []uint8
	slot            []int32
}

func (d *dones) push(r *record.Record, stage int) {
	if len(d.at) >= 2*keepRequests {
		d.dropped += keepRequests
		d.at, d.sent, d.stage, d.ending = dropHead(d.at), dropHead(d.sent), dropHead(d.stage), dropHead(d.ending)
		d.ttft, d.tpot, d.e2el = dropHead(d.ttft), dropHead(d.tpot), dropHead(d.e2el)
		d.e2elFromSchedule, d.lag, d.estimated = dropHead(d.e2elFromSchedule), dropHead(d.lag), dropHead(d.estimated)
		d.input, d.output, d.reasoning, d.chunks = dropHead(d.input), dropHead(d.output), dropHead(d.reasoning), dropHead(d.chunks)
		d.id, d.began, d.ttfa, d.connect = dropHead(d.id), dropHead(d.began), dropHead(d.ttfa), dropHead(d.connect)
		d.gapMax, d.kind, d.endpoint, d.slot = dropHead(d.gapMax), dropHead(d.kind), dropHead(d.endpoint), dropHead(d.slot)
	}
	d.at = append(d.at, r.End)
	sent := max(r.Sent, r.Started) // a request that never came to be sent belongs where it was taken up
	if r.Residual {
		sent = 0 // see Running.counted
	}
	d.sent = append(d.sent, sent)
	d.stage = append(d.stage, int32(stage))
	d.ending = append(d.ending, endingOf(r))
	d.ttft = append(d.ttft, orUndefined(r.TTFT()))
	d.tpot = append(d.tpot, orUndefined(r.TPOT()))
	d.e2el = append(d.e2el, orUndefined(r.E2EL()))
	d.e2elFromSchedule = append(d.e2elFromSchedule, orUndefined(r.E2ELFromSchedule()))
	d.lag = append(d.lag, orUndefined(r.DispatchLag()))
	d.input = append(d.input, int32(r.InputTokens.Or(-1)))
	d.output = append(d.output, int32(r.OutputTokens.Or(-1)))
	d.reasoning = append(d.reasoning, int32(r.ReasoningTokens.Or(-1)))
	d.chunks = append(d.chunks, int32(r.Chunks))
	d.estimated = append(d.estimated, r.TokenSource == record.SourceEstimated)
	d.id = append(d.id, r.ID)
	began := r.Started
	if r.Scheduled != 0 {
		began = r.Scheduled
	}
	d.began = append(d.began, began)
	d.ttfa = append(d.ttfa, orUndefined(r.FirstAnswerLatency()))
	d.connect = append(d.connect, r.Connect)
	d.gapMax = append(d.gapMax, orUndefined(r.GapMax, r.Gaps > 0))
	d.kind = append(d.kind, codeOf(r.Kind))
	d.endpoint = append(d.endpoint, uint8(min(r.Endpoint, math.MaxUint8)))
	d.slot = append(d.slot, int32(r.Slot))
}

// truncate leaves so many, or has there be so many again after that.
func (d *dones) truncate(n int) {
	d.at, d.sent, d.stage, d.ending = d.at[:n], d.sent[:n], d.stage[:n], d.ending[:n]
	d.ttft, d.tpot, d.e2el = d.ttft[:n], d.tpot[:n], d.e2el[:n]
	d.e2elFromSchedule, d.lag, d.estimated = d.e2elFromSchedule[:n], d.lag[:n], d.estimated[:n]
	d.input, d.output, d.reasoning, d.chunks = d.input[:n], d.output[:n], d.reasoning[:n], d.chunks[:n]
	d.id, d.began, d.ttfa, d.connect, d.gapMax = d.id[:n], d.began[:n], d.ttfa[:n], d.connect[:n], d.gapMax[:n]
	d.kind, d.endpoint, d.slot = d.kind[:n], d.endpoint[:n], d.slot[:n]
}

// of is the column of a latency that one request has.
func (d *dones) of(m slo.Metric) []time.Duration {
	switch m {
	case slo.TPOT:
		return d.tpot
	case slo.E2EL:
		return d.e2el
	case slo.TTFA:
		return d.ttfa
	}
	return d.ttft
}

func endingOf(r *record.Record) slo.Ending {
	switch r.Outcome {
	case record.OK:
		return slo.OK
	case record.Failed:
		return slo.Failed
	}
	return slo.Cancelled
}

func orUndefined(d time.Duration, ok bool) time.Duration {
	if !ok {
		return undefined
	}
	return d
}

// Expect makes room for so many requests at once, before the first, which is cheaper than as they come.
func (c *Collector) Expect(n int) {
	n = min(n, 2*keepRequests)
	c.firsts = firsts{
		at: room[record.Instant](n), sent: room[record.Instant](n), stage: room[int32](n), ttft: room[time.Duration](n),
		fromSchedule: room[time.Duration](n),
	}
	c.dones = dones{
		at: room[record.Instant](n), sent: room[record.Instant](n), stage: room[int32](n), ending: room[slo.Ending](n),
		ttft: room[time.Duration](n), tpot: room[time.Duration](n), e2el: room[time.Duration](n),
		e2elFromSchedule: room[time.Duration](n), lag: room[time.Duration](n),
		input: room[int32](n), output: room[int32](n), reasoning: room[int32](n), chunks: room[int32](n), estimated: room[bool](n),
		id: room[uint64](n), began: room[record.Instant](n), ttfa: room[time.Duration](n), connect: room[time.Duration](n),
		gapMax: room[time.Duration](n), kind: room[kindCode](n), endpoint: room[uint8](n), slot: room[int32](n),
	}
}

// room is not touched before it is needed, so what is too much of it costs nothing.
func room[T any](n int) []T { return make([]T, 0, n) }

// dropHead drops the older keepRequests of a column. What is left is moved: whoever has the column as it was keeps it.
func dropHead[T any](column []T) []T {
	return append(make([]T, 0, cap(column)), column[keepRequests:]...)
}
