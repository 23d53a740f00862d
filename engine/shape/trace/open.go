// This file goes through a file once, to learn what is in it.

package trace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"tokdyno/engine/shape/lines"
)

// Open opens a trace. With the format "", the first line decides; what the reading leaves open, the data do. Where they
// can't, the error asks.
//
// The file is read from end to end, in constant memory, once or, where the data have another unit than the format is
// documented with, twice. A line that cannot be used (not valid JSON, a column missing, a time or length that is none or
// out of range, longer than 16 MiB) is skipped and counted; see Skipped. A file without any event is an error that names the
// first bad line and what is wrong with it; so is one of no known format, and one that cannot be read.
func Open(path string, format Format, reading Reading) (*Trace, error) {
	t := &Trace{path: path, name: filepath.Base(path)}
	var seen evidence
	s, err := t.pass(format, reading, &seen)
	if err == nil && s.format == Mooncake {
		s, err = t.settle(s, reading, &seen)
	} else if err == nil {
		t.reading = reading.over(s.format.documented())
	}
	if err != nil {
		return nil, err
	}
	t.format, t.skipped, t.unanswered, t.clamped = s.format, s.skipped, s.unanswered, s.clock.clamped
	switch {
	case t.events > 0:
		return t, nil
	case s.skipped.Count > 0:
		return nil, fmt.Errorf("trace %s has no request that can be used: %v", path, s.skipped.First[0])
	case s.unanswered > 0:
		return nil, fmt.Errorf("trace %s has no request that got an answer", path)
	default:
		return nil, fmt.Errorf("trace %s has no request in it", path)
	}
}

// settle completes a reading by what a pass has seen. Where that is another unit than the pass has read, the file is read
// again: times that were out of range then may not be now.
func (t *Trace) settle(s *stream, r Reading, seen *evidence) (_ *stream, err error) {
	had := r.over(Mooncake.documented()).Unit
	if r.Unit == 0 {
		r.Unit, err = seen.unit()
	}
	if err == nil && r.Unit != had {
		*seen = evidence{}
		if s, err = t.pass(Mooncake, r, seen); err != nil {
			return nil, err
		}
	}
	if err == nil && r.Block == 0 {
		r.Block, err = seen.block(Mooncake.documented().Block)
	}
	if err != nil {
		return nil, fmt.Errorf("trace %s leaves open what its numbers mean: %w", t.path, err)
	}
	t.reading = r
	return s, nil
}

// pass reads the file from end to end, and returns what it came from.
func (t *Trace) pass(format Format, reading Reading, seen *evidence) (*stream, error) {
	file, info, err := lines.Open("trace", t.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	hash := sha256.New()
	s := newStream(io.TeeReader(file, hash), format, reading, seen)
	t.info, t.events, t.duration = info, 0, 0
	for err == nil {
		var e Event
		if e, err = s.next(); err == nil {
			t.events++
			t.duration = e.At
		}
	}
	wrong := formatError{}
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("trace %s cannot be read: %w", t.path, wrong)
	case !errors.Is(err, io.EOF):
		return nil, lines.CannotRead("trace", t.path, err)
	}
	t.hash = hash.Sum(nil)
	return s, nil
}
