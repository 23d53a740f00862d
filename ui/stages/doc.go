// Package stages is the Stages page: every load so far in a row, and two of them held against each other.
//
//   - page.go: keys, the cursor and the marks; table.go: the table; telemetry.go: what it has of accelerators and server
//   - pair.go: A against B; noise.go: which of their differences exceed the noise
package stages
