// Package stages is the Stages page: every load so far in a row, and two of them held against each other.
//
// The files:
//
//	noise.go      finds out what can be said of the differences between two stages: from what was measured of each,
//	              beside the console, and only when something has changed
//	page.go       the Stages page: every load so far in a row, and two of them held against each other
//	pair.go       draws stage A against stage B: every figure of both, and how far they are apart
//	table.go      draws the table of stages: its columns, and which of them a narrow screen does without
//	telemetry.go  adds to the table of stages, and to the comparison of two, what accelerators and the server showed
//
// The way through it: See has the differences of the marked pair computed beside the console; the table and the
// comparison draw the Snapshot's stages.
package stages
