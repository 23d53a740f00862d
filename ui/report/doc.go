// Package report prints what there is to know of a run where there is no terminal to draw on: its report at the end, and a
// line a second until then. It writes no control characters.
//
//   - report.go: the report; endpoints.go, objectives.go, sweep.go, telemetry.go: its parts; progress.go: the lines
package report
