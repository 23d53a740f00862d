// Package form knows the forms in which the report of a run, or a comparison of runs, can be written, and writes it into files.
//
// The files:
//
//	file.go   writes a document into a file
//	form.go   the tables of forms
//	row.go    adds a row to a table
//	trace.go  writes a run as a trace: its requests by slot, and what its machines did meanwhile
//
// The way through it: a name, or the ending of a file's name, finds a Form in its Table; the Write of that, or Save, takes the document.
package form
