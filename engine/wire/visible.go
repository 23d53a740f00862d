// This file takes out of an answer what its reader sees: the text of the first choice.

package wire

import "tokdyno/engine/jsonscan"

// maxVisible bounds the text that is kept of an answer, in bytes of its JSON. No model says as much in one answer.
const maxVisible = 16 << 20

// appendVisible appends to raw what the first choice of a valid payload says, as it stands in the JSON: with its
// escapes, for a surrogate pair may be cut in two by the end of a chunk. It walks the payload a second time, so that
// answers whose text nobody wants do not pay for it.
func appendVisible(raw, payload []byte) []byte {
	if len(raw) > maxVisible {
		return raw
	}
	s := jsonscan.New(payload)
	if !s.Object() {
		return raw
	}
	from := len(raw)
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		if string(name) != "choices" {
			s.Skip()
			continue
		}
		raw = raw[:from]
		if !s.Array() {
			continue
		}
		for position := 0; s.Element(); position++ {
			raw = appendChoice(&s, raw, position)
		}
	}
	return raw
}

// appendChoice appends what the choice at the cursor says, if it is the first one.
func appendChoice(s *jsonscan.Scanner, raw []byte, index int) []byte {
	if !s.Object() {
		return raw
	}
	from := len(raw)
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch string(name) {
		case "index":
			if n, ok := s.Count(); ok {
				index = int(n)
			}
		case "delta", "message":
			raw = appendMessage(s, raw, from)
		case "text":
			raw = appendString(s, raw, from)
		default:
			s.Skip()
		}
	}
	if index != 0 {
		return raw[:from]
	}
	return raw
}

// appendMessage puts the content of the message at the cursor in the place of what raw has from there on, unless there
// is none.
func appendMessage(s *jsonscan.Scanner, raw []byte, from int) []byte {
	if !s.Object() {
		return raw
	}
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch {
		case string(name) != "content":
			s.Skip()
		case s.Peek() == '[':
			raw = appendParts(s, raw, from)
		case s.Peek() == '{':
			raw = appendPart(s, raw, from)
		default:
			raw = appendString(s, raw, from)
		}
	}
	return raw
}

// appendParts is appendString for an array of parts: strings, and objects with a "text".
func appendParts(s *jsonscan.Scanner, raw []byte, from int) []byte {
	raw = raw[:from]
	s.Array()
	for s.Element() {
		if s.Peek() == '{' {
			raw = appendPart(s, raw, len(raw))
		} else {
			raw = appendString(s, raw, len(raw))
		}
	}
	return raw
}

// appendPart is appendString for an object with a "text".
func appendPart(s *jsonscan.Scanner, raw []byte, from int) []byte {
	s.Object()
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		if string(name) == "text" {
			raw = appendString(s, raw, from)
		} else {
			s.Skip()
		}
	}
	return raw
}

// appendString puts the string at the cursor in the place of what raw has from there on, unless there is none.
func appendString(s *jsonscan.Scanner, raw []byte, from int) []byte {
	text, ok := s.Text()
	if !ok || len(text) == 0 {
		return raw
	}
	return append(raw[:from], text...)
}
