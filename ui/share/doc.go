// Package share lets others watch a run over ssh, each on a console of their own that changes nothing.
//
// The files:
//
//	guest.go   a connection, which has little time to say who it is
//	keys.go    the host's key, and whose keys are let in
//	place.go   where a run is shared: ssh://127.0.0.1:2222
//	server.go  the server: who comes, what is shown to them, who watches
//
// The way through it: Open listens at a Place. Each session that asks for a terminal gets a console.Watch of its own; the
// server knows their names, and ends all of them when it is closed.
package share
