// This file corrects, when a request has ended, what had been counted for it while it ran.

package stats

import "tokdyno/engine/record"

// addTokens adds output tokens to a slice and its parts: tokens that are known, and chunks whose tokens are not.
func (c *Collector) addTokens(s *slice, tokens float64, chunks int64) {
	s.tokens += tokens
	s.chunks += chunks
	for _, p := range c.during(s) {
		p.tokens += tokens
		p.chunks += chunks
	}
	c.changed(s)
}

// addInput adds prompts to a slice and its parts.
func (c *Collector) addInput(s *slice, in prompts) {
	s.input.add(in)
	for _, p := range c.during(s) {
		p.input.add(in)
	}
	c.changed(s)
}

// settleTokens scales what a completed request has put into the slices to its N_out.
func (c *Collector) settleTokens(f *Running, r *record.Record) {
	n, known := r.OutputTokens.Get()
	var seen int64
	for i := range f.runs {
		seen += f.runs[i].chunks + f.runs[i].told
	}
	switch {
	case !known:
		c.keepTokens(f)
	case seen == 0:
		// Not streamed, or billed without being shown: all of it counts when the answer was there.
		c.addTokens(c.time.slice(arrival(r)), float64(n), 0)
	default:
		scale := float64(n) / float64(seen)
		for i := range f.runs {
			run := &f.runs[i]
			c.addTokens(&c.time.slices[run.slice], scale*float64(run.chunks+run.told)-float64(run.told), -run.chunks)
		}
		c.ratio.tokens += float64(n)
		c.ratio.chunks += float64(r.Chunks)
	}
}

// keepTokens settles a request whose N_out will never be known at the usual tokens per chunk.
func (c *Collector) keepTokens(f *Running) {
	for i := range f.runs {
		run := &f.runs[i]
		c.addTokens(&c.time.slices[run.slice], c.ratio.value()*float64(run.chunks), -run.chunks)
	}
}

// settleInput puts N_in in the place of what had been asked for.
func (c *Collector) settleInput(f *Running, r *record.Record) {
	n, known := r.InputTokens.Get()
	settled := prompts{untold: 1}
	if known {
		settled = prompts{tokens: float64(n), counted: 1}
	}
	switch {
	case f.firstToken == 0:
		c.addInput(c.time.slice(arrival(r)), settled)
	case known || f.inputGuess <= 0:
		s := &c.time.slices[f.firstSlice]
		c.addInput(s, f.guess().negative())
		c.addInput(s, settled)
	}
}

// arrival is when the answer was there: its last token, or its end where it showed none.
func arrival(r *record.Record) record.Instant {
	if r.LastToken != 0 {
		return r.LastToken
	}
	return r.End
}

// retractFirst takes a request's TTFT back.
func (c *Collector) retractFirst(f *Running) {
	c.countFirst(f, -1)
	for w := range c.sliding {
		c.sliding[w].retract(&c.firsts, f.ttft)
	}
	if i := f.ttft - c.firsts.dropped; f.ttft >= 0 && i >= 0 {
		c.edits.note(&c.firsts, f.ttft, firstToken{c.firsts.stage[i], undefined, undefined})
		c.firsts.retract(f.ttft)
	}
}

// retract takes back everything that a failed request has put anywhere: it gives no sample and no token.
func (c *Collector) retract(f *Running) {
	c.retractFirst(f)
	if f.firstToken != 0 {
		c.addInput(&c.time.slices[f.firstSlice], f.guess().negative())
	}
	for i := range f.runs {
		run := &f.runs[i]
		s := &c.time.slices[run.slice]
		c.addTokens(s, -float64(run.told), -run.chunks)
		if d := s.recent; d != nil {
			d.packed = nil
			for _, packed := range run.gaps {
				g := packed.counted()
				d.itl.add(g.itl, -g.tokens, 0)
			}
			d.itl.sum -= run.itlSum
		}
		for _, p := range c.during(s) {
			for _, packed := range run.gaps {
				p.addGap(packed.counted(), -1)
			}
			p.addSums(-run.itlSum, -run.gapSum)
		}
	}
}
