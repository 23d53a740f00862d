// Package page is what the console and its pages agree upon: what a page is, what its keys may ask for, what drawing gets.
//
// The files:
//
//	entry.go   a line of text that is being typed
//	frame.go   what drawing gets: the snapshots, the theme and the places of one frame
//	later.go   does work that must not hold up the screen: reading a file, comparing many samples
//	layout.go  decides what stands where: a pure function of the screen's size and what is to be seen
//	page.go    what a page is to the console, and what the console is to a page
//	region.go  what the mouse does where, which drawing gives back beside the text
//
// The way through it: A snapshot comes in by Page.See, is put into a Frame, and leaves as lines by Page.Draw. Keys go
// the other way, by Host.
package page
