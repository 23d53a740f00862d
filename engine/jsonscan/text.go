// This file reads what stands between the quotes of a string.

package jsonscan

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"unicode/utf8"
)

// TextLength returns how far it is to the quote that ends a string whose inside b begins with, and whether there are
// escapes on the way. If it has no end, or is not valid, n is below 0, and ^n is how far it is to the fault: to the end of
// b, if that is the fault.
func TextLength(b []byte) (n int, escaped bool) {
	for {
		// Eight bytes at a time while none is a quote, a backslash or a control character.
		for n+8 <= len(b) {
			special := specials(binary.LittleEndian.Uint64(b[n:]))
			if special != 0 {
				n += bits.TrailingZeros64(special) / 8
				break
			}
			n += 8
		}
		if n >= len(b) {
			return ^n, escaped
		}
		switch c := b[n]; {
		case c == '"':
			return n, escaped
		case c == '\\':
			escaped = true
			length, whole := escape(b[n:])
			n += length
			if !whole {
				return ^n, escaped
			}
		case c < ' ':
			return ^n, escaped
		default:
			n++
		}
	}
}

// specials returns a word that is zero if none of the eight bytes of w is a quote, a backslash or below a space. In a
// byte that is 0 once it is xored with what is sought, and in one below a space, subtraction borrows from the highest
// bit. A byte behind one of these may be taken for one by the borrow, so only the lowest bit that is found is right; see
// "Bit Twiddling Hacks" (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
func specials(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quotes := w ^ (ones * '"')
	slashes := w ^ (ones * '\\')
	return ((w-ones*' ')&^w | (quotes-ones)&^quotes | (slashes-ones)&^slashes) & highs
}

// escape returns the length of the escape sequence that b begins with, whose backslash was seen. Where it is none, the
// length is how far that could be seen.
func escape(b []byte) (n int, ok bool) {
	if len(b) < 2 {
		return 1, false
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
		for n = 2; n < 6; n++ {
			if n >= len(b) || (b[n] < '0' || b[n] > '9') && (b[n]|0x20 < 'a' || b[n]|0x20 > 'f') {
				return n, false
			}
		}
		return n, true
	}
	return 1, false
}

// Text returns what stands between the quotes of a valid string, escapes and all; false where the value is none.
func Text(value []byte) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	return value[1 : len(value)-1], true
}

// Decode returns the text of a valid string; "" where the value is none. Half of a surrogate pair, and a byte that is not
// UTF-8, become U+FFFD.
func Decode(value []byte) string {
	raw, _ := Text(value)
	if isPlain(raw) {
		return string(raw)
	}
	return decode(value)
}

// Unescape is Decode for what stood between the quotes.
func Unescape(raw []byte) string {
	if isPlain(raw) {
		return string(raw)
	}
	quoted := make([]byte, 0, len(raw)+2)
	return decode(append(append(append(quoted, '"'), raw...), '"'))
}

// isPlain reports whether text stands for itself.
func isPlain(raw []byte) bool { return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) }

func decode(quoted []byte) (text string) {
	if json.Unmarshal(quoted, &text) != nil {
		return string(quoted[1 : len(quoted)-1])
	}
	return text
}
