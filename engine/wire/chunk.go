// What a chunk of a stream, or a whole JSON answer, says: the few fields that measuring needs.

package wire

import (
	"bytes"

	"tokdyno/engine/jsonscan"
)

// maxChoices bounds the choice indices that are told apart. OpenAI's limit for n is 128.
const maxChoices = 1024

// chunk is one decoded payload. Byte slices hold raw JSON text and are valid until the next one is decoded.
type chunk struct {
	choices       []choice
	usage         usage // top level, or else the last choice that had one, or else in another member
	timings       timings
	failure       []byte // the "error" member, or what else says that there was one; nil: there was none
	detail        []byte // FastAPI's word for it
	choiceFailure []byte // a choice's "error"
	object        []byte
	kind          []byte // the "type" member
	model         []byte
	fingerprint   []byte
	choiceUsage   usage
	belowUsage    usage    // in another member
	payload       []byte   // all of it
	strange       [][]byte // members of deltas and messages whose output was taken though nobody knows their names
	pattern       pattern
}

// choice is one element of "choices".
type choice struct {
	index     int
	delta     said
	message   said   // of an answer that was not streamed
	text      bool   // non-empty text of /v1/completions
	finish    []byte // finish_reason
	streaming bool   // has a delta
}

// said tells which kinds of generated output a delta or message holds.
type said struct{ answer, reasoning bool }

// spoke reports whether the choice is a token event.
func (c *choice) spoke() bool { return c.text || c.delta.answer || c.delta.reasoning }

// bare reports whether a payload has nothing of a chunk.
func (c *chunk) bare() bool { return len(c.choices) == 0 && !c.usage.present }

// reasoningOnly reports whether all of its output is reasoning.
func (c *choice) reasoningOnly() bool { return c.delta.reasoning && !c.delta.answer && !c.text }

// decode reads a payload; false if it is not JSON. Members that are missing, null or of a wrong type count as absent;
// of members named twice the last one counts, as in encoding/json.
func (c *chunk) decode(payload []byte) bool {
	if c.pattern.fits(payload, &c.usage) {
		return true // all else is as it was
	}
	return c.walk(payload)
}

// walk decodes a payload from its first byte to its last.
func (c *chunk) walk(payload []byte) bool {
	c.choices = c.choices[:0]
	c.usage, c.choiceUsage, c.belowUsage, c.timings = noUsage(), noUsage(), noUsage(), noTimings()
	c.failure, c.choiceFailure, c.detail, c.object, c.kind, c.model, c.fingerprint = nil, nil, nil, nil, nil, nil, nil
	c.payload = c.pattern.begin(payload)
	s := scanner{Scanner: jsonscan.New(c.payload), pattern: &c.pattern, strange: c.strange[:0]}
	if s.Object() {
		for name, ok := s.Key(); ok; name, ok = s.Key() {
			c.member(&s, name)
		}
	}
	c.strange = s.strange
	if !c.usage.present {
		c.usage = c.choiceUsage
	}
	if !c.usage.present {
		c.usage = c.belowUsage
	}
	switch {
	case c.failure != nil:
	case c.choiceFailure != nil:
		c.failure = c.choiceFailure
	case string(c.object) == "error", string(c.kind) == "error":
		c.failure = c.payload
	case len(c.choices) == 0 && !c.usage.present:
		c.failure = c.detail
	}
	valid := s.End()
	if valid && c.failure == nil {
		c.pattern.learn(&c.usage)
	}
	return valid
}

func (c *chunk) member(s *scanner, name []byte) {
	switch string(name) {
	case "choices":
		c.readChoices(s)
	case "usage":
		c.usage = s.usage()
	case "timings":
		c.timings = s.timings()
	case "error":
		c.failure = s.failure()
	case "detail":
		c.detail = s.failure()
	case "type":
		c.kind, _ = s.Text()
	case "object":
		c.object, _ = s.Text()
	case "model":
		c.model, _ = s.Text()
	case "system_fingerprint":
		c.fingerprint, _ = s.Text()
	default:
		if below := s.below(name); below.present {
			c.belowUsage = below
		}
	}
}

func (c *chunk) readChoices(s *scanner) {
	c.choices = c.choices[:0]
	c.choiceUsage, c.choiceFailure = noUsage(), nil
	if !s.Array() {
		return
	}
	for position := 0; s.Element(); position++ {
		if !s.Object() {
			continue
		}
		c.choices = append(c.choices, choice{})
		one := &c.choices[len(c.choices)-1]
		one.index = position
		own, failure := noUsage(), []byte(nil)
		for name, ok := s.Key(); ok; name, ok = s.Key() {
			switch string(name) {
			case "index":
				one.index = position
				if n, ok := s.Count(); ok {
					one.index = int(n)
				}
			case "delta":
				one.delta = s.said()
				one.streaming = true
			case "message":
				one.message = s.said()
			case "text":
				one.text = s.speech()
			case "finish_reason":
				one.finish = s.finish()
			case "usage":
				own = s.usage()
			case "error":
				failure = s.failure()
			default:
				s.Skip()
			}
		}
		one.index = min(one.index, maxChoices-1)
		if own.present {
			c.choiceUsage = own
		}
		if failure != nil {
			c.choiceFailure = failure
		}
	}
}

// scanner walks a payload and tells the pattern what it meets.
type scanner struct {
	jsonscan.Scanner
	pattern *pattern
	strange [][]byte // see chunk
}

// finish returns the finish_reason at the cursor; nil where there is none yet, which some servers spell "null".
func (s *scanner) finish() []byte {
	raw, _ := s.Text()
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// speech reports whether the value at the cursor is a string that is not empty.
func (s *scanner) speech() bool {
	raw, _ := s.Text()
	if len(raw) == 0 {
		return false
	}
	s.pattern.mark(holeText, s.At()-1-len(raw), s.At()-1)
	return true
}

// failure returns the raw error at the cursor: an object, or anything else that is not null, false, 0 or empty; else nil.
func (s *scanner) failure() []byte {
	raw := s.Value()
	if raw == nil {
		return nil
	}
	switch string(raw) {
	case "null", "false", "0", `""`:
		return nil
	}
	if raw[0] == '[' && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0 {
		return nil
	}
	return raw
}
