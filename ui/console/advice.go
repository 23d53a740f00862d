// This file is the line above the footer: what was just answered to a key, or what to know about the figures.

package console

import (
	"fmt"

	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// advice draws the line above the footer: what was just answered to a key, or else the most important note, followed by
// others as far as they fit.
func (v *screen) advice(w int) string {
	l := cell.NewLine(v.Theme, w).Skip(1)
	if v.message.text != "" {
		return l.Note(cell.Note{Role: v.message.role, Text: v.message.text}).String()
	}
	k, turned := v.desk.Chosen(v.Latest), v.desk.Shown(v.Latest)
	switch {
	case v.context.layer == onTyping:
		return l.Note(cell.Note{Role: theme.Accent, Text: fmt.Sprintf("%s: %s", k.Title, k.Hint())}).String()
	case v.context.layer == onPrompt:
		return l.Note(v.promptNote()).String()
	case v.desk.Turning && !v.Shows(page.Knobs): // the hand must see what it turns
		change := fmt.Sprintf("%s %s, was %s: applying…", k.Title, k.Print(turned), k.Print(v.desk.Current(v.Latest)))
		return l.Note(cell.Note{Role: theme.Accent, Text: change}).String()
	}
	all := figure.Notes(v.Frame)
	switch {
	case len(all) > 0:
	case v.Shows(page.Knobs):
		all = []cell.Note{figure.KnobHint()}
	default:
		hint := fmt.Sprintf("+/- turns the %s from here too; 1 shows all knobs", k.Title)
		all = []cell.Note{{Role: theme.Muted, Text: hint}}
	}
	const gap, sign = 3, 2
	l.Note(all[0])
	for _, n := range cell.Fill(all[1:], l.Room(), func(n *cell.Note) int { return gap + sign + cell.Width(n.Text) }) {
		l.Skip(gap).Note(n)
	}
	return l.String()
}
