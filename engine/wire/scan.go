// A validating walk over one JSON document, without allocations.

package wire

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// maxDepth bounds nesting, so that hostile input cannot grow the stack. Real chunks nest six deep.
const maxDepth = 1000

// scanner walks a JSON document from left to right. The caller steps into the objects and arrays it knows and skips
// the rest; everything passed over is checked against the grammar, so that after end the document is known to be
// valid. The first fault moves the cursor to the end and makes every further step a no-op: callers check once.
type scanner struct {
	b       []byte
	i       int
	depth   int
	opening bool // the last thing read was '{' or '[': no comma may come before the next member
	bad     bool
	pattern *pattern // hears of texts and counts; nil: nobody does
	scratch [32]byte // for keys written with escapes; longer than every name that is looked for
}

func (s *scanner) fail() {
	s.bad = true
	s.i = len(s.b)
}

// peek returns the first byte of the value at the cursor, 0 at the end of the input.
func (s *scanner) peek() byte {
	if s.i < len(s.b) && s.b[s.i] > ' ' {
		return s.b[s.i]
	}
	return s.space()
}

// space is peek where white space, or the end, comes first.
func (s *scanner) space() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// end reports whether the document was valid and whole.
func (s *scanner) end() bool { return s.peek() == 0 && s.i == len(s.b) && !s.bad }

// object steps into the object at the cursor. If there is another value, it is skipped and false returned.
func (s *scanner) object() bool { return s.enter('{') }

// array steps into the array at the cursor. If there is another value, it is skipped and false returned.
func (s *scanner) array() bool { return s.enter('[') }

func (s *scanner) enter(open byte) bool {
	if s.peek() != open {
		s.skip()
		return false
	}
	s.i++
	s.depth++
	s.opening = true
	if s.depth > maxDepth {
		s.fail()
		return false
	}
	return true
}

// more steps to the next member of the open object or array, false at its end.
func (s *scanner) more(closing byte) bool {
	c := s.peek()
	if c == closing {
		s.i++
		s.depth--
		s.opening = false
		return false
	}
	if !s.opening {
		if c != ',' {
			s.fail()
			return false
		}
		s.i++
		c = s.peek()
	}
	s.opening = false
	if c == 0 {
		s.fail()
	}
	return !s.bad
}

// element steps to the next element of the open array; false at its end, which is consumed.
func (s *scanner) element() bool { return s.more(']') }

// key steps to the value of the next member of the open object and returns the member's name; false at the object's
// end, which is consumed. The name is valid until the next call of key.
func (s *scanner) key() ([]byte, bool) {
	if !s.more('}') {
		return nil, false
	}
	if s.peek() != '"' {
		s.fail()
		return nil, false
	}
	name, escaped := s.quoted()
	if s.peek() != ':' {
		s.fail()
		return nil, false
	}
	s.i++
	if escaped && !s.bad {
		name = s.plain(name)
	}
	return name, !s.bad
}

// plain returns a name without its escapes. One too long for the scratch space, or not of ASCII, is none that anybody
// looks for, and comes back as it is.
func (s *scanner) plain(raw []byte) []byte {
	unquoted := unescape(raw)
	if len(unquoted) > len(s.scratch) {
		return raw
	}
	return s.scratch[:copy(s.scratch[:], unquoted)]
}

func quote(raw []byte) []byte {
	q := make([]byte, 0, len(raw)+2)
	q = append(q, '"')
	q = append(q, raw...)
	return append(q, '"')
}

// text returns what stands between the quotes of the string at the cursor, escapes and all. If there is another value,
// it is skipped and false returned.
func (s *scanner) text() ([]byte, bool) {
	if s.peek() != '"' {
		s.skip()
		return nil, false
	}
	raw, _ := s.quoted()
	return raw, !s.bad
}

// speech reports whether the value at the cursor is a string that is not empty.
func (s *scanner) speech() bool {
	raw, _ := s.text()
	if len(raw) == 0 {
		return false
	}
	if s.pattern != nil {
		s.pattern.mark(holeText, s.i-1-len(raw), s.i-1)
	}
	return true
}

// tally is count for a member of a usage; -1 if there is another value.
func (s *scanner) tally(kind holeKind) int64 {
	s.peek()
	from := s.i
	n := s.countOr(-1)
	if s.pattern == nil || s.bad {
		return n
	}
	if _, length := digits(s.b[from:s.i]); length > 0 && length == s.i-from {
		s.pattern.mark(kind, from, s.i)
	}
	return n
}

// count returns the whole, non-negative number at the cursor. If there is another value, it is skipped and false
// returned.
func (s *scanner) count() (int64, bool) {
	s.peek()
	from := s.i
	s.skip()
	raw := s.b[min(from, s.i):s.i]
	if s.bad || len(raw) == 0 {
		return 0, false
	}
	var n int64
	for _, c := range raw {
		if c < '0' || c > '9' || n > 1e14 {
			return oddCount(raw)
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// oddCount reads counts that no sane server writes, such as 12.0 or 1e3.
func oddCount(raw []byte) (int64, bool) {
	if c := raw[0]; c != '-' && (c < '0' || c > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f < 0 || f > 1<<53 || f != math.Trunc(f) {
		return 0, false
	}
	return int64(f), true
}

// skip passes over the value at the cursor.
func (s *scanner) skip() {
	switch c := s.peek(); c {
	case '{':
		s.object()
		for _, ok := s.key(); ok; _, ok = s.key() {
			s.skip()
		}
	case '[':
		s.array()
		for s.element() {
			s.skip()
		}
	case '"':
		s.quoted()
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		s.number()
	}
}

func (s *scanner) literal(word string) {
	if len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		s.fail()
		return
	}
	s.i += len(word)
}

// number passes over -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?.
func (s *scanner) number() {
	s.accept("-")
	switch {
	case s.accept("0"):
	case !s.digits():
		s.fail()
		return
	}
	if s.accept(".") && !s.digits() {
		s.fail()
		return
	}
	if s.accept("eE") {
		s.accept("+-")
		if !s.digits() {
			s.fail()
		}
	}
}

func (s *scanner) accept(set string) bool {
	if s.i >= len(s.b) {
		return false
	}
	for j := range len(set) {
		if s.b[s.i] == set[j] {
			s.i++
			return true
		}
	}
	return false
}

func (s *scanner) digits() bool {
	from := s.i
	for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
		s.i++
	}
	return s.i > from
}

// quoted passes over the string at the cursor, whose first quote was seen, and returns what stands between its quotes
// and whether that has escapes.
func (s *scanner) quoted() (raw []byte, escaped bool) {
	s.i++
	n, escaped := textLength(s.b[s.i:])
	if n < 0 {
		s.fail()
		return nil, escaped
	}
	raw = s.b[s.i : s.i+n]
	s.i += n + 1
	return raw, escaped
}

// textLength returns how far it is to the quote that ends a string whose inside b begins with, and whether there are
// escapes on the way; -1 if it has no end or is not valid.
func textLength(b []byte) (n int, escaped bool) {
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
			return -1, escaped
		}
		switch c := b[n]; {
		case c == '"':
			return n, escaped
		case c == '\\':
			escaped = true
			length := escape(b[n:])
			if length == 0 {
				return -1, escaped
			}
			n += length
		case c < 0x20:
			return -1, escaped
		default:
			n++
		}
	}
}

// specials returns a word that is zero if none of the eight bytes of w is a quote, a backslash or below 0x20. (It may
// be non-zero for other reasons only behind a byte that is one of them; see "Bit Twiddling Hacks", haszero.)
func specials(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quotes := w ^ (ones * '"')
	slashes := w ^ (ones * '\\')
	return ((w-ones*0x20)&^w | (quotes-ones)&^quotes | (slashes-ones)&^slashes) & highs
}

// escape returns the length of the escape sequence that b begins with, 0 if it is none.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}
