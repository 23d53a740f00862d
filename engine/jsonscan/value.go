// This file takes values apart without a cursor: whether b begins with one, and what an object or an array has in it.

package jsonscan

import (
	"errors"
	"iter"
)

// ErrShort says that a value is not whole, though its beginning is valid.
var ErrShort = errors.New("the JSON ends too early")

var errMalformed = errors.New("not valid JSON")

// Check returns the length of the JSON value that b begins with, and of the white space before it. Where b begins with
// none, the error is ErrShort if more bytes could make it one, else another one; n then is where the fault stands.
func Check(b []byte) (n int, err error) {
	s := New(b)
	s.Skip()
	switch {
	case !s.bad:
		return s.i, nil
	case s.fault >= len(b):
		return len(b), ErrShort
	default:
		return s.fault, errMalformed
	}
}

// Members yields an object's members in their order: the name, as Key returns it, and the value. A value that is not an
// object has none, and one that is not valid none from the fault on.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		s := New(object)
		if !s.Object() {
			return
		}
		for name, ok := s.Key(); ok; name, ok = s.Key() {
			if value := s.Value(); value == nil || !yield(name, value) {
				return
			}
		}
	}
}

// Elements yields an array's elements in their order. A value that is not an array has none, and one that is not valid
// none from the fault on.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s := New(array)
		if !s.Array() {
			return
		}
		for s.Element() {
			if value := s.Value(); value == nil || !yield(value) {
				return
			}
		}
	}
}
