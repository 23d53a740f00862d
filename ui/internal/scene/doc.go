// Package scene is what tests of the console show: snapshots of runs in many states, and an engine that remembers what it
// was told. Nothing but tests uses it.
package scene
