// Package trace reads recorded arrivals of requests from files.
//
// Open goes through a file once and says what is in it; the events stay in the file and are streamed from it anew
// whenever they are wanted. So a trace may be far larger than memory.
//
// The files:
//
//	csv.go        reads lines of comma-separated values
//	cursor.go     streams events from a file
//	evidence.go   finds out from a file's data what its timestamps count and how many tokens its blocks have
//	format.go     the formats: their names, and how a file's first line tells which one it is
//	lookahead.go  puts events into the order of their times
//	mooncake.go   reads Mooncake's lines
//	open.go       goes through a file once, to learn what is in it
//	reading.go    how a file's numbers are to be read, where its format leaves that open
//	timetable.go  a trace as a timetable of arrivals
//	timestamp.go  reads the times of events
//	trace.go      a trace once it is open, and its events
//
// The way through it: Open goes through the file once for its span and count; a Cursor reads it again from the start,
// parses one line at a time (csv, mooncake, timestamp) and puts events in the order of their times (lookahead).
package trace
