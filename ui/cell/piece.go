// This file is text in a role: the pieces that lines are made of.

package cell

import "tokdyno/ui/theme"

// Piece is some text in one role.
type Piece struct {
	Role theme.Role
	Text string
}

// In is text in a role.
func In(role theme.Role, text string) Piece { return Piece{role, text} }

// Text is what is to be read.
func Text(text string) Piece { return Piece{theme.Text, text} }

// Muted is text that stands behind the rest: names, units, what is unknown.
func Muted(text string) Piece { return Piece{theme.Muted, text} }

// Title is what the eye should find first.
func Title(text string) Piece { return Piece{theme.Title, text} }

// Accent is text that something is happening to.
func Accent(text string) Piece { return Piece{theme.Accent, text} }

// Key is the name of a key.
func Key(text string) Piece { return Piece{theme.Key, text} }

// Good is a verdict that is as it should be.
func Good(text string) Piece { return Piece{theme.Good, text} }

// Warn is what to be careful of.
func Warn(text string) Piece { return Piece{theme.Warn, text} }

// Bad is a verdict that is not as it should be.
func Bad(text string) Piece { return Piece{theme.Bad, text} }
