// Roles: what a piece of text is for, and by which name a theme's file sets how it looks.

package theme

// Role is what a piece of text is for. Pages name roles, never colours.
type Role uint8

// The roles. Good, Bad and Warn never stand alone: a status is a glyph, a word and a colour, see [Theme.Status].
const (
	Text        Role = iota // the terminal's own foreground
	Muted                   // units, axis labels, what is n/a
	Title                   // headings of panels
	Border                  // frames, axes
	BorderFocus             // the frame that has the focus
	Series1                 // the first series of a chart: p50
	Series2                 // the second series of a chart: p95
	Series3                 // further ones, where five are told apart by their glyphs too
	Series4
	Series5
	Good      // an objective is met
	Bad       // an objective is missed, an error
	Warn      // something to look at
	Accent    // the SLO line, what is chosen
	Simulated // what no real server or device said
	Key       // a key the user can press
	roleCount
)

// Named is a role with what people call it.
type Named struct {
	Role Role
	Name string // in a configuration file
	For  string // what is drawn in it
}

// Roles returns all roles, in order.
func Roles() []Named {
	return []Named{
		{Text, "text", "what is to be read"},
		{Muted, "muted", "units, labels of axes, n/a"},
		{Title, "title", "headings, the chosen row"},
		{Border, "border", "frames and axes"},
		{BorderFocus, "focus", "the frame that has the focus"},
		{Series1, "series1", "a chart's first line: p50"},
		{Series2, "series2", "its second line: p95"},
		{Series3, "series3", "its third line"},
		{Series4, "series4", "its fourth line"},
		{Series5, "series5", "its fifth line"},
		{Good, "good", "an SLO or a check that is met"},
		{Bad, "bad", "one that is missed, an error"},
		{Warn, "warn", "something to look at"},
		{Accent, "accent", "the SLO's line, the pointer"},
		{Simulated, "simulated", "SIMULATED"},
		{Key, "key", "a key that can be pressed"},
	}
}
