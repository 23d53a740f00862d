// This file is the table of keys. The footer, the help and the documentation are made from it.

package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/theme"
)

// always is the place in the footer from which commands are in it however narrow it is.
const always = 90

// keyAction is a key in the console's table: one of its own, or one of a page's.
type keyAction struct {
	Key
	in    layer
	page  int  // one more than the index of the page to which it belongs; 0: it is the console's own
	twice bool // pressed twice in a hurry, it means both
	leads bool // what arrives behind it in one message is typed, not pressed
	own   func(*model) tea.Cmd
	bars  func(*model) string // as why, for what only the console knows
}

// meant reports whether the key means something in a context.
func (k *keyAction) meant(in keyContext) bool {
	return k.in&in.layer != 0 && (k.page == 0 || k.page == in.page+1)
}

// barred says why the key does nothing at present; "" where it works.
func (k *keyAction) barred(m *model) string {
	switch {
	case k.bars != nil:
		return k.bars(m)
	case k.why != nil:
		return k.why(m)
	}
	return ""
}

// act does what the key means, or says why it does not.
func (k *keyAction) act(m *model) tea.Cmd {
	if why := k.barred(m); why != "" {
		m.Say(theme.Muted, "%s", why)
		return nil
	}
	if k.own != nil {
		return k.own(m)
	}
	return k.do(m)
}

// allKeys returns the table of a console with the given pages.
func allKeys(pages []numbered, desk *Desk) []keyAction {
	return slices.Concat(loadKeys(desk), pageKeys(pages), displayKeys(), entryKeys(), leavingKeys())
}

// pageKeys are those that choose pages, and those of the pages themselves.
func pageKeys(pages []numbered) []keyAction {
	var table []keyAction
	for i, p := range pages {
		digit := strconv.Itoa(p.number)
		table = append(table, keyAction{
			Key: Key{binding: bind(digit, p.name, digit), says: fmt.Sprintf("the %s page: %s", p.name, p.says)},
			in:  onPage | onZoom, own: func(m *model) tea.Cmd { return m.choosePage(i) },
		})
	}
	for i, p := range pages {
		for _, k := range p.keys() {
			table = append(table, keyAction{Key: k, in: layersOf(k.zoom), page: i + 1})
		}
	}
	return table
}

// layersOf are those in which a page's key means something.
func layersOf(z Zoom) layer {
	switch z {
	case ZoomedToo:
		return onPage | onZoom
	case OnlyZoomed:
		return onZoom
	}
	return onPage
}

// loadKeys are what is done to the load from every page.
func loadKeys(desk *Desk) []keyAction {
	const on = onPage | onZoom
	return []keyAction{
		{
			Key: Key{binding: bind("space", "pause", " "), footer: 1, says: "pause or resume the load; running requests go on"},
			in:  on, own: steer((*control).togglePause), bars: uncontrollable,
		},
		{
			Key: Key{binding: bind("+/-", "turn", "+", "="), footer: 2, repeats: true, says: "turn the chosen knob up", do: desk.turnUp, why: desk.why},
			in:  on,
		},
		{
			Key: Key{binding: bind("-", "turn down", "-", "_"), repeats: true, says: "turn it down", do: desk.turnDown, why: desk.why},
			in:  on,
		},
		{
			Key: Key{binding: bind("}", "double", "}"), repeats: true, says: "double the chosen knob", do: desk.double, why: desk.why},
			in:  on,
		},
		{
			Key: Key{binding: bind("{", "halve", "{"), repeats: true, says: "halve it", do: desk.halve, why: desk.why},
			in:  on,
		},
		{
			Key: Key{binding: bind("p", "presets", "p"), footer: 10, says: "choose a preset: another load and SLO"},
			in:  on, own: func(m *model) tea.Cmd { return m.picker.show(m) }, bars: noPresets,
		},
		{
			Key: Key{binding: bind("a", "autopilot", "a"), footer: 4, says: "autopilot: off, ladder, search, and off again"},
			in:  on, own: steer((*control).nextPilot), bars: uncontrollable,
		},
		{
			Key: Key{binding: bind("n", "new stage", "n"), footer: 12, says: "begin a new stage with the same load"},
			in:  on, own: steer((*control).newStage), bars: uncontrollable,
		},
		{
			Key: Key{binding: bind("m", "mark", "m"), footer: 13, says: "put a named mark on the time axis"},
			in:  on, own: func(m *model) tea.Cmd { return m.prompt.show(m, "mark ") }, bars: overAlready,
		},
		{
			Key: Key{binding: bind(":", "command", ":"), footer: 11, says: "the command line"},
			in:  on, leads: true, own: func(m *model) tea.Cmd { return m.prompt.show(m, "") },
		},
	}
}

// displayKeys are what is done to the display from every page.
func displayKeys() []keyAction {
	const on = onPage | onZoom
	return []keyAction{
		{
			Key: Key{binding: bind("f", "freeze", "f"), footer: 9, says: "freeze or release the display; the load goes on"},
			in:  on, own: (*model).toggleFreeze,
		},
		{
			Key: Key{binding: bind("[ ]", "window", "]"), footer: 7, repeats: true, says: "longer window (10 s … 5 min, stage, run)"},
			in:  on, own: steer((*control).longerWindow),
		},
		{
			Key: Key{binding: bind("[", "shorter window", "["), repeats: true, says: "shorter window"},
			in:  on, own: steer((*control).shorterWindow),
		},
		{
			Key: Key{binding: bind("?", "help", "?"), footer: always, says: "this help"},
			in:  on, own: func(m *model) tea.Cmd { return m.help.show() },
		},
		{
			Key: Key{binding: bind("esc", "close", "esc", "?", "enter"), footer: 1, says: "close the help"},
			in:  onHelp, own: func(m *model) tea.Cmd { return m.help.hide() },
		},
		{
			Key: Key{binding: bind("↑↓", "scroll", "down", "j"), footer: 2, repeats: true, says: "scroll the help down"},
			in:  onHelp, own: func(m *model) tea.Cmd { return m.help.scroll(+1, m.screen().helpLast()) },
		},
		{
			Key: Key{binding: bind("↑", "scroll up", "up", "k"), repeats: true, says: "scroll it up"},
			in:  onHelp, own: func(m *model) tea.Cmd { return m.help.scroll(-1, m.screen().helpLast()) },
		},
	}
}

// entryKeys are the keys of what is being typed: a value, a command, the filter of the presets.
func entryKeys() []keyAction {
	return []keyAction{
		{
			Key: Key{binding: bind("enter", "set", "enter"), footer: 1, says: "set the typed value"},
			in:  onTyping, own: (*model).setTyped, bars: overAlready,
		},
		{
			Key: Key{binding: bind("esc", "leave", "esc"), footer: 2, says: "leave without setting it"},
			in:  onTyping, own: (*model).stopTyping,
		},
		{
			Key: Key{binding: bind("enter", "do it", "enter"), footer: 1, says: "do what the command says"},
			in:  onPrompt, own: func(m *model) tea.Cmd { return m.prompt.obey(m) },
		},
		{
			Key: Key{binding: bind("tab", "complete", "tab"), footer: 2, says: "complete it; again: with the next that fits"},
			in:  onPrompt, own: func(m *model) tea.Cmd { return m.prompt.complete(m) },
		},
		{
			Key: Key{binding: bind("↑↓", "history", "up"), footer: 3, says: "the command before"},
			in:  onPrompt, own: func(m *model) tea.Cmd { return m.prompt.recall(-1) },
		},
		{
			Key: Key{binding: bind("↓", "later", "down"), says: "the command after"},
			in:  onPrompt, own: func(m *model) tea.Cmd { return m.prompt.recall(+1) },
		},
		{
			Key: Key{binding: bind("esc", "leave", "esc"), footer: 4, says: "leave without doing anything"},
			in:  onPrompt, own: func(m *model) tea.Cmd { return m.prompt.hide(m) },
		},
		{
			Key: Key{binding: bind("enter", "switch to it", "enter"), footer: 1, says: "switch the load and the SLO to the preset; it opens a stage"},
			in:  onPicker, own: func(m *model) tea.Cmd { return m.picker.pick(m) }, bars: noneOffered,
		},
		{
			Key: Key{binding: bind("↑↓", "choose", "down"), footer: 2, repeats: true, says: "the next preset; letters filter by name, title and use"},
			in:  onPicker, own: func(m *model) tea.Cmd { return m.picker.move(+1) },
		},
		{
			Key: Key{binding: bind("↑", "previous", "up"), repeats: true, says: "the previous preset"},
			in:  onPicker, own: func(m *model) tea.Cmd { return m.picker.move(-1) },
		},
		{
			Key: Key{binding: bind("esc", "leave", "esc"), footer: 3, says: "leave without changing anything"},
			in:  onPicker, own: func(m *model) tea.Cmd { return m.picker.hide() },
		},
	}
}

// leavingKeys are the ways out.
func leavingKeys() []keyAction {
	return []keyAction{
		{
			Key: Key{binding: bind("q", "quit", "q"), footer: always + 1, says: "let running requests end, then quit; again: now"},
			in:  onPage | onZoom | onHelp, twice: true, own: (*model).quit,
		},
		{
			Key: Key{binding: bind("ctrl+c", "stop now", "ctrl+c"), says: "stop now; what was measured is summarised"},
			in:  anywhere, own: (*model).stopNow,
		},
		{
			Key: Key{binding: bind("ctrl+z", "suspend", "ctrl+z"), says: "suspend tokdyno; the load stands still too"},
			in:  anywhere, own: (*model).suspend,
		},
	}
}

// lookup returns what a key means in a context; nil: nothing.
func lookup(table []keyAction, in keyContext, name string) *keyAction {
	for i := range table {
		if k := &table[i]; k.meant(in) && slices.Contains(k.binding.Keys(), name) {
			return k
		}
	}
	return nil
}

// shownKeys is how keys are written in help and documentation.
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
	desk := newDesk()
	pages := allPages(desk)
	for _, c := range allKeys(pages, desk) {
		keys := make([]string, 0, 4)
		for _, k := range shownKeys(c.binding) {
			keys = append(keys, "`"+k+"`")
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", strings.Join(keys, " "), c.where(pages), c.says)
	}
	return out.String()
}
