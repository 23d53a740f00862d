// Package filetest writes the files that tests of data sets and traces read.
//
// The files:
//
//	filetest.go  writes files for tests
package filetest
