// The palettes. The hues derive from Okabe and Ito's set: blue and orange carry the data, and no two roles are told
// apart by red against green. Contrast against a black or a white background is at least 5.5:1.

package theme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Name is the name of a palette, as given to --theme.
type Name string

// The palettes.
const (
	Dark  Name = "dark"
	Light Name = "light"
	Mono  Name = "mono" // bold, faint and reverse only
)

// Names returns the names of all palettes, in the order shown to people.
func Names() []Name { return []Name{Dark, Light, Mono} }

// Lookup returns the theme called name, with all colours and Unicode glyphs; [Theme.On] and [Theme.With] fit it to the
// terminal. The error names the themes there are.
func Lookup(name Name) (Theme, error) {
	if slices.Contains(Names(), name) {
		return Theme{Name: name, Glyphs: Unicode()}.On(termenv.TrueColor), nil
	}
	names := make([]string, 0, len(Names()))
	for _, known := range Names() {
		names = append(names, string(known))
	}
	return Theme{}, fmt.Errorf("unknown theme %q; the themes are %s", string(name), strings.Join(names, ", "))
}

// look is how one role is drawn.
type look struct {
	colour                          lipgloss.CompleteColor
	bold, faint, underline, reverse bool
}

type palette [roleCount]look

// paletteOf returns the looks of a palette; an unknown name looks plain.
func paletteOf(name Name) palette {
	switch name {
	case Dark:
		return colours{
			blue:      tint("#56B4E9", "74", "14"),
			orange:    tint("#E69F00", "178", "3"),
			green:     tint("#2BB78C", "36", "2"),
			vermilion: tint("#FF7F3F", "209", "9"),
			pink:      tint("#CC79A7", "175", "13"),
			grey:      tint("#8A8F98", "245", "7"),
		}.palette()
	case Light:
		return colours{
			blue:      tint("#005A8F", "24", "4"),
			orange:    tint("#8F5F00", "94", "3"),
			green:     tint("#006B4E", "22", "2"),
			vermilion: tint("#B34700", "130", "1"),
			pink:      tint("#8F3F6E", "89", "5"),
			grey:      tint("#5C6370", "59", "8"),
		}.palette()
	case Mono:
		return palette{
			Muted:       {faint: true},
			Title:       {bold: true},
			Border:      {faint: true},
			BorderFocus: {bold: true},
			Series2:     {bold: true},
			Bad:         {bold: true, reverse: true},
			Good:        {bold: true},
			Warn:        {bold: true, underline: true},
			Accent:      {bold: true},
			Simulated:   {reverse: true},
			Key:         {bold: true},
		}
	}
	return palette{}
}

// tint is one hue on terminals of 16 million, 256 and 16 colours. The smaller two are chosen by hand: the nearest
// colour by computation turns light's green into its blue and its pink into its grey.
func tint(trueColor, ansi256, ansi string) lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: trueColor, ANSI256: ansi256, ANSI: ansi}
}

// colours are the hues of a palette that has any.
type colours struct{ blue, orange, green, vermilion, pink, grey lipgloss.CompleteColor }

// palette hands the hues to the roles, the same way in every coloured palette.
func (c colours) palette() palette {
	return palette{
		Muted:       {colour: c.grey},
		Title:       {bold: true},
		Border:      {colour: c.grey},
		BorderFocus: {colour: c.blue, bold: true},
		Series1:     {colour: c.blue},
		Series2:     {colour: c.orange},
		Series3:     {colour: c.green},
		Series4:     {colour: c.vermilion},
		Series5:     {colour: c.pink},
		Good:        {colour: c.green},
		Bad:         {colour: c.vermilion, bold: true},
		Warn:        {colour: c.orange, bold: true},
		Accent:      {colour: c.pink},
		Simulated:   {colour: c.pink, bold: true},
		Key:         {colour: c.blue},
	}
}
