// Package cell puts text into cells: pieces in a role, lines of an exact width, framed panels, and numbers as people read
// them. Nothing else in the console counts cells, and whatever somebody else wrote is sanitised here before it is shown.
//
// The files:
//
//	fact.go    lays out facts: a name with a figure, as many in a line as fit
//	fit.go     leaves things out until the rest fits: columns, rows, keys, groups of words
//	format.go  writes numbers the way people read them
//	line.go    writes lines of an exact width, from left to right
//	note.go    writes notes: a sentence behind the glyph of its role
//	panel.go   draws the frame of a panel
//	piece.go   text in a role: the pieces that lines are made of
//	rows.go    puts lines below each other: as many as there is room for
//	signed.go  writes differences
//	text.go    measures text, breaks it, and makes it safe to show
//
// The way through it: Text becomes pieces, pieces become lines of an exact width, lines become a panel. What is foreign
// passes Sanitise first; what finds no room is left out by fit.
package cell
