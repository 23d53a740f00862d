// Package report prints what there is to know of a run where there is no terminal to draw on: its report at the end, and a
// line a second until then. It writes no control characters.
//
// The files:
//
//	answer.go      begins the report with its answer: whether the load held, how much of it does, and what to do next
//	baseline.go    prints how a run stands against an earlier one
//	content.go     what there is to say in a report, before it takes a form: sentences, facts and tables
//	csv.go         writes a report as CSV: a row a level, for spreadsheets
//	compare.go     prints a comparison of runs as text and as Markdown
//	duel.go        prints what a duel has to say before its figures
//	endpoints.go   prints the figures of each of several endpoints
//	levels.go      prints the levels of a run, each with its verdict
//	markdown.go    writes a report as Markdown, for a pull request or the summary of a CI job
//	objectives.go  prints how objectives came off
//	printer.go     lays text out within a width: sentences and facts that wrap at blanks, and tables that drop columns
//	progress.go    shows a run where there is no terminal to draw on: a line a second
//	report.go      prints a run's report as text: what is left on the screen when the console or a check is over
//	sweep.go       prints what an autopilot found
//	telemetry.go   prints what accelerators and the inference server said, and what output cost
//
// The way through it: A run.Report becomes Content, which is laid out as text here and otherwise by the packages below; a Snapshot becomes a line of progress.
package report
