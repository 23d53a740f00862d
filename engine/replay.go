// This file plays recorded arrivals.

package engine

import (
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
