// Package requests is the Requests page: what happened to each request, as a picture.
//
// The files:
//
//	ask.go     asks the run for what is to be shown, beside the console
//	bar.go     draws requests as bars on a time axis
//	choose.go  is which request is chosen, and that the page stands still while one is
//	find.go    is the filter, the order and the export
//	lane.go    is which request is chosen among the lanes
//	lanes.go   draws a lane for each slot: waves, and stalls that befall several at once
//	list.go    draws the list: a row and a bar for each request
//	one.go     shows one request: its instants, its counts, the gaps between its chunks, and what was said
//	page.go    is the page: its keys and its parts
//	strip.go   draws the gaps between the chunks of a request as a strip chart
//
// The way through it: See has a query.Query answered beside the console, and keeps the View. Drawing reads that. Keys change
// what is asked next.
package requests
