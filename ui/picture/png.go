// This file writes a picture as PNG.

package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"github.com/charmbracelet/x/cellbuf"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// WritePNG writes the picture as PNG, in DejaVu Sans Mono. What that has no sign for, such as Chinese, shows as an empty box.
func WritePNG(w io.Writer, p *Picture) error {
	plain, err := faceOf(dejavusansmono.TTF)
	if err != nil {
		return err
	}
	bold, err := faceOf(dejavusansmonobold.TTF)
	if err != nil {
		return err
	}
	width, height := p.size()
	sheet := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(p.paper), image.Point{}, draw.Src)
	for _, l := range p.layers() {
		for _, o := range l.outlines {
			o.fill(sheet, l.colour)
		}
	}
	p.each(func(x, y int, c *cellbuf.Cell) {
		if _, drawn := shapeOf(c.Rune); drawn || c.Rune == ' ' {
			return
		}
		l := p.lookOf(c)
		pen := font.Drawer{
			Dst: sheet, Src: image.NewUniform(l.ink), Face: plain,
			Dot: fixed.P(margin+x*cellW, margin+y*cellH+baseline),
		}
		if l.bold {
			pen.Face = bold
		}
		pen.DrawString(textOf(c))
	})
	if err := png.Encode(w, sheet); err != nil {
		return fmt.Errorf("write a PNG: %w", err)
	}
	return nil
}

// faceOf is a font at the size at which its letters are as wide as a cell.
func faceOf(ttf []byte) (font.Face, error) {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: emSize, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	return face, nil
}

// fill fills an outline.
func (p polygon) fill(sheet *image.RGBA, colour color.RGBA) {
	box := image.Rectangle{}
	for i, at := range p {
		one := image.Rect(at.x, at.y, at.x+1, at.y+1)
		if i == 0 {
			box = one
		}
		box = box.Union(one)
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, at := range p {
		x, y := float32(at.x-box.Min.X), float32(at.y-box.Min.Y)
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(sheet, box, image.NewUniform(colour), image.Point{})
}
