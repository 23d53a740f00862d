// This file runs one request, from the pool's call to the finished record.

package engine

import (
	"context"
	"sync"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/wire"
)

// refusedPause is how long a slot rests after a request that the endpoint could not or would not consider. Without it,
// a server that is down turns a closed loop into thousands of failures a second, and says nothing more by that.
const refusedPause = 250 * time.Millisecond

// request runs one request to its end.
func (e *Engine) request(ctx context.Context, job load.Job) {
	set := e.setting.Load()
	prompt := e.prompts.Prompt(job.Seq, set.shape)
	rec := record.New(job.Seq)
	rec.Stage, rec.Scheduled, rec.Started = set.stage, job.Scheduled, job.Taken
	flight := e.collector.Begin(rec, prompt.Tokens)
	req, err := e.client.Prepare(wire.Prompt{
		Text: prompt.Text, InputTokens: prompt.Tokens, OutputTokens: prompt.OutputTokens,
	})
	if err != nil {
		rec.Outcome, rec.Kind, rec.Error, rec.End = record.Failed, record.KindMalformed, err.Error(), e.clock()
	} else {
		e.client.Stream(ctx, req, rec, flight)
	}
	flight.Finish(rec)
	e.finished.add(rec)
	if refused(rec) && job.Scheduled == 0 { // an open loop keeps to its schedule
		rest(ctx, refusedPause)
	}
}

// refused reports whether a request failed before the endpoint considered it. A 429 is not that: it is the endpoint's
// answer to the load.
func refused(r *record.Record) bool {
	switch r.Kind {
	case record.KindConnect, record.KindTLS, record.KindClientFD, record.KindClientPort:
		return true
	}
	return r.Kind == record.KindHTTP4xx
}

// rest waits, or returns at once when ctx ends.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// finished collects records until they are handed over.
type finished struct {
	mu      sync.Mutex
	records []*record.Record
}

func (f *finished) add(r *record.Record) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.records = append(f.records, r)
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
