// Package nearby looks for inference servers on this machine: it asks the ports on which they usually listen for their models.
//
// The files:
//
//	nearby.go  asks them, all at once
package nearby
