// Package server knows what an inference server says about itself, whichever server it is. It knows no network: package scrape
// reads the page.
//
// One table (table.go) says what each server calls its figures; Totals makes of cumulative counters what a stretch of time
// has seen. Figures that a server does not tell are unknown, with a reason, never 0.
//
// The files:
//
//	breakdown.go  tells a metric's totals from their breakdowns, which some servers write under the same name
//	interpret.go  makes Metrics of a page, by the table
//	ollama.go     reads Ollama's /api/ps, which stands in for a metrics page
//	reading.go    what is known of a server at one moment
//	server.go     the metrics of an inference server
//	speculation.go
//	              is how speculative decoding goes: what was drafted, and how much of it was accepted
//	sum.go        sums up what several servers say, of which each has a part of one load
//	table.go      the table of figures: what they are, and what each server calls them
//	totals.go     sums up readings over a stage or a run
//	window.go     makes of two readings what was seen between them
//
// The way through it: A page is handed to the table (interpret, table), which makes Metrics of it; two readings make a
// Window (window), many make the Summary of a stage or a run (totals).
package server
