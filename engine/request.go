// This file runs one request, from the pool's call to the finished record.

package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/wire"
)

// refusedPause is how long a slot rests after a request that the endpoint could not or would not consider. Without it,
// a server that is down turns a closed loop into thousands of failures a second, and says nothing more by that.
const refusedPause = 250 * time.Millisecond

// request runs one request to its end: the next turn of a conversation that waits for it, else the first of a new one.
func (e *Engine) request(ctx context.Context, job load.Job) {
	set := e.setting.Load()
	said, err := e.converse(ctx, &set, &job)
	if said == nil && err == nil {
		return // the load ended while it waited for its time
	}
	rec := record.New(job.Seq)
	rec.Stage, rec.Scheduled, rec.Started = set.stage, job.Scheduled, job.Taken
	if err != nil {
		flight := e.collector.Begin(rec, 0)
		e.fail(rec, err)
		flight.Finish(rec)
		e.finished.add(rec)
	} else {
		e.say(ctx, said, &job, rec)
	}
	if refused(rec) && job.Scheduled == 0 { // an open loop keeps to its schedule
		wire.Rest(ctx, refusedPause)
	}
}

// say sends a turn and takes in what came of it. A conversation goes on only after an answer: where a turn has failed,
// its user leaves, and a new one comes.
func (e *Engine) say(ctx context.Context, said *conversation, job *load.Job, rec *record.Record) {
	rec.Conversation, rec.Turn = said.number, said.turnNumber()
	prompt := e.prompt(job.Seq, said)
	flight := e.collector.Begin(rec, prompt.InputTokens)
	client := e.endpoints.pick(said)
	req, err := client.Prepare(prompt)
	if err != nil {
		e.fail(rec, err)
	} else {
		client.Stream(ctx, req, rec, flight)
	}
	flight.Finish(rec)
	e.endpoints.took(said, rec)
	e.finished.add(rec)
	if rec.Outcome == record.OK {
		e.lengths.learn(said, rec)
		said.answered(req.Answer(), rec)
	}
	switch {
	case !said.counted():
	case rec.Outcome == record.OK && !said.over():
		e.putBack(said)
	default:
		e.conversations.leave()
	}
}

// putBack has a conversation wait for its next turn. Where a slot stays with its conversation while the person thinks,
// there are no more conversations than slots: those above a concurrency that was turned down end.
func (e *Engine) putBack(said *conversation) {
	most := e.setting.Load().slots
	if most == 0 {
		most = math.MaxInt
	}
	e.conversations.put(said, most)
}

// fail ends a request that could not be built.
func (e *Engine) fail(rec *record.Record, err error) {
	rec.Outcome, rec.Kind, rec.Error, rec.End = record.Failed, record.KindMalformed, err.Error(), e.clock()
}

// converse finds what the request is to say; nil if the load ended before it was time to. Where concurrency counts
// conversations, a slot waits with its conversation while the person in it thinks; else it takes up one that is due, or
// begins another. The setting may change meanwhile: what is said is of the one in force when it is sent.
func (e *Engine) converse(ctx context.Context, set **setting, job *load.Job) (*conversation, error) {
	if event, ok := job.Work.(trace.Event); ok {
		said := &conversation{shape: (*set).shape, recorded: true}
		said.script = e.prompts.FromTrace(job.Seq-1, event, said.shape)
		return said, nil
	}
	for (*set).shape.MayConverse() {
		waiting := e.conversations.next((*set).shape, job.Taken, (*set).slots > 0)
		if waiting == nil {
			break
		}
		if waiting.due <= job.Taken {
			return waiting, nil
		}
		if !e.pool.Hold(ctx, waiting.due) {
			e.conversations.leave()
			return nil, nil
		}
		job.Taken = e.clock()
		if *set = e.setting.Load(); waiting.shape == (*set).shape {
			return waiting, nil
		}
		e.conversations.leave()
	}
	return e.begin(*set, job)
}

// begin begins a conversation, or a single request.
func (e *Engine) begin(set *setting, job *load.Job) (said *conversation, err error) {
	said = &conversation{shape: set.shape}
	index, number := job.Seq-1, 0
	if said.counted() { // of its own, so that no item of a data set is passed over while another is talked about
		number = e.conversations.begin()
		index = uint64(number) - 1
	}
	if said.script, err = e.prompts.Script(index, set.shape); err != nil {
		if said.counted() {
			e.conversations.leave()
		}
		return nil, err
	}
	if len(said.script.Turns) > 1 {
		said.number = number
	}
	return said, nil
}

// prompt is the next turn of a conversation as it is sent.
func (e *Engine) prompt(seq uint64, said *conversation) wire.Prompt {
	turn := &said.script.Turns[said.turn]
	p := wire.Prompt{
		System:       said.script.System,
		Messages:     slices.Concat(said.history, turn.Messages),
		Text:         turn.Text,
		InputTokens:  said.tokens + turn.Tokens,
		OutputTokens: turn.OutputTokens,
		KeepAnswer:   said.turn+1 < len(said.script.Turns),
	}
	if ids := e.lengths.idsFor(&said.shape); ids != nil && !said.recorded {
		p.IDs = e.prompts.IDs(seq-1, turn.Tokens, said.shape.PrefixOverlap, said.shape.Prefixes, ids)
	}
	return p
}

// refused reports whether a request failed before the endpoint considered it, or before it was sent at all. A 429 is not
// that: it is the endpoint's answer to the load.
func refused(r *record.Record) bool {
	switch r.Kind {
	case record.KindMalformed:
		return r.Sent == 0
	case record.KindConnect, record.KindTLS, record.KindClientFD, record.KindClientPort:
		return true
	}
	return r.Kind == record.KindHTTP4xx
}

// finished collects records until they are handed over.
type finished struct {
	mu      sync.Mutex
	records []*record.Record
	retried int // requests that took several attempts

	malformed, flawed int // payloads that could not be decoded, and the answers that they were in
}

func (f *finished) add(r *record.Record) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.records = append(f.records, r)
	if r.Attempts > 1 {
		f.retried++
	}
	if r.Malformed > 0 {
		f.malformed += r.Malformed
		f.flawed++
	}
}

// malformedSoFar is how much of the answers could not be understood, "" if all of it could, in a sentence.
func (f *finished) malformedSoFar() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.flawed == 0 {
		return ""
	}
	return fmt.Sprintf("%d payloads in %d answers could not be decoded, or have counts that can't be true; what they say is in no figure",
		f.malformed, f.flawed)
}

// retriedSoFar is the number of requests that took several attempts.
func (f *finished) retriedSoFar() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.retried
}

// take returns what was added since the last call, in the order in which it ended.
func (f *finished) take() []*record.Record {
	f.mu.Lock()
	defer f.mu.Unlock()
	records := f.records
	f.records = nil
	return records
}

// handOver gives the records that are new to whoever wants them.
func (e *Engine) handOver() {
	records := e.finished.take()
	if e.cfg.Records != nil && len(records) > 0 {
		e.cfg.Records(records, e.start)
	}
}
