// This file runs the requests, each from the pool's call to the finished record.

package engine

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// requests is what runs requests: it finds what each is to say, sends it, and takes in what came of it. All of its methods
// may be called from anywhere.
type requests struct {
	clock         record.Clock
	endpoints     *endpoints
	collector     *stats.Collector // of which only Begin is called
	prompts       *shape.Generator
	lengths       lengths
	conversations conversations
	numbers       *load.Numbers // of conversations; nil: 1, 2, 3 …
	setting       atomic.Pointer[setting]
	texts         bool // what the latest requests said, and were answered, is kept
	recorded      bool // it goes into the run's file, and has no secrets
	beside        bool // other endpoints get the same prompts, so that none is made of one tokenizer's ids
	account       *account
	// hold waits in a slot until an instant, rest for so long after a failure; shed leaves arrivals out; see load.Pool.
	hold func(ctx context.Context, until record.Instant) bool
	rest func(context.Context, time.Duration)
	shed func(until record.Instant)
}

// setting is what a request needs to know when it starts: one value, so that no request mixes two stages.
type setting struct {
	stage int
	shape shape.Shape
	slots int // where each slot stays with its conversation, their number; else 0
}

// open lets requests that start from now on belong to a stage.
func (r *requests) open(stage int, k *snapshot.Knobs) {
	next := &setting{stage: stage, shape: k.Shape}
	if l := &k.Load; l.Mode == load.Closed && l.Conversations {
		next.slots = l.Concurrency
	}
	r.setting.Store(next)
}

// run runs one request to its end: the next turn of a conversation that waits for it, else the first of a new one.
func (r *requests) run(ctx context.Context, job load.Job) {
	set := r.setting.Load()
	said, err := r.converse(ctx, &set, &job)
	if said == nil && err == nil {
		return // the load ended while it waited for its time
	}
	rec := record.New(job.Seq)
	rec.Stage, rec.Scheduled, rec.Started, rec.Residual = set.stage, job.Scheduled, job.Taken, job.Residual > 0
	rec.Slot = job.Slot
	if err != nil {
		running := r.collector.Begin(rec, 0)
		r.fail(rec, err)
		running.Finish(rec)
		r.account.finished.add(rec)
	} else {
		r.say(ctx, said, &job, rec)
	}
	switch rest := r.account.outage.took(rec); {
	case rest == 0:
		load.Freed(ctx, rec.Over)
	case job.Scheduled == 0:
		r.rest(ctx, rest)
	default: // an open loop has no slot that could rest, and keeps to its schedule but in an outage
		r.shed(rec.End.Add(r.account.outage.sheds(rec.End)))
	}
}

// say sends a turn and takes in what came of it. A conversation goes on only after an answer: where a turn has failed,
// its user leaves, and a new one comes.
func (r *requests) say(ctx context.Context, said *conversation, job *load.Job, rec *record.Record) {
	rec.Conversation, rec.Turn = said.number, said.turnNumber()
	prompt := r.prompt(job.Seq, said)
	client := r.endpoints.pick(said)
	rec.Endpoint = r.endpoints.number(said)
	r.endpoints.began(rec)
	if rec.Residual {
		prompt.OutputTokens = residual(job.Residual, prompt.OutputTokens, client.Profile().LeastOutput)
	}
	running := r.collector.Begin(rec, prompt.InputTokens)
	req, err := client.Prepare(prompt)
	if err != nil {
		r.fail(rec, err)
	} else {
		client.Stream(ctx, req, rec, running)
		if r.texts {
			running.Said(r.said(client, req))
		}
	}
	running.Finish(rec)
	r.endpoints.took(rec)
	r.account.finished.add(rec)
	if rec.Outcome == record.OK {
		r.lengths.learn(said, rec)
		r.lengths.answered(prompt.OutputTokens, rec)
		if said.answered(req.Answer(), rec) {
			r.account.finished.unspoken()
		}
	}
	switch {
	case !said.counted():
	case rec.Outcome == record.OK && !said.over():
		r.putBack(said)
	default:
		r.conversations.leave()
	}
}

// said is what a request said and was answered.
func (r *requests) said(client *wire.Client, req *wire.Request) stats.Said {
	said := stats.Said{Body: req.Body(), Answer: req.Answer(), Told: req.Told()}
	if r.recorded {
		said.Body, said.Answer = []byte(client.Redacted(string(said.Body))), client.Redacted(said.Answer)
	}
	return said
}

// putBack has a conversation wait for its next turn. Where a slot stays with its conversation while the person thinks,
// there are no more conversations than slots: those above a concurrency that was turned down end.
func (r *requests) putBack(said *conversation) {
	most := r.setting.Load().slots
	if most == 0 {
		most = math.MaxInt
	}
	r.conversations.put(said, most)
}

// fail ends a request that could not be built.
func (r *requests) fail(rec *record.Record, err error) {
	rec.Outcome, rec.Kind, rec.Error, rec.End = record.Failed, record.KindMalformed, err.Error(), r.clock()
}

// converse finds what the request is to say; nil if the load ended before it was time to. Where concurrency counts
// conversations, a slot waits with its conversation while the person in it thinks; else it takes up one that is due, or
// begins another. The setting may change meanwhile: what is said is of the one in force when it is sent.
func (r *requests) converse(ctx context.Context, set **setting, job *load.Job) (*conversation, error) {
	if event, ok := job.Work.(trace.Event); ok {
		said := &conversation{shape: (*set).shape, recorded: true}
		said.script = r.prompts.FromTrace(job.Seq-1, event, said.shape)
		return said, nil
	}
	for (*set).shape.MayConverse() {
		waiting := r.conversations.next((*set).shape, job.Taken, (*set).slots > 0)
		if waiting == nil {
			break
		}
		if waiting.due <= job.Taken {
			return waiting, nil
		}
		if !r.hold(ctx, waiting.due) {
			r.conversations.leave()
			return nil, nil
		}
		job.Taken = r.clock()
		if *set = r.setting.Load(); waiting.shape == (*set).shape {
			return waiting, nil
		}
		r.conversations.leave()
	}
	return r.begin(ctx, *set, job)
}

// begin begins a conversation, or a single request; nil if the load ended before there was a number for it.
func (r *requests) begin(ctx context.Context, set *setting, job *load.Job) (said *conversation, err error) {
	said = &conversation{shape: set.shape}
	index, number := job.Seq-1, 0
	if said.counted() { // of its own, so that no item of a data set is passed over while another is talked about
		number = r.conversations.begin()
		index = uint64(number) - 1
		if r.numbers != nil {
			given, ok := r.numbers.Wait(ctx)
			if !ok {
				r.conversations.leave()
				return nil, nil
			}
			index, number = given-1, int(given)
		}
	}
	if said.script, err = r.prompts.Script(index, set.shape); err != nil {
		if said.counted() {
			r.conversations.leave()
		}
		return nil, err
	}
	if len(said.script.Turns) > 1 {
		said.number = number
	}
	return said, nil
}

// prompt is the next turn of a conversation as it is sent.
func (r *requests) prompt(seq uint64, said *conversation) wire.Prompt {
	turn := &said.script.Turns[said.turn]
	p := wire.Prompt{
		System:       said.script.System,
		Messages:     slices.Concat(said.history, turn.Messages),
		Text:         turn.Text,
		InputTokens:  said.tokens + turn.Tokens,
		OutputTokens: turn.OutputTokens,
		KeepAnswer:   r.texts || said.turn+1 < len(said.script.Turns),
	}
	if ids := r.lengths.idsFor(&said.shape); ids != nil && !said.recorded {
		p.IDs = r.prompts.IDs(seq-1, turn.Tokens, said.shape.PrefixOverlap, said.shape.Prefixes, ids)
	}
	return p
}

// residual is what a request asks for that is to have only a share of its answer: at least one token, and no fewer than the
// endpoint is known to take, if the whole answer has as many. An answer whose length is not known stays as it is.
func residual(share float64, tokens, least int) int {
	return min(max(int(math.Ceil(share*float64(tokens))), least), tokens)
}
