// Package advice says what the numbers of a moment mean, and what to do about it.
//
// Each rule is a pure function over a few plain numbers. What is not known is unknown, never 0, and no rule fires on what
// is not known. The package knows nothing of where the numbers come from.
//
// The files:
//
//	advice.go   the advisor: the facts that it is given, and what it says of them
//	curve.go    the rules about how the figures change from level to level
//	machine.go  the rules about the GPU, the server and the client
//	rules.go    the table of rules
//
// The way through it: A tick's figures come in as Facts, unknown ones as such; every rule of the table looks at them
// and at those of the levels before; an Advisor holds what it said for a while, so that a sentence can be read before
// it goes.
package advice
