//go:build race

package engine

// testsAtATime is how many parallel tests run at once: the race detector has each compute several times as much.
const testsAtATime = "2"
