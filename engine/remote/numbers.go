// This file hands out the numbers of requests and conversations, so that none comes twice.

package remote

import "tokdyno/engine/load"

// grants are the ranges of numbers that a worker was handed last. They are repeated until it has them, and it takes each once.
type grants struct {
	Seen uint64  `json:"seen"` // the grants before List
	List []grant `json:"list,omitempty"`
}

// grant is a range of numbers, both ends included.
type grant struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// used is what a worker says of the numbers that it was handed.
type used struct {
	Grants uint64 `json:"grants"` // how many it has taken
	Left   int    `json:"left"`   // how many numbers of them are not used
}

// take takes the grants that are new.
func (u *used) take(g grants, into *load.Numbers) {
	for i, one := range g.List {
		if g.Seen+uint64(i)+1 > u.Grants {
			into.Add(one.From, one.To)
			u.Grants++
		}
	}
}

// supply is what a console has handed a worker.
type supply struct {
	seen    uint64 // grants that the worker has
	waiting []grant
	handed  int // numbers in all
	left    int // of those that the worker has, how many it has not used
	rate    float64
}

// told takes in what the worker says.
func (s *supply) told(u used) {
	for s.seen < u.Grants && len(s.waiting) > 0 {
		s.waiting = s.waiting[1:]
		s.seen++
	}
	s.left = u.Left
}

// unused is how many numbers it may still use.
func (s *supply) unused() int {
	n := s.left
	for _, g := range s.waiting {
		n += int(g.To - g.From + 1)
	}
	return n
}

// grants is what it is told.
func (s *supply) grants() grants { return grants{s.seen, s.waiting} }

const (
	leastSupply = 64 // numbers that a worker has at hand, of a run without a limit
	perSlot     = 4  // or so many for each request in flight
	// supplySeconds is for how long they are to last.
	supplySeconds = 3
)

// source is where numbers come from. The zero source has all from 1 on.
type source struct {
	next uint64 // the next one; 0: 1
	most int    // how many there are; 0: any
	out  int    // handed out, and not given back
}

// first is the next number that nobody has.
func (s *source) first() uint64 { return max(s.next, 1) }

// refill hands a worker more numbers where it is short of them. others is how many have a share of what there is.
func (s *source) refill(to *supply, share, others int) bool {
	want := max(leastSupply, perSlot*share, int(supplySeconds*to.rate))
	have := to.unused()
	if share == 0 || have >= want/2 && have > 0 {
		return false
	}
	n := want - have
	if s.most > 0 {
		left := s.most - s.out
		n = min(n, max(1, left/(2*max(others, 1))), left)
		if share > have {
			n = max(n, min(left, share-have))
		}
	}
	if n <= 0 {
		return false
	}
	from := s.first()
	s.next = from + uint64(n)
	s.out += n
	to.handed += n
	to.waiting = append(to.waiting, grant{from, from + uint64(n) - 1})
	return true
}

// back takes back what a worker has not used: the numbers are gone, but as many others may be handed out.
func (s *source) back(from *supply) {
	s.out -= from.unused()
	*from = supply{}
}

// skip goes on to a number.
func (s *source) skip(to uint64) { s.next = max(s.first(), to) }
