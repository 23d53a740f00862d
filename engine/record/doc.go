// Package record holds what is known of one request, and the figures that follow from it.
//
// Everything here is a value: no clock, no network. A Record is filled by the code that runs the request and is not
// changed after its Outcome is set.
//
// The files:
//
//	arrivals.go  how the chunks of an answer came: one by one, or many at a time
//	instant.go   the monotonic clock, and instants on it
//	line.go      a record's form as a line of JSON
//	observer.go  what a running request tells while it runs
//	record.go    the record of one request, and the figures that follow from it
//
// The way through it: The client fills a Record while it reads an answer and tells an Observer of each token event;
// when the Outcome is set the record is closed, and the figures of a request (TTFT, TPOT, E2EL) follow from its
// instants. Line is its form in a file.
package record
