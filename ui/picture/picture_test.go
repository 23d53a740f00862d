package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"github.com/muesli/termenv"
	"golang.org/x/image/font/sfnt"

	"tokdyno/ui/theme"
)

// painted is a small frame: a box with a braille plot and a sentence.
func painted(t testing.TB, name theme.Name) (frame string, w, h int) {
	t.Helper()
	th, err := theme.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	th = th.On(termenv.TrueColor)
	return strings.Join([]string{
		th.Paint(theme.Border, "╭────────╮") + th.Paint(theme.Bad, " ✗ <300 & "),
		th.Paint(theme.Border, "│") + th.Paint(theme.Series1, "⣀⡠⠔⠒⣿▂█ ") + th.Paint(theme.Border, "│") + "two  words",
		th.Paint(theme.Border, "╰────────╯") + th.Paint(theme.Simulated, "SIM") + " 模型 x",
	}, "\n"), 20, 3
}

func TestTextIsTheScreensText(t *testing.T) {
	frame, w, h := painted(t, theme.Dark)
	var got bytes.Buffer
	if err := WriteText(&got, New(frame, w, h)); err != nil {
		t.Fatal(err)
	}
	want := "╭────────╮ ✗ <300 &\n│⣀⡠⠔⠒⣿▂█ │two  words\n╰────────╯SIM 模型 x\n"
	if got.String() != want {
		t.Errorf("%q, want %q", &got, want)
	}
}

// element is one of an SVG, with the text in it.
type element struct {
	name string
	attr map[string]string
	text string
}

func svgOf(t *testing.T, p *Picture) []element {
	t.Helper()
	var file bytes.Buffer
	if err := WriteSVG(&file, p); err != nil {
		t.Fatal(err)
	}
	var all []element
	for d := xml.NewDecoder(&file); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("it is no XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			all[max(len(all)-1, 0)].text += string(token)
		}
	}
}

// Whatever the font of the viewer, a text stands where its cells are and is as long as they are.
func TestTextOfASVGIsHeldToItsCells(t *testing.T) {
	frame, w, h := painted(t, theme.Dark)
	want := map[string][3]int{ // the cell in which it begins, and how many it has; 0: it may be as wide as it likes
		"✗": {11, 0, 0}, "<300 &": {13, 0, 6}, "two": {10, 1, 3}, "words": {15, 1, 5}, "SIM": {10, 2, 3}, "模": {14, 2, 0}, "x": {19, 2, 0},
	}
	for _, e := range svgOf(t, New(frame, w, h)) {
		text := strings.TrimSpace(e.text)
		at, ok := want[text]
		if e.name != "text" || !ok {
			continue
		}
		delete(want, text)
		x, y := margin+at[0]*cellW, margin+at[1]*cellH+baseline
		switch {
		case text == "✗":
			x += cellW / 2
		case text == "模":
			x += cellW
		}
		if e.attr["x"] != strconv.Itoa(x) || e.attr["y"] != strconv.Itoa(y) {
			t.Errorf("%s at %s,%s, want %d,%d", text, e.attr["x"], e.attr["y"], x, y)
		}
		length := ""
		if at[2] > 0 {
			length = strconv.Itoa(at[2] * cellW)
		}
		if got := e.attr["textLength"]; got != length {
			t.Errorf("%s is %s long, want %s", text, got, length)
		}
	}
	if len(want) > 0 {
		t.Errorf("it does not have %v", want)
	}
}

func TestColoursAreTheThemes(t *testing.T) {
	for name, want := range map[theme.Name][3]string{ // paper, the series as Lip Gloss rounds it, what is bad
		theme.Dark:  {"#0f1216", "#56b3e9", "#ff7f3f"},
		theme.Light: {"#ffffff", "#00598f", "#b34700"},
		theme.Mono:  {"#0f1216", "#d8dce2", "#0f1216"}, // reversed: the paper's colour on the ink's
	} {
		frame, w, h := painted(t, name)
		found := [3]bool{}
		for _, e := range svgOf(t, New(frame, w, h)) {
			found[0] = found[0] || e.name == "rect" && e.attr["fill"] == want[0]
			found[1] = found[1] || e.name == "path" && e.attr["fill"] == want[1]
			found[2] = found[2] || e.name == "text" && strings.Contains(e.text, "300") && e.attr["fill"] == want[2] && e.attr["class"] == "b"
		}
		if found != [3]bool{true, true, true} {
			t.Errorf("%s: %v of %v", name, found, want)
		}
	}
}

// Lines go on from cell to cell without a gap.
func TestLinesMeet(t *testing.T) {
	frame, w, h := painted(t, theme.Dark)
	var file bytes.Buffer
	if err := WritePNG(&file, New(frame, w, h)); err != nil {
		t.Fatal(err)
	}
	sheet, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sheet.Bounds(), image.Rect(0, 0, 20*cellW+2*margin, 3*cellH+2*margin); got != want {
		t.Errorf("it is %v, want %v", got, want)
	}
	inked := func(x, y int) bool {
		return sheet.At(margin+x, margin+y) != color.RGBA{0x0f, 0x12, 0x16, 0xff}
	}
	for x := cellW; x < 9*cellW; x++ {
		if !inked(x, cellH/2-1) {
			t.Fatalf("the frame's top has a gap at %d", x)
		}
	}
	for y := cellH; y < 2*cellH; y++ {
		if !inked(cellW/2, y) {
			t.Fatalf("the frame's left side has a gap at %d", y)
		}
	}
	for i := range 8 { // of ⣿
		if x, y := 5*cellW+i%2*cellW/2+cellW/4, cellH+i/2*cellH/4+cellH/8; !inked(x, y) || inked(x, y+cellH/8) {
			t.Errorf("dot %d of the braille plot does not stand alone at %d,%d", i, x, y)
		}
	}
	if !inked(7*cellW+1, cellH+1) || !inked(8*cellW-1, 2*cellH-1) {
		t.Error("a block does not fill its cell")
	}
}

// Every sign of the console is drawn, or is in the font of PNGs.
func TestNoSignIsMissing(t *testing.T) {
	glyphs := reflect.ValueOf(theme.Unicode())
	var signs []rune
	var collect func(reflect.Value)
	collect = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			signs = append(signs, []rune(v.String())...)
		case reflect.Array:
			for i := range v.Len() {
				collect(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				collect(v.Field(i))
			}
		}
	}
	collect(glyphs)
	if len(signs) < 60 {
		t.Fatalf("only %d signs", len(signs))
	}
	for name, ttf := range map[string][]byte{"plain": dejavusansmono.TTF, "bold": dejavusansmonobold.TTF} {
		face, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range signs {
			if s, drawn := shapeOf(r); drawn {
				if r != ' ' && len(s.outlines) == 0 {
					t.Errorf("%c has no outline", r)
				}
				continue
			}
			if at, err := face.GlyphIndex(nil, r); err != nil || at == 0 {
				t.Errorf("the %s font has no %c (%U)", name, r, r)
			}
		}
	}
}

// Outlines of lines and blocks stay within their cell, or they would cover their neighbours.
func TestShapesStayInTheirCell(t *testing.T) {
	for r := rune(0x2500); r < 0x2900; r++ {
		s, _ := shapeOf(r)
		for _, o := range s.outlines {
			for _, at := range o {
				if at.x < 0 || at.x > cellW || at.y < 0 || at.y > cellH {
					t.Errorf("%c reaches to %v", r, at)
				}
			}
		}
	}
}

func FuzzPicture(f *testing.F) {
	frame, w, h := painted(f, theme.Dark)
	f.Add(frame, w, h)
	f.Add("\x1b[38;5;74mx\x1b[7m模\x1b[0m\r\n\x1b[999999999;1H\x1b]8;;x\x07a\u0301", 3, 1)
	f.Fuzz(func(t *testing.T, frame string, w, h int) {
		w, h = min(max(w, 0), 40), min(max(h, 0), 10)
		svgOf(t, New(strings.ToValidUTF8(frame, "?"), w, h))
	})
}
