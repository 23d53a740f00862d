// The palettes. The hues derive from Okabe and Ito's set: blue and orange carry the data, and no two roles are told
// apart by red against green. Contrast against a black or a white background is at least 5.5:1, and 7:1 in high contrast.

package theme

import "github.com/charmbracelet/lipgloss"

// Name is the name of a theme, as given to --theme.
type Name string

// The themes that are built in.
const (
	Dark              Name = "dark"
	Light             Name = "light"
	Mono              Name = "mono"                // bold, faint and reverse only
	HighContrast      Name = "high-contrast"       // for a dark background
	HighContrastLight Name = "high-contrast-light" // for a light one
)

// palette is how each role is drawn.
type palette [roleCount]Look

// builtIn are the palettes of [Themes] to which nothing was added, in the order shown to people.
func builtIn() []named {
	return []named{
		{Dark, colours{
			blue:      tint("#56B4E9", "74", "14"),
			orange:    tint("#E69F00", "178", "3"),
			green:     tint("#2BB78C", "36", "2"),
			vermilion: tint("#FF7F3F", "209", "9"),
			pink:      tint("#CC79A7", "175", "13"),
			grey:      tint("#8A8F98", "245", "7"),
		}.palette()},
		{Light, colours{
			blue:      tint("#005A8F", "24", "4"),
			orange:    tint("#8F5F00", "94", "3"),
			green:     tint("#006B4E", "22", "2"),
			vermilion: tint("#B34700", "130", "1"),
			pink:      tint("#8F3F6E", "89", "5"),
			grey:      tint("#5C6370", "59", "8"),
		}.palette()},
		{Mono, &palette{
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
		}},
		{HighContrast, colours{
			blue:      tint("#7CCBFF", "117", "14"),
			orange:    tint("#FFC233", "220", "11"),
			green:     tint("#4FE3B5", "79", "10"),
			vermilion: tint("#FF9A66", "216", "9"),
			pink:      tint("#F0A6D0", "218", "13"),
			grey:      tint("#C8CDD5", "252", "7"),
		}.palette()},
		{HighContrastLight, colours{
			blue:      tint("#003E66", "24", "4"),
			orange:    tint("#5C3D00", "88", "3"), // 256 colours have no brown that is dark enough
			green:     tint("#00402E", "22", "2"),
			vermilion: tint("#7A2E00", "124", "1"),
			pink:      tint("#6B2450", "53", "5"),
			grey:      tint("#3D434D", "238", "0"),
		}.palette()},
	}
}

// tint is one hue on terminals of 16 million, 256 and 16 colours. The smaller two are chosen by hand: the nearest
// colour by computation turns light's green into its blue and its pink into its grey.
func tint(trueColor, ansi256, ansi string) lipgloss.TerminalColor {
	return lipgloss.CompleteColor{TrueColor: trueColor, ANSI256: ansi256, ANSI: ansi}
}

// colours are the hues of a palette that has any.
type colours struct{ blue, orange, green, vermilion, pink, grey lipgloss.TerminalColor }

// palette hands the hues to the roles, the same way in every coloured palette.
func (c colours) palette() *palette {
	return &palette{
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
