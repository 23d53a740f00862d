//go:build !race

package session

// testsAtATime is how many parallel tests run at once.
const testsAtATime = "4"
