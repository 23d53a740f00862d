// This file goes through a file once, to learn what is in it.

package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"tokdyno/engine/shape/lines"
)

// Open opens a trace. With the format "", the first line decides.
//
// The file is read once from end to end, in constant memory. A line that cannot be used (not valid JSON, a column
// missing, a time or length that is none or out of range, longer than 16 MiB) is skipped and counted; see Skipped. A
// file without any event is an error that names the first bad line and what is wrong with it; so is one of no known
// format, and one that cannot be read.
func Open(path string, format Format) (*Trace, error) {
	file, info, err := lines.Open("trace", path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	hash := sha256.New()
	s := newStream(io.TeeReader(file, hash), format, false)
	t := &Trace{path: path, info: info, name: filepath.Base(path)}
	for err == nil {
		var e Event
		if e, err = s.next(); err == nil {
			t.add(e)
		}
	}
	wrong := formatError{}
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("trace %s cannot be read: %w", path, wrong)
	case !errors.Is(err, io.EOF):
		return nil, lines.CannotRead("trace", path, err)
	case t.events > 0:
		t.hash = hex.EncodeToString(hash.Sum(nil)[:6])
		t.format, t.skipped, t.unanswered, t.clamped = s.format, s.skipped, s.unanswered, s.clock.clamped
		return t, nil
	case s.skipped.Count > 0:
		return nil, fmt.Errorf("trace %s has no request that can be used: %v", path, s.skipped.First[0])
	case s.unanswered > 0:
		return nil, fmt.Errorf("trace %s has no request that got an answer", path)
	default:
		return nil, fmt.Errorf("trace %s has no request in it", path)
	}
}

// add counts an event in.
func (t *Trace) add(e Event) {
	t.events++
	t.duration = e.At
}
