// Readings that a Poller itself carries on, without a goroutine that is woken.

package poll

import "iter"

// run is a reading as a coroutine. It goes on wherever next is called: in the goroutine that called Run, at first and when it is
// that one's turn, else in the Poller's.
type run struct {
	conn  *Conn
	next  func() (struct{}, bool) // carries it on to where it waits; false: it is over
	yield func(struct{}) bool     // waits
	turn  chan struct{}           // the goroutine that called Run is to carry it on, or to go if it is over
	over  bool

	here  bool // the Poller carries it on
	calls int  // system calls that it has made since
}

// Run calls f, which may read the connection, and returns when f has. While f waits for something to read, so does nobody with
// it; when that has come, the Poller carries f on, among those of other connections. So f must not wait for anything else, nor
// take long. Others may read the connection when f does not any more, and Leave was called.
func (c *Conn) Run(f func()) {
	r := &run{conn: c, turn: make(chan struct{}, 1)}
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		r.yield = yield
		c.mu.Lock()
		c.run = r
		c.mu.Unlock()
		defer c.leave(r)
		f()
	})
	defer stop()
	r.next = next
	for {
		if _, waits := next(); !waits {
			return
		}
		if !r.park() {
			continue
		}
		if <-r.turn; r.over {
			return
		}
	}
}

// Leave says that what Run carries on will not read any more. It is for those who know before f has returned.
func (c *Conn) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = nil
}

// leave ends a run, unless another one has begun meanwhile.
func (c *Conn) leave(r *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == r {
		c.run = nil
	}
}

// park has the Poller carry the run on when something has come; false: it can go on. It is called when the run waits, for no
// other may carry it on before.
func (r *run) park() bool {
	c := r.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.idle() {
		return false
	}
	c.waiting.run = r
	return true
}

// reads reports whether the run may make a system call where it is. In the Poller it is one: what comes faster than it is read
// would keep others waiting.
func (r *run) reads() bool {
	if !r.here {
		return true
	}
	r.calls++
	return r.calls == 1
}

// advance carries the run on in the Poller's goroutine, if that has the time, to where it waits.
func (r *run) advance() {
	if r.conn.poller.hurried() {
		r.turn <- struct{}{}
		return
	}
	r.here, r.calls = true, 0
	_, waits := r.next()
	r.here, r.over = false, !waits
	if r.over || !r.park() {
		r.turn <- struct{}{}
	}
}
