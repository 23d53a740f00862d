// This file keeps all that is known of a few requests: those that can be opened.

package stats

import (
	"bytes"
	"cmp"
	"container/heap"
	"strings"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

const (
	// Openable is how many requests of a sort are kept whole, where nobody chose: the latest, the latest that failed, and the
	// slowest.
	Openable = 200
	// mostGaps bounds what is kept of one.
	mostGaps = 1 << 13
	mostText = 1 << 16 // bytes, likewise
)

// Opened is all that is known of a request that ended.
type Opened struct {
	Record   *record.Record // not to be changed
	Criteria slo.Criteria
	Gaps     []Gap // between its chunks, of an answer with one choice
	Cut      bool  // there were more than are kept
	Said     Said
}

// NewOpened is a request of which the gaps between its chunks are known otherwise.
func NewOpened(r *record.Record, gaps []time.Duration, criteria slo.Criteria) Opened {
	o := Opened{Record: r, Criteria: criteria, Gaps: make([]Gap, len(gaps))}
	for i, g := range gaps {
		o.Gaps[i] = Gap{g, 1}
	}
	return o
}

// Said is what was said in a request, and answered. The zero Said was not kept.
type Said struct {
	Body    []byte // of the request; not to be changed
	BodyCut bool   // it is only its beginning
	Answer  string // what of the answer a reader sees, or the beginning of that
	Told    []record.Told
}

// trim gives up what is too long to be kept of many.
func (s *Said) trim() {
	if len(s.Body) > mostText {
		s.Body, s.BodyCut = bytes.Clone(s.Body[:mostText]), true
	}
	if len(s.Answer) > mostText {
		s.Answer = strings.Clone(s.Answer[:mostText])
	}
}

// Gap is the time before a chunk.
type Gap struct {
	Length time.Duration
	Tokens int // that the chunk carried, where the server said; else 1
}

// opened is a request that is kept whole.
type opened struct {
	record *record.Record
	gaps   []packedGap
	cut    bool
	said   Said
}

// openable are those that are kept. The zero openable has none.
type openable struct {
	most           int  // of each sort; 0: Openable
	copies         bool // of records, which are the caller's, and none of the latest
	latest, failed latestOf
	slowest        slowestOf
}

// keep keeps a request that ended as long as it is one of those.
func (o *openable) keep(f *Running, r *record.Record) {
	most := o.most
	if most == 0 {
		most = Openable
	}
	failed, slow := r.Outcome == record.Failed, r.Outcome == record.OK && o.slowest.takes(r, most)
	if o.copies {
		if !failed && !slow {
			return
		}
		kept := *r
		r = &kept
	}
	one := &opened{record: r}
	if f.voices <= 1 {
		n := 0
		for i := range f.runs {
			n += len(f.runs[i].gaps)
		}
		one.gaps, one.cut = make([]packedGap, 0, min(n, mostGaps)), n > mostGaps
		for i := range f.runs {
			gaps := f.runs[i].gaps
			one.gaps = append(one.gaps, gaps[:min(len(gaps), mostGaps-len(one.gaps))]...)
		}
	}
	if f.said != nil {
		one.said = *f.said
		one.said.trim()
	}
	if !o.copies {
		o.latest.push(one, most)
	}
	if failed {
		o.failed.push(one, most)
	}
	if slow {
		o.slowest.push(one, most)
	}
}

// KeepCopies has copies be kept of those requests that failed or were slow, and none of the latest: so records are the caller's
// again once Finish has returned, where it takes in at once what it is told. It is to be called before the first request.
func (c *Collector) KeepCopies() { c.whole.copies = true }

// KeepWhole sets how many requests of a sort are kept whole. It is to be called before the first request.
func (c *Collector) KeepWhole(most int) { c.whole.most = most }

// Open returns all that is known of a request; false where it is none of those that are kept whole.
func (l *store) Open(id uint64) (Opened, bool) {
	for _, list := range [][]*opened{l.whole.latest.list, l.whole.failed.list, l.whole.slowest} {
		for _, one := range list {
			if one.record.ID != id {
				continue
			}
			o := Opened{Record: one.record, Criteria: l.criteria, Gaps: make([]Gap, len(one.gaps)), Cut: one.cut, Said: one.said}
			for i, g := range one.gaps {
				o.Gaps[i] = Gap{g.gap(), int(g.tokens())}
			}
			return o, true
		}
	}
	return Opened{}, false
}

// SaidBy is what a request said.
type SaidBy struct {
	ID uint64
	Said
}

// Said is what those said that are kept whole, as far as it was kept: the failed first, then the slowest, then the latest.
func (l *store) Said() []SaidBy {
	var all []SaidBy
	had := make(map[uint64]bool)
	for _, list := range [][]*opened{l.whole.failed.list, l.whole.slowest, l.whole.latest.list} {
		for _, one := range list {
			if id := one.record.ID; len(one.said.Body) > 0 && !had[id] {
				had[id] = true
				all = append(all, SaidBy{id, one.said})
			}
		}
	}
	return all
}

// latestOf are the latest Openable.
type latestOf struct {
	list []*opened
	next int // the one to be given up, once there are as many
}

func (l *latestOf) push(one *opened, most int) {
	if len(l.list) < most {
		l.list = append(l.list, one)
		return
	}
	l.list[l.next] = one
	l.next = (l.next + 1) % most
}

// slowestOf are the Openable with the longest E2EL, as a heap with the fastest of them first.
type slowestOf []*opened

// takes reports whether a request is one of them.
func (s slowestOf) takes(r *record.Record, most int) bool {
	e2el, ok := r.E2EL()
	if !ok || len(s) < most {
		return ok
	}
	fastest, _ := s[0].record.E2EL()
	return e2el > fastest
}

func (s *slowestOf) push(one *opened, most int) {
	if len(*s) == most {
		heap.Pop(s)
	}
	heap.Push(s, one)
}

func (s slowestOf) compare(a, b *opened) int {
	x, _ := a.record.E2EL()
	y, _ := b.record.E2EL()
	return cmp.Compare(x, y)
}

func (s slowestOf) Len() int           { return len(s) }
func (s slowestOf) Less(i, j int) bool { return s.compare(s[i], s[j]) < 0 }
func (s slowestOf) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push and Pop are for package heap.
func (s *slowestOf) Push(x any) { *s = append(*s, x.(*opened)) }

// Pop is for package heap.
func (s *slowestOf) Pop() any {
	last := len(*s) - 1
	one := (*s)[last]
	(*s)[last] = nil
	*s = (*s)[:last]
	return one
}
