// Package journal is the Log page: what happened in the run, in order, and what failed, by kind.
//
// The files:
//
//	errors.go  draws the failures by kind: how many, when, and what the first of them said
//	events.go  draws what happened, a sentence each
//	find.go    is the filter
//	page.go    is the page: its keys and its parts
//
// The way through it: See looks which of the Snapshot's events the filter keeps; the panels draw those, and the Snapshot's
// problems.
package journal
