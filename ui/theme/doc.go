// Package theme holds the console's colours and glyphs: what a role looks like on the terminal at hand.
//
// A page names a [Role] and never a colour. A [Theme] holds the escape sequence of each role, so that painting a run of
// text is two appends.
//
// The files:
//
//	choose.go   which theme a terminal gets
//	glyphs.go   the glyph sets
//	look.go     how one role is drawn, and how people write that down
//	palette.go  the palettes that are built in
//	role.go     roles: what a piece of text is for
//	theme.go    how a run of text is painted for what it is
//	themes.go   the themes there are by name: those built in, and a user's own
//
// The way through it: Choose looks at flags and terminal once; the Theme that it gives paints every run of text by its
// role, with the glyphs that the terminal has.
package theme
