// Package expose serves the figures of a run while it goes on, as text that Prometheus reads, so that the load generator stands in
// a dashboard beside the server that it loads.
//
// Histograms have the names of OpenTelemetry's conventions for generative AI (gen_ai.client.*, as of 1.41, which are still in
// development) in Prometheus' spelling, with the boundaries that these ask for; the rest is tokdyno_*. All of it comes from the
// published Snapshot and from records of requests that ended: nothing is added to the path of a token. A figure that is not
// known is not there.
//
// The files:
//
//	expose.go     is what is served: it takes in records, and is asked by whoever reads
//	gauges.go     is the table of tokdyno_*: what of a snapshot has which name
//	histograms.go are the histograms of OpenTelemetry's names
//	listen.go     serves it by HTTP
//
// The way through it: a session makes an Exporter, hands its Records to the engine's configuration and the engine to Follow, and
// has it Listen. A reader's request becomes Collect.
package expose
