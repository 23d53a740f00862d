// Package promtext reads metrics pages in the Prometheus text format (version 0.0.4) and in OpenMetrics, the way exporters
// in the field write them. It is tolerant: a line that cannot be understood is counted and left out, and never costs the
// rest of the page.
//
// The formats: https://prometheus.io/docs/instrumenting/exposition_formats and https://prometheus.io/docs/specs/om.
//
// The files:
//
//	histogram.go  histograms as Prometheus counts them
//	line.go       takes a sample's line apart
//	lookup.go     finds samples on a page
//	promtext.go   reads a page: its lines, and what they are samples of
//
// The way through it: Parse cuts a page into lines, takes each apart into name, labels and value, and gives a Page;
// lookups and histograms read that.
package promtext
