// A request from its sending to the end of its answer.

package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"tokdyno/engine/jsonscan"
	"tokdyno/engine/record"
	"tokdyno/engine/wire/poll"
)

const (
	drainBytes = 64 << 10
	drainTime  = 250 * time.Millisecond

	// How long [DONE], or the usage, may come after the last finish_reason. Servers that send neither and don't close would
	// hold a slot for nothing; once one has been met, its endpoint gets less.
	finishTime      = 10 * time.Second
	shortFinishTime = time.Second

	maxBody    = 16 << 20 // of an answer that is not streamed
	maxProblem = 64 << 10 // of an error answer; the rest is not read
)

// stream is what one running request needs; kept for the next.
type stream struct {
	lines  lineReader
	answer answer
	body   body

	protocol   string        // "HTTP/1.1"
	problem    *Error        // of a status that is not 2xx
	retryAfter time.Duration // that the server asked for with it; 0: none
	headers    []record.Told // see toldIn
}

// body is the answer's body as a source with arrivals.
type body struct {
	io.Reader
	conn   *conn // nil: arrivals are the returns of the reads
	clock  record.Clock
	guard  *watchdog // may be nil
	sent   record.Instant
	kernel *atomic.Bool // set when the kernel's stamps are met; may be nil
	seen   int64
	reads  uint64
	begun  bool
	over   record.Instant // arrival of its end; 0: that has not come, or it is not known
	idle   time.Duration
	finish time.Duration // from the answer's last finish_reason on

	peeked  []byte // read ahead by peek, not yet handed out
	peekedS stamp
	peekErr error
}

// peek reads once and returns the bytes, which read will hand out again.
func (b *body) peek() []byte {
	ahead := make([]byte, 512)
	n, s, err := b.read(ahead)
	b.peeked, b.peekedS, b.peekErr = ahead[:n], s, err
	return b.peeked
}

func (b *body) read(p []byte) (int, stamp, error) {
	if len(b.peeked) > 0 || b.peekErr != nil {
		n := copy(p, b.peeked)
		b.peeked = b.peeked[n:]
		if len(b.peeked) > 0 {
			return n, b.peekedS, nil
		}
		err := b.peekErr
		b.peekErr = nil
		return n, b.peekedS, err
	}
	n, err := b.Read(p)
	if err == io.EOF && b.conn != nil {
		b.over = max(b.conn.answered(), b.sent)
	}
	if n == 0 {
		return 0, stamp{}, err
	}
	b.seen += int64(n)
	s := b.stamp()
	switch {
	case b.guard == nil:
	case b.begun:
		b.guard.heard(s.at)
	default:
		b.begun = true
		b.guard.watch(b.idle, errIdle)
	}
	return n, s, err
}

// stamp is that of the bytes just read.
func (b *body) stamp() stamp {
	if b.conn == nil {
		b.reads++
		return stamp{at: b.clock(), burst: b.reads}
	}
	s := b.conn.stamp()
	if s.at < b.sent { // the wall clock was set meanwhile: no answer comes before its question
		s.lag -= time.Duration(b.sent - s.at)
		s.at = b.sent
	}
	if s.kernel && b.kernel != nil && !b.kernel.Load() {
		b.kernel.Store(true)
	}
	return s
}

// Stream sends a request and reads its answer to the end. All that happens goes into rec, its outcome last; obs, which
// may be nil, hears of the sending and of every token event as it comes. If ctx ends first, the outcome is Cancelled,
// with what was seen until then, and the connection is closed so that the server stops generating.
//
// With Endpoint.Retries a request that failed is sent again after a pause: as long as the server's Retry-After, or else
// half a second that doubles each time, up to 30 s. One that still waits when ctx ends has failed: it was answered by nothing but
// the refusal. See Again for those that wait. rec is then that of the last attempt, but counts from the
// first one: Sent is the t0 of that, or, if it found no connection to send anything on, the instant at which it began.
func (c *Client) Stream(ctx context.Context, req *Request, rec *record.Record, obs record.Observer) {
	s := c.streams.Get().(*stream)
	v := c.attempts(ctx, req, s, rec, obs)
	c.conclude(ctx, s, v)
	if req.keepAnswer {
		req.answer = jsonscan.Unescape(s.answer.raw)
		req.told = c.cleaned(append(toldBy(s.answer.metering), s.headers...))
	}
	s.answer.trim()
	if cap(s.lines.buf) > drainBytes {
		s.lines.buf = nil
	}
	s.body, s.problem, s.headers = body{}, nil, nil
	s.answer.rec, s.answer.obs, s.answer.chunk.payload = nil, nil, nil
	c.streams.Put(s)
}

// conclude writes what follows from the whole answer into the record, and then its outcome.
func (c *Client) conclude(ctx context.Context, s *stream, v verdict) {
	rec := s.answer.rec
	s.answer.counts()
	rec.Over = s.body.over
	rec.End = c.clock()
	if v.outcome != record.OK && ctx.Err() != nil && !v.final {
		v = verdict{outcome: record.Cancelled}
	}
	rec.Kind = v.kind
	rec.Error = c.clean(v.sentence)
	switch rec.FinishReason {
	case "", "stop", "length":
	default:
		rec.FinishReason = c.clean(rec.FinishReason)
	}
	if v.outcome == record.OK {
		c.remarks.add(s.answer.remarks)
	}
	rec.Outcome = v.outcome
}

// exchange is Stream without the record's last lines.
func (c *Client) exchange(ctx context.Context, req *Request, s *stream) verdict {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	guard := newWatchdog(c.clock, cancel, c.ep.FirstByteTimeout, errFirstByte)
	defer guard.stop()

	resp, conn, err := c.roundTrip(ctx, req, s, guard)
	rec := s.answer.rec
	switch {
	case err != nil && rec.Sent == 0:
		return c.unsent(c.unanswered(cause(ctx, err)))
	case err != nil:
		return c.unanswered(cause(ctx, err))
	}
	defer resp.Body.Close()
	rec.Status = resp.StatusCode
	rec.RequestID = c.clean(requestID(resp.Header))
	if req.keepAnswer {
		s.headers = toldIn(resp.Header)
	}
	s.protocol = resp.Proto
	if resp.ProtoMajor != 1 {
		conn = nil
	}
	if conn != nil && resp.Close {
		conn.unpromised()
	}
	s.body = body{
		Reader: resp.Body, conn: conn, clock: c.clock, guard: guard, sent: rec.Sent, kernel: &c.kernel, idle: c.ep.IdleTimeout,
		finish: finishTime,
	}
	if c.open.Load() {
		s.body.finish = shortFinishTime
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return c.refused(ctx, resp, req, s)
	}
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return failed(record.KindMalformed, "the server compressed its answer (Content-Encoding: "+encoding+
			") although none was asked for; turn compression off in the server or in the proxy before it")
	}
	switch form(resp, &s.body) {
	case formDocument:
		return c.document(ctx, s)
	case formPage:
		page, _, _ := s.body.whole(maxProblem) // what came of it will do
		return failed(record.KindMalformed, pageSentence(req.url, page))
	}
	return c.eventStream(ctx, s)
}

// requestID is what the server calls the request in its answer's header; "" where it does not.
func requestID(h http.Header) string {
	for _, name := range [...]string{"X-Request-Id", "Request-Id"} {
		if id := h.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// The forms of an answer.
type answerForm int

const (
	formEvents answerForm = iota
	formDocument
	formPage
)

// form tells the form of an answer by its Content-Type, or, where that says nothing, by its first bytes.
func form(resp *http.Response, b *body) answerForm {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case err == nil && media == "text/event-stream", media == "application/x-ndjson":
		return formEvents
	case media == "application/json":
		if looksLikeEvents(b.peek()) { // some gateways label a stream so
			return formEvents
		}
		return formDocument
	case media == "text/html", media == "application/xhtml+xml":
		return formPage
	}
	switch start := bytes.TrimSpace(b.peek()); {
	case looksLikeHTML(start):
		return formPage
	case len(start) > 0 && start[0] == '{':
		return formDocument
	}
	return formEvents
}

// looksLikeEvents reports whether an answer begins like an event stream.
func looksLikeEvents(start []byte) bool {
	start = beginning(start)
	return bytes.HasPrefix(start, []byte("data:")) || bytes.HasPrefix(start, []byte("event:")) || bytes.HasPrefix(start, []byte(":"))
}

// cause prefers the reason for which a context was cancelled to the error that this led to.
func cause(ctx context.Context, err error) error {
	if because := context.Cause(ctx); because != nil {
		return because
	}
	return err
}

// eventStream reads an event stream.
func (c *Client) eventStream(ctx context.Context, s *stream) verdict {
	s.answer.rec.Streamed = true
	s.lines.reset(&s.body)
	var err error
	step := func() (over bool) {
		err = s.answer.read(&s.lines, s.body.ending)
		return err != poll.ErrWait
	}
	if conn := s.body.conn; conn != nil && conn.polled != nil && c.http1 != nil {
		conn.polled.Run(step)
	} else {
		step()
	}
	if conn := s.body.conn; conn != nil { // while it is sure to be open
		n := &s.answer.rec.Arrivals
		var merged int
		if n.Segments, merged = conn.brought(n, s.answer.bursts, s.body.seen); merged >= 0 {
			c.merged.Add(int64(merged))
			c.chunks.Add(int64(n.Events))
		}
	}
	if err == nil {
		c.drain(s)
	} else if errors.Is(context.Cause(ctx), errDrained) {
		c.open.Store(true)
	}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, ErrLineTooLong) {
		err = cause(ctx, err)
	}
	return s.answer.verdict(err)
}

// ending changes what is waited for: when the answer seems to be over, its slot is not to be held for long.
func (b *body) ending(is bool) {
	if is {
		b.guard.finish(b.finish, errDrained)
	} else {
		b.guard.watch(b.idle, errIdle)
	}
}

// drain reads on after the end of the answer, within bounds, for the connection can be used again only if its body was
// read to the end, and for usage that comes late.
func (c *Client) drain(s *stream) {
	s.body.guard.finish(drainTime, errDrained)
	s.body.begun = true
	limit := s.body.seen + drainBytes
	for s.body.seen <= limit {
		line, at, err := s.lines.next()
		if err != nil || s.answer.line(line, at) != nil {
			return
		}
	}
}

// document reads an answer that is one JSON document.
func (c *Client) document(ctx context.Context, s *stream) verdict {
	text, at, err := s.body.whole(maxBody)
	switch {
	case errors.Is(err, errTooLong):
		return failed(record.KindMalformed, "the server's answer is longer than 16 MiB")
	case err != nil:
		return s.answer.verdict(cause(ctx, err))
	case len(bytes.TrimSpace(text)) == 0:
		return failed(record.KindNoTokens, "the server's answer is empty")
	case !s.answer.document(text, at):
		return failed(record.KindMalformed, "the server's answer says that it is JSON, but it is not")
	}
	return s.answer.documentVerdict()
}

var errTooLong = errors.New("too long")

// whole reads a body to its end, and the arrival of its last byte; errTooLong if it goes beyond the limit.
func (b *body) whole(limit int) ([]byte, record.Instant, error) {
	var last record.Instant
	text := make([]byte, 0, 4<<10)
	for {
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, s, err := b.read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if n > 0 {
			last = s.at
		}
		switch {
		case len(text) > limit:
			return text[:limit], last, errTooLong
		case errors.Is(err, io.EOF):
			return text, last, nil
		case err != nil:
			return text, last, err
		}
	}
}
