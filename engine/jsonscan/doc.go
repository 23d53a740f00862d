// Package jsonscan reads JSON in place, checking it against the grammar of RFC 8259 as it goes, without allocations: the
// chunks of a stream, of which a handful of members matter, and the entries of data sets, which come by the gigabyte.
//
// The files:
//
//	number.go  reads numbers
//	scan.go    the scanner
//	text.go    reads what stands between the quotes of a string
//	value.go   takes values apart without a cursor: whether b begins with one, and what an object or an array has in
//	           it
//
// The way through it: A Scanner begins at a document's first byte; its owner steps into the members it knows and skips
// the rest; after End the document is known to be valid. Find and its kin take a value apart that was checked before.
package jsonscan
