// This file reads a file.

package runfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"tokdyno/engine/record"
)

// row is how many events a block of chunks has of a request.
type row struct{ id, events uint64 }

// Reader gives a run back, batch by batch.
type Reader struct {
	blocks  *blockReader
	header  Header
	words   words
	fine    []byte   // of the chunks that follow
	rows    []row    // scratch
	ending  []ending // likewise
	courses map[uint64]*course
	spare   []*course
	end     *End
	damage  error
	over    bool
}

// NewReader reads the header of a file. The error says in a sentence why it is none that can be read.
func NewReader(in io.Reader) (*Reader, error) {
	blocks, err := newBlockReader(in)
	if err != nil {
		return nil, err
	}
	r := &Reader{blocks: blocks, courses: make(map[uint64]*course)}
	if r.header, err = openHeader(blocks); err != nil {
		blocks.close()
		return nil, err
	}
	return r, nil
}

// openHeader reads a file up to its first batch.
func openHeader(blocks *blockReader) (h Header, err error) {
	magic := make([]byte, len(Magic))
	if _, err := io.ReadFull(blocks.in, magic); err != nil || string(magic) != Magic {
		return h, errors.New("it is not a run of tokdyno's")
	}
	blocks.at = int64(len(magic))
	kind, data, err := blocks.next()
	if err != nil || kind != blockHeader {
		return h, errors.New("it is damaged at its very beginning; nothing can be read of it")
	}
	return readHeader(data)
}

// ReadHeader reads nothing but a file's header.
func ReadHeader(in io.Reader) (Header, error) {
	blocks, err := newBlockReader(in)
	if err != nil {
		return Header{}, err
	}
	defer blocks.close()
	return openHeader(blocks)
}

// ReadEnd reads nothing but a file's end; nil where it has none, because the run goes on or the process was killed.
func ReadEnd(in io.ReaderAt, size int64) *End {
	tail := make([]byte, tailLength)
	if _, err := in.ReadAt(tail, size-tailLength); size < tailLength || err != nil {
		return nil
	}
	kind, at := firstBlock(bytes.NewReader(tail))
	if kind != blockTail || len(at) != 8 {
		return nil
	}
	from := int64(binary.LittleEndian.Uint64(at))
	if from <= 0 || from >= size {
		return nil
	}
	kind, text := firstBlock(io.NewSectionReader(in, from, size-tailLength-from))
	end := new(End)
	if kind != blockEnd || json.Unmarshal(text, end) != nil {
		return nil
	}
	return end
}

// firstBlock reads a block; 0 where there is none.
func firstBlock(in io.Reader) (blockType, []byte) {
	blocks, err := newBlockReader(in)
	if err != nil {
		return 0, nil
	}
	defer blocks.close()
	kind, data, err := blocks.next()
	if err != nil {
		return 0, nil
	}
	return kind, data
}

// Header is what the run was begun with.
func (r *Reader) Header() Header { return r.header }

// End is the last word of the run; nil where none was read, so far or because there is none.
func (r *Reader) End() *End { return r.end }

// Damage says in a sentence why the file ends before the run did; nil where it does not, or has not been read so far.
func (r *Reader) Damage() error { return r.damage }

// Close lets go of what the reader holds; whoever opened the file closes it.
func (r *Reader) Close() { r.blocks.close() }

// Next returns the next batch; io.EOF where there is no other one that is whole.
func (r *Reader) Next() (*Batch, error) {
	b := new(Batch)
	if err := r.Read(b); err != nil {
		return nil, err
	}
	return b, nil
}

// Read is Next into a batch that is no longer needed, whose memory it takes; see Batch.Keep.
func (r *Reader) Read(b *Batch) error {
	*b = Batch{Begun: b.Begun[:0], Doings: b.Doings[:0], Ended: b.Ended[:0], records: b.records}
	for !r.over {
		at := r.blocks.at
		kind, data, err := r.blocks.next()
		if err == nil {
			err = r.take(b, kind, data)
		}
		switch {
		case errors.Is(err, io.EOF):
			r.over = true
			if r.end == nil {
				r.damage = errNoEnd
			}
		case err != nil:
			r.over = true
			r.damage = damaged(at, err)
		case kind == blockTick:
			return nil
		}
	}
	return io.EOF
}

// take takes a block into a batch.
func (r *Reader) take(b *Batch, kind blockType, data []byte) (err error) {
	switch kind {
	case blockBegun:
		b.Begun, err = readBegun(data, b.Begun)
		for i := range b.Begun {
			begun, c := &b.Begun[i], r.another()
			*c = course{id: begun.ID, at: begun.Started, begun: *begun}
			r.courses[begun.ID] = c
		}
	case blockFine:
		r.fine = append(r.fine[:0], data...)
	case blockChunks:
		b.Doings, err = r.readChunks(data, b.Doings)
	case blockEnded:
		err = r.readEnded(data, b)
	case blockGaps:
		b.Gaps, err = readGaps(data)
	case blockEvent:
		var e Event
		err = json.Unmarshal(data, &e)
		b.Events = append(b.Events, e)
	case blockTick:
		if err = json.Unmarshal(data, &b.Tick); err == nil {
			err = b.ordered()
		}
	case blockEnd:
		r.end = new(End)
		if err = json.Unmarshal(data, r.end); err != nil {
			r.end = nil
		}
	}
	return err
}

// ordered checks that time goes forwards, and that events lie in it.
func (b *Batch) ordered() error {
	before := record.Instant(0)
	for _, f := range b.Tick.Folds {
		if f <= before {
			return errShort
		}
		before = f
	}
	for _, e := range b.Events {
		if e.After != nil && (*e.After < 0 || *e.After > len(b.Tick.Folds)) {
			return errShort
		}
	}
	return nil
}

// another is a course for a request that begins.
func (r *Reader) another() *course {
	n := len(r.spare) - 1
	if n < 0 {
		return new(course)
	}
	c := r.spare[n]
	r.spare = r.spare[:n]
	return c
}

// finish takes a request's course, which is over. It is whole until the next request begins.
func (r *Reader) finish(id uint64) (*course, bool) {
	c, ok := r.courses[id]
	if ok {
		delete(r.courses, id)
		r.spare = append(r.spare, c)
	}
	return c, ok
}

func (r *Reader) readChunks(data []byte, all []Doing) ([]Doing, error) {
	s, fine := source{rest: data}, source{rest: r.fine}
	r.fine = r.fine[:0]
	r.rows = append(r.rows[:0], make([]row, s.count(3))...)
	id := uint64(0)
	for i := range r.rows {
		id += uint64(s.int())
		r.rows[i].id = id
	}
	for i := range r.rows {
		r.rows[i].events = s.uint()
	}
	for i := range r.rows {
		c, ok := r.courses[r.rows[i].id]
		if !ok || s.err != nil {
			return nil, errShort
		}
		for _, low := range fine.bytes(r.rows[i].events) {
			if all = c.read(low, &s, all); len(all) > mostDoings || s.err != nil {
				return nil, errShort
			}
		}
	}
	return all, errors.Join(s.done(), fine.done())
}

// mostDoings is how many events a batch may have.
const mostDoings = 1 << 22
