// This file is the endpoints of a run, where there are several: who gets which request, and the figures of each.

package engine

import (
	"context"
	"sync"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// endpoints is where requests go, of which there is at least one. Requests go round them in turn; a conversation stays with
// the one that knows its history.
type endpoints struct {
	clients []*wire.Client

	mu    sync.Mutex
	next  int // whose turn it is
	stage int
	since record.Instant
	tally []tally
}

// tally adds up what one endpoint answered.
type tally struct {
	inFlight         int
	ok, failed       int
	output           int64
	ttft, tpot, e2el latencies
}

// latencies are those of the requests that have one.
type latencies struct{ stats.Histogram }

func (l *latencies) addKnown(d time.Duration, ok bool) {
	if ok {
		l.Add(d, 1)
	}
}

// newEndpoints makes a client for each endpoint. Its errors are sentences.
func newEndpoints(configured []wire.Endpoint, clock record.Clock) (*endpoints, error) {
	e := &endpoints{tally: make([]tally, len(configured))}
	for _, ep := range configured {
		c, err := wire.New(ep, clock)
		if err != nil {
			e.close()
			return nil, err
		}
		e.clients = append(e.clients, c)
	}
	return e, nil
}

func (e *endpoints) close() {
	for _, c := range e.clients {
		c.Close()
	}
}

// first is the endpoint that stands for all where one has to.
func (e *endpoints) first() *wire.Client { return e.clients[0] }

// local reports whether all of them are on this machine or in a private network.
func (e *endpoints) local() bool {
	for _, c := range e.clients {
		if !c.Local() {
			return false
		}
	}
	return true
}

// reconnects is the number of connections that turned out to be stale, over all of them.
func (e *endpoints) reconnects() (n int64) {
	for _, c := range e.clients {
		n += c.Reconnects()
	}
	return n
}

// merged is how many chunks were read with an earlier one, of how many, over all of them. See wire.Client.Merged.
func (e *endpoints) merged() (merged, chunks int64) {
	for _, c := range e.clients {
		m, n := c.Merged()
		merged, chunks = merged+m, chunks+n
	}
	return merged, chunks
}

// closed is the number of connections that were closed right after an answer, over all of them.
func (e *endpoints) closed() (n int64) {
	for _, c := range e.clients {
		n += c.ClosedAfterAnswer()
	}
	return n
}

// again is what was sent again, and what waits to be, over all of them.
func (e *endpoints) again() (all endpoint.Again) {
	for _, c := range e.clients {
		all.Add(c.Again())
	}
	return all
}

// prepare finds out the model of each endpoint and, unless told not to, what it takes.
func (e *endpoints) prepare(ctx context.Context, probe bool) error {
	for _, c := range e.clients {
		if err := c.Ready(ctx, probe); err != nil {
			return err
		}
	}
	return nil
}

// pick is who gets the next turn of a conversation.
func (e *endpoints) pick(said *conversation) *wire.Client {
	if len(e.clients) == 1 {
		return e.clients[0]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if said.turn == 0 {
		said.endpoint = e.next
		e.next = (e.next + 1) % len(e.clients)
	}
	return e.clients[said.endpoint]
}

// number is that of the endpoint that a conversation was picked for, from 1; 0: there is only one.
func (e *endpoints) number(said *conversation) int {
	if len(e.clients) == 1 {
		return 0
	}
	return said.endpoint + 1
}

// began takes note of a request that is sent to one of several.
func (e *endpoints) began(r *record.Record) {
	if r.Endpoint > 0 && r.Endpoint <= len(e.tally) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.tally[r.Endpoint-1].inFlight++
	}
}

// took takes note of how such a request ended.
func (e *endpoints) took(r *record.Record) {
	if r.Endpoint < 1 || r.Endpoint > len(e.tally) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	t := &e.tally[r.Endpoint-1]
	t.inFlight--
	if r.Stage != e.stage {
		return
	}
	switch r.Outcome {
	case record.OK:
		t.ok++
		t.output += r.OutputTokens.Or(0)
		t.ttft.addKnown(r.TTFT())
		t.tpot.addKnown(r.TPOT())
		t.e2el.addKnown(r.E2EL())
	case record.Failed:
		t.failed++
	}
}

// open begins the figures of a stage.
func (e *endpoints) open(stage int, now record.Instant) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stage, e.since = stage, now
	for i := range e.tally {
		e.tally[i] = tally{inFlight: e.tally[i].inFlight}
	}
}

// lines are the figures of each; nil where there is only one, whose figures are those of the run.
func (e *endpoints) lines(now record.Instant) []snapshot.EndpointLine {
	if len(e.clients) == 1 {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	age, _ := now.Since(e.since)
	lines := make([]snapshot.EndpointLine, len(e.clients))
	for i, c := range e.clients {
		t := &e.tally[i]
		lines[i] = snapshot.EndpointLine{
			Profile: c.Profile(), InFlight: t.inFlight, OK: t.ok, Failed: t.failed,
			TTFT: t.ttft.Describe(), TPOT: t.tpot.Describe(), E2EL: t.e2el.Describe(),
		}
		if age > 0 {
			lines[i].OutputPerSecond = float64(t.output) / age.Seconds()
		}
	}
	return lines
}
