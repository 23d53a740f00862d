// This file is what the forms of a report are made of.

package run

import (
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// Document is a run as the forms of its report have it. Everything in a form follows from what stands here.
type Document struct {
	Report *Report
	Last   *snapshot.Snapshot // the moment that Report is of
	// Requests hands out the requests that ended, one by one and in that order, until each returns an error, which it then
	// returns. nil: they are not at hand.
	Requests func(each func(*record.Record) error) error
}

// NewDocument is that of a run by a snapshot, as NewReport is; requests are not at hand. What an autopilot's way says beside
// its result is among the notes.
func NewDocument(last *snapshot.Snapshot, version string) *Document {
	r := NewReport(last, version)
	if remark := r.Sweep.Remark(); remark != "" {
		r.Notes = append(r.Notes, remark)
	}
	return &Document{Report: r, Last: last}
}
