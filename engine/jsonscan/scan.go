// This file is the scanner.

package jsonscan

// MaxDepth bounds nesting, so that hostile input cannot grow the stack. Real documents nest six deep.
const MaxDepth = 1000

// Scanner walks a JSON value from left to right. The caller steps into the objects and arrays it knows and skips the
// rest; everything passed over is checked, so that after End the document is known to be valid. The first fault moves
// the cursor to the end and makes every further step a no-op: callers check once.
type Scanner struct {
	b       []byte
	i       int
	depth   int
	fault   int  // where the first fault is
	opening bool // the last thing read was '{' or '[': no comma may come before the next member
	bad     bool
}

// New returns a scanner at the beginning of b.
func New(b []byte) Scanner { return Scanner{b: b} }

func (s *Scanner) fail() {
	if !s.bad {
		s.bad, s.fault = true, s.i
	}
	s.i = len(s.b)
}

// Peek returns the first byte of the value at the cursor, 0 at the end of the input.
func (s *Scanner) Peek() byte {
	if s.i < len(s.b) && s.b[s.i] > ' ' {
		return s.b[s.i]
	}
	return s.space()
}

// space is Peek where white space, or the end, comes first.
func (s *Scanner) space() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// At returns the cursor's place: how many bytes have been passed.
func (s *Scanner) At() int { return s.i }

// End reports whether the document was valid and whole.
func (s *Scanner) End() bool { return s.Peek() == 0 && s.i == len(s.b) && !s.bad }

// Object steps into the object at the cursor. If there is another value, it is skipped and false returned.
func (s *Scanner) Object() bool { return s.enter('{') }

// Array steps into the array at the cursor. If there is another value, it is skipped and false returned.
func (s *Scanner) Array() bool { return s.enter('[') }

func (s *Scanner) enter(open byte) bool {
	if s.Peek() != open {
		s.Skip()
		return false
	}
	if s.depth == MaxDepth {
		s.fail()
		return false
	}
	s.i++
	s.depth++
	s.opening = true
	return true
}

// more steps to the next member of the open object or array, false at its end.
func (s *Scanner) more(closing byte) bool {
	c := s.Peek()
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
		c = s.Peek()
	}
	s.opening = false
	if c == 0 {
		s.fail()
	}
	return !s.bad
}

// Element steps to the next element of the open array; false at its end, which is consumed.
func (s *Scanner) Element() bool { return s.more(']') }

// Key steps to the value of the next member of the open object and returns the member's name, without its escapes; false
// at the object's end, which is consumed.
func (s *Scanner) Key() ([]byte, bool) {
	if !s.more('}') {
		return nil, false
	}
	if s.Peek() != '"' {
		s.fail()
		return nil, false
	}
	name, escaped := s.quoted()
	if s.Peek() != ':' {
		s.fail()
		return nil, false
	}
	s.i++
	if escaped && !s.bad {
		name = []byte(Unescape(name)) // nobody writes names so
	}
	return name, !s.bad
}

// Text returns what stands between the quotes of the string at the cursor, escapes and all. If there is another value,
// it is skipped and false returned.
func (s *Scanner) Text() ([]byte, bool) {
	if s.Peek() != '"' {
		s.Skip()
		return nil, false
	}
	raw, _ := s.quoted()
	return raw, !s.bad
}

// Value passes over the value at the cursor and returns it as it stands there; nil at a fault.
func (s *Scanner) Value() []byte {
	s.Peek()
	from := s.i
	s.Skip()
	if s.bad {
		return nil
	}
	return s.b[from:s.i]
}

// Count returns the whole, non-negative number at the cursor, as Whole reads it. If there is another value, it is
// skipped and false returned.
func (s *Scanner) Count() (int64, bool) {
	n, ok := Whole(s.Value())
	if !ok || n < 0 {
		return 0, false
	}
	return n, true
}

// Skip passes over the value at the cursor.
func (s *Scanner) Skip() {
	switch s.Peek() {
	case '{':
		s.Object()
		for _, ok := s.Key(); ok; _, ok = s.Key() {
			s.Skip()
		}
	case '[':
		s.Array()
		for s.Element() {
			s.Skip()
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

func (s *Scanner) literal(word string) {
	if rest := s.b[s.i:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
		s.i += len(word)
		return
	}
	for j := 0; s.i < len(s.b) && s.b[s.i] == word[j]; j++ {
		s.i++
	}
	s.fail()
}

// number passes over -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?.
func (s *Scanner) number() {
	s.accept("-")
	if !s.accept("0") && !s.digits() || s.accept(".") && !s.digits() {
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

// accept passes over one byte if it is of the set.
func (s *Scanner) accept(set string) bool {
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

func (s *Scanner) digits() bool {
	from := s.i
	for s.i < len(s.b) && s.b[s.i]-'0' <= 9 {
		s.i++
	}
	return s.i > from
}

// quoted passes over the string at the cursor, whose first quote was seen, and returns what stands between its quotes
// and whether that has escapes.
func (s *Scanner) quoted() (raw []byte, escaped bool) {
	s.i++
	n, escaped := TextLength(s.b[s.i:])
	if n < 0 {
		s.i += ^n
		s.fail()
		return nil, escaped
	}
	raw = s.b[s.i : s.i+n]
	s.i += n + 1
	return raw, escaped
}
