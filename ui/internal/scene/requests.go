// This file is requests of a closed loop, as a collector keeps them.

package scene

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// The slots of Requested, and how often in it a prompt is so long that all others stand while it is prefilled.
const (
	requestSlots = 8
	longPrompt   = 23
)

// planned is a request before it is told of.
type planned struct {
	record    *record.Record
	ttft      time.Duration
	gaps      []time.Duration
	reasoning int // tokens
	input     int64
}

// end is when its last token comes.
func (p *planned) end() record.Instant {
	at := p.record.Sent.Add(p.ttft)
	for _, g := range p.gaps {
		at = at.Add(g)
	}
	return at
}

// stand has it wait for so long from an instant on.
func (p *planned) stand(from record.Instant, length time.Duration) {
	at := p.record.Sent.Add(p.ttft)
	if at > from {
		p.ttft += length
		return
	}
	for i, g := range p.gaps {
		if at = at.Add(g); at > from {
			p.gaps[i] += length
			return
		}
	}
}

// plan is so many requests in their slots.
func plan(n int) []*planned {
	const stands = 320 * time.Millisecond
	random := rand.New(rand.NewPCG(3, 4))
	var latest [requestSlots]*planned
	free := func(slot int) record.Instant {
		if latest[slot] == nil {
			return 1
		}
		return latest[slot].end().Add(2 * time.Millisecond)
	}
	var all []*planned
	for i := range n {
		slot := 0
		for k := range latest {
			if free(k) < free(slot) {
				slot = k
			}
		}
		r := record.New(uint64(i + 1))
		r.Stage, r.Slot, r.Started = 1, slot+1, free(slot)
		if i < requestSlots {
			r.Connect = 40 * time.Millisecond
		}
		r.Sent = r.Started.Add(r.Connect + time.Millisecond)
		p := &planned{record: r, ttft: time.Duration(60+random.IntN(60)) * time.Millisecond, input: int64(400 + random.IntN(200))}
		for range 30 + random.IntN(50) {
			p.gaps = append(p.gaps, time.Duration(18+random.IntN(5))*time.Millisecond)
		}
		if i%5 == 2 {
			p.reasoning = len(p.gaps) / 2
		}
		switch {
		case i%longPrompt == longPrompt-1:
			p.input, p.ttft = 30_000, stands
			for k := range latest {
				if latest[k] != nil && k != slot {
					latest[k].stand(r.Sent, stands)
				}
			}
		case i%7 == 3:
			p.ttft += 250 * time.Millisecond
		}
		latest[slot] = p
		all = append(all, p)
	}
	return all
}

// Requested is a run of eight slots, of which so many requests have ended and as many as slots run: a few reason, a few fail,
// and now and then a long prompt holds all up.
func Requested(ended int) (*snapshot.Snapshot, *stats.Collector) {
	s := Busy()
	s.Knobs.Load = load.Setting{Mode: load.Closed, Concurrency: requestSlots}
	c := stats.NewCollector(1, stats.Inverted, s.Knobs.SLO)
	c.OpenStage(1)
	all := plan(max(ended+requestSlots, 0))
	s.At = 1
	if len(all) > 0 {
		s.At = all[len(all)-1].record.Sent.Add(30 * time.Millisecond)
	}
	slices.SortStableFunc(all, func(a, b *planned) int { return cmp.Compare(a.end(), b.end()) })
	for i, p := range all {
		p.tell(c, s.At, i < ended, i)
	}
	c.Fold(s.At)
	s.Elapsed = s.At.Elapsed()
	s.InFlight = c.InFlight(s.At)
	s.Stages = []snapshot.StageRow{{Number: 1, Knobs: s.Knobs, Opened: 1, Summary: StageOf(requestSlots)}}
	return s, c
}

// tell has a collector hear of it, up to an instant where it has not ended; it is the i-th.
func (p *planned) tell(c *stats.Collector, until record.Instant, ended bool, i int) {
	r := p.record
	f := c.Begin(r, int(p.input))
	f.Sent(r.Sent)
	at := r.Sent.Add(p.ttft)
	for n := range len(p.gaps) + 1 {
		gap := time.Duration(0)
		if n > 0 {
			gap = p.gaps[n-1]
			at = at.Add(gap)
		}
		if !ended && at > until {
			return
		}
		if n == 0 {
			r.FirstToken = at
		} else {
			r.Gaps++
			r.GapSum += gap
			r.GapMax = max(r.GapMax, gap)
		}
		if n == p.reasoning {
			r.FirstAnswer = at
		}
		f.Token(record.Token{At: at, First: n == 0, Opening: n == 0, Gap: gap, Reasoning: n < p.reasoning})
		r.LastToken, r.Chunks = at, n+1
	}
	if !ended {
		return
	}
	r.InputTokens, r.OutputTokens, r.TokenSource = record.Known(p.input), record.Known(int64(r.Chunks)), record.SourceUsage
	r.ReasoningTokens, r.ReasoningChunks = record.Known(int64(p.reasoning)), p.reasoning
	r.Outcome, r.End, r.FinishReason, r.Status, r.Attempts = record.OK, r.LastToken, "length", 200, 1
	switch {
	case i%19 == 11:
		r.Outcome, r.Kind, r.Error = record.Failed, record.KindTruncated, "the server closed the connection amid its answer"
		r.FinishReason = ""
	case i%31 == 17:
		r.Outcome = record.Cancelled
	}
	f.Finish(r)
	c.Fold(min(r.End, until))
}
