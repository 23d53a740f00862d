// Package form knows the forms in which the report of a run can be written, and writes it into files.
//
// The files:
//
//	file.go   writes a file in one piece, so that nobody finds half of it
//	form.go   the table of forms
//	row.go    adds a row to a table
//	trace.go  writes a run as a trace: its requests by slot, and what its machines did meanwhile
//
// The way through it: a name, or the ending of a file's name, finds a Form; its Write, or Save, takes the run.Document.
package form
