// Package figure writes what the engine measured, the same way wherever it shows: loads, latencies, values that may be
// unknown, columns of stages, the time axis of charts, and what there is to say about all that in sentences.
//
//   - load.go, latency.go, token.go, value.go: single figures; columns.go: those of a stage or a level, as a table
//   - trend.go: history as series; chart.go: charts over time
//   - objective.go, pilot.go, notes.go: standings, the autopilot and the figures in words
package figure
