// This file plays recorded arrivals.

package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"tokdyno/engine/load"
	"tokdyno/engine/shape/trace"
)

// Replay makes a timetable of a trace, whose events a replay then asks for.
func Replay(t *trace.Trace) load.Timetable { return timetable{t} }

// timetable is a trace as the load knows it.
type timetable struct{ *trace.Trace }

// Entries begins at the first event.
func (t timetable) Entries() (load.Entries, error) { return entries{t.Events()}, nil }

type entries struct{ *trace.Cursor }

// Next hands out the next event as what the request is to be.
func (e entries) Next() (load.Entry, bool, error) {
	event, ok, err := e.Cursor.Next()
	return load.Entry{At: event.At, Work: event}, ok, err
}

// ShapeHash is the hash of what requests ask for: Shape.Hash, or, of a replay, one of the recording and of what of the
// shape counts beside it. Runs with different ones don't compare.
func (k Knobs) ShapeHash() string {
	t, ok := k.Load.Timetable.(interface{ Hash() string })
	if k.Load.Mode != load.Replay || !ok {
		return k.Shape.Hash()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "replay 1\n%s\n%s\n", t.Hash(), k.Shape.Hash()))
	return hex.EncodeToString(sum[:6])
}
