// This file is the table of keys. The footer, the help and the documentation are made from it.

package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// keyContext is where a key means something. Contexts combine.
type keyContext uint8

const (
	onPage   keyContext = 1 << iota // the Live page
	onZoom                          // one panel enlarged
	onHelp                          // the help overlay
	onTyping                        // a value being typed
	anywhere = onPage | onZoom | onHelp | onTyping
)

// always is the place in the footer from which commands are in it however narrow it is.
const always = 90

// command is a key with what it does.
type command struct {
	keys    key.Binding // its help is the short form: the key and a word or two, for the footer
	says    string      // the long form: one line of help
	in      keyContext
	footer  int  // place in the footer, from 1; 0: not in it
	repeats bool // a held key that arrives as several in one message means several
	twice   bool // pressed twice in a hurry, it means both
	do      func(*model) tea.Cmd
}

// commands returns the table.
func commands() []command {
	return []command{
		{
			keys: bind("space", "pause", " "), in: onPage | onZoom, footer: 1, do: (*model).togglePause,
			says: "pause or resume the load; running requests go on",
		},
		{
			keys: bind("+/-", "turn", "+", "=", "right", "l"), in: onPage | onZoom, footer: 2, repeats: true, do: (*model).turnUp,
			says: "turn the chosen knob up",
		},
		{
			keys: bind("-", "turn down", "-", "_", "left", "h"), in: onPage | onZoom, repeats: true, do: (*model).turnDown,
			says: "turn it down",
		},
		{
			keys: bind("}", "double", "}"), in: onPage | onZoom, repeats: true, do: (*model).double,
			says: "double the chosen knob",
		},
		{
			keys: bind("{", "halve", "{"), in: onPage | onZoom, repeats: true, do: (*model).halve,
			says: "halve it",
		},
		{
			keys: bind("↑↓", "knob", "down", "j"), in: onPage | onZoom, footer: 3, repeats: true, do: (*model).nextKnob,
			says: "choose the next knob",
		},
		{
			keys: bind("↑", "previous knob", "up", "k"), in: onPage | onZoom, repeats: true, do: (*model).previousKnob,
			says: "choose the previous knob",
		},
		{
			keys: bind("e", "type", "e"), in: onPage | onZoom, footer: 8, do: (*model).startTyping,
			says: "type a value for the chosen knob",
		},
		{
			keys: bind("tab", "focus", "tab"), in: onPage | onZoom, footer: 5, do: (*model).nextFocus,
			says: "move the focus to the next panel",
		},
		{
			keys: bind("shift+tab", "focus back", "shift+tab"), in: onPage | onZoom, do: (*model).previousFocus,
			says: "move it back",
		},
		{
			keys: bind("enter", "zoom", "enter"), in: onPage, footer: 6, do: (*model).zoomIn,
			says: "enlarge the focused panel",
		},
		{
			keys: bind("esc", "back", "esc", "enter"), in: onZoom, footer: 6, do: (*model).zoomOut,
			says: "back to all panels",
		},
		{
			keys: bind("f", "freeze", "f"), in: onPage | onZoom, footer: 9, do: (*model).toggleFreeze,
			says: "freeze or release the display; the load goes on",
		},
		{
			keys: bind("[ ]", "window", "]"), in: onPage | onZoom, footer: 7, repeats: true, do: (*model).longerWindow,
			says: "longer window (10 s … 5 min, stage, run)",
		},
		{
			keys: bind("[", "shorter window", "["), in: onPage | onZoom, repeats: true, do: (*model).shorterWindow,
			says: "shorter window",
		},
		{
			keys: bind("?", "help", "?"), in: onPage | onZoom, footer: always, do: (*model).openHelp,
			says: "this help",
		},
		{
			keys: bind("esc", "close", "esc", "?", "enter"), in: onHelp, footer: 1, do: (*model).closeHelp,
			says: "close the help",
		},
		{
			keys: bind("enter", "set", "enter"), in: onTyping, footer: 1, do: (*model).setTyped,
			says: "set the typed value",
		},
		{
			keys: bind("esc", "leave", "esc"), in: onTyping, footer: 2, do: (*model).stopTyping,
			says: "leave without setting it",
		},
		{
			keys: bind("q", "quit", "q"), in: onPage | onZoom | onHelp, footer: always + 1, twice: true, do: (*model).quit,
			says: "let running requests end, then quit; again: now",
		},
		{
			keys: bind("ctrl+c", "stop now", "ctrl+c"), in: anywhere, do: (*model).stopNow,
			says: "stop now; what was measured is summarised",
		},
		{
			keys: bind("ctrl+z", "suspend", "ctrl+z"), in: anywhere, do: (*model).suspend,
			says: "suspend tokdyno; the load stands still too",
		},
	}
}

// bind returns a binding: how it is shown, its word or two, and the keys as Bubble Tea names them.
func bind(shown, word string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, word))
}

// lookup returns the command of a key in a context.
func lookup(table []command, in keyContext, name string) (command, bool) {
	for _, c := range table {
		if c.in&in == 0 {
			continue
		}
		for _, k := range c.keys.Keys() {
			if k == name {
				return c, true
			}
		}
	}
	return command{}, false
}

// String names a context for people.
func (c keyContext) String() string {
	if c == anywhere {
		return "everywhere"
	}
	var names []string
	for _, one := range []struct {
		context keyContext
		name    string
	}{{onPage, "page"}, {onZoom, "zoomed panel"}, {onHelp, "help"}, {onTyping, "typing a value"}} {
		if c&one.context != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}

// shownKeys is how the keys of a command are written in help and documentation.
func shownKeys(b key.Binding) []string {
	var names []string
	for _, k := range b.Keys() {
		switch k {
		case " ":
			k = "space"
		case "up":
			k = "↑"
		case "down":
			k = "↓"
		case "left":
			k = "←"
		case "right":
			k = "→"
		case "_", "=": // the same key without or with shift: a convenience, not worth a word
			continue
		}
		names = append(names, k)
	}
	return names
}

// KeysMarkdown returns the keys of the console as a Markdown table, for the documentation.
func KeysMarkdown() string {
	var out strings.Builder
	out.WriteString("| key | where | what it does |\n|---|---|---|\n")
	for _, c := range commands() {
		keys := make([]string, 0, 4)
		for _, k := range shownKeys(c.keys) {
			keys = append(keys, "`"+k+"`")
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", strings.Join(keys, " "), c.in, c.says)
	}
	return out.String()
}
