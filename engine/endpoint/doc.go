// Package endpoint is what is known of an endpoint, as values that everybody may read: pages and reports that know no network.
// Package wire learns it.
//
// The files:
//
//	again.go    what requests were refused with that are sent again, and how long they wait
//	api.go      the APIs that load can be put on
//	profile.go  what is known of an endpoint: who it is, and which request fields it takes
//
// The way through it: wire's probe fills in a Profile, its clients keep account of what they send again; the engine puts both
// into the Snapshot.
package endpoint
