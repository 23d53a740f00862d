// This file keeps account of requests that have ended, by whomever they were sent.

package engine

import (
	"fmt"
	"sync"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// account is what an engine keeps of the requests of its load beside their statistics. Its methods, and those of its parts, may be
// called from anywhere.
type account struct {
	endpoints *endpoints
	outage    outage
	finished  finished
}

// Began takes note of a request that was taken up.
func (a *account) Began(r *record.Record) { a.endpoints.began(r) }

// Ended takes note of one that ended. The record is not changed any more.
func (a *account) Ended(r *record.Record) {
	a.endpoints.took(r)
	a.finished.add(r)
	a.outage.took(r)
}

// finished collects records until they are handed over.
type finished struct {
	mu      sync.Mutex
	records []*record.Record
	retried int // requests that took several attempts

	malformed, flawed int // payloads that could not be decoded, and the answers that they were in
	blank             int // answers amid conversations that had no text
}

// unspoken counts an answer amid a conversation that had no text to go on with.
func (f *finished) unspoken() {
	f.mu.Lock()
	f.blank++
	f.mu.Unlock()
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

// show puts into a snapshot how many requests took several attempts, and how much of the answers could not be understood.
func (f *finished) show(s *snapshot.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.Retried, s.Unspoken = f.retried, f.blank
	if f.flawed > 0 {
		s.Malformed = fmt.Sprintf("%d payloads in %d answers could not be decoded, or have counts that can't be true; "+
			"what they say is in no figure", f.malformed, f.flawed)
	}
}

// handOver gives the records that are new, in the order in which they ended, to whoever wants them.
func (f *finished) handOver(cfg *Config, start record.Instant) {
	records := f.take()
	if cfg.Records != nil && len(records) > 0 {
		cfg.Records(records, start)
	}
}

// take takes the records that are new.
func (f *finished) take() []*record.Record {
	f.mu.Lock()
	defer f.mu.Unlock()
	records := f.records
	f.records = nil
	return records
}
