// Package peers writes a run in the formats of other load generators, and reads theirs, so that scripts made for those go on
// working.
//
// Keys, units and definitions are those of the tool whose format it is: percentiles are linear, as numpy has them, and rates
// are sums over the requests divided by the time from the first send to the last token. A format holds the requests that the
// report's figures are of, those sent in the steady part of its stage, and of these the ones that completed or failed. What
// is not known is null, or left out where the tool does so; nothing is made up.
//
// The files:
//
//	aiperf.go          writes the summary of AIPerf
//	aiperf_requests.go writes the requests of AIPerf, a line each
//	aiperf_read.go     reads the requests of AIPerf
//	document.go        is what a format is made of: of a run, the requests that are measured
//	foreign.go         is a run that another tool measured; tells whose a file is
//	llmd.go            writes the Benchmark Report of llm-d
//	object.go          writes JSON objects whose keys have an order
//	otava.go           writes a row of CSV for change detection by Apache Otava
//	spread.go          describes values by the statistics that those tools print
//	vllm.go            writes the result of vllm bench serve
//	vllm_read.go       reads the result of vllm bench serve
//
// The way through it: a session makes a Document of a run that is kept, and hands it to a writer. The other way, Read
// makes a Foreign of a file, which engine.Import makes a recording of.
package peers
