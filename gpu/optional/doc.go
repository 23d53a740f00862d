// Package optional has values that may be unknown: a figure, or the reason why there is none. Nothing unknown is ever 0.
//
// The files:
//
//	optional.go  a value that may be unknown
//
// The way through it: A reading becomes Of(v) where it is made, or NA(reason); whoever shows it asks OK and writes Why
// where it is not.
package optional
