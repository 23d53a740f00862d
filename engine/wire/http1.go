// HTTP/1.1 on connections of our own: a request is written as net/http words it, its answer read so that nobody waits amid it.

package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"tokdyno/engine/wire/poll"
)

const (
	// aside is from how many bytes on a request is written by a goroutine of its own, for the server may answer before it has
	// read all, and read no more.
	aside = 64 << 10
	// reuseWithin is how long the rest of such a request may take when its answer has ended, for its connection to be used again.
	reuseWithin = 50 * time.Millisecond
)

// newHTTP1 returns one without connections, for a host and port. Buffers have a size.
func newHTTP1(dial dialFunc, address string, size int) *http1 {
	return &http1{
		dial: dial, address: address, keep: keepAlive,
		readers: sync.Pool{New: func() any { return bufio.NewReaderSize(nil, size) }},
		writers: sync.Pool{New: func() any { return bufio.NewWriterSize(nil, size) }},
	}
}

type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// http1 puts requests on connections to one endpoint.
type http1 struct {
	dial    dialFunc
	address string
	keep    time.Duration // for how long a connection without a request is kept

	mu     sync.Mutex
	idle   []*line // the one that was used last is the last
	closed bool    // none is kept any more

	readers, writers sync.Pool // of *bufio.Reader, *bufio.Writer
}

// line is a connection for one request after another.
type line struct {
	net.Conn // conn, or TLS over it
	conn     *conn
	drop     *time.Timer
	gone     bool // it is not to be kept; with http1's lock
}

// roundTrip sends a request, on a new connection if none is idle or if it has to be fresh, and returns its answer when the header
// of that is there. A fresh connection is not kept.
func (h *http1) roundTrip(ctx context.Context, r *http.Request, a *attempt, fresh bool) (*http.Response, error) {
	var l *line
	if !fresh {
		l = h.take()
	}
	reused := l != nil
	if !reused {
		c, err := h.dial(ctx, "tcp", h.address)
		if err != nil {
			return nil, err
		}
		l = &line{Conn: c, conn: stamped(c)}
	}
	b := &http1Body{http1: h, line: l, keep: !fresh, reader: h.readers.Get().(*bufio.Reader)}
	b.cancelled = context.AfterFunc(ctx, func() { b.line.cut() })
	b.limited = limited{l, maxHeaderBytes}
	b.reader.Reset(&b.limited)
	a.got(l.conn, reused)
	err := b.send(r)
	resp, failure := b.header(r, a)
	if failure != nil {
		_ = b.Close()
		if err == nil {
			err = failure
		}
		return nil, err
	}
	b.framing = framingOf(resp)
	b.keep = b.keep && !resp.Close
	resp.Body = b
	return resp, nil
}

// http1Body is the body of an answer.
type http1Body struct {
	http1     *http1
	line      *line
	cancelled func() bool   // stops waiting for that; false: it has happened
	keep      bool          // the connection may be used again
	sent      chan error    // of a request that is written aside; else nil
	reader    *bufio.Reader // what came with the header; nil: that was all read
	limited   limited       // its source
	framing   framing
}

// limited reads so many bytes of a header, or some more, and then fails.
type limited struct {
	io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("response headers exceeded the limit")
	}
	n, err := l.Reader.Read(p)
	l.left -= n
	return n, err
}

// send writes the request.
func (b *http1Body) send(r *http.Request) error {
	write := func() error {
		w := b.http1.writers.Get().(*bufio.Writer)
		defer b.http1.writers.Put(w)
		w.Reset(b.line)
		if err := r.Write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if r.ContentLength < aside {
		return write()
	}
	b.sent = make(chan error, 1)
	go func() { b.sent <- write() }()
	return nil
}

// header reads the answer's header, and skips those of interim answers.
func (b *http1Body) header(r *http.Request, a *attempt) (*http.Response, error) {
	if _, err := b.reader.Peek(1); err != nil {
		return nil, err
	}
	a.firstByte()
	for {
		resp, err := http.ReadResponse(b.reader, r)
		switch {
		case err != nil:
			return nil, fmt.Errorf("HTTP/1.x transport connection broken: %w", err)
		case resp.StatusCode < 100 || resp.StatusCode > 199 || resp.StatusCode == http.StatusSwitchingProtocols:
			return resp, nil
		}
	}
}

// Read implements io.Reader. It returns poll.ErrWait where a read of the connection does.
func (b *http1Body) Read(p []byte) (int, error) {
	for {
		if b.framing.part == over {
			return 0, io.EOF
		}
		got, err := b.receive(p)
		n, taken, broken := b.framing.strip(p[:got])
		b.keep = b.keep && taken == got // more than the answer is none that was asked for
		switch {
		case broken != nil:
			return n, broken
		case b.framing.part == over:
			return n, io.EOF
		case err == io.EOF:
			return n, b.framing.eof()
		case n > 0 || err != nil:
			return n, err
		}
	}
}

// receive reads what came with the header, and then the connection.
func (b *http1Body) receive(p []byte) (int, error) {
	if b.reader == nil {
		return b.line.Read(p)
	}
	if n := b.reader.Buffered(); n > 0 {
		return b.reader.Read(p[:min(n, len(p))])
	}
	b.release()
	return b.line.Read(p)
}

// release gives the reader back.
func (b *http1Body) release() {
	if b.reader != nil {
		b.reader.Reset(nil)
		b.http1.readers.Put(b.reader)
		b.reader = nil
	}
}

// Close implements io.Closer. A connection whose answer was read to its end is kept for the next request.
func (b *http1Body) Close() error {
	whole := b.framing.part == over && (b.reader == nil || b.reader.Buffered() == 0)
	b.release()
	if b.cancelled() && whole && b.keep && b.written() {
		b.http1.put(b.line)
		return nil
	}
	b.line.cut()
	if b.sent != nil {
		<-b.sent
	}
	return nil
}

// written reports whether all of the request was sent. It waits for that for a moment.
func (b *http1Body) written() bool {
	if b.sent == nil {
		return true
	}
	select {
	case err := <-b.sent:
		b.sent <- err
		return err == nil
	case <-time.After(reuseWithin):
		return false
	}
}

// cut closes a connection, without what TLS says at the end if there is a request on it.
func (l *line) cut() {
	if l.conn.busy.Load() {
		_ = l.conn.Close()
		return
	}
	_ = l.Close()
}

// take returns an idle connection; nil: there is none.
func (h *http1) take() *line {
	for {
		l := h.pop()
		if l == nil || l.conn.polled.Unwatch() {
			return l
		}
		_ = l.Close() // the server has, too
	}
}

func (h *http1) pop() *line {
	h.mu.Lock()
	defer h.mu.Unlock()
	last := len(h.idle) - 1
	if last < 0 {
		return nil
	}
	l := h.idle[last]
	h.idle = h.idle[:last]
	l.drop.Stop()
	return l
}

// put keeps a connection for the next request, unless nobody would notice that the server has closed it.
func (h *http1) put(l *line) {
	if l.conn.polled == nil {
		_ = l.Close()
		return
	}
	l.conn.polled.Watch(func() bool {
		var one [1]byte
		if _, err := l.Read(one[:]); err == poll.ErrWait {
			return false
		}
		h.remove(l)
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || l.gone {
		_ = l.Close()
		return
	}
	h.idle = append(h.idle, l)
	if l.drop == nil {
		l.drop = time.AfterFunc(h.keep, func() { h.remove(l) })
	} else {
		l.drop.Reset(h.keep)
	}
}

// remove closes a connection that is idle: for too long, or the server has closed it, or said something that nobody asked for.
func (h *http1) remove(l *line) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l.gone = true // also if it is just being kept, or was just taken
	if i := slices.Index(h.idle, l); i >= 0 {
		h.idle = slices.Delete(h.idle, i, i+1)
		_ = l.Close()
	}
}

// close closes connections that are idle, and has none be kept any more.
func (h *http1) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, l := range h.idle {
		l.drop.Stop()
		_ = l.Close()
	}
	h.idle = nil
}
