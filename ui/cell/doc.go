// Package cell puts text into cells: pieces in a role, lines of an exact width, framed panels, and numbers as people read
// them. Nothing else in the console counts cells, and whatever somebody else wrote is sanitised here before it is shown.
//
//   - piece.go: text in a role; line.go: a line written from left to right; text.go: what is done to text
//   - panel.go: the frame of a panel; fact.go: names with figures, as many as fit; note.go: sentences behind a sign
//   - fit.go: what is left out until the rest fits; rows.go: rows of which only some are in sight
//   - format.go: numbers, times, shares
package cell
