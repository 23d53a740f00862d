// Package config is the configuration file: what holds in every run unless something else is said. Its keys are the flags of the
// commands that put load on an endpoint, with _ for -, and themes of one's own.
//
// The files:
//
//	apply.go  has the flags that were not given take what the file says
//	key.go    what may stand in the file, and what may not
//	read.go   reads the file, strictly
//	show.go   prints each setting with where its value comes from
//	theme.go  reads themes of one's own
//
// The way through it: Read takes the file; what it says of the load goes to the library of presets, which holds it beneath
// presets and flags. Apply puts the rest into a command's flags. Show prints what came of it all.
package config
