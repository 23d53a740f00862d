// Package curve is the Curve page: what each level of load gave, which levels stand out, and the autopilot.
//
// The files:
//
//	chart.go     draws the curve: a metric against the load, or what a user gets against what the machine gives
//	duel.go      the curves of a duel: one of each side over the others, the load that each holds, and what autopilots found
//	interval.go  finds out how far the percentiles of a level can be trusted: from the requests' own latencies, beside
//	             the console, and only when something has changed
//	metric.go    the quantities that the Curve page can draw against the load
//	page.go      the Curve page: what each level of load gave, which levels stand out, and what an autopilot makes of
//	             it
//	pilot.go     draws the autopilot: its way so far and ahead, what it waits for, and what it found
//	point.go     draws the chosen point of the curve: all its figures, and how far its percentiles can be trusted
//	table.go     draws the table of levels beneath the curve
//	words.go     says in sentences what follows from the curve: how much load holds the SLO, and which levels stand
//	             out
//
// The way through it: See looks whether the levels have changed and has their intervals computed beside the console;
// the panels draw the Snapshot's curve and what was computed.
package curve
