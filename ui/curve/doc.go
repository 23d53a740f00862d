// Package curve is the Curve page: what each level of load gave, which levels stand out, and the autopilot.
//
//   - page.go: keys and the chosen level; metric.go: what can be drawn; chart.go: the curve; words.go: what follows from it
//   - table.go: all levels; point.go: the chosen one; interval.go: how far its percentiles can be trusted
//   - pilot.go: the autopilot's way
package curve
