// Package gpu knows accelerators: what can be known of one, and what several come to together.
//
// It knows no terminal, no load and no driver. A Source reads devices; whoever holds the source polls it and keeps the
// latest reading. What is not known is a Value with a reason, never a zero. Where devices are read from is in gpu/source,
// which main hands to who opens them: its driver's library makes linking slow, and what shows or sums up figures needs none
// of it.
//
// The files:
//
//	clocks.go    names what holds a device's clocks back
//	device.go    one accelerator as it is read
//	gpu.go       a reading, and the source that it comes from
//	json.go      the JSON form of readings
//	poll.go      polls a source
//	reader.go    calls a source that may never answer
//	reason.go    the words for what cannot be read, which stand in the place of a value
//	spec.go      reads how a source is named on the command line
//	survey.go    how sources are asked for, and what came of it
//	together.go  puts what several devices say together: how many they are, sums, means and power
//	totals.go    sums up what devices showed over a run
//
// The way through it: an Open chooses sources by their names (spec, survey). Poll reads one in a goroutine that may hang in
// a driver without holding anybody up (reader, poll) and hands on each Reading; Totals sums readings up over a stage or a
// run, and together makes one figure of several devices.
package gpu
