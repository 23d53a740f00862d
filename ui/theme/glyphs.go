// The glyph sets. Every glyph is one cell wide in both, so that no layout depends on the set.

package theme

import "github.com/charmbracelet/x/ansi"

// Glyphs are the characters the console draws with.
type Glyphs struct {
	// Braille says whether charts plot with 2×4 dots a cell; otherwise they plot one character a cell.
	Braille bool

	// Frames and rules.
	Horizontal, Vertical                            string
	TopLeft, TopRight, BottomLeft, BottomRight      string
	TeeLeft, TeeRight, TeeUp, TeeDown, CrossingLine string

	// Charts. Solid and Dashed stand for a series, in a legend and where Braille is off in the plot too; Threshold is
	// the SLO line, Mark the line of a moment, AxisTick a labelled row of the axis.
	Solid, Dashed, Dotted, DotDash, Threshold, Mark, AxisLine, AxisTick string

	Blocks  [8]string // one to eight eighths of a cell, from the bottom: sparklines
	Eighths [8]string // one to eight eighths of a cell, from the left: bars
	Track   string    // the empty part of a bar

	Phases [5]string // of a request, in order: dispatch, connect, wait, reasoning, decode
	Stall  string    // in a phase: nothing came for long

	// Status and signs.
	Check, Cross, Alert, Info, Run, Pause, Busy, Idle, Bullet, Ellipsis string

	// Arrows and pointers.
	Up, Down, Left, Right, Rising, Falling, Less, More, Pointer string

	// Signs inside numbers and words.
	AtMost, AtLeast, Degree, Times string
}

// Unicode returns the glyphs for terminals that can show them.
func Unicode() Glyphs {
	return Glyphs{
		Braille:    true,
		Horizontal: "─", Vertical: "│",
		TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
		TeeLeft: "┤", TeeRight: "├", TeeUp: "┴", TeeDown: "┬", CrossingLine: "┼",
		Solid: "━", Dashed: "╍", Dotted: "┈", DotDash: "┅", Threshold: "╌", Mark: "┆", AxisLine: "│", AxisTick: "┤",
		Blocks:  [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Eighths: [8]string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		Track:   "░",
		Phases:  [5]string{"·", "╌", "░", "▒", "█"}, Stall: "╳",
		Check: "✓", Cross: "✗", Alert: "!", Info: "ⓘ", Run: "▶", Pause: "‖", Busy: "●", Idle: "○", Bullet: "·", Ellipsis: "…",
		Up: "↑", Down: "↓", Left: "←", Right: "→", Rising: "▲", Falling: "▼", Less: "◂", More: "▸", Pointer: "▸",
		AtMost: "≤", AtLeast: "≥", Degree: "°", Times: "×",
	}
}

// ASCII returns the glyphs for terminals and fonts that show nothing else.
func ASCII() Glyphs {
	return Glyphs{
		Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeLeft: "+", TeeRight: "+", TeeUp: "+", TeeDown: "+", CrossingLine: "+",
		Solid: "*", Dashed: "o", Dotted: ".", DotDash: "%", Threshold: "-", Mark: ":", AxisLine: "|", AxisTick: "+",
		Blocks:  [8]string{".", ":", "-", "=", "+", "*", "#", "@"},
		Eighths: [8]string{"#", "#", "#", "#", "#", "#", "#", "#"},
		Track:   ".",
		Phases:  [5]string{".", "-", ":", "=", "#"}, Stall: "x",
		Check: "+", Cross: "x", Alert: "!", Info: "i", Run: ">", Pause: "=", Busy: "*", Idle: "o", Bullet: "-", Ellipsis: "~",
		Up: "^", Down: "v", Left: "<", Right: ">", Rising: "^", Falling: "v", Less: "<", More: ">", Pointer: ">",
		AtMost: "<", AtLeast: ">", Degree: "'", Times: "x",
	}
}

// LineCells returns how many cells the terminal's locale gives a box-drawing line: 1, or 2 where ambiguous characters
// are wide, and then no frame of Unicode glyphs would close.
func LineCells() int { return ansi.StringWidth("─") }
