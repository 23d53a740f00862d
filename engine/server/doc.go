// Package server reads what an inference server says about itself: its /metrics page, whichever server it is.
//
// A Source finds and fetches the page; one table (table.go) says what each server calls its figures; Totals makes
// of cumulative counters what a stretch of time has seen. Figures that a server does not tell are unknown, with a reason,
// never 0.
//
// The files:
//
//	breakdown.go  tells a metric's totals from their breakdowns, which some servers write under the same name
//	fetch.go      fetches pages: bounded, with keys only for the endpoint itself
//	interpret.go  makes Metrics of a page, by the table
//	ollama.go     reads Ollama's /api/ps, which stands in for a metrics page
//	poll.go       polls a source
//	refusal.go    words why there are no figures, and what to do on which server
//	server.go     the metrics of an inference server, and the source that reads them
//	source.go     the source: it finds the server's page and reads it
//	table.go      the table of figures: what they are, and what each server calls them
//	totals.go     sums up readings over a stage or a run
//	window.go     makes of two readings what was seen between them
//
// The way through it: A Source finds the page (source, refusal), fetches it (fetch), and hands it to the table
// (interpret, table), which makes Metrics of it; a Poller does that once an interval; two readings make a Window
// (window), many make the Summary of a stage or a run (totals).
package server
