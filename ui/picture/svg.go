// This file writes a picture as SVG, and as plain text.

package picture

import (
	"bufio"
	"fmt"
	"html"
	"image/color"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/cellbuf"
)

// fonts are monospaced ones, the likeliest to be there first.
const fonts = `ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace`

// WriteText writes what the screen says.
func WriteText(w io.Writer, p *Picture) error {
	_, err := io.WriteString(w, p.Text())
	return err
}

// WriteSVG writes the picture as SVG 1.1, with its text as text. It stands by itself: it loads nothing.
func WriteSVG(to io.Writer, p *Picture) error {
	w, h := p.size()
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", w/2, h/2, w, h)
	fmt.Fprintf(out, "<title>tokdyno</title>\n<style>text{font:%gpx %s}.m{text-anchor:middle}.b{font-weight:bold}</style>\n",
		emSize, fonts)
	fmt.Fprintf(out, `<rect width="%d" height="%d" rx="12" fill="%s"/>`+"\n", w, h, hex(p.paper))
	for _, l := range p.layers() {
		fmt.Fprintf(out, `<path fill="%s" d="`, hex(l.colour))
		for _, o := range l.outlines {
			o.write(out)
		}
		fmt.Fprint(out, "\"/>\n")
	}
	fmt.Fprintf(out, "<g fill=\"%s\">\n", hex(p.ink))
	for _, r := range p.runs() {
		r.write(out, p)
	}
	fmt.Fprint(out, "</g>\n</svg>\n")
	return out.Flush()
}

// layer is outlines of one colour.
type layer struct {
	colour   color.RGBA
	outlines []polygon
}

// layers are all outlines of the picture, those that lie behind characters first.
func (p *Picture) layers() []layer {
	var under, over []layer
	p.each(func(x, y int, c *cellbuf.Cell) {
		l := p.lookOf(c)
		x, y = margin+x*cellW, margin+y*cellH
		if l.covered {
			under = with(under, l.under, rect(x, y, c.Width*cellW, cellH))
		}
		if l.underline {
			over = with(over, l.ink, rect(x, y+baseline+thin, c.Width*cellW, thin))
		}
		if s, ok := shapeOf(c.Rune); ok {
			for _, o := range s.outlines {
				over = with(over, mixed(l.under, l.ink, s.shade), o.at(x, y))
			}
		}
	})
	return append(under, over...)
}

// with adds an outline to those of its colour. One that carries the last one on to the right becomes one with it.
func with(all []layer, colour color.RGBA, o polygon) []layer {
	i := slices.IndexFunc(all, func(l layer) bool { return l.colour == colour })
	if i < 0 {
		return append(all, layer{colour, []polygon{o}})
	}
	l := &all[i]
	if last := l.outlines[len(l.outlines)-1]; last.isRect() && o.isRect() && last[1] == o[0] && last[2] == o[3] {
		last[1], last[2] = o[1], o[2]
		return all
	}
	l.outlines = append(l.outlines, o)
	return all
}

// isRect reports whether rect made it.
func (p polygon) isRect() bool {
	return len(p) == 4 && p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y && p[3].x == p[0].x
}

// write writes an outline as a part of a path.
func (p polygon) write(out io.Writer) {
	if p.isRect() {
		fmt.Fprintf(out, "M%d %dh%dv%dh%dz", p[0].x, p[0].y, p[1].x-p[0].x, p[2].y-p[1].y, p[0].x-p[1].x)
		return
	}
	fmt.Fprintf(out, "M%d %d", p[0].x, p[0].y)
	for _, at := range p[1:] {
		fmt.Fprintf(out, "L%d %d", at.x, at.y)
	}
	fmt.Fprint(out, "z")
}

// run is text of one look in cells side by side.
type run struct {
	x, y, cells int
	look        look
	text        string
	sign        bool // its width is a matter of the font: it stands in the middle of its cells, alone
}

// runs are all text of the picture. A gap of two cells ends a run, for SVG makes one space of several.
func (p *Picture) runs() []run {
	var all []run
	p.each(func(x, y int, c *cellbuf.Cell) {
		if _, drawn := shapeOf(c.Rune); drawn || c.Rune == ' ' {
			return
		}
		r := run{x, y, c.Width, p.lookOf(c), textOf(c), c.Rune > '~'}
		if n := len(all); n > 0 && !r.sign {
			last := &all[n-1]
			gap := x - last.x - last.cells
			if !last.sign && last.y == y && last.look == r.look && gap <= 1 && (gap == 0 || p.blank(x-1, y)) {
				last.text += "  "[:gap] + r.text
				last.cells += gap + r.cells
				return
			}
		}
		all = append(all, r)
	})
	return all
}

// blank reports whether nothing is in a cell, nor behind it.
func (p *Picture) blank(x, y int) bool {
	c := p.cells.Cell(x, y)
	return c != nil && c.Rune == ' ' && !p.lookOf(c).covered
}

// write writes a run. Its length holds it to the cells, whatever the font.
func (r *run) write(out io.Writer, p *Picture) {
	x, y, w := margin+r.x*cellW, margin+r.y*cellH+baseline, r.cells*cellW
	var class []string
	if r.look.bold {
		class = append(class, "b")
	}
	if r.sign {
		class, x = append(class, "m"), x+w/2
	}
	fmt.Fprintf(out, `<text x="%d" y="%d"`, x, y)
	if r.cells > 1 && !r.sign {
		fmt.Fprintf(out, ` textLength="%d" lengthAdjust="spacingAndGlyphs"`, w)
	}
	if len(class) > 0 {
		fmt.Fprintf(out, ` class="%s"`, strings.Join(class, " "))
	}
	if r.look.ink != p.ink {
		fmt.Fprintf(out, ` fill="%s"`, hex(r.look.ink))
	}
	fmt.Fprintf(out, ">%s</text>\n", html.EscapeString(r.text))
}
