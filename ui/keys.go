// This file is the table of keys. The footer, the help and the documentation are made from it.

package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
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
	leads   bool // what arrives behind it in one message is typed, not pressed
	do      func(*model) tea.Cmd
}

// commands returns the table of a console with the given pages.
func commands(pages []numbered) []command {
	return slices.Concat(loadCommands(), pageCommands(pages), displayCommands(), entryCommands(), leavingCommands())
}

// loadCommands are what is done to the load from every page.
func loadCommands() []command {
	const on = onPages | onZoom
	return []command{
		{
			keys: bind("space", "pause", " "), in: on, footer: 1, do: (*model).togglePause,
			says: "pause or resume the load; running requests go on",
		},
		{
			keys: bind("+/-", "turn", "+", "="), in: on, footer: 2, repeats: true, do: (*model).turnUp,
			says: "turn the chosen knob up",
		},
		{
			keys: bind("-", "turn down", "-", "_"), in: on, repeats: true, do: (*model).turnDown,
			says: "turn it down",
		},
		{
			keys: bind("}", "double", "}"), in: on, repeats: true, do: (*model).double,
			says: "double the chosen knob",
		},
		{
			keys: bind("{", "halve", "{"), in: on, repeats: true, do: (*model).halve,
			says: "halve it",
		},
		{
			keys: bind("p", "presets", "p"), in: on, footer: 10, do: (*model).openPicker,
			says: "choose a preset: another load and SLO",
		},
		{
			keys: bind("a", "autopilot", "a"), in: on, footer: 4, do: (*model).nextPilot,
			says: "autopilot: off, ladder, search, and off again",
		},
		{
			keys: bind("n", "new stage", "n"), in: on, footer: 12, do: (*model).newStage,
			says: "begin a new stage with the same load",
		},
		{
			keys: bind("m", "mark", "m"), in: on, footer: 13, do: (*model).openMark,
			says: "put a named mark on the time axis",
		},
		{
			keys: bind(":", "command", ":"), in: on, footer: 11, leads: true, do: (*model).openPrompt,
			says: "the command line",
		},
	}
}

// displayCommands are what is done to the display from every page.
func displayCommands() []command {
	const on = onPages | onZoom
	return []command{
		{
			keys: bind("f", "freeze", "f"), in: on, footer: 9, do: (*model).toggleFreeze,
			says: "freeze or release the display; the load goes on",
		},
		{
			keys: bind("[ ]", "window", "]"), in: on, footer: 7, repeats: true, do: (*model).longerWindow,
			says: "longer window (10 s … 5 min, stage, run)",
		},
		{
			keys: bind("[", "shorter window", "["), in: on, repeats: true, do: (*model).shorterWindow,
			says: "shorter window",
		},
		{
			keys: bind("?", "help", "?"), in: on, footer: always, do: (*model).openHelp,
			says: "this help",
		},
		{
			keys: bind("esc", "close", "esc", "?", "enter"), in: onHelp, footer: 1, do: (*model).closeHelp,
			says: "close the help",
		},
		{
			keys: bind("↑↓", "scroll", "down", "j"), in: onHelp, footer: 2, repeats: true, do: (*model).helpDown,
			says: "scroll the help down",
		},
		{
			keys: bind("↑", "scroll up", "up", "k"), in: onHelp, repeats: true, do: (*model).helpUp,
			says: "scroll it up",
		},
	}
}

// entryCommands are the keys of what is being typed: a value, a command, the filter of the presets.
func entryCommands() []command {
	return []command{
		{
			keys: bind("enter", "set", "enter"), in: onTyping, footer: 1, do: (*model).setTyped,
			says: "set the typed value",
		},
		{
			keys: bind("esc", "leave", "esc"), in: onTyping, footer: 2, do: (*model).stopTyping,
			says: "leave without setting it",
		},
		{
			keys: bind("enter", "do it", "enter"), in: onPrompt, footer: 1, do: (*model).obeyPrompt,
			says: "do what the command says",
		},
		{
			keys: bind("tab", "complete", "tab"), in: onPrompt, footer: 2, do: (*model).completePrompt,
			says: "complete it; again: with the next that fits",
		},
		{
			keys: bind("↑↓", "history", "up"), in: onPrompt, footer: 3, do: (*model).earlierOrder,
			says: "the command before",
		},
		{
			keys: bind("↓", "later", "down"), in: onPrompt, do: (*model).laterOrder,
			says: "the command after",
		},
		{
			keys: bind("esc", "leave", "esc"), in: onPrompt, footer: 4, do: (*model).closePrompt,
			says: "leave without doing anything",
		},
		{
			keys: bind("enter", "switch to it", "enter"), in: onPicker, footer: 1, do: (*model).pick,
			says: "switch the load and the SLO to the preset; it opens a stage",
		},
		{
			keys: bind("↑↓", "choose", "down"), in: onPicker, footer: 2, repeats: true, do: (*model).nextPreset,
			says: "the next preset; letters filter by name, title and use",
		},
		{
			keys: bind("↑", "previous", "up"), in: onPicker, repeats: true, do: (*model).previousPreset,
			says: "the previous preset",
		},
		{
			keys: bind("esc", "leave", "esc"), in: onPicker, footer: 3, do: (*model).closePicker,
			says: "leave without changing anything",
		},
	}
}

// leavingCommands are the ways out.
func leavingCommands() []command {
	return []command{
		{
			keys: bind("q", "quit", "q"), in: onPages | onZoom | onHelp, footer: always + 1, twice: true, do: (*model).quit,
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
		if c.in&in != 0 && slices.Contains(c.keys.Keys(), name) {
			return c, true
		}
	}
	return command{}, false
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
	for _, c := range commands(allPages()) {
		keys := make([]string, 0, 4)
		for _, k := range shownKeys(c.keys) {
			keys = append(keys, "`"+k+"`")
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", strings.Join(keys, " "), c.in, c.says)
	}
	return out.String()
}
