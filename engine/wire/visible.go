// This file takes out of an answer what its reader sees: the text of the first choice.

package wire

// maxVisible bounds the text that is kept of an answer, in bytes of its JSON. No model says as much in one answer.
const maxVisible = 16 << 20

// appendVisible appends to raw what the first choice of a valid payload says, as it stands in the JSON: with its
// escapes, for a surrogate pair may be cut in two by the end of a chunk. It walks the payload a second time, so that
// answers whose text nobody wants do not pay for it.
func appendVisible(raw, payload []byte) []byte {
	if len(raw) > maxVisible {
		return raw
	}
	s := scanner{b: payload}
	if !s.object() {
		return raw
	}
	from := len(raw)
	for name, ok := s.key(); ok; name, ok = s.key() {
		if string(name) != "choices" {
			s.skip()
			continue
		}
		raw = raw[:from]
		if !s.array() {
			continue
		}
		for position := 0; s.element(); position++ {
			raw = s.appendChoice(raw, position)
		}
	}
	return raw
}

// appendChoice appends what the choice at the cursor says, if it is the first one.
func (s *scanner) appendChoice(raw []byte, index int) []byte {
	if !s.object() {
		return raw
	}
	from := len(raw)
	for name, ok := s.key(); ok; name, ok = s.key() {
		switch string(name) {
		case "index":
			if n, ok := s.count(); ok {
				index = int(n)
			}
		case "delta", "message":
			raw = s.appendMessage(raw, from)
		case "text":
			raw = s.appendString(raw, from)
		default:
			s.skip()
		}
	}
	if index != 0 {
		return raw[:from]
	}
	return raw
}

// appendMessage puts the content of the message at the cursor in the place of what raw has from there on, unless there
// is none.
func (s *scanner) appendMessage(raw []byte, from int) []byte {
	if !s.object() {
		return raw
	}
	for name, ok := s.key(); ok; name, ok = s.key() {
		switch {
		case string(name) != "content":
			s.skip()
		case s.peek() == '[':
			raw = s.appendParts(raw, from)
		default:
			raw = s.appendString(raw, from)
		}
	}
	return raw
}

// appendParts is appendString for an array of parts: strings, and objects with a "text".
func (s *scanner) appendParts(raw []byte, from int) []byte {
	raw = raw[:from]
	s.array()
	for s.element() {
		part := len(raw)
		if s.peek() != '{' {
			raw = s.appendString(raw, part)
			continue
		}
		s.object()
		for name, ok := s.key(); ok; name, ok = s.key() {
			if string(name) == "text" {
				raw = s.appendString(raw, part)
			} else {
				s.skip()
			}
		}
	}
	return raw
}

// appendString puts the string at the cursor in the place of what raw has from there on, unless there is none.
func (s *scanner) appendString(raw []byte, from int) []byte {
	text, ok := s.text()
	if !ok || len(text) == 0 {
		return raw
	}
	return append(raw[:from], text...)
}
