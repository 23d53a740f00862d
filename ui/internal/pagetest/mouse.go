// This file finds what is drawn, for the mouse.

package pagetest

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/page"
)

// CellOf is the first cell of a text that is drawn; of several the n-th, from 0. It is false where there is none.
func CellOf(drawn, text string, n int) (at page.Point, ok bool) {
	for y, line := range strings.Split(ansi.Strip(drawn), "\n") {
		for from := 0; ; n-- {
			i := strings.Index(line[from:], text)
			if i < 0 {
				break
			}
			if n == 0 {
				return page.Point{X: ansi.StringWidth(line[:from+i]), Y: y}, true
			}
			from += i + len(text)
		}
	}
	return at, false
}
