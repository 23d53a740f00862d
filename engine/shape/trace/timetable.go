// This file is a trace as a timetable of arrivals.

package trace

import (
	"tokdyno/engine/load"
)

// Timetable is a trace as arrivals: when each request is due, and what it then asks for.
func (t *Trace) Timetable() load.Timetable { return timetable{t} }

// timetable is a trace as the load knows it.
type timetable struct{ *Trace }

// Entries begins at the first event.
func (t timetable) Entries() (load.Entries, error) { return entries{t.Events()}, nil }

type entries struct{ *Cursor }

// Next hands out the next event as what the request is to be.
func (e entries) Next() (load.Entry, bool, error) {
	event, ok, err := e.Cursor.Next()
	return load.Entry{At: event.At, Work: event}, ok, err
}
