// This file reads a file line by line.

package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"tokdyno/engine/textfile"
)

// MaxBytes is the longest line, and the longest element of an array, that is read: 16 MiB. A longer one is passed over.
const MaxBytes = 16 << 20

const firstWindow = 64 << 10 // it grows for longer entries

// Entry is one line, or one element of an array. Bytes are valid until the reader's next call.
type Entry struct {
	Bytes   []byte // without the line's ending; what cannot be used may be missing
	Line    int    // where it stands, from 1; for a fault within an element, where that stands
	Element int    // which of the array's elements, from 1; 0: it is a line, or nobody can tell after a fault
	Offset  int64  // of its first byte in the file
	Fault   error  // why it cannot be used; nil: nothing is known against it
	Lost    bool   // with Fault: the reader lost its place, so entries up to the next good one may be pieces of this one
}

// Reader reads a file's entries, by Line or by Element; the two are not to be mixed. It takes a byte order mark off the
// file's beginning.
type Reader struct {
	src    io.Reader
	limit  int // MaxBytes
	buf    []byte
	at, to int   // buf[at:to] has been read, but not been handed out
	offset int64 // of buf[0] in the file
	line   int   // in which buf[at] stands
	err    error // of the source
	begun  bool

	array   place // in the array
	strayed bool  // there was a fault in it
	count   int   // elements so far
}

// NewReader returns a reader of r's entries. It reads to r's end, however r's entries turn out.
func NewReader(r io.Reader) *Reader {
	return &Reader{src: r, limit: MaxBytes, buf: make([]byte, firstWindow), line: 1}
}

// Head returns the file's beginning, up to 64 KiB of it, for whoever wants to know what it is. It takes nothing from what
// Line and Element hand out.
func (r *Reader) Head() []byte {
	r.begin()
	return r.buf[r.at:r.to]
}

// Line returns the next line without its "\n" or "\r\n"; blank lines too. The last line needs no ending. At the end of
// the file the error is io.EOF, otherwise the source's own.
func (r *Reader) Line() (Entry, error) {
	r.begin()
	scanned := 0
	for {
		if n := bytes.IndexByte(r.buf[r.at+scanned:r.to], '\n'); n >= 0 {
			return r.takeLine(scanned+n, 1), nil
		}
		scanned = r.to - r.at
		if scanned > r.limit {
			return r.passLine()
		}
		if r.fill() {
			continue
		}
		if scanned == 0 || !errors.Is(r.err, io.EOF) {
			return Entry{}, r.err
		}
		return r.takeLine(scanned, 0), nil
	}
}

// takeLine hands out a line of n bytes with an ending of so many.
func (r *Reader) takeLine(n, ending int) Entry {
	e := Entry{Bytes: r.buf[r.at : r.at+n], Line: r.line, Offset: r.offset + int64(r.at)}
	r.at += n + ending
	r.line++
	e.Bytes = bytes.TrimSuffix(e.Bytes, []byte("\r"))
	if n > r.limit {
		e.Bytes, e.Fault = nil, r.tooLong()
	} else {
		e.Fault = checkText(e.Bytes)
	}
	return e
}

func (r *Reader) tooLong() error { return fmt.Errorf("the line is longer than %d MiB", r.limit>>20) }

// passLine passes over a line that is too long.
func (r *Reader) passLine() (Entry, error) {
	e := Entry{Line: r.line, Offset: r.offset + int64(r.at), Fault: r.tooLong()}
	r.line++
	for {
		if n := bytes.IndexByte(r.buf[r.at:r.to], '\n'); n >= 0 {
			r.at += n + 1
			return e, nil
		}
		r.at = r.to
		if !r.fill() {
			if errors.Is(r.err, io.EOF) {
				return e, nil
			}
			return Entry{}, r.err
		}
	}
}

// checkText returns what makes b unfit to be text, nil for nothing.
func checkText(b []byte) error {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return fmt.Errorf("byte %d is a NUL, which no text has", n+1)
	}
	if utf8.Valid(b) {
		return nil
	}
	n := 0
	for n < len(b) {
		c, size := utf8.DecodeRune(b[n:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return fmt.Errorf("byte %d is not valid UTF-8", n+1)
}

// begin reads the first window, and takes the byte order mark off.
func (r *Reader) begin() {
	if r.begun {
		return
	}
	r.begun = true
	r.fill()
	if bytes.HasPrefix(r.buf[:r.to], []byte(textfile.Mark)) {
		r.at = len(textfile.Mark)
	}
}

// fill reads more behind what is there, which may move in buf. It returns false where nothing came, and why is in err.
func (r *Reader) fill() bool {
	if r.err != nil {
		return false
	}
	r.offset += int64(r.at)
	r.to = copy(r.buf, r.buf[r.at:r.to])
	r.at = 0
	if r.to == len(r.buf) {
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	var n int
	n, r.err = io.ReadFull(r.src, r.buf[r.to:])
	if errors.Is(r.err, io.ErrUnexpectedEOF) {
		r.err = io.EOF
	}
	r.to += n
	return n > 0
}

// Offset returns how many bytes of the file were handed out or passed over; at its end that is the file's size.
func (r *Reader) Offset() int64 { return r.offset + int64(r.at) }
