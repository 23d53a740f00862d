// Package stats turns token events and records into percentiles, windows, throughput and goodput.
//
// It knows no network, and no clock but the one handed in. Streams hand their events to a Collector; one goroutine folds
// them and asks for summaries.
//
// The files:
//
//	checkpoint.go  goes back to what a collector once was
//	clumps.go      tells streams that are buffered on their way from those that come as they are generated
//	collector.go   takes in what running requests report
//	correct.go     corrects, when a request has ended, what had been counted for it while it ran
//	counted.go     takes in gaps that somebody else has counted
//	edits.go       notes what is changed of first tokens, so that it can be taken back
//	ended.go       hands out what is kept of single requests: of those that ended as columns, of those that run as they stand
//	gaps.go        takes in tokens: one, or several of one request in a row
//	histogram.go   the histogram for figures with millions of samples, such as ITL
//	history.go     keeps the run's trend: one point a second, for sparklines and charts, and fewer of long ago
//	inflight.go    looks at the requests that run: a stall shows here before it completes
//	instep.go      measures whether the requests of a closed loop move in step
//	measure.go     measures what an objective is held against
//	misses.go      counts what of a stage missed an objective's limit
//	openable.go    keeps all that is known of a few requests: those that can be opened
//	order.go       puts only as much of a set in order as its percentiles need
//	pack.go        packs histograms, most of whose buckets are empty
//	part.go        adds up one part of a stage, settling or steady, and the same part of the whole run
//	percentile.go  the percentiles: their two definitions, and the distribution that they describe
//	problems.go    groups failures, so that their kinds and numbers stand beside the latencies
//	prompts.go     counts prompt tokens, and on how many requests that count rests
//	recent.go      keeps distributions over the last seconds and over what is measured of the run
//	rescore.go     judges stored requests anew when an SLO threshold is turned
//	running.go     the hot path: running requests hand their events to a shard, and never wait for each other for long
//	samples.go     keeps per-request figures in columns: a pass over one column is a pass over memory in order
//	scope.go       gathers what belongs to a window
//	series.go      hands out what was measured of one stage with the times at which it was, for comparisons
//	slice.go       cuts the run's time into slices: of a second at most, each within one phase of one stage
//	sliding.go     keeps the latencies of the sliding windows as running sums
//	sparse.go      is a histogram's form outside: its buckets that hold something
//	spectrum.go    describes the latencies of parts that hold too many requests to look at each
//	spread.go      how latencies are spread: coarse enough to be kept for every stage, fine enough to be drawn
//	stalls.go      finds the stalls of a request: gaps between its chunks that are far longer than usual in it
//	stages.go      divides the run into stages and their parts
//	store.go       what a collector keeps, and answers from
//	summary.go     summarises a window: latencies, throughput and goodput, all from one state of the collector
//	tap.go         lets somebody else hear what a collector takes in
//	thin.go        keeps a trend at a bounded length, however long it becomes
//	tokens.go      totals the tokens of completed requests
//	values.go      hands out the latencies of one stage one by one, for statistics of the caller's own
//	window.go      names the stretches of a run that can be summarised
//
// The way through it: Running requests hand events to a shard (flight), which never waits for others for long. Fold
// takes them all at every tick: gaps into histograms of one second, values of ended requests into columns (samples),
// all by the slice of time and the part of the stage that they belong to. A Summary of a window, a stage or the run
// adds up slices and parts, and reads percentiles off columns or histograms.
package stats
