// Bytes to lines, each with the instant at which it was complete.

package wire

import (
	"bytes"
	"errors"

	"tokdyno/engine/wire/poll"
)

const (
	firstLineBuffer = 2 << 10  // holds several ordinary chunks
	fullLineBuffer  = 16 << 10 // where reads bring as much as there is room for
	maxLine         = 16 << 20 // of one line, and of one event
	maxEventLines   = 64 << 10 // data lines that wait for the rest of their event
)

// ErrLineTooLong says that a stream has a line, or an event, of more than 16 MiB, or an event of more than 65,536 lines.
var ErrLineTooLong = errors.New("the stream has a line longer than 16 MiB, or an event without end")

// byteOrderMark may stand before a text in UTF-8, and is not of it.
var byteOrderMark = []byte("\xef\xbb\xbf")

// source is where a stream's bytes come from. The stamp is that of the last of the n bytes; n bytes are valid whatever
// err says.
type source interface {
	read(p []byte) (n int, s stamp, err error)
}

// lineReader splits a stream into lines at "\n", "\r\n" and "\r", and nowhere else. It does not wait for the byte
// after a "\r" to hand out the line before it.
type lineReader struct {
	src             source
	buf             []byte
	start, scan, to int   // the unfinished line begins at start, has no terminator before scan; data end at to
	lf              int   // there is no "\n" from scan to before lf
	stamp           stamp // of the latest read
	skipLF          bool
	full            bool // the latest read brought about as much as there was room for
	begun           bool // the byte order mark, if any, has been dealt with
	err             error
}

// reset makes the reader read src from its beginning, keeping the buffer.
func (l *lineReader) reset(src source) { *l = lineReader{src: src, buf: l.buf} }

// next returns the next line without its terminator, and the stamp of the read that completed it. The line is valid
// until the next call. A last line without terminator is a line too. At the end it returns io.EOF or the source's
// error, or ErrLineTooLong; poll.ErrWait when there is no line for now.
func (l *lineReader) next() ([]byte, stamp, error) {
	for {
		if line, ok := l.buffered(); ok {
			return line, l.stamp, nil
		}
		if l.err != nil {
			if l.start < l.to {
				line := l.buf[l.start:l.to]
				l.start, l.scan = l.to, l.to
				return l.first(line), l.stamp, nil
			}
			return nil, l.stamp, l.err
		}
		if l.to-l.start >= maxLine {
			l.start, l.to, l.err = 0, 0, ErrLineTooLong // and no more is read
			return nil, l.stamp, l.err
		}
		if !l.fill() {
			return nil, l.stamp, poll.ErrWait
		}
	}
}

// buffered returns the next line if all of it has arrived.
func (l *lineReader) buffered() ([]byte, bool) {
	if l.skipLF && l.start < l.to {
		l.skipLF = false
		if l.buf[l.start] == '\n' {
			l.start++
			l.scan = l.start
		}
	}
	l.lf = max(l.lf, l.scan) // kept, for a text whose lines end in "\r" may have its next "\n" megabytes ahead
	if n := bytes.IndexByte(l.buf[l.lf:l.to], '\n'); n >= 0 {
		l.lf += n
	} else {
		l.lf = l.to
	}
	n := l.lf - l.scan
	if r := bytes.IndexByte(l.buf[l.scan:l.lf], '\r'); r >= 0 {
		n = r
		l.skipLF = true
	} else if l.lf == l.to {
		l.scan = l.to
		return nil, false
	}
	line := l.buf[l.start : l.scan+n]
	l.start = l.scan + n + 1
	l.scan = l.start
	return l.first(line), true
}

// first takes a byte order mark off the first line.
func (l *lineReader) first(line []byte) []byte {
	if !l.begun {
		l.begun = true
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	return line
}

// fill reads once, after making room; false: there is nothing for now.
func (l *lineReader) fill() bool {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.to])
		l.to -= l.start
		l.scan -= l.start
		l.lf = max(l.lf-l.start, 0)
		l.start = 0
	}
	if l.to == len(l.buf) || l.full && len(l.buf) < fullLineBuffer {
		grown := make([]byte, max(firstLineBuffer, 2*len(l.buf)))
		copy(grown, l.buf)
		l.buf = grown
	}
	room := len(l.buf) - l.to
	n, s, err := l.src.read(l.buf[l.to:])
	if err == poll.ErrWait {
		return false
	}
	l.to += n
	l.full = n > room/2 // less than half of what is read may be its frame
	l.err = err
	if n > 0 {
		l.stamp = s
	}
	return true
}
