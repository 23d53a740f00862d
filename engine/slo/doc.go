// Package slo holds service-level objectives: what a request must meet, and how many did.
//
// The files:
//
//	criteria.go        the criteria: the limits that each request has to keep, as people write them
//	fit.go             proposes an SLO that a load keeps
//	score.go           scores requests one by one
//	objective.go       one objective: a percentile, a threshold, a window, and how often it has to hold
//	objectives.go      a list of objectives that can be compared
//	parse.go           reads objectives as a person types them
//	parse_criteria.go  reads the limits of a request as a person types them
//	reach.go           says how far up the levels of a load an SLO holds
//	tally.go           counts good requests and those that missed
//	tracker.go         follows objectives second by second
//	verdict.go         the judge: held, missed, or not yet known
//
// The way through it: Criteria score requests into a Tally; the judge (Decide) says of it whether the load held. Objectives are measured
// second by second and a Tracker keeps how often they held. Parse and String are each other's inverse.
package slo
