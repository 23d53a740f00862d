// From the payloads of an answer to the record of its request.

package wire

import (
	"bytes"
	"slices"

	"tokdyno/engine/jsonscan"
	"tokdyno/engine/record"
)

// answer gathers what one answer says into a record. It knows nothing of HTTP. Token events are told to obs as they
// come; everything else is in the record after finish.
type answer struct {
	rec     *record.Record
	obs     record.Observer // may be nil
	asked   int             // input tokens asked for, an estimate where the server gives no usage
	choices int             // asked for
	size    int             // of the request's body

	chunk   chunk
	pending []byte // data lines of the present event that are no JSON by themselves; each ends in '\n'
	lines   []pendingLine
	event   bool // the present event is named "error"
	bare    bool // the present event has had a data line that was complete by itself

	voices   []voice // by choice index
	frames   int     // payloads that were decoded
	told     int     // the last of them that had usage
	spoken   int     // the last of them that had a token event
	foreign  bool    // a line was seen that is none of an event stream
	done     bool    // [DONE] was seen
	ending   bool    // every choice has come to its end, as far as a finish_reason tells
	endless  bool    // a finish_reason means nothing here: its choice went on after one
	metered  bool    // usage came after the last token event of an answer that is ending
	failed   bool    // an error object was seen
	failText string
	gaveUp   bool // all that is known of the error is a finish_reason

	usage       usage // the last that said anything
	timings     timings
	toldBefore  bool // usage came on a frame without tokens before the last token event
	unmetered   bool // a token event came without usage
	fingerprint string

	remarks []remark // what is odd about it
	aside   []byte   // what of it is no chunk, see setAside

	keep bool   // what the answer says is kept
	raw  []byte // that, as it stands in the JSON
	// metering is the last payload that counted tokens or told times, where the answer is kept.
	metering []byte

	bytes  int64          // of the payloads that were decoded
	latest record.Instant // when the latest of them arrived

	// Of the choice that spoke first: its number, in how many reads it came, and the read and instant of the latest time that
	// something of it did.
	speaker   int
	bursts    int
	lastBurst uint64
	came      record.Instant
}

// pendingLine is where a pending data line ends, and when it arrived.
type pendingLine struct {
	end   int
	stamp stamp
}

// voice is what is remembered of one choice.
type voice struct {
	last      record.Instant // its last token event; 0: it has had none
	ended     bool           // it had a finish_reason
	completed int64          // its completion tokens as of the last token event; -1: that one had no usage
}

// reset readies a for another answer, keeping its buffers.
func (a *answer) reset(rec *record.Record, obs record.Observer, req *Request) {
	*a = answer{
		rec: rec, obs: obs, asked: req.inputTokens, choices: req.choices, size: len(req.body), keep: req.keepAnswer,
		chunk: chunk{choices: a.chunk.choices[:0], pattern: pattern{text: a.chunk.pattern.text[:0]}}, pending: a.pending[:0], lines: a.lines[:0], voices: a.voices[:0],
		remarks: a.remarks[:0], aside: a.aside[:0], raw: a.raw[:0], metering: a.metering[:0], usage: noUsage(), timings: noTimings(),
	}
}

// settled reports whether the answer is complete or failed, so that nothing of interest may still follow but usage, and
// that only if there was none yet. Some servers never send [DONE].
func (a *answer) settled() bool { return a.done || a.failed || a.ending && a.metered }

// line takes one line of an event stream. A data line that is a JSON document by itself is
// counted at once, with its own arrival, as nothing that follows could change its meaning; others wait for the rest of
// their event.
func (a *answer) line(line []byte, s stamp) error {
	kind, value := parseField(line)
	switch kind {
	case fieldBlank:
		a.endEvent()
	case fieldEvent:
		a.event = string(value) == "error"
		if a.event && a.bare {
			a.fail("the server sent an error event")
		}
	case fieldData:
		return a.data(value, s)
	case fieldOther:
		if line[0] != ':' {
			a.foreign = true
			a.setAside(line)
		}
	}
	return nil
}

func (a *answer) data(value []byte, s stamp) error {
	switch {
	case a.event:
		a.errorEvent(value)
		return nil
	case string(value) == "[DONE]":
		a.flush()
		a.done = true
		return nil
	case len(a.pending) == 0 && len(value) == 0:
		return nil
	case len(a.pending) == 0 && a.chunk.decode(value):
		a.bare = true
		a.take(value, s)
		return nil
	}
	if len(a.pending)+len(value) > maxLine || len(a.lines) == maxEventLines {
		return ErrLineTooLong
	}
	a.pending = append(append(a.pending, value...), '\n')
	a.lines = append(a.lines, pendingLine{len(a.pending), s})
	return nil
}

// endEvent ends the present event.
func (a *answer) endEvent() {
	a.flush()
	if a.event {
		a.fail("the server sent an error event")
	}
	a.event, a.bare = false, false
}

// flush decodes the pending data lines: as one document, or else each alone, for an error may have been glued to a
// payload that was never finished.
func (a *answer) flush() {
	if len(a.lines) == 0 {
		return
	}
	if a.chunk.decode(a.pending) {
		a.take(a.pending, a.lines[len(a.lines)-1].stamp)
	} else {
		start := 0
		for _, line := range a.lines {
			one := bytes.TrimSpace(a.pending[start:line.end])
			start = line.end
			switch {
			case len(one) == 0:
			case a.chunk.decode(one):
				a.take(one, line.stamp)
			default:
				a.rec.Malformed++
				a.setAside(one)
			}
		}
	}
	a.pending, a.lines = a.pending[:0], a.lines[:0]
}

// errorEvent takes the data of an event named "error", whatever its form.
func (a *answer) errorEvent(value []byte) {
	if e := parseError(value); e != nil {
		a.fail(e.Message)
		return
	}
	a.fail(string(value))
}

// fail notes an error that the server put into its answer. The first one counts.
func (a *answer) fail(text string) {
	if !a.failed && !a.done {
		a.failed = true
		a.failText = text
	}
}

// take counts the chunk that was just decoded from a payload.
func (a *answer) take(payload []byte, s stamp) {
	c := &a.chunk
	a.frames++
	a.bytes += int64(len(payload))
	a.latest = s.at
	if a.failed {
		return
	}
	a.account(c)
	a.meters(payload)
	if a.done {
		return
	}
	if c.failure != nil {
		a.fail(failureText(c))
		return
	}
	if c.bare() {
		a.setAside(payload)
	}
	if a.rec.Model == "" && len(c.model) > 0 {
		a.rec.Model = jsonscan.Unescape(c.model)
	}
	if a.fingerprint == "" && len(c.fingerprint) > 0 {
		a.fingerprint = jsonscan.Unescape(c.fingerprint)
	}
	for _, name := range c.strange {
		a.remarkField(name)
	}
	spoke := false
	for i := range c.choices {
		one := &c.choices[i]
		if one.spoke() {
			spoke = true
			a.spoken = a.frames
			a.token(one, s)
		}
		if len(one.finish) > 0 {
			a.finishReason(one.finish)
		}
	}
	if a.keep && spoke {
		a.raw = appendVisible(a.raw, payload)
	}
	a.end(spoke)
	switch told := c.usage.told(); {
	case spoke && !told:
		a.unmetered = true
	case !spoke && told && a.rec.Chunks == 0:
		a.toldBefore = true
	}
}

// end notes what the present chunk says about the answer's end. Choices end one by one, and some gateways put a
// finish_reason on every chunk, from the role's on: of such an answer only [DONE] says that it is over, as of one that has
// said nothing.
func (a *answer) end(spoke bool) {
	c := &a.chunk
	for i := range c.choices {
		one := &c.choices[i]
		if !one.spoke() && len(one.finish) == 0 {
			continue
		}
		v := a.voice(one.index)
		a.endless = a.endless || v.ended && one.spoke()
		v.ended = v.ended || len(one.finish) > 0
	}
	a.ending = !a.endless && a.ended()
	if a.ending && !spoke && c.usage.told() {
		a.metered = true
	}
}

// ended reports whether something was said and every choice has had a finish_reason.
func (a *answer) ended() bool {
	if a.rec.Chunks == 0 && a.usage.completion <= 0 {
		return false
	}
	n := 0
	for i := range a.voices {
		switch v := &a.voices[i]; {
		case v.ended:
			n++
		case v.last != 0:
			return false
		}
	}
	return n > 0 && n >= a.choices
}

// voice is what is remembered of a choice.
func (a *answer) voice(index int) *voice {
	for len(a.voices) <= index {
		a.voices = append(a.voices, voice{})
	}
	return &a.voices[index]
}

// document takes an answer that was not streamed, which arrived at an instant: it has a latency and counts, but no
// token events.
func (a *answer) document(body []byte, at record.Instant) bool {
	c := &a.chunk
	if !c.decode(bytes.TrimPrefix(body, byteOrderMark)) {
		return false
	}
	a.frames++
	a.bytes, a.latest = int64(len(body)), at
	a.account(c)
	if c.failure != nil {
		a.fail(failureText(c))
		return true
	}
	if c.bare() {
		a.setAside(body)
	}
	a.rec.Model = jsonscan.Unescape(c.model)
	for _, name := range c.strange {
		a.remarkField(name)
	}
	for i := range c.choices {
		one := &c.choices[i]
		if one.message.answer || one.message.reasoning || one.spoke() {
			a.rec.LastToken = at
		}
		if len(one.finish) > 0 {
			a.finishReason(one.finish)
		}
	}
	if a.keep {
		a.raw = appendVisible(a.raw, body)
	}
	return true
}

// trim gives up buffers that an unusual answer has made large.
func (a *answer) trim() {
	const usual = 64 << 10
	if cap(a.pending) > usual {
		a.pending = nil
	}
	if cap(a.chunk.choices) > maxChoices {
		a.chunk.choices = nil
	}
	if cap(a.raw) > usual {
		a.raw = nil
	}
	a.voices = slices.Clip(a.voices[:0])
}
