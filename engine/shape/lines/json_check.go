// This file checks JSON against its grammar, without allocations.

package lines

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// maxDepth bounds nesting, so that hostile input cannot grow the stack. Real entries nest five deep.
const maxDepth = 1000

// ErrShort says that a value is not whole, though its beginning is valid.
var ErrShort = errors.New("the JSON ends too early; a whole object has to stand on one line")

var errMalformed = errors.New("not valid JSON")

// Check returns the length of the JSON value that b begins with. Where b begins with none, the error is ErrShort if
// more bytes could make it one, else another one; n then is where the fault stands.
func Check(b []byte) (n int, err error) {
	c := checker{b: b}
	switch {
	case c.value(0):
		return c.i, nil
	case c.i >= len(b):
		return len(b), ErrShort
	default:
		return c.i, errMalformed
	}
}

// CheckLine returns nil where b is one JSON object and nothing else (RFC 8259), but for white space around it.
func CheckLine(b []byte) error {
	c := checker{b: b}
	if c.peek() != '{' {
		return errors.New("not a JSON object")
	}
	n, err := Check(b)
	switch {
	case errors.Is(err, ErrShort):
		return err
	case err != nil:
		return fmt.Errorf("%w at byte %d", err, n+1)
	}
	c.i = n
	if c.peek(); c.i < len(b) {
		return fmt.Errorf("something follows its JSON at byte %d", c.i+1)
	}
	return nil
}

// checker walks JSON. Every method returns false at a fault and leaves i there; at the end of b if that is the fault.
type checker struct {
	b []byte
	i int
}

// peek returns the next byte that is not white space; 0 at the end.
func (c *checker) peek() byte {
	for ; c.i < len(c.b); c.i++ {
		switch b := c.b[c.i]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

func (c *checker) value(depth int) bool {
	switch c.peek() {
	case '{':
		return c.list('}', depth+1)
	case '[':
		return c.list(']', depth+1)
	case '"':
		return c.text()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	default:
		return c.number()
	}
}

// list passes over an object, whose end is "}", or an array.
func (c *checker) list(end byte, depth int) bool {
	if depth > maxDepth {
		return false
	}
	c.i++
	if c.peek() == end {
		c.i++
		return true
	}
	for (end == ']' || c.name()) && c.value(depth) {
		switch c.peek() {
		case end:
			c.i++
			return true
		case ',':
			c.i++
		default:
			return false
		}
	}
	return false
}

// name passes over a member's name and the colon.
func (c *checker) name() bool {
	if c.peek() != '"' || !c.text() || c.peek() != ':' {
		return false
	}
	c.i++
	return true
}

func (c *checker) text() bool {
	c.i++
	for {
		c.i += plain(c.b[c.i:])
		if c.i >= len(c.b) {
			return false
		}
		switch c.b[c.i] {
		case '"':
			c.i++
			return true
		case '\\':
			if !c.escape() {
				return false
			}
			c.i++
		default:
			return false
		}
	}
}

// plain returns how many bytes b begins with that have no meaning within a string: none is a quote, a backslash or a
// control character. It takes eight at a time: in a byte that is 0 once it is xored with what is sought, and in one
// below a space, subtraction borrows from the highest bit. The lowest bit that is found is always right.
func plain(b []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; n+8 <= len(b); n += 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		quotes, slashes := w^ones*'"', w^ones*'\\'
		found := ((w-ones*' ')&^w | (quotes-ones)&^quotes | (slashes-ones)&^slashes) & highs
		if found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	for n < len(b) && b[n] >= ' ' && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}

// escape stops at the escape's last byte.
func (c *checker) escape() bool {
	c.i++
	if c.i >= len(c.b) {
		return false
	}
	switch c.b[c.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			c.i++
			if c.i >= len(c.b) || !hex(c.b[c.i]) {
				return false
			}
		}
		return true
	}
	return false
}

func hex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f'
}

func (c *checker) word(w string) bool {
	for j := range len(w) {
		if c.i >= len(c.b) || c.b[c.i] != w[j] {
			return false
		}
		c.i++
	}
	return true
}

func (c *checker) number() bool {
	c.skip("-")
	if !c.skip("0") && !c.digits() {
		return false
	}
	if c.skip(".") && !c.digits() {
		return false
	}
	if c.skip("eE") {
		c.skip("+-")
		return c.digits()
	}
	return true
}

// skip passes over one byte if it is of the set.
func (c *checker) skip(set string) bool {
	for j := range len(set) {
		if c.i < len(c.b) && c.b[c.i] == set[j] {
			c.i++
			return true
		}
	}
	return false
}

func (c *checker) digits() bool {
	from := c.i
	for c.i < len(c.b) && '0' <= c.b[c.i] && c.b[c.i] <= '9' {
		c.i++
	}
	return c.i > from
}
