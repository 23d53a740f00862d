// This file goes back to where a reader has been.

package runfile

import (
	"io"
)

// Mark is where a reader was, between two batches. It does not change, and a reader can go on from it again and again.
type Mark struct {
	at      int64
	header  Header
	words   []string
	courses map[uint64]course
}

// Mark is where the reader is, after a batch that it has just read.
func (r *Reader) Mark() *Mark {
	m := &Mark{at: r.blocks.at, header: r.header, words: r.words.list[:len(r.words.list):len(r.words.list)]}
	m.courses = make(map[uint64]course, len(r.courses))
	for id, c := range r.courses {
		m.courses[id] = *c
	}
	return m
}

// At is where in the file it is.
func (m *Mark) At() int64 { return m.at }

// Reader goes on from there; in begins there.
func (m *Mark) Reader(in io.Reader) (*Reader, error) {
	blocks, err := newBlockReader(in)
	if err != nil {
		return nil, err
	}
	blocks.at = m.at
	r := &Reader{blocks: blocks, header: m.header, words: words{list: m.words}, courses: make(map[uint64]*course, len(m.courses))}
	for id, c := range m.courses {
		r.courses[id] = &c
	}
	return r, nil
}
