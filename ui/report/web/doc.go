// Package web writes the report of a run, and a comparison of runs, as one HTML file that needs no network: the answer, charts,
// tables, and what the run was. It can be read without scripts, and printed.
//
// The files:
//
//	chart.go       a chart as data, which the page's script, its tables and its still pictures are made from
//	comparison.go  the page of a comparison
//	forest.go      draws changes with their intervals under each other, on one axis: a forest plot
//	level.go       the charts over levels of load, and of how latencies are spread
//	shell.go       what all pages have in common: styles, scripts, how answers and tables look
//	still.go       draws a chart as SVG, for paper and for readers without scripts
//	time.go        the charts over the time of the run
//	waterfall.go   draws single requests: the slowest and those that failed last
//	web.go         the page of a run: its parts in order
//
// Both pages have a template, page.html and comparison.html, of parts that are in parts.html. page.css and page.js go into
// them, as does uplot/, which draws the charts.
//
// The way through it: the run.Document gives report.Content, or the compare.Document its differences, which become sentences,
// tables and charts. All text is escaped by html/template; figures go to the script as JSON.
package web
