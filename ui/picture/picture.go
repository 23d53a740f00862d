// This file is the cells of a screen with their colours, and the sheet they are put on.

package picture

import (
	"fmt"
	"image/color"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/cellbuf"
)

// A cell in the units of a picture: pixels of a PNG, and half a pixel of an SVG.
const (
	cellW, cellH = 20, 40
	margin       = 20   // around the cells
	baseline     = 30   // of text, from the top of its cell
	emSize       = 33.2 // the size of a font whose letters are as wide as a cell: most monospaced ones take 0.602 of it
)

// Picture is a screen that is to be drawn. It does not change any more.
type Picture struct {
	w, h       int // cells
	cells      *cellbuf.Buffer
	paper, ink color.RGBA // of the sheet, and of what has no colour of its own
}

// New returns the picture of a frame of w by h cells: lines with SGR escape sequences, as a terminal gets them. Where the
// frame's colours are made for a light background, so is the sheet.
func New(frame string, w, h int) *Picture {
	p := &Picture{
		w: w, h: h, cells: cellbuf.NewBuffer(w, h),
		paper: color.RGBA{0x0f, 0x12, 0x16, 0xff}, ink: color.RGBA{0xd8, 0xdc, 0xe2, 0xff},
	}
	cellbuf.SetContent(p.cells, frame)
	if p.onLight() {
		p.paper, p.ink = color.RGBA{0xff, 0xff, 0xff, 0xff}, color.RGBA{0x1f, 0x23, 0x28, 0xff}
	}
	return p
}

// onLight reports whether most colours are made for a light background. The themes keep a contrast of 5.5:1 at least, so
// those for white have a luminance of 0.14 at most, and those for black of 0.22 at least.
func (p *Picture) onLight() bool {
	dark, all := 0, 0
	p.each(func(_, _ int, c *cellbuf.Cell) {
		if c.Style.Fg != nil && c.Rune != ' ' {
			all++
			if luminance(c.Style.Fg) < 0.18 {
				dark++
			}
		}
	})
	return 2*dark > all
}

// each calls f for every cell that is the beginning of a character, row by row.
func (p *Picture) each(f func(x, y int, c *cellbuf.Cell)) {
	for y := range p.h {
		for x := range p.w {
			if c := p.cells.Cell(x, y); c != nil && c.Width > 0 && c.Rune != 0 {
				f(x, y, c)
			}
		}
	}
}

// look is how a cell is drawn.
type look struct {
	ink, under      color.RGBA // under: the colour behind the character
	covered         bool       // by under
	bold, underline bool
}

// lookOf resolves a cell's style.
func (p *Picture) lookOf(c *cellbuf.Cell) look {
	s := &c.Style
	l := look{ink: p.ink, under: p.paper, bold: s.Attrs&cellbuf.BoldAttr != 0, underline: s.UlStyle != cellbuf.NoUnderline}
	if s.Fg != nil {
		l.ink = solid(s.Fg)
	}
	if s.Bg != nil {
		l.under, l.covered = solid(s.Bg), true
	}
	if s.Attrs&cellbuf.FaintAttr != 0 {
		l.ink = mixed(l.under, l.ink, 0.62)
	}
	if s.Attrs&cellbuf.ReverseAttr != 0 {
		l.ink, l.under, l.covered = l.under, l.ink, true
	}
	return l
}

// textOf is the character of a cell with what combines with it, without what no terminal shows.
func textOf(c *cellbuf.Cell) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, c.String())
}

// Text is what the screen says, a line each, without what is behind the last character.
func (p *Picture) Text() string {
	lines := make([]string, p.h)
	for y := range lines {
		var line strings.Builder
		for x := range p.w {
			if c := p.cells.Cell(x, y); c != nil {
				line.WriteString(textOf(c))
			}
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// size is that of the whole picture.
func (p *Picture) size() (w, h int) { return p.w*cellW + 2*margin, p.h*cellH + 2*margin }

// solid is a colour of a terminal without transparency.
func solid(c ansi.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

// mixed is a colour between two: from at 0, to at 1.
func mixed(from, to color.RGBA, share float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a)) + 0.5) }
	return color.RGBA{part(from.R, to.R), part(from.G, to.G), part(from.B, to.B), 0xff}
}

// luminance is about the relative luminance of WCAG 2.1, with a gamma of 2.2: 0 of black, 1 of white.
func luminance(c ansi.Color) float64 {
	s := solid(c)
	linear := func(v uint8) float64 { f := float64(v) / 255; return f * f * (0.8 + 0.2*f) }
	return 0.2126*linear(s.R) + 0.7152*linear(s.G) + 0.0722*linear(s.B)
}

// hex is a colour as CSS has it.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
