// Readings that a Poller itself carries on, step by step, without a goroutine that is woken.

package poll

// Run reads a connection by step, which reads what there is until a read returns ErrWait; it returns when step says that it is
// over. The first steps are made at once. While there is nothing to read, nobody waits but the one who called Run; when something has come, the
// Poller makes a step, among those of other connections. So step must not wait for anything, nor take long. Nobody else may read
// the connection meanwhile.
func (c *Conn) Run(step func() (over bool)) {
	c.stepping, c.over = true, false
	defer func() { c.stepping = false }()
	for !step() {
		if !c.park(waiter{step: step}) {
			continue
		}
		if <-c.wake; c.over {
			return
		}
	}
}

// Watch is Run without anybody who waits for its end.
func (c *Conn) Watch(step func() (over bool)) {
	c.stepping = true
	for !step() && !c.park(waiter{step: step, alone: true}) {
	}
}

// Unwatch ends what Watch began; false: it is over. It waits for a step that is being made.
func (c *Conn) Unwatch() bool {
	c.watching.Lock()
	defer c.watching.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.take().step == nil {
		return false
	}
	c.stepping = false
	return true
}

// park lets the Poller see to what comes next; false: something has come already.
func (c *Conn) park(as waiter) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.idle() {
		return false
	}
	c.waiting = as
	return true
}

// reads reports whether a step may make a system call where it is. In the Poller it is one: what comes faster than it is read
// would keep others waiting.
func (c *Conn) reads() bool {
	if !c.here {
		return true
	}
	c.calls++
	return c.calls == 1
}

// advance makes a step in the Poller's goroutine, if that has the time.
func (c *Conn) advance(step func() (over bool)) {
	if !c.poller.hurried() {
		c.here, c.calls = true, 0
		c.over = step()
		c.here = false
		if !c.over && c.park(waiter{step: step}) {
			return
		}
	}
	c.wake <- struct{}{}
}

// look makes a step of what Watch began, in the Poller's goroutine.
func (c *Conn) look() {
	c.watching.Lock()
	defer c.watching.Unlock()
	c.mu.Lock()
	who := c.take()
	c.mu.Unlock()
	if who.step != nil { // else Unwatch was called meanwhile
		c.Watch(who.step)
	}
}
