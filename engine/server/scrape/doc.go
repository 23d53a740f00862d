// Package scrape finds the metrics page of an inference server, and reads it again and again.
//
// The files:
//
//	fetch.go    fetches pages: bounded, with keys only for the endpoint itself
//	poll.go     polls a source
//	refusal.go  words why there are no figures, and what to do on which server
//	several.go  reads several servers, of which each has a part of one load
//	source.go   the source: it finds the server's page and reads it
//
// The way through it: A Source finds the page (source, refusal), fetches it (fetch), and has package server make Metrics of
// it; Poll does that once an interval.
package scrape
