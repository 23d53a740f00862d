// Package textfile reads files that a person may have written with an editor, as what the person wrote: without the byte
// order mark that some editors put in front, and UTF-16, which others save, as UTF-8.
//
// The files:
//
//	textfile.go  reads files
//
// The way through it: New wraps a file that is read piece by piece, Read takes one whole. Files that are read at offsets,
// as data sets are, take off Mark themselves.
package textfile
