// This file is the line above the footer: what was just answered to a key, or what to know about the figures.

package console

import (
	"fmt"

	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// advice draws what stands above the footer: what was just answered to a key, or else the most important note, followed by
// others as far as they fit. One that is longer than a line takes as many as it needs.
func (v *screen) advice(w int) []string {
	all := v.sayings()
	if first := cell.NoteLines(v.Theme, all[0], w); len(first) > 1 {
		return first
	}
	const gap, sign = 3, 2
	l := cell.NewLine(v.Theme, w).Skip(1).Note(all[0])
	for _, n := range cell.Fill(all[1:], l.Room(), func(n *cell.Note) int { return gap + sign + cell.Width(n.Text) }) {
		l.Skip(gap).Note(n)
	}
	return []string{l.String()}
}

// sayings are what there is to say at present, the most important first. There is always something.
func (v *screen) sayings() []cell.Note {
	one := func(role theme.Role, text string) []cell.Note { return []cell.Note{{Role: role, Text: text}} }
	if v.message.text != "" {
		answer := one(v.message.role, v.message.text)
		if v.toured {
			return append([]cell.Note{v.tour}, answer...)
		}
		return answer
	}
	k, turned := v.desk.Chosen(v.Latest), v.desk.Shown(v.Latest)
	switch {
	case v.context.layer == onTyping:
		return one(theme.Accent, fmt.Sprintf("%s: %s", k.Title, k.Hint()))
	case v.context.layer == onPrompt:
		return []cell.Note{v.promptNote()}
	case v.desk.Turning && !v.Shows(page.Knobs): // the hand must see what it turns
		return one(theme.Accent, fmt.Sprintf("%s %s, was %s: applying…", k.Title, k.Print(turned), k.Print(v.desk.Current(v.Latest))))
	}
	switch all := figure.Notes(v.Frame); {
	case v.tour.Text != "":
		return append([]cell.Note{v.tour}, all...)
	case len(all) > 0:
		return all
	case v.Shows(page.Knobs):
		return []cell.Note{figure.KnobHint()}
	}
	return one(theme.Muted, fmt.Sprintf("+/- turns the %s from here too; 1 shows all knobs", k.Title))
}
