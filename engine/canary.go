// This file sends the canary: a light request at a time beside the load, at a rate of its own.

package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
)

// canary sends light requests to the endpoints in turn, on connections of its own: it waits neither for the pool nor for
// anything that the load waits for. To each endpoint there is one on its way at most; what is due meanwhile is left out, and
// counted.
type canary struct {
	clock      record.Clock
	configured []wire.Endpoint
	clients    []*wire.Client // run's; none before the first request is due
	load       *endpoints     // whose profiles its own clients have
	prompts    *shape.Generator
	took       func(canaryAnswer)
	rate       atomic.Uint64 // in millionths of a request a second; 0: none is sent
	changed    chan struct{} // has room for one
}

// newCanary returns one for the same endpoints. Its prompts are none of the load's, whose seed it shares: neither has what the
// other left in a prefix cache.
func newCanary(configured []wire.Endpoint, load *endpoints, clock record.Clock, seed uint64, took func(canaryAnswer)) *canary {
	return &canary{
		clock: clock, configured: configured, load: load, prompts: shape.NewGenerator(^seed), took: took, changed: make(chan struct{}, 1),
	}
}

// connect makes the clients, where there are none yet: most runs have no canary. Its errors are sentences.
func (c *canary) connect() error {
	for i := len(c.clients); i < len(c.configured); i++ {
		ep := c.configured[i]
		ep.Concurrency, ep.Retries = 1, 0 // a refusal is what a small user would see
		client, err := wire.New(ep, c.clock)
		if err != nil {
			return err
		}
		client.SetProfile(c.load.clients[i].Profile())
		c.clients = append(c.clients, client)
	}
	return nil
}

func (c *canary) close() {
	for _, client := range c.clients {
		client.Close()
	}
}

const millionths = 1e6

// set puts a rate into force, requests a second; 0: none. The next request is due one interval later.
func (c *canary) set(rate float64) {
	if next := uint64(rate * millionths); c.rate.Swap(next) != next {
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
}

// run sends until ctx ends, and returns when nothing of it is on its way any more.
func (c *canary) run(ctx context.Context) {
	defer c.close()
	var sent sync.WaitGroup
	defer sent.Wait()
	busy := make([]atomic.Bool, len(c.configured))
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	due := c.clock()
	for n := uint64(0); ; {
		interval := c.interval()
		due = due.Add(interval)
		if now := c.clock(); due.Add(stall) < now || interval == 0 { // the process stood still, or nothing is due
			due = now
		}
		wait := time.Hour
		if interval > 0 {
			wait = time.Duration(due - c.clock())
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-c.changed:
			due = c.clock()
			continue
		case <-timer.C:
		}
		if interval == 0 {
			continue
		}
		if err := c.connect(); err != nil {
			c.took(canaryAnswer{At: due, Failed: true, Why: err.Error()})
			continue
		}
		at, seq, scheduled := int(n%uint64(len(c.clients))), n, due
		n++
		if busy[at].Swap(true) {
			c.took(canaryAnswer{At: due, Skipped: true})
			continue
		}
		sent.Go(func() {
			defer busy[at].Store(false)
			c.send(ctx, c.clients[at], seq, scheduled)
		})
	}
}

// canaryRate is the rate that is due at present: a paused load has no canary, nor has one that ends.
func (e *Engine) canaryRate() float64 {
	if e.knobs.Paused || e.drained || e.over != 0 {
		return 0
	}
	return e.knobs.Canary
}

// interval is the time between two requests; 0: none is due.
func (c *canary) interval() time.Duration {
	if rate := c.rate.Load(); rate > 0 {
		return time.Duration(millionths * float64(time.Second) / float64(rate))
	}
	return 0
}

// send sends a request and tells what was answered. One that the end of the run cuts off is none.
func (c *canary) send(ctx context.Context, client *wire.Client, seq uint64, due record.Instant) {
	rec := record.New(seq + 1)
	rec.Scheduled, rec.Started = due, c.clock()
	said := c.prompts.Prompt(seq, shape.Shape{Prompt: shape.Fixed(snapshot.CanaryPrompt), Output: shape.Fixed(snapshot.CanaryOutput)})
	output := max(said.OutputTokens, client.Profile().LeastOutput)
	req, err := client.Prepare(wire.Prompt{Text: said.Text, InputTokens: said.Tokens, OutputTokens: output})
	if err != nil {
		c.took(canaryAnswer{At: c.clock(), Failed: true, Why: err.Error()})
		return
	}
	client.Stream(ctx, req, rec, nil)
	if rec.Outcome != record.Cancelled {
		c.took(canaryAnswerOf(rec))
	}
}
