// Streamed answers: frames to the client as their tokens are generated.

package sim

import (
	"bytes"
	"net/http"
)

// eventWriter sends events one by one, each flushed.
type eventWriter struct {
	w        http.ResponseWriter
	r        *http.Request
	out      *http.ResponseController
	comments bool
	crlf     bool
	truth    *truth // nil: not kept
	buf      []byte // for crlf

	size  int    // chunks with tokens that are held back; 0: none are
	ahead bool   // the first one is not
	held  []byte // what is held back
	count int    // of the chunks in it
}

func newEventWriter(w http.ResponseWriter, r *http.Request, f *Faults, t *truth) *eventWriter {
	return &eventWriter{w: w, r: r, out: http.NewResponseController(w), comments: f.Comments, crlf: f.CRLF, truth: t, size: max(f.Buffer, f.Bursts), ahead: f.Bursts > 0}
}

// open sends the headers.
func (e *eventWriter) open() bool {
	e.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	e.w.Header().Set("Cache-Control", "no-cache")
	e.w.WriteHeader(http.StatusOK)
	return e.out.Flush() == nil && e.comment()
}

// send sends a frame that is no token.
func (e *eventWriter) send(frame []byte) bool { return e.put(frame) && e.comment() }

// sendTokens sends a frame with tokens.
func (e *eventWriter) sendTokens(frame []byte, tokens int) bool {
	before := e.truth.now()
	e.count++
	if !e.put(frame) {
		return false
	}
	e.truth.wrote(before, tokens)
	if full := e.count >= e.size; (full || e.ahead) && !e.flush() {
		return false
	}
	return e.comment()
}

func (e *eventWriter) comment() bool { return !e.comments || e.put([]byte(": ping\n\n")) }

// put writes and flushes, or holds back; false when the client has gone.
func (e *eventWriter) put(text []byte) bool {
	if e.crlf {
		e.buf = append(e.buf[:0], bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
		text = e.buf
	}
	if e.size > 0 {
		e.held = append(e.held, text...)
		return true
	}
	_, err := e.w.Write(text)
	return err == nil && e.out.Flush() == nil
}

// flush hands out what was held back, in one write; false when the client has gone.
func (e *eventWriter) flush() bool {
	if len(e.held) == 0 {
		return true
	}
	_, err := e.w.Write(e.held)
	e.held, e.count, e.ahead = e.held[:0], 0, false
	return err == nil && e.out.Flush() == nil
}

// delivery is one streamed answer on its way to the client.
type delivery struct {
	events *eventWriter
	met    *fate
	stream *stream
	frames *frames

	ready  int  // tokens that are generated
	cached int  // prompt tokens found in the prefix cache
	opened bool // the role frame is out, or none is due
	buf    []byte
}

// run sends the answer, a frame for each token however many are there already; where tokens come by drafts, a frame for all
// that are there. The headers go out at once, as vLLM's
// do, long before the first token. It returns early when the client has gone.
func (d *delivery) run() {
	d.buf = make([]byte, 0, 512)
	d.opened = !d.frames.chat
	if !d.events.open() || d.met.faults.RoleEarly && !d.open() {
		return
	}
	for sent, cut := 0, d.cut(); sent < cut; {
		if d.frames.form.steps && !d.wait(sent+1) {
			return
		}
		end := min(d.frames.next(sent, d.ready), cut)
		if !d.wait(end) || !d.stall(sent) || !d.open() || !d.send(sent, end) {
			return
		}
		sent = end
	}
	d.end()
}

// cut returns after how many tokens the answer ends.
func (d *delivery) cut() int {
	if d.met.ending == endWhole {
		return d.frames.output
	}
	return min(d.met.cut, d.frames.output-1)
}

// wait returns when there are n tokens; false when the client has gone.
func (d *delivery) wait(n int) bool {
	if d.ready >= n {
		return true
	}
	var err error
	d.ready, err = d.stream.next(d.events.r.Context(), n-1)
	d.cached = int(d.stream.cached.Load())
	return err == nil
}

// stall makes the pauses that are due after so many tokens, each once.
func (d *delivery) stall(sent int) bool {
	due := d.met.stallFirst
	d.met.stallFirst = 0
	if sent >= d.met.faults.StallMidAfter {
		due += d.met.stallMid
		d.met.stallMid = 0
	}
	return pause(d.events.r.Context(), due)
}

// open sends the role frame, unless that is done.
func (d *delivery) open() bool {
	if d.opened {
		return true
	}
	d.opened = true
	return d.events.send(d.frames.appendRole(d.buf, d.cached))
}

// send sends the frame of the tokens from i to below end. Hidden ones are a frame only where the answer ends with them.
func (d *delivery) send(i, end int) bool {
	switch {
	case !d.frames.hidden(end):
		return d.events.sendTokens(d.frames.appendTokens(d.buf, i, end, d.cached), end-i)
	case end == d.frames.output:
		return d.events.send(d.frames.appendTokens(d.buf, i, end, d.cached))
	}
	return true
}

// midStreamError is what vLLM sends when its engine dies amid an answer; [DONE] follows it there too.
const midStreamError = `data: {"error":{"message":"The engine died (a fault that was asked for).",` +
	`"type":"InternalServerError","param":null,"code":500}}` + "\n\n"

// end sends what follows the tokens.
func (d *delivery) end() {
	switch d.met.ending {
	case endTruncateMid:
		d.events.flush()
		hangUp()
	case endErrorMid:
		d.events.send([]byte(midStreamError))
	case endWhole, endDisconnect, endHTTP429, endHTTP5xx:
		if d.frames.lastUsage && !d.events.send(d.frames.appendUsage(d.buf, d.cached)) {
			return
		}
	}
	d.events.put(appendDone(d.buf))
	d.events.flush()
	pause(d.events.r.Context(), d.met.faults.SlowClose)
}
