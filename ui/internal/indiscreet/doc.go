// Package indiscreet is an inference server that tells everything it was sent, for tests that no secret gets further.
//
// The files:
//
//	server.go  answers, refuses and breaks off, and quotes the request in each
package indiscreet
