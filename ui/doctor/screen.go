// This file is the checks of the terminal: its size, its colours, its characters.

package doctor

import (
	"fmt"

	"github.com/muesli/termenv"

	"tokdyno/ui/page"
)

// wantedWidth and wantedHeight are what the console is made for; page has the least that it needs.
const wantedWidth, wantedHeight = 80, 24

func terminal(f Facts) Finding {
	name := orElse(f.Env("TERM"), "not set")
	switch {
	case !f.Terminal:
		return advice("none, or TERM=dumb", "for the console, start tokdyno in a terminal; check, sweep and report need none")
	case f.Columns == 0:
		return advice("its size is not known, TERM="+name, "try the console; if it does not fit, set the size with stty cols 120 rows 36")
	case f.Columns < page.LeastWidth || f.Rows < page.LeastHeight:
		return advice(fmt.Sprintf("%d×%d, TERM=%s", f.Columns, f.Rows, name),
			fmt.Sprintf("make it at least %d×%d, better %d×%d", page.LeastWidth, page.LeastHeight, wantedWidth, wantedHeight))
	case f.Columns < wantedWidth || f.Rows < wantedHeight:
		return advice(fmt.Sprintf("%d×%d, TERM=%s", f.Columns, f.Rows, name),
			fmt.Sprintf("at %d×%d charts and tables have the room they need", wantedWidth, wantedHeight))
	}
	return fine(fmt.Sprintf("%d×%d, TERM=%s", f.Columns, f.Rows, name))
}

func colours(f Facts) Finding {
	depth := map[termenv.Profile]string{termenv.TrueColor: "16 million", termenv.ANSI256: "256", termenv.ANSI: "16", termenv.Ascii: "none"}[f.Theme.Profile()]
	says := fmt.Sprintf("%s, theme %s", depth, f.Theme.Name)
	switch {
	case f.Env("NO_COLOR") != "":
		return fine("none, as NO_COLOR asks: theme " + string(f.Theme.Name))
	case f.Terminal && f.Theme.Profile() == termenv.ANSI:
		return advice(says, "where the terminal has more, set TERM=xterm-256color or COLORTERM=truecolor")
	}
	return fine(says)
}

func characters(f Facts) Finding {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set counts
		if v := f.Env(name); v != "" {
			locale = name + "=" + v
			break
		}
	}
	if !f.Theme.Glyphs.Braille {
		return advice("ASCII only: charts are drawn with * and o ("+orElse(locale, "no locale is set")+", TERM="+orElse(f.Env("TERM"), "not set")+")",
			"set LANG=C.UTF-8, or start with --ascii=false where the terminal shows box-drawing and Braille characters, each in one cell")
	}
	return fine("Unicode" + orIn(locale))
}

// orIn puts a text into brackets, behind a blank, where there is one.
func orIn(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
