// Package lines reads YAML files of lines such as "concurrency: 8", which people write: strictly, and with the place of each, so
// that whoever finds fault with a line can say where it is.
//
// The files:
//
//	lines.go  reads a file into its lines
//	meant.go  the known name that an unknown one was meant to be
//
// The way through it: Read takes a file's text; what its keys mean is the caller's affair, who says what is wrong by
// Place.Fault.
package lines
