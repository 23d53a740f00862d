// Package theme holds the console's colours and glyphs: what a role looks like on the terminal at hand.
//
// A page names a [Role] and never a colour. A [Theme] holds the escape sequence of each role, so that painting a run of
// text is two appends.
//
// The files:
//
//	choose.go   which theme a terminal gets
//	glyphs.go   the glyph sets
//	palette.go  the palettes
//	theme.go    roles and themes: how a run of text is painted for what it is
//
// The way through it: Choose looks at flags and terminal once; the Theme that it gives paints every run of text by its
// role, with the glyphs that the terminal has.
package theme
