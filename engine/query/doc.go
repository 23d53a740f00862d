// Package query answers what people ask of the single requests of a run: which are slow, which failed, which missed a limit,
// and which stood still together.
//
// It works on columns that never change (stats.Ended), so whoever asks holds no lock while it works.
//
// The files:
//
//	curl.go    writes a request as a command that repeats it
//	export.go  writes rows for other programs: as lines of JSON, or as a table with commas
//	figure.go  the figures of a request: what rows can be sorted by and held against a number
//	filter.go  what is asked for of requests: terms that all have to hold, as a person types them
//	query.go   answers a query: which requests there are, and those of them that are to be shown
//	row.go     one request as a row: its figures, its verdict and the instants of its bar
//	sofar.go   what is known so far of a request that runs: what filters and orders go by
//	source.go  who answers: a run, or a recording of one
//	time.go    terms of a filter that ask when something happened, and which are beyond a percentile
//	trace.go   writes rows as a trace that ui.perfetto.dev opens: a lane for each slot, with phases and stalls
//	wave.go    finds stalls that befell several requests at once, and what was prefilled meanwhile
//
// The way through it: Parse makes a Filter of what was typed, Answer makes a View of a Query: it filters, puts in order
// what is to be shown, and makes Rows of that.
package query
