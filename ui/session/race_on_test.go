//go:build race

package session

// testsAtATime is how many parallel tests run at once: under the race detector two would starve each other, and a run that is
// starved is not to be trusted.
const testsAtATime = "1"
