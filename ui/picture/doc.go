// Package picture makes pictures of a screen: what a terminal would show of a frame, as SVG, as PNG, or as plain text.
//
// The files:
//
//	picture.go  the cells of a screen with their colours, and the sheet they are put on
//	png.go      writes a picture as PNG
//	shape.go    the outlines of lines, blocks, dots and signs that no font may move or stretch
//	svg.go      writes a picture as SVG, and as plain text
//
// The way through it: New reads a frame, escape sequences and all, into cells. A cell of a line, a block or braille is drawn
// as polygons from shape.go, so that it meets its neighbours whatever the fonts of the viewer; every other one is text that
// is held to the grid of cells. Each form is a function of a Picture.
package picture
