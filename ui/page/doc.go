// Package page is what the console and its pages agree upon: what a page is, what its keys may ask for, what drawing gets.
//
//   - page.go: Page, Key and Host; frame.go: Frame, which is all that a panel may look at
//   - layout.go: parts, their places, and how drawn parts become lines
//   - entry.go: a line of text being typed; later.go: work beside the screen
//
// A snapshot comes in by Page.See, is put into a Frame, and leaves as lines by Page.Draw. Keys go the other way, by Host.
package page
