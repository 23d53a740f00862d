// This file is the table of keys. The footer, the help and the documentation are made from it.

package console

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/knob"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// always is the place in the footer from which commands are in it however narrow it is.
const always = 90

// keyAction is a key in the console's table: one of its own, or one of a page's.
type keyAction struct {
	page.Key
	in    layer
	page  int  // one more than the index of the page to which it belongs; 0: it is the console's own
	twice bool // pressed twice in a hurry, it means both
	leads bool // what arrives behind it in one message is typed, not pressed
	acts  bool // on the run, on files or on the process, which is not for those who only watch
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
	case k.acts && m.run.watches:
		return readOnly
	case k.bars != nil:
		return k.bars(m)
	case k.Why != nil:
		return k.Why(m)
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
	k.Do(m)
	return m.pages[m.open].See(m)
}

// allKeys returns the table of a console with the given pages.
func allKeys(pages []numbered, desk *knob.Desk) []keyAction {
	return slices.Concat(acting(loadKeys(desk)), promptKeys(), pageKeys(pages), displayKeys(), acting(keepingKeys()),
		acting(duelKeys()), acting(replayKeys()), entryKeys(), leavingKeys())
}

// acting marks keys as such that do more than look.
func acting(table []keyAction) []keyAction {
	for i := range table {
		table[i].acts = true
	}
	return table
}

// pageKeys are those that choose pages, and those of the pages themselves.
func pageKeys(pages []numbered) []keyAction {
	var table []keyAction
	for i, p := range pages {
		digit := strconv.Itoa(p.number)
		table = append(table, keyAction{
			Key: page.Key{Binding: page.Bind(digit, p.name, digit), Says: fmt.Sprintf("the %s page: %s", p.name, p.says)},
			in:  onPage | onZoom, own: func(m *model) tea.Cmd { return m.choosePage(i) },
		})
	}
	for i, p := range pages {
		for _, k := range p.Keys() {
			table = append(table, keyAction{Key: k, in: layersOf(k.Zoom), page: i + 1, leads: k.Leads})
		}
	}
	return table
}

// layersOf are those in which a page's key means something.
func layersOf(z page.Zoom) layer {
	switch z {
	case page.ZoomedToo:
		return onPage | onZoom
	case page.OnlyZoomed:
		return onZoom
	}
	return onPage
}

// loadKeys are what is done to the load from every page.
func loadKeys(desk *knob.Desk) []keyAction {
	const on = onPage | onZoom
	return []keyAction{
		{
			Key: page.Key{
				Binding: page.Bind("space", "pause", " "), Footer: 1,
				Says: "pause or resume the load; running requests go on",
			},
			in: on, own: steer((*control).togglePause), bars: playable,
		},
		{
			Key: page.Key{
				Binding: page.Bind("+/-", "turn", "+", "="), Footer: 2, Repeats: true,
				Says: "turn the chosen knob up", Do: desk.TurnUp, Why: desk.Why,
			},
			in: on,
		},
		{
			Key: page.Key{
				Binding: page.Bind("-", "turn down", "-", "_"), Repeats: true,
				Says: "turn it down", Do: desk.TurnDown, Why: desk.Why,
			},
			in: on,
		},
		{
			Key: page.Key{
				Binding: page.Bind("}", "double", "}"), Repeats: true,
				Says: "double the chosen knob", Do: desk.Double, Why: desk.Why,
			},
			in: on,
		},
		{
			Key: page.Key{
				Binding: page.Bind("{", "halve", "{"), Repeats: true,
				Says: "halve it", Do: desk.Halve, Why: desk.Why,
			},
			in: on,
		},
		{
			Key: page.Key{
				Binding: page.Bind("p", "presets", "p"), Footer: 10,
				Says: "choose a preset: another load and SLO",
			},
			in: on, own: just(func(m *model) { m.picker.show(m) }), bars: noPresets,
		},
		{
			Key: page.Key{
				Binding: page.Bind("a", "autopilot", "a"), Footer: 4,
				Says: "autopilot: off, ladder, search, and off again",
			},
			in: on, own: steer((*control).nextPilot), bars: uncontrollable,
		},
		{
			Key: page.Key{
				Binding: page.Bind("n", "new stage", "n"), Footer: 12,
				Says: "begin a new stage with the same load",
			},
			in: on, own: steer((*control).newStage), bars: uncontrollable,
		},
		{
			Key: page.Key{
				Binding: page.Bind("m", "mark", "m"), Footer: 13,
				Says: "put a named mark on the time axis",
			},
			in: on, own: just(func(m *model) { m.prompt.show(m, "mark ") }), bars: recorded,
		},
	}
}

// promptKeys open the command line.
func promptKeys() []keyAction {
	return []keyAction{{
		Key: page.Key{Binding: page.Bind(":", "command", ":"), Footer: 11, Says: "the command line"},
		in:  onPage | onZoom, leads: true, own: just(func(m *model) { m.prompt.show(m, "") }),
	}}
}

// displayKeys are what is done to the display from every page.
func displayKeys() []keyAction {
	const on = onPage | onZoom
	return []keyAction{
		{
			Key: page.Key{
				Binding: page.Bind("f", "freeze", "f"), Footer: 9,
				Says: "freeze or release the display; the load goes on",
			},
			in: on, own: just((*model).toggleFreeze),
		},
		{
			Key: page.Key{
				Binding: page.Bind("[ ]", "window", "]"), Footer: 7, Repeats: true,
				Says: "longer window (10 s … 5 min, stage, run)",
			},
			in: on, own: steer((*control).longerWindow), bars: noWindow,
		},
		{
			Key: page.Key{Binding: page.Bind("[", "shorter window", "["), Repeats: true, Says: "shorter window"},
			in:  on, own: steer((*control).shorterWindow), bars: noWindow,
		},
		{
			Key: page.Key{Binding: page.Bind("?", "help", "?"), Footer: always, Says: "this help"},
			in:  on, own: just(func(m *model) { m.help.show() }),
		},
		{
			Key: page.Key{Binding: page.Bind("esc", "close", "esc", "?", "enter"), Footer: 1, Says: "close the help"},
			in:  onHelp, own: just(func(m *model) { m.help.hide() }),
		},
		{
			Key: page.Key{
				Binding: page.Bind("↑↓", "scroll", "down", "j"), Footer: 2, Repeats: true,
				Says: "scroll the help down",
			},
			in: onHelp, own: just(func(m *model) { m.help.scroll(+1, m.screen().helpLast()) }),
		},
		{
			Key: page.Key{Binding: page.Bind("t", "tour", "t"), Footer: 3, Says: "of the demo: a tour of five keys"},
			in:  onHelp, acts: true, own: just(func(m *model) { m.tour.begin(m) }), bars: tourless,
		},
		{
			Key: page.Key{Binding: page.Bind("↑", "scroll up", "up", "k"), Repeats: true, Says: "scroll it up"},
			in:  onHelp, own: just(func(m *model) { m.help.scroll(-1, m.screen().helpLast()) }),
		},
	}
}

// keepingKeys write files.
func keepingKeys() []keyAction {
	const on = onPage | onZoom
	return []keyAction{
		{
			Key: page.Key{
				Binding: page.Bind("w", "report", "w"), Footer: 14,
				Says: "write the report so far into the working folder, as a page with charts",
			},
			in: on, own: (*model).saveNow, bars: unsaved,
		},
		{
			Key: page.Key{Binding: page.Bind("P", "picture", "P"), Says: "keep the screen as a picture in the working folder; :snap names the file"},
			in:  on | onHelp, own: (*model).snapNow,
		},
	}
}

// entryKeys are the keys of what is being typed: a value, a command, the filter of the presets.
func entryKeys() []keyAction {
	return []keyAction{
		{
			Key: page.Key{Binding: page.Bind("enter", "set", "enter"), Footer: 1, Says: "set the typed value"},
			in:  onTyping, own: (*model).setTyped, bars: overAlready,
		},
		{
			Key: page.Key{Binding: page.Bind("esc", "leave", "esc"), Footer: 2, Says: "leave without setting it"},
			in:  onTyping, own: just((*model).stopTyping),
		},
		{
			Key: page.Key{Binding: page.Bind("enter", "take it", "enter"), Footer: 1, Says: "take the typed text"},
			in:  onEntry, own: func(m *model) tea.Cmd { return m.entered() },
		},
		{
			Key: page.Key{Binding: page.Bind("esc", "leave", "esc"), Footer: 2, Says: "leave it as it was"},
			in:  onEntry, own: just(func(m *model) { m.typist().Leave(m) }),
		},
		{
			Key: page.Key{Binding: page.Bind("enter", "do it", "enter"), Footer: 1, Says: "do what the command says"},
			in:  onPrompt, own: func(m *model) tea.Cmd { return m.prompt.obey(m) },
		},
		{
			Key: page.Key{
				Binding: page.Bind("tab", "complete", "tab"), Footer: 2,
				Says: "complete it; again: with the next that fits",
			},
			in: onPrompt, own: just(func(m *model) { m.prompt.complete(m) }),
		},
		{
			Key: page.Key{Binding: page.Bind("↑↓", "history", "up"), Footer: 3, Says: "the command before"},
			in:  onPrompt, own: just(func(m *model) { m.prompt.recall(-1) }),
		},
		{
			Key: page.Key{Binding: page.Bind("↓", "later", "down"), Says: "the command after"},
			in:  onPrompt, own: just(func(m *model) { m.prompt.recall(+1) }),
		},
		{
			Key: page.Key{Binding: page.Bind("esc", "leave", "esc"), Footer: 4, Says: "leave without doing anything"},
			in:  onPrompt, own: just(func(m *model) { m.prompt.hide(m) }),
		},
		{
			Key: page.Key{
				Binding: page.Bind("enter", "switch to it", "enter"), Footer: 1,
				Says: "switch the load and the SLO to the preset; it opens a stage",
			},
			in: onPicker, own: func(m *model) tea.Cmd { return m.picker.pick(m) }, bars: noneOffered,
		},
		{
			Key: page.Key{
				Binding: page.Bind("↑↓", "choose", "down"), Footer: 2, Repeats: true,
				Says: "the next preset; letters filter by name, title and use",
			},
			in: onPicker, own: just(func(m *model) { m.picker.move(+1) }),
		},
		{
			Key: page.Key{Binding: page.Bind("↑", "previous", "up"), Repeats: true, Says: "the previous preset"},
			in:  onPicker, own: just(func(m *model) { m.picker.move(-1) }),
		},
		{
			Key: page.Key{
				Binding: page.Bind("esc", "leave", "esc"), Footer: 3,
				Says: "leave without changing anything",
			},
			in: onPicker, own: just(func(m *model) { m.picker.hide() }),
		},
	}
}

// leavingKeys are the ways out.
func leavingKeys() []keyAction {
	return []keyAction{
		{
			Key: page.Key{
				Binding: page.Bind("q", "quit", "q"), Footer: always + 1,
				Says: "let running requests end, then quit; again: now",
			},
			in: onPage | onZoom | onHelp, twice: true, own: (*model).quit,
		},
		{
			Key: page.Key{
				Binding: page.Bind("ctrl+c", "stop now", "ctrl+c"),
				Says:    "stop now; what was measured is summarised",
			},
			in: anywhere, own: (*model).stopNow,
		},
		{
			Key: page.Key{
				Binding: page.Bind("ctrl+z", "suspend", "ctrl+z"),
				Says:    "suspend tokdyno; the load stands still too",
			},
			in: anywhere, acts: true, own: (*model).suspend,
		},
	}
}

// lookup returns what a key means in a context; nil: nothing.
func lookup(table []keyAction, in keyContext, name string) *keyAction {
	for i := range table {
		if k := &table[i]; k.meant(in) && slices.Contains(k.Binding.Keys(), name) {
			return k
		}
	}
	return nil
}

// shownKeys is how keys are written in help and documentation.
func shownKeys(b key.Binding) []string {
	var names []string
	for _, k := range b.Keys() {
		if k == "_" || k == "=" { // the same key without or with shift: a convenience, not worth a word
			continue
		}
		names = append(names, shownKey(k))
	}
	return names
}

// shownKey is how a key is written, by the name that Bubble Tea has for it.
func shownKey(name string) string {
	switch name {
	case " ":
		return "space"
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	}
	return name
}
