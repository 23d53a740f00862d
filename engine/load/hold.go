// This file is the waiting room: requests that are not to be sent yet, and slots whose request has failed.

package load

import (
	"context"
	"time"

	"tokdyno/engine/record"
)

// Hold is for a Runner that waits before it sends, as a user of a conversation thinks before the next question. It
// returns true when that instant has come (at once where it has passed) and the pool is not paused; false, at once, when
// ctx is done or the pool drains: then the request is not to be sent.
//
// A request that is held counts as started and in flight. A spent budget of requests thus leaves it alone, as it is one
// of those the budget was for; a spent budget of time ends its ctx.
func (p *Pool) Hold(ctx context.Context, until record.Instant) bool {
	var timer *time.Timer
	for {
		paused, draining, news := p.standing()
		left := time.Duration(until - p.clock())
		switch {
		case draining || ctx.Err() != nil:
			return false
		case !paused && left <= 0:
			return true
		}
		if timer == nil {
			p.addHeld(1)
			defer p.addHeld(-1)
			timer = time.NewTimer(left)
			defer timer.Stop()
		}
		due := timer.C
		if left > 0 {
			timer.Reset(left)
		} else {
			due = nil // it waits for the end of the pause
		}
		select {
		case <-due:
		case <-news:
		case <-ctx.Done():
		}
	}
}

// Rest is for a Runner whose request has failed, and which keeps its slot for a while so that the next does not fail as
// fast. It returns after d, or as soon as no other request will take the slot: when ctx is done, the pool drains or the
// budget of requests is spent.
func (p *Pool) Rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		_, draining, news := p.standing()
		if draining || p.spent() || ctx.Err() != nil {
			return
		}
		select {
		case <-timer.C:
			return
		case <-news:
		case <-ctx.Done():
		}
	}
}

// Shed leaves out what arrives until an instant, while requests do nothing but fail: to send it too would say no more of the
// endpoint, and keep it from coming back. An earlier instant than before changes nothing.
func (p *Pool) Shed(until record.Instant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sheds = max(p.sheds, until)
}

// spent reports whether all requests that the budget has have been started.
func (p *Pool) spent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.budgetSpent()
}

// standing returns what a held request waits on: the orders, and a channel that is closed when they are others, and when
// the budget of requests is spent.
func (p *Pool) standing() (paused, draining bool, news <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked.paused, p.asked.draining, p.news
}

func (p *Pool) addHeld(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Held += n
}
