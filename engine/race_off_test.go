//go:build !race

package engine

// testsAtATime is how many parallel tests run at once.
const testsAtATime = "8"
