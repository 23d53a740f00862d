// Package units reads and writes the values that people type: times, shares, counts, numbers, and the words for on and off.
// Whatever is typed, into a flag, a preset file or the console, is read by it, so that it means the same everywhere.
//
// Case does not matter, nor does space around a value or before its unit. A comma before every three digits is taken:
// "1,024". What is written is read back as the same value. Errors are sentences that say what to write instead.
//
// The files:
//
//	clock.go  instants of a run, as a clock that began with it shows them
//	share.go  shares: parts of a whole, from 0 to 1
//	time.go   times, which always have a unit
//	units.go  counts, numbers, and the words for on and off
//
// The way through it: A text comes in from a flag, a file or the console; a value goes on, or a sentence that says what
// to write instead. The writing functions give texts that the reading ones take.
package units
