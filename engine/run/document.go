// This file is what the forms of a report are made of.

package run

import (
	"iter"

	"tokdyno/engine/query"
	"tokdyno/engine/runfile"
	"tokdyno/engine/snapshot"
)

// Document is a run as the forms of its report have it. Everything in a form follows from what stands here.
type Document struct {
	Report *Report
	Last   *snapshot.Snapshot // the moment that Report is of
	Header runfile.Header     // of a run that is kept; else zero
	// Requests are those that ended, in any order, of a run that is kept. They may be gone through again. nil: they are not
	// at hand.
	Requests iter.Seq2[runfile.Request, error]
	// Source tells of single requests as the page of requests shows them; nil: they are not at hand.
	Source query.Source
	// Texts says that what requests said and were answered may be written: it was recorded because somebody asked for that.
	Texts bool
	// Warn is told in a sentence what the recording does not have of what a form would. nil: nobody wants to know.
	Warn func(sentence string)
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
