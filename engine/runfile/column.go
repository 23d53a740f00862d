// This file writes and reads integers and strings of a payload.

package runfile

import (
	"encoding/binary"
	"errors"
)

// payload is one that is being written.
type payload []byte

func (p *payload) uint(v uint64) { *p = binary.AppendUvarint(*p, v) }

// int writes small numbers of either sign in few bytes.
func (p *payload) int(v int64) { *p = binary.AppendVarint(*p, v) }

func (p *payload) string(s string) {
	p.uint(uint64(len(s)))
	*p = append(*p, s...)
}

// errShort says that a payload does not hold what it should, although it checks: it was written by something else.
var errShort = errors.New("a block does not hold what it should")

// source is a payload that is being read. Once something is not there, everything is 0 and err says so.
type source struct {
	rest []byte
	err  error
}

func (s *source) uint() uint64 {
	v, n := binary.Uvarint(s.rest)
	return took(s, v, n)
}

func (s *source) int() int64 {
	v, n := binary.Varint(s.rest)
	return took(s, v, n)
}

func took[T uint64 | int64](s *source, v T, n int) T {
	if n <= 0 {
		s.fail()
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

func (s *source) fail() { s.rest, s.err = nil, errShort }

func (s *source) bytes(n uint64) []byte {
	if n > uint64(len(s.rest)) {
		s.fail()
		return nil
	}
	b := s.rest[:n]
	s.rest = s.rest[n:]
	return b
}

// count is a number of things, each of which takes so many bytes at least.
func (s *source) count(each int) int {
	n := s.uint()
	if n > uint64(len(s.rest)/each) {
		s.fail()
		return 0
	}
	return int(n)
}

// done is the error, also where something is left over.
func (s *source) done() error {
	if s.err == nil && len(s.rest) > 0 {
		return errShort
	}
	return s.err
}

// words is a dictionary that writer and reader fill alike, over the whole file: what was said before is a number. It ends
// growing where texts repeat so little that it is of no use.
type words struct {
	known map[string]uint64 // of a writer
	list  []string          // of a reader
}

const (
	mostWords   = 4096
	longestWord = 1 << 16
)

func (w *words) write(p *payload, s string) {
	if len(s) > longestWord {
		s = s[:longestWord]
	}
	if w.known == nil {
		w.known = map[string]uint64{"": 0}
	}
	if i, ok := w.known[s]; ok {
		p.uint(i)
		return
	}
	n := uint64(len(w.known))
	p.uint(n) // the first number that is not taken: a text follows
	p.string(s)
	if n < mostWords {
		w.known[s] = n
	}
}

func (w *words) read(s *source) string {
	if w.list == nil {
		w.list = []string{""}
	}
	i := s.uint()
	switch {
	case i < uint64(len(w.list)):
		return w.list[i]
	case i > uint64(len(w.list)):
		s.fail()
		return ""
	}
	n := s.uint()
	if n > longestWord {
		s.fail()
		return ""
	}
	word := string(s.bytes(n))
	if len(w.list) < mostWords {
		w.list = append(w.list, word)
	}
	return word
}
