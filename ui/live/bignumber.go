// This file draws numbers three lines tall, for screens that have the room: readable from the back of a room.

package live

import (
	"strings"
)

// tall is how many lines a tall number takes.
const tall = 3

// pixels is a character five pixels high, a row a string.
type pixels [5]string

// tallGlyph returns the pixels of a character that numbers are made of.
func tallGlyph(r rune) (pixels, bool) {
	switch r {
	case '0':
		return pixels{"###", "# #", "# #", "# #", "###"}, true
	case '1':
		return pixels{"## ", " # ", " # ", " # ", "###"}, true
	case '2':
		return pixels{"###", "  #", "###", "#  ", "###"}, true
	case '3':
		return pixels{"###", "  #", " ##", "  #", "###"}, true
	case '4':
		return pixels{"# #", "# #", "###", "  #", "  #"}, true
	case '5':
		return pixels{"###", "#  ", "###", "  #", "###"}, true
	case '6':
		return pixels{"###", "#  ", "###", "# #", "###"}, true
	case '7':
		return pixels{"###", "  #", "  #", "  #", "  #"}, true
	case '8':
		return pixels{"###", "# #", "###", "# #", "###"}, true
	case '9':
		return pixels{"###", "# #", "###", "  #", "###"}, true
	case '.', ',':
		return pixels{" ", " ", " ", " ", "#"}, true
	case '/':
		return pixels{"  #", "  #", " # ", "#  ", "#  "}, true
	case '~':
		return pixels{"    ", " # #", "# # ", "    ", "    "}, true
	}
	return pixels{}, false
}

// tallNumber writes a number in half blocks, two pixels to a cell; false for what is no number.
func tallNumber(s string) (lines [tall]string, ok bool) {
	var out [tall]strings.Builder
	for i, r := range s {
		glyph, ok := tallGlyph(r)
		if !ok {
			return lines, false
		}
		for row := range tall {
			if i > 0 {
				out[row].WriteByte(' ')
			}
			lower := ""
			if 2*row+1 < len(glyph) {
				lower = glyph[2*row+1]
			}
			out[row].WriteString(halfBlocks(glyph[2*row], lower))
		}
	}
	for row := range tall {
		lines[row] = out[row].String()
	}
	return lines, true
}

// halfBlocks joins two rows of pixels into one of cells.
func halfBlocks(upper, lower string) string {
	var out strings.Builder
	for x := range len(upper) {
		up, down := upper[x] == '#', lower != "" && lower[x] == '#'
		switch {
		case up && down:
			out.WriteString("█")
		case up:
			out.WriteString("▀")
		case down:
			out.WriteString("▄")
		default:
			out.WriteByte(' ')
		}
	}
	return out.String()
}
