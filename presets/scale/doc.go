// Package scale holds the scales along which settings are turned: fine enough to feel continuous, and always on a number
// worth naming.
//
// The files:
//
//	scale.go  the scales
//
// The way through it: A value goes in, the next worth naming comes out.
package scale
