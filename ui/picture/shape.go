// This file is the outlines of lines, blocks, dots and signs that no font may move or stretch.

package picture

import "math"

// point is in the units of a picture, from the top left of a cell or of the picture.
type point struct{ x, y int }

// polygon is an outline that is filled.
type polygon []point

// rect is a polygon of four corners.
func rect(x, y, w, h int) polygon { return polygon{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}} }

// at is the polygon moved.
func (p polygon) at(x, y int) polygon {
	moved := make(polygon, len(p))
	for i, o := range p {
		moved[i] = point{o.x + x, o.y + y}
	}
	return moved
}

// shape is what is drawn instead of a character.
type shape struct {
	outlines []polygon
	shade    float64 // of the ink; 1: all of it
}

// How thick lines are.
const (
	thin  = 2
	heavy = 4
)

// arms are the lines from the middle of a cell to its sides, as thick as they say; 0: none.
type arms struct{ left, right, up, down int }

// shapeOf returns what is drawn instead of a character; false for one that is text.
func shapeOf(r rune) (shape, bool) {
	switch {
	case r >= 0x2800 && r <= 0x28ff:
		return shape{dots(r - 0x2800), 1}, true
	case r >= '▁' && r <= '█':
		n := int(r - '▁' + 1)
		return shape{[]polygon{rect(0, cellH-n*cellH/8, cellW, n*cellH/8)}, 1}, true
	case r >= '▉' && r <= '▏':
		n := 8 - int(r-'█')
		return shape{[]polygon{rect(0, 0, (n*cellW+4)/8, cellH)}, 1}, true
	case r >= '░' && r <= '▓':
		return shape{[]polygon{rect(0, 0, cellW, cellH)}, float64(r-'░'+1) / 4}, true
	}
	if outlines := lines(r); outlines != nil {
		return shape{outlines, 1}, true
	}
	return shape{}, false
}

// lines are the outlines of box drawing, and of a sign that most monospaced fonts lack.
func lines(r rune) []polygon {
	switch r {
	case '─':
		return crossing(arms{left: thin, right: thin})
	case '━':
		return crossing(arms{left: heavy, right: heavy})
	case '│':
		return crossing(arms{up: thin, down: thin})
	case '┤':
		return crossing(arms{left: thin, up: thin, down: thin})
	case '├':
		return crossing(arms{right: thin, up: thin, down: thin})
	case '┴':
		return crossing(arms{left: thin, right: thin, up: thin})
	case '┬':
		return crossing(arms{left: thin, right: thin, down: thin})
	case '┼':
		return crossing(arms{thin, thin, thin, thin})
	case '╭':
		return corner(cellW, cellH)
	case '╮':
		return corner(0, cellH)
	case '╰':
		return corner(cellW, 0)
	case '╯':
		return corner(0, 0)
	case '╌':
		return dashes(2, thin)
	case '╍':
		return dashes(2, heavy)
	case '┅':
		return dashes(3, heavy)
	case '┈':
		return dashes(4, thin)
	case '┆':
		return []polygon{rect(9, 2, thin, 9), rect(9, 16, thin, 9), rect(9, 30, thin, 8)}
	case '╳':
		return []polygon{{{0, 2}, {1, 0}, {20, 38}, {19, 40}}, {{19, 0}, {20, 2}, {1, 40}, {0, 38}}}
	case 'ⓘ':
		return append(ring(10, 20, 9, thin), rect(9, 14, thin, 2), rect(9, 18, thin, 8))
	}
	return nil
}

// dots are those of a braille character, by the bits of its code point.
func dots(bits rune) []polygon {
	const dot = 6
	var out []polygon
	for i, at := range [8]point{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		if bits&(1<<i) != 0 {
			out = append(out, rect(at.x*cellW/2+2, at.y*cellH/4+2, dot, dot))
		}
	}
	return out
}

// crossing draws the arms of a cell.
func crossing(a arms) []polygon {
	const midX, midY = cellW / 2, cellH / 2
	var out []polygon
	if a.left == a.right && a.left > 0 {
		out = append(out, rect(0, midY-a.left/2, cellW, a.left))
	} else if a.left > 0 {
		out = append(out, rect(0, midY-a.left/2, midX, a.left))
	} else if a.right > 0 {
		out = append(out, rect(midX, midY-a.right/2, midX, a.right))
	}
	if a.up == a.down && a.up > 0 {
		out = append(out, rect(midX-a.up/2, 0, a.up, cellH))
	} else if a.up > 0 {
		out = append(out, rect(midX-a.up/2, 0, a.up, midY))
	} else if a.down > 0 {
		out = append(out, rect(midX-a.down/2, midY, a.down, midY))
	}
	return out
}

// dashes draws so many of them from side to side.
func dashes(n, thick int) []polygon {
	var out []polygon
	for i := range n {
		from, to := (2*i*cellW+n/2)/(2*n), ((2*i+1)*cellW+n/2)/(2*n)
		out = append(out, rect(from+(to-from)/4, cellH/2-thick/2, max(to-from, thin), thick))
	}
	return out
}

// corner draws a rounded one between the middles of two sides: the side at x and the side at y.
func corner(x, y int) []polygon {
	const midX, midY, radius, steps = cellW / 2, cellH / 2, cellW / 2, 6
	toX, toY := 1, 1 // where the sides lie
	if x == 0 {
		toX = -1
	}
	if y == 0 {
		toY = -1
	}
	centre := point{midX + toX*radius, midY + toY*radius}
	arc := func(r float64, i int) point {
		angle := float64(i) / steps * math.Pi / 2
		return point{
			centre.x - toX*int(math.Round(r*math.Cos(angle))),
			centre.y - toY*int(math.Round(r*math.Sin(angle))),
		}
	}
	var curve polygon
	for i := range steps + 1 {
		curve = append(curve, arc(radius+thin/2, i))
	}
	for i := steps; i >= 0; i-- {
		curve = append(curve, arc(radius-thin/2, i))
	}
	upright := rect(midX-thin/2, centre.y, thin, cellH-centre.y)
	if y == 0 {
		upright = rect(midX-thin/2, 0, thin, centre.y)
	}
	return []polygon{curve, upright}
}

// ring draws a circle as thick as it says: the outer outline and, the other way round, the inner one, in a single polygon.
func ring(x, y, radius, thick int) []polygon {
	const steps = 24
	var out polygon
	for _, r := range []float64{float64(radius), float64(radius - thick)} {
		for i := range steps + 1 {
			angle := 2 * math.Pi * float64(i) / steps
			if r != float64(radius) {
				angle = -angle
			}
			out = append(out, point{x + int(math.Round(r*math.Cos(angle))), y + int(math.Round(r*math.Sin(angle)))})
		}
	}
	return []polygon{out}
}
