// Package lines reads the large files of data sets and traces without holding them: line by line, or one element of a
// JSON array after the other. Whatever is wrong with an entry is a sentence beside its line number, and the next entry is
// read as if nothing had been.
//
// The files:
//
//	elements.go  reads the elements of a JSON array one by one
//	json.go      says what is wrong with a line that ought to be a JSON object
//	lines.go     reads a file line by line
//	open.go      opens files that people name, and says what is wrong with them
//	skipped.go   keeps account of what could not be used
//
// The way through it: Open hands out a reader of lines, or of the elements of a JSON array; each comes with its number;
// what is wrong with one is a sentence in Skipped, and the next is read.
package lines
