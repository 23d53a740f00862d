// Package duel holds endpoints side by side: each gets the same load, and what they differ by is compared while it goes on.
//
// The files:
//
//	alternate.go gives each side its turn, where they share what they run on
//	duel.go      makes the sides, and runs them
//	face.go      is what can be asked of a duel and done to it: of the side that shows, or of all
//	look.go      compares the sides while they run
//	replay.go    plays a duel that was kept: the recordings of its sides, in step
//
// The way through it: Each side is an engine of its own, with its endpoint, pool, probe, statistics and telemetry. They share
// a clock, the seed and what makes prompts, and begin together: the n-th request asks for the same on each, and in an open
// loop arrives at the same time. (Of a conversation that holds for its first turn: the others carry the model's own answers.)
// A Duel shows the snapshot of one side, with those of all others beside it, so that whoever can show a run can show a duel.
package duel
