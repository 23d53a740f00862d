// This file lets somebody else hear what a collector takes in.

package stats

import "tokdyno/engine/record"

// Tap hears everything that a collector takes in, in that order, from the goroutine that folds. It must not wait for
// anything.
type Tap interface {
	// Folding begins a Fold, whose events follow. An event may be younger than now, for others go on meanwhile.
	Folding(now record.Instant)
	// Begun is a request that was taken up. What is returned stands for it from
	// then on.
	Begun(Begun) (handle int)
	Sent(handle int, at record.Instant)
	// Token is a token event. Whether it is reasoning is not told.
	Token(handle int, t record.Token)
	// Ended is the last that is heard of a request. The record is complete, and not to be changed.
	Ended(handle int, r *record.Record)
}

// Begun is a request that was taken up.
type Begun struct {
	ID             uint64
	Stage          int
	Slot, Endpoint int            // as in record.Record
	Scheduled      record.Instant // 0: nothing scheduled it
	Started        record.Instant
	Residual       bool
	InputGuess     int // prompt tokens asked for; 0: not known
}

// Tap has somebody hear what the collector takes in from now on. It is to be called before the first request.
func (c *Collector) Tap(t Tap) { c.tap = t }

// tell tells the tap of an event, if there is one.
func (c *Collector) tell(e *event) {
	if c.tap == nil {
		return
	}
	f := e.request
	switch e.kind {
	case eventBegin:
		f.handle = c.tap.Begun(Begun{
			ID: f.id, Stage: f.stage, Slot: int(f.slot), Endpoint: int(f.endpoint), Scheduled: f.scheduled, Started: f.began,
			Residual: f.residual, InputGuess: int(f.inputGuess),
		})
	case eventSent:
		c.tap.Sent(f.handle, e.at)
	case eventToken:
		c.tap.Token(f.handle, record.Token{At: e.at, First: e.first, Opening: e.opening, Gap: e.gap, Tokens: int64(e.tokens)})
	case eventFinish:
		c.tap.Ended(f.handle, e.record)
	}
}

// Relay has the collector pass on to its tap what it is told, and keep nothing of it but which requests run and how late the client
// was: somebody else counts. It is to be called before the first request.
func (c *Collector) Relay() { c.relays = true }

// relay takes in an event that is counted elsewhere.
func (c *Collector) relay(e *event) {
	f := e.request
	switch e.kind {
	case eventBegin:
		c.running[f] = struct{}{}
	case eventSent:
		f.sent = e.at
	case eventToken:
		if e.first {
			f.firstToken = e.at
		}
		if e.kernel {
			c.lag.add(e.at, e.lag, true)
		}
	case eventFinish:
		delete(c.running, f)
		if r := e.record; r.Outcome == record.OK {
			if sent, ok := r.Sent.Since(r.Started); ok {
				c.dispatch.add(r.Sent, max(sent-r.Connect, 0), !f.residual)
			}
		}
	}
}

// Retap has another tap hear what the collector takes in, which is told first of the requests that run, as if they began without a
// stage. nil: nobody.
func (c *Collector) Retap(t Tap) {
	if c.tap = t; t == nil {
		return
	}
	for f := range c.running {
		f.handle = t.Begun(Begun{
			ID: f.id, Slot: int(f.slot), Endpoint: int(f.endpoint), Scheduled: f.scheduled, Started: f.began,
			Residual: true, InputGuess: int(f.inputGuess),
		})
		if f.sent != 0 {
			t.Sent(f.handle, f.sent)
		}
	}
}
