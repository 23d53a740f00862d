// This file is the numbers of requests where several pools number theirs together.

package load

import (
	"context"
	"sync"
)

// Numbers are those that may be given to requests, or to conversations, where several pools number theirs together: each pool is
// handed ranges, of which no other has any. The zero Numbers has none. All methods may be called from any goroutine.
type Numbers struct {
	mu     sync.Mutex
	ranges []numberRange
	more   chan struct{} // closed when there are more; nil: nobody waits
	added  func()
}

type numberRange struct{ from, to uint64 }

// Add hands over the numbers from one to another, both included.
func (n *Numbers) Add(from, to uint64) {
	n.mu.Lock()
	n.ranges = append(n.ranges, numberRange{from, to})
	if n.more != nil {
		close(n.more)
		n.more = nil
	}
	added := n.added
	n.mu.Unlock()
	if added != nil {
		added()
	}
}

// Left is how many there are.
func (n *Numbers) Left() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	left := uint64(0)
	for _, r := range n.ranges {
		left += r.to - r.from + 1
	}
	return int(left)
}

// take takes the lowest of the first range; false where there is none.
func (n *Numbers) take() (uint64, bool) {
	if len(n.ranges) == 0 {
		return 0, false
	}
	r := &n.ranges[0]
	number := r.from
	if r.from++; r.from > r.to {
		n.ranges = n.ranges[1:]
	}
	return number, true
}

// Take takes one; false where there is none at present.
func (n *Numbers) Take() (uint64, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.take()
}

// Wait takes one as soon as there is one; false when ctx is done before.
func (n *Numbers) Wait(ctx context.Context) (uint64, bool) {
	for {
		n.mu.Lock()
		number, ok := n.take()
		if !ok && n.more == nil {
			n.more = make(chan struct{})
		}
		more := n.more
		n.mu.Unlock()
		if ok {
			return number, true
		}
		select {
		case <-more:
		case <-ctx.Done():
			return 0, false
		}
	}
}

// Join has the pool number the requests of a closed loop by what it is handed, for others number theirs by the rest. Which of them
// it is sets apart how its slots begin. It is to be called before Run.
func (p *Pool) Join(n *Numbers, which uint64) {
	p.numbers, p.which = n, which
	n.added = p.rouse
}

// next is the number of the next request of a closed loop; there is one.
func (d *dispatcher) next() uint64 {
	if d.pool.numbers != nil {
		number, _ := d.pool.numbers.Take() // only the dispatcher takes them
		return number
	}
	d.seq++
	return d.seq
}
