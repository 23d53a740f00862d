// This file takes in tokens: one, or several of one request in a row.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

// inSlice is where the tokens go that a request has in one slice, and what was added there and is not in the totals so far.
type inSlice struct {
	slice  *slice
	at     int // of the slice
	run    *gapRun
	detail *detail // nil: no gap came so far, or the slice is too old
	parts  []*part

	told, chunks   int64
	itlSum, gapSum time.Duration
}

// inSlice is to be settled before anything else is told of, which takes its list of parts.
func (c *Collector) inSlice(f *Running, i int) inSlice {
	s := &c.time.slices[i]
	return inSlice{slice: s, at: i, run: c.runOf(f, int64(i)), parts: c.during(s)}
}

// count takes in that there was a chunk, of so many tokens; 0: that is not known.
func (in *inSlice) count(tokens int32) {
	if tokens > 0 {
		in.told += int64(tokens)
	} else {
		in.chunks++
	}
}

// gap takes in the time before a chunk. One that is known to carry k tokens after a gap g counts as k samples of g/k.
func (in *inSlice) gap(c *Collector, gap time.Duration, tokens int32) {
	packed := packGap(gap, tokens)
	g, k := packed.counted(), packed.tokens()
	sum := gap
	if k > 1 {
		sum = gap / time.Duration(k) * time.Duration(k)
	}
	in.run.gaps = append(in.run.gaps, packed)
	in.itlSum += sum
	in.gapSum += gap
	if in.detail == nil {
		in.detail = c.time.detail(in.at)
	}
	if in.detail != nil {
		in.detail.itl.add(g.itl, k, sum)
	}
	for _, p := range in.parts {
		p.addGap(g, 1)
	}
}

// settle brings the totals up to date.
func (in *inSlice) settle(c *Collector) {
	in.run.told += in.told
	in.run.chunks += in.chunks
	in.run.itlSum += in.itlSum
	in.run.gapSum += in.gapSum
	in.slice.tokens += float64(in.told)
	in.slice.chunks += in.chunks
	for _, p := range in.parts {
		p.tokens += float64(in.told)
		p.chunks += in.chunks
		p.addSums(in.itlSum, in.gapSum)
	}
	c.changed(in.slice)
}

// runOf returns the request's entry for a slice, which is nearly always the last one.
func (c *Collector) runOf(f *Running, slice int64) *gapRun {
	for i := len(f.runs) - 1; i >= 0 && f.runs[i].slice >= slice; i-- {
		if f.runs[i].slice == slice {
			return &f.runs[i]
		}
	}
	f.runs = append(f.runs, gapRun{slice: slice, gaps: c.spare.get()})
	return &f.runs[len(f.runs)-1]
}

// speaks takes in that a chunk came; answer says that it was not reasoning.
func (f *Running) speaks(at record.Instant, opening, answer bool) {
	f.chunks++
	f.last = max(f.last, at)
	if answer && f.answer == 0 {
		f.answer = at
	}
	if opening {
		f.voices++
	}
}

// Tokens is Token for several tokens in a row, of a collector that takes in at once what it is told, which is cheaper so. They
// have no stamp of the kernel's.
func (f *Running) Tokens(n int, token func(int) *record.Token) {
	c := f.atOnce
	var in inSlice
	for i := range n {
		t := token(i)
		if at := c.time.at(t.At); i == 0 || t.First || at != in.at {
			if i > 0 {
				in.settle(c)
			}
			if t.First {
				c.takeFirst(f, t.At, at)
			}
			in = c.inSlice(f, at)
		}
		f.speaks(t.At, t.Opening, !t.Reasoning)
		in.count(int32(t.Tokens))
		if !t.Opening {
			in.gap(c, t.Gap, int32(t.Tokens))
		}
	}
	if n > 0 {
		in.settle(c)
	}
}
