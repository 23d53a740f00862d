// This file writes what a terminal shows as an asciicast.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// cast is an asciicast, version 2: a line of JSON that says what it is, then one for every piece of output.
// See docs.asciinema.org/manual/asciicast/v2.
type cast struct {
	mu      sync.Mutex
	to      *bufio.Writer
	begun   time.Time
	pending []byte // the beginning of a character
	since   []byte // what came since somebody asked last
	over    bool
	err     error
}

// newCast begins a cast of a terminal of w by h cells.
func newCast(to io.Writer, w, h int) *cast {
	c := &cast{to: bufio.NewWriter(to), begun: time.Now()}
	_, c.err = fmt.Fprintf(c.to, `{"version": 2, "width": %d, "height": %d, "title": "tokdyno demo"}`+"\n", w, h)
	return c
}

// Write adds output. Its own errors show at the end.
func (c *cast) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || c.err != nil {
		return len(p), nil
	}
	c.since = append(c.since, p...)
	c.pending = append(c.pending, p...)
	whole := len(c.pending)
	for i := 1; i <= min(3, len(c.pending)); i++ { // a character that was cut waits for its rest
		if b := c.pending[len(c.pending)-i]; b >= 0xc0 {
			whole = len(c.pending) - i
			break
		} else if b < 0x80 {
			break
		}
	}
	line, err := json.Marshal([]any{time.Since(c.begun).Seconds(), "o", string(c.pending[:whole])})
	c.pending = append([]byte(nil), c.pending[whole:]...)
	if err == nil {
		_, err = c.to.Write(append(line, '\n'))
	}
	c.err = err
	return len(p), nil
}

// latest is what came since it was asked for last.
func (c *cast) latest() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := string(c.since)
	c.since = nil
	return text
}

// end writes no more.
func (c *cast) end() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over && c.err == nil {
		c.over, c.err = true, c.to.Flush()
	}
	return c.err
}
