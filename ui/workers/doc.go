// Package workers is the Workers page: the processes that make the load, each with its share and whether it can be trusted.
//
// The files:
//
//	page.go   the page: its keys, and what stands where
//	table.go  the table of workers: its columns, and which of them a narrow screen does without
//
// The way through it: The page is shown where Snapshot.Workers is. The table takes a row of it for each worker; what there is no room
// for, and what is wrong with the chosen one, stands beneath.
package workers
