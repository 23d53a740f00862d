// Package kept knows the runs that are kept on this machine: a folder of files, of which old ones go when there are too many.
//
// A file is named by when and of what the run was. What a person said of it, a name or that it is a baseline, stands in a
// file of its own beside it, so that two tokdynos never write to one.
//
// The files:
//
//	find.go   finds a run by what a person calls it
//	kept.go   the folder: makes files, lists them, takes old ones away
//	said.go   what a person said of a run
//	sum.go    sums a run up for a list
//
// The way through it: A session creates a file for each run, and prunes. The commands list runs, find one by "last", a name
// or a path, and open it by package runfile.
package kept
