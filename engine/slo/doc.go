// Package slo holds service-level objectives: what a request must meet, and how many did.
//
// The files:
//
//	criteria.go        the criteria: the limits that each request has to keep, as people write them
//	fit.go             proposes an SLO that a load keeps
//	judge.go           judges requests
//	objective.go       one objective: a percentile, a threshold, a window, and how often it has to hold
//	objectives.go      a list of objectives that can be compared
//	parse.go           reads objectives as a person types them
//	parse_criteria.go  reads the limits of a request as a person types them
//	tally.go           counts verdicts, and says what follows from them
//	tracker.go         follows objectives second by second
//
// The way through it: Criteria judge one record (judge), a Tally counts the verdicts of many; Objectives are measured
// second by second and a Tracker keeps how often they held. Parse and String are each other's inverse.
package slo
