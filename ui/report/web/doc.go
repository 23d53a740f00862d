// Package web writes the report of a run as one HTML file that needs no network: the answer, charts, tables, and what the run
// was. It can be read without scripts, and printed.
//
// The files:
//
//	chart.go   a chart as data, which the page's script, its tables and its still pictures are made from
//	level.go   the charts over levels of load, and of how latencies are spread
//	still.go   draws a chart as SVG, for paper and for readers without scripts
//	time.go    the charts over the time of the run
//	web.go     the page: its parts in order
//	page.html  its template; page.css and page.js go into it, as does uplot/, which draws the charts
//
// The way through it: the run.Document gives report.Content, which becomes sentences and tables, and charts. All text is
// escaped by html/template; figures go to the script as JSON.
package web
