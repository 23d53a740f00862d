// This file reads the elements of a JSON array one by one.

package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"tokdyno/engine/jsonscan"
)

// place is what may come next in an array.
type place int

const (
	opening   place = iota // the array's "["
	first                  // an element or the array's end
	element                // an element
	separator              // a comma or the array's end
	closed                 // nothing
	lost                   // anything; the next "{" is taken for an element
)

// Element returns the next element of the array that the file consists of. One that is not valid JSON comes with a
// Fault and Lost, and the search goes on at the next "{" behind the fault: mostly that is the next element, but where
// the fault was in a nest of objects, it may be one of them. Nothing is read twice, so time is linear in the file's
// size whatever is in it. At the end of the file the error is io.EOF, otherwise the source's own.
func (r *Reader) Element() (Entry, error) {
	r.begin()
	for {
		c, err := r.peek()
		if err != nil {
			return r.endArray(err)
		}
		switch {
		case r.array == opening && c == '[':
			r.at, r.array = r.at+1, first
		case r.array == separator && c == ',':
			r.at, r.array = r.at+1, element
		case (r.array == first || r.array == separator) && c == ']':
			r.at, r.array = r.at+1, closed
		case (r.array == first || r.array == element) && c != ',' && c != ']', r.array == lost && c == '{':
			return r.takeElement()
		case r.array == lost:
			r.pass(max(1, r.until('{')))
		default:
			return r.fault(0, "%s there is something that does not belong there", r.whereabouts()), nil
		}
	}
}

// whereabouts says where in the array the reader is.
func (r *Reader) whereabouts() string {
	switch {
	case r.array == closed:
		return "behind the end of the array"
	case r.count == 0:
		return "at the beginning of the array"
	default:
		return "behind " + r.current().Where()
	}
}

// current is the entry of the element at the cursor, or the last one, without its bytes.
func (r *Reader) current() Entry {
	e := Entry{Line: r.line, Element: r.count, Offset: r.offset + int64(r.at)}
	if r.strayed {
		e.Element = 0
	}
	return e
}

// Where names an element within a sentence: "element 7 of the array".
func (e Entry) Where() string {
	if e.Element == 0 {
		return "an element of the array"
	}
	return fmt.Sprintf("element %d of the array", e.Element)
}

// takeElement hands out the element at the cursor.
func (r *Reader) takeElement() (Entry, error) {
	r.count++
	for {
		n, err := jsonscan.Check(r.buf[r.at:r.to])
		ended := r.at+n < r.to || r.err != nil // 12 at the window's end may be half of 1234
		switch {
		case n > r.limit && (err == nil || errors.Is(err, jsonscan.ErrShort)):
			return r.fault(n, "%s is longer than %d MiB", r.current().Where(), r.limit>>20), nil
		case err == nil && ended:
			e := r.current()
			e.Bytes = r.buf[r.at : r.at+n]
			if fault := CheckText(e.Bytes); fault != nil {
				e.Fault = fmt.Errorf("%s: %w", e.Where(), fault)
			}
			r.pass(n)
			r.array = separator
			return e, nil
		case err != nil && !errors.Is(err, jsonscan.ErrShort):
			return r.fault(n, "%s is not valid JSON at byte %d of the file", r.current().Where(), r.offset+int64(r.at+n)+1), nil
		case r.fill():
		case errors.Is(r.err, io.EOF):
			return r.fault(r.to-r.at, "the file ends within %s", r.current().Where()), nil
		default:
			return Entry{}, r.err
		}
	}
}

// fault passes over n bytes up to a fault and returns it.
func (r *Reader) fault(n int, format string, args ...any) Entry {
	r.pass(n)
	r.array, r.strayed = lost, true
	e := r.current()
	e.Fault, e.Lost = fmt.Errorf(format, args...), true
	return e
}

// endArray returns what the file's end means. After a fault nobody can tell whether the array has ended.
func (r *Reader) endArray(err error) (Entry, error) {
	if !errors.Is(err, io.EOF) || r.array == closed || r.strayed {
		return Entry{}, err
	}
	return r.fault(0, "the file ends before its array does"), nil
}

// peek returns the next byte that is not white space.
func (r *Reader) peek() (byte, error) {
	for {
		window := jsonscan.New(r.buf[r.at:r.to])
		window.Peek()
		r.pass(window.At())
		if r.at < r.to {
			return r.buf[r.at], nil
		}
		if !r.fill() {
			return 0, r.err
		}
	}
}

// until returns how far it is to the next c, or to the window's end.
func (r *Reader) until(c byte) int {
	n := bytes.IndexByte(r.buf[r.at:r.to], c)
	if n < 0 {
		return r.to - r.at
	}
	return n
}

// pass passes over n bytes of the window.
func (r *Reader) pass(n int) {
	r.line += bytes.Count(r.buf[r.at:r.at+n], []byte("\n"))
	r.at += n
}
