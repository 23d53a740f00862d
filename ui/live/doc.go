// Package live is the Live page: gauges, charts, percentiles, rates, accelerators, knobs and notes of the present.
//
// The files:
//
//	behind.go       leads from a panel to the requests behind it
//	bignumber.go    draws numbers three lines tall, for screens that have the room: readable from the back of a room
//	canary.go       the canary's line: what light requests beside the load are answered, apart from all figures of the load
//	charts.go       the charts over time: TTFT, ITL, output and goodput
//	devices.go      the accelerators on the Live page: the table, the trends, and the lines of a small screen
//	differences.go  the lines of what the sides of a duel differ by
//	duel.go         the Live page of a duel: a column of figures and a line in each chart for every side
//	gauges.go       the gauges: a number, what to make of it, and its trend; boxed, or one to a line
//	layout.go       where each part of the Live page stands at which size
//	mouse.go        what the mouse does: it points into charts, and chooses panels
//	notes.go        lists what there is to say, and the last changes of the load
//	objectives.go   the objectives on the Live page, a line each
//	page.go         the Live page: gauges, charts, figures and knobs
//	percentiles.go  the panel of percentiles: every latency, with its samples and what failed beside it
//	pick.go         the figure that is pointed at in an enlarged panel, and the requests behind it
//	rates.go        the panels of throughput: requests, input, output and total, each under its own name
//	waiting.go      holds what is said of requests that wait long enough to be read
//
// The way through it: A Frame goes in; layout places the parts by the screen's size; each panel draws its part from the
// snapshot.
package live
