// This file streams events from a file.

package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"tokdyno/engine/shape/lines"
)

// Cursor hands out a trace's events in the order of their times. It belongs to one goroutine.
type Cursor struct {
	trace  *Trace
	file   *os.File // nil: not opened yet, or closed
	stream *stream  // nil: not opened yet
	handed int
	ended  error // what Next returns from now on; io.EOF: nothing
}

// Events returns a cursor at the trace's first event. Each has the file open for itself, from the first Next until its
// end or Close.
func (t *Trace) Events() *Cursor { return &Cursor{trace: t} }

// Next returns the next event; false at the trace's end, after Close, and with an error. The error is a sentence with
// the file's name: it was changed since Open, or cannot be read any more. Once there was one, it stays.
func (c *Cursor) Next() (Event, bool, error) {
	if c.ended == nil && c.stream == nil {
		c.ended = c.open()
	}
	if c.ended == nil {
		e, err := c.stream.next()
		if err == nil {
			c.handed++
			return e, true, nil
		}
		c.ended = c.end(err)
		_ = c.Close()
	}
	if errors.Is(c.ended, io.EOF) {
		return Event{}, false, nil
	}
	return Event{}, false, c.ended
}

// Close closes the file. It may be called more than once.
func (c *Cursor) Close() error {
	if c.ended == nil {
		c.ended = io.EOF
	}
	if c.file == nil {
		return nil
	}
	file := c.file
	c.file = nil
	return file.Close()
}

// open opens the file, if it is the one that Open saw.
func (c *Cursor) open() error {
	file, info, err := lines.Open("trace", c.trace.path)
	if err != nil {
		return err
	}
	was := c.trace.info
	if info.Size() != was.Size() || !info.ModTime().Equal(was.ModTime()) {
		_ = file.Close() // it was only read
		return c.changed()
	}
	c.file = file
	c.stream = newStream(file, c.trace.format, c.trace.reading, nil)
	return nil
}

// end says what the stream's end means.
func (c *Cursor) end(err error) error {
	switch {
	case !errors.Is(err, io.EOF):
		return lines.CannotRead("trace", c.trace.path, err)
	case c.handed != c.trace.events:
		return c.changed()
	default:
		return io.EOF
	}
}

func (c *Cursor) changed() error {
	return fmt.Errorf("trace %s was changed since it was opened; open it again", c.trace.path)
}

// stream makes events of a file's lines.
type stream struct {
	lines      *lines.Reader
	format     Format // "" until the first line has told
	reading    Reading
	seen       *evidence // takes in what tells the reading, and blocks are left out; nil: they are not
	decoder    decoder
	queue      queue
	clock      clock
	skipped    Skipped
	unanswered int
	ended      error
}

func newStream(r io.Reader, format Format, reading Reading, seen *evidence) *stream {
	return &stream{lines: lines.NewReader(r), format: format, reading: reading, seen: seen}
}

// next returns the next event. At the end the error is io.EOF, otherwise that of reading, or a formatError.
func (s *stream) next() (Event, error) {
	for s.ended == nil && s.queue.len() < lookAhead {
		s.ended = s.read()
	}
	if s.ended != nil && (!errors.Is(s.ended, io.EOF) || s.queue.len() == 0) {
		return Event{}, s.ended
	}
	e := s.queue.take()
	e.At = s.clock.read(e.At)
	return e, nil
}

// formatError says that a file's format is not known, or not the one it should be.
type formatError struct{ why string }

func (e formatError) Error() string { return e.why }

// read puts the event of the next line into the queue, if it has one.
func (s *stream) read() error {
	entry, err := s.lines.Line()
	if err != nil {
		return err
	}
	if entry.Fault == nil && len(bytes.TrimSpace(entry.Bytes)) == 0 {
		return nil
	}
	err = entry.Fault
	if err == nil && s.decoder == nil {
		var header bool
		if s.decoder, s.format, header, err = newDecoder(s.format, s.reading, entry.Bytes, s.seen); err != nil {
			return formatError{err.Error()}
		}
		if header {
			return nil
		}
	}
	var e Event
	if err == nil {
		e, err = s.decoder.event(entry.Bytes)
	}
	switch {
	case err == nil:
		s.queue.put(e)
	case errors.Is(err, errUnanswered):
		s.unanswered++
	default:
		s.skipped.Add(entry.Line, err)
	}
	return nil
}
