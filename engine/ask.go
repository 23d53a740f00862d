// This file answers what is asked of single requests, of a run as of a recording.

package engine

import (
	"tokdyno/engine/query"
	"tokdyno/engine/stats"
)

// asked is what a query is answered from: columns that never change, so that the lock is not held while they are searched.
func (l *ledger) asked(q *query.Query) (stats.Ended, []stats.Unfinished) {
	return l.collector.Ended(), l.collector.Unfinished(q.Unfinished(), q.Slots)
}

// Requests answers a query as of the latest snapshot; see query.Source.
func (e *Engine) Requests(q query.Query) *query.View {
	e.mu.Lock()
	ended, running := e.asked(&q)
	at := e.end(e.snapshot.Load().At)
	e.mu.Unlock()
	return query.Answer(ended, running, at, q)
}

// EachRequest tells of all requests that a query keeps; see query.Source.
func (e *Engine) EachRequest(q query.Query, tell func(*query.Row) error) error {
	e.mu.Lock()
	ended := e.collector.Ended()
	e.mu.Unlock()
	return query.Each(ended, q, tell)
}

// OpenRequest returns all that is known of a request; see query.Source.
func (e *Engine) OpenRequest(id uint64) (stats.Opened, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.collector.Open(id)
}

// Requests answers a query as of the moment that is shown; see query.Source.
func (p *Player) Requests(q query.Query) *query.View {
	p.mu.Lock() // all the while: who goes back in a recording writes columns anew
	defer p.mu.Unlock()
	ended, running := p.asked(&q)
	return query.Answer(ended, running, p.end(p.now), q)
}

// EachRequest tells of all requests that a query keeps; see query.Source.
func (p *Player) EachRequest(q query.Query, tell func(*query.Row) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return query.Each(p.collector.Ended(), q, tell)
}

// OpenRequest returns all that is known of a request, which the recording has of each; see query.Source.
func (p *Player) OpenRequest(id uint64) (stats.Opened, bool) {
	p.mu.Lock()
	one, ok := p.collector.Open(id)
	criteria := p.knobs.SLO
	p.mu.Unlock()
	if ok {
		one.Said = p.outline.Texts[id]
		return one, true
	}
	for q, err := range p.Recorded() {
		if err != nil {
			break
		}
		if q.Record.ID == id {
			one := stats.NewOpened(q.Record, q.Gaps, criteria)
			one.Said = p.outline.Texts[id]
			return one, true
		}
	}
	return stats.Opened{}, false
}

var (
	_ query.Source = (*Engine)(nil)
	_ query.Source = (*Player)(nil)
)
