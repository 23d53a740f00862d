// A Poller: the connections it watches, and the goroutine that has them go on.

package poll

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
)

// longest is for how long a Poller carries runs on by itself, before it has their own goroutines do the rest. That is for a Poller
// that can't keep up, on several processors: a goroutine that is woken costs more than what it does, so where many start at once
// a short limit made reads late by 100 ms.
const longest = 20 * time.Millisecond

// Poller watches connections. It has a goroutine while there are any.
type Poller struct {
	clock record.Clock

	mu    sync.Mutex
	slots []slot
	free  []int32 // slots
	open  int     // connections
	wait  *waits  // the goroutine's; nil: there is none
	ended chan struct{}
	pace  pace

	// Of its goroutine.
	ready []*Conn
	until record.Instant // it carries runs on
}

// slot is where a connection is found by what the kernel tells of it.
type slot struct {
	conn *Conn
	uses int32 // connections it has been the place of: what is told of an earlier one is not the present one's
}

// New returns a Poller that watches nothing; nil on other systems than Linux. The clock is the one that arrivals are told on.
func New(clock record.Clock) *Poller { return &Poller{clock: clock} }

// Fix makes the tick one that does not change: 0 has connections go on whenever something comes. It is for tests, and called
// before there are connections.
func (p *Poller) Fix(tick time.Duration) {
	p.pace.tick, p.pace.fixed = tick, true
}

// Longest has what has come lie for up to so long, rather than 2 ms, where that loses no stamp. It is for processes that share a machine,
// each of which has to be up for its own streams; called before there are connections.
func (p *Poller) Longest(tick time.Duration) { p.pace.most = tick }

// Adopt takes a connected TCP connection over, and closes the one it was given. With an error that stays as it was.
func (p *Poller) Adopt(tcp *net.TCPConn) (*Conn, error) {
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("the connection has no descriptor: %w", err)
	}
	c := &Conn{poller: p, fd: -1, local: tcp.LocalAddr(), remote: tcp.RemoteAddr(), wake: make(chan struct{}, 1)}
	var refused error
	err = raw.Control(func(fd uintptr) { c.fd, refused = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) })
	if err := errors.Join(err, refused); err != nil {
		return nil, fmt.Errorf("duplicating the connection's descriptor: %w", err)
	}
	if err := p.add(c); err != nil {
		return nil, errors.Join(err, unix.Close(c.fd))
	}
	_ = tcp.Close() // which takes it out of Go's poller, while the duplicate keeps it open
	return c, nil
}

// add watches a connection.
func (p *Poller) add(c *Conn) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wait == nil {
		w, err := newWaits(p.clock)
		if err != nil {
			return err
		}
		p.wait, p.ended = w, make(chan struct{})
		go p.serve(w, p.ended)
	}
	if len(p.free) == 0 {
		p.free = append(p.free, int32(len(p.slots)))
		p.slots = append(p.slots, slot{})
	}
	last := len(p.free) - 1
	c.slot = p.free[last]
	s := &p.slots[c.slot]
	if err := p.wait.add(c.fd, c.slot, s.uses+1); err != nil {
		p.wait.ring() // there may be no other connection
		return err
	}
	s.conn = c
	s.uses++
	p.free = p.free[:last]
	p.open++
	return nil
}

// remove forgets a connection, which is about to be closed.
func (p *Poller) remove(c *Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots[c.slot].conn = nil
	p.free = append(p.free, c.slot)
	if p.open--; p.open == 0 {
		p.wait.ring()
	}
}

// Close waits for the Poller's goroutine to end if there is no connection left. Otherwise it ends with the last of them.
func (p *Poller) Close() {
	p.mu.Lock()
	ended := p.ended
	wait := p.open == 0 && p.wait != nil
	p.mu.Unlock()
	if wait {
		<-ended
	}
}

// serve waits, and has connections go on that something has come for, until there are none.
func (p *Poller) serve(w *waits, ended chan<- struct{}) {
	defer close(ended)
	for {
		came, due := w.wait(p.tick())
		now := p.clock()
		p.until = now.Add(longest)
		if !p.find(came) {
			return
		}
		for i, c := range p.ready {
			c.came(due)
			p.ready[i] = nil
		}
		p.turn(now, due)
	}
}

// find looks up the connections of events; false: there are none any more, and the wait is over.
func (p *Poller) find(events []unix.EpollEvent) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == 0 {
		p.wait.close()
		p.wait, p.slots, p.free, p.ready = nil, nil, nil, nil
		return false
	}
	p.ready = p.ready[:0]
	for i := range events {
		e := &events[i]
		if e.Fd == bell {
			p.wait.hush()
			continue
		}
		if s := &p.slots[e.Fd]; s.conn != nil && s.uses == e.Pad {
			s.conn.told = e.Events
			p.ready = append(p.ready, s.conn)
			p.pace.gap(s.conn.usualGap())
		}
	}
	return true
}

// hurried reports whether the Poller has carried runs on for long enough.
func (p *Poller) hurried() bool { return p.clock() >= p.until }

func (p *Poller) tick() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pace.tick
}

// turn lets the pace learn of a turn.
func (p *Poller) turn(now, due record.Instant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace.turn(now, due, len(p.ready))
}

func (p *Poller) merged(merged, chunks int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace.merged(merged, chunks)
}
