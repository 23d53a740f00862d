// Looks: how one role is drawn, and how people write that down.

package theme

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Look is how one role is drawn. The zero Look is the terminal's own foreground.
type Look struct {
	colour                          lipgloss.TerminalColor // nil: the terminal's own
	bold, faint, underline, reverse bool
}

// hex is a colour as the web writes it.
var hex = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

// ParseLook reads a look: a colour as #RRGGBB, #RGB or the number of one of 256, and any of bold, faint, underline and
// reverse, parted by blanks; or plain. The error is a sentence.
func ParseLook(text string) (Look, error) {
	var l Look
	words := strings.Fields(text)
	if len(words) == 0 {
		return l, fmt.Errorf("there is no colour; write it like \"#56B4E9\" or \"#56B4E9 bold\", in quotes, or plain")
	}
	for _, word := range words {
		number, err := strconv.ParseUint(word, 10, 8)
		colour := hex.MatchString(word) || err == nil
		switch {
		case colour && l.colour != nil:
			return Look{}, fmt.Errorf("%q names two colours; one is the foreground, and there is no other", text)
		case colour && err == nil:
			l.colour = lipgloss.Color(strconv.FormatUint(number, 10))
		case colour:
			l.colour = lipgloss.Color(word)
		case word == "bold":
			l.bold = true
		case word == "faint":
			l.faint = true
		case word == "underline":
			l.underline = true
		case word == "reverse":
			l.reverse = true
		case word == "plain" && len(words) == 1:
		default:
			return Look{}, fmt.Errorf("%q is no colour; write it like \"#56B4E9\" or \"#56B4E9 bold\", in quotes, or plain", word)
		}
	}
	return l, nil
}

// String writes a look as ParseLook reads it, with its colour on a terminal that has all.
func (l Look) String() string {
	var words []string
	switch c := l.colour.(type) {
	case lipgloss.CompleteColor:
		words = append(words, c.TrueColor)
	case lipgloss.Color:
		words = append(words, string(c))
	}
	for _, attribute := range []struct {
		on   bool
		name string
	}{{l.bold, "bold"}, {l.faint, "faint"}, {l.underline, "underline"}, {l.reverse, "reverse"}} {
		if attribute.on {
			words = append(words, attribute.name)
		}
	}
	if words == nil {
		return "plain"
	}
	return strings.Join(words, " ")
}
