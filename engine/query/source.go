// This file is who answers: a run, or a recording of one.

package query

import "tokdyno/engine/stats"

// Source knows the requests of a run. Its methods may be called from anywhere; they may take a while.
type Source interface {
	// Requests answers a query.
	Requests(q Query) *View
	// EachRequest tells of every request that ended and that a query keeps, in order, up to the first error.
	EachRequest(q Query, tell func(*Row) error) error
	// OpenRequest returns all that is known of a request; false where it is no longer, or not yet, kept whole.
	OpenRequest(id uint64) (stats.Opened, bool)
}
