// When reads and writes give up.

package poll

import (
	"errors"
	"net"
	"time"
)

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return c.wrap("set", net.ErrClosed)
	}
	if c.readBy != nil {
		c.readBy.Stop()
	}
	c.sets++
	c.expired = false
	if t.IsZero() {
		return nil
	}
	left := time.Until(t)
	if left <= 0 {
		c.expired = true
		c.interrupt()
		return nil
	}
	set := c.sets
	c.readBy = time.AfterFunc(left, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.sets == set { // no other was set meanwhile
			c.expired = true
			c.interrupt()
		}
	})
	return nil
}

// SetWriteDeadline implements net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fd < 0 {
		return c.wrap("set", net.ErrClosed)
	}
	c.writeBy = t
	if c.writer != nil {
		return c.writer.SetWriteDeadline(t)
	}
	return nil
}
