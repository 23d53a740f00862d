// Package golden compares what tests draw with what was looked at and found good.
//
// The files:
//
//	golden.go  compares with golden files and with pages of the documentation, and writes them anew with -update
package golden
