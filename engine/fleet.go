// This file is the endpoints of a run, where there are several: who gets which request, and the figures of each.

package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// EndpointLine is one endpoint of several, over the present stage, its settling included.
type EndpointLine struct {
	Profile         wire.Profile
	InFlight        int
	OK, Failed      int
	TTFT, TPOT      stats.Distribution // of the completed ones
	E2EL            stats.Distribution
	OutputPerSecond float64 // output tokens of the completed ones, by the stage's time; 0 also where the server does not count
}

// fleet is the endpoints, of which there is at least one. Requests go round them in turn; a conversation stays with the
// one that knows its history.
type fleet struct {
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

// newFleet makes a client for each endpoint. Its errors are sentences.
func newFleet(endpoints []wire.Endpoint, clock record.Clock) (*fleet, error) {
	f := &fleet{tally: make([]tally, len(endpoints))}
	for _, ep := range endpoints {
		c, err := wire.New(ep, clock)
		if err != nil {
			f.close()
			return nil, err
		}
		f.clients = append(f.clients, c)
	}
	return f, nil
}

func (f *fleet) close() {
	for _, c := range f.clients {
		c.Close()
	}
}

// first is the endpoint that stands for all where one has to.
func (f *fleet) first() *wire.Client { return f.clients[0] }

// local reports whether all of them are on this machine or in a private network.
func (f *fleet) local() bool {
	for _, c := range f.clients {
		if !c.Local() {
			return false
		}
	}
	return true
}

// reconnects is the number of connections that turned out to be stale, over all of them.
func (f *fleet) reconnects() (n int64) {
	for _, c := range f.clients {
		n += c.Reconnects()
	}
	return n
}

// prepare finds out the model of each endpoint and, unless told not to, what it takes.
func (f *fleet) prepare(ctx context.Context, probe bool) error {
	for _, c := range f.clients {
		if err := c.ResolveModel(ctx); err != nil {
			return err
		}
		if !probe {
			continue
		}
		if _, err := c.Probe(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pick is who gets the next turn of a conversation.
func (f *fleet) pick(said *talk) *wire.Client {
	if len(f.clients) == 1 {
		return f.clients[0]
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if said.turn == 0 {
		said.endpoint = f.next
		f.next = (f.next + 1) % len(f.clients)
	}
	f.tally[said.endpoint].inFlight++
	return f.clients[said.endpoint]
}

// took takes note of how a request ended that was picked for.
func (f *fleet) took(said *talk, r *record.Record) {
	if len(f.clients) == 1 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &f.tally[said.endpoint]
	t.inFlight--
	if r.Stage != f.stage {
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
func (f *fleet) open(stage int, now record.Instant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stage, f.since = stage, now
	for i := range f.tally {
		f.tally[i] = tally{inFlight: f.tally[i].inFlight}
	}
}

// lines are the figures of each; nil where there is only one, whose figures are those of the run.
func (f *fleet) lines(now record.Instant) []EndpointLine {
	if len(f.clients) == 1 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	age, _ := now.Since(f.since)
	lines := make([]EndpointLine, len(f.clients))
	for i, c := range f.clients {
		t := &f.tally[i]
		lines[i] = EndpointLine{
			Profile: c.Profile(), InFlight: t.inFlight, OK: t.ok, Failed: t.failed,
			TTFT: t.ttft.Describe(), TPOT: t.tpot.Describe(), E2EL: t.e2el.Describe(),
		}
		if age > 0 {
			lines[i].OutputPerSecond = float64(t.output) / age.Seconds()
		}
	}
	return lines
}

// notes are what a reader should know of each, with its URL in front where there are several.
func (f *fleet) notes() []string {
	notes := []string{}
	for _, c := range f.clients {
		p := c.Profile()
		for _, list := range [][]string{p.Dropped, p.Warnings} {
			for _, n := range list {
				if len(f.clients) > 1 {
					n = fmt.Sprintf("%s: %s", p.URL, n)
				}
				notes = append(notes, n)
			}
		}
	}
	return notes
}
