package console

import (
	"fmt"
	"strings"
	"testing"

	"tokdyno/engine/golden"
	"tokdyno/ui/knob"
)

func TestKeysInTheDocumentationAreCurrent(t *testing.T) {
	want := "# Keys\n\nThis list is made from the console's own table of keys.\n\n" + keysMarkdown() +
		"\n## The command line\n\nA colon opens it; `tab` completes.\n\n" + commandsMarkdown() +
		"\n## The mouse\n\nOver a chart, what it shows of the second under the pointer stands beneath it. The terminal selects text with shift meanwhile.\n" +
		"`--mouse auto`, which holds unless said otherwise, is off over ssh, where each movement crosses the network; `--mouse on` and `off` decide.\n\n" +
		mouseMarkdown()
	golden.Page(t, "keys.md", want)
}

// keysMarkdown returns the keys of the console as a Markdown table, for the documentation.
func keysMarkdown() string {
	var out strings.Builder
	out.WriteString("| key | where | what it does |\n|---|---|---|\n")
	desk := knob.NewDesk()
	pages := allPages(desk)
	for _, c := range allKeys(pages, desk) {
		keys := make([]string, 0, 4)
		for _, k := range shownKeys(c.Binding) {
			keys = append(keys, "`"+k+"`")
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", strings.Join(keys, " "), c.where(pages), c.Says)
	}
	return out.String()
}

// mouseMarkdown says what the mouse does.
func mouseMarkdown() string {
	return `| where | a click | again | the wheel |
|---|---|---|---|
| a page's number, at the top right | turns to it | | |
| a knob | chooses it; on ◂ and ▸ turns it | types a value | turns it |
| a chart of the Live page | shows the requests behind the second under it | | |
| the curve | chooses the level under it | | scrolls |
| a percentile of the Live page | shows the requests behind it | | |
| a heading on the Live page | gives the panel the focus | enlarges it, and shows all again | |
| a request, in the list or in its lane; a kind of failure | chooses it | opens it, or its requests | scrolls |
| a stage | chooses it | marks it as A or B | scrolls |
| a level of the Curve page | chooses it | puts the load there | scrolls |
| a device, an event | chooses it | | scrolls |
| a preset | chooses it | switches to it | scrolls |
| a key in the footer | presses it, but for q | | |
`
}

// commandsMarkdown returns the commands of the command line as a Markdown table, for the documentation.
func commandsMarkdown() string {
	var out strings.Builder
	out.WriteString("| command | what it does |\n|---|---|\n")
	for _, o := range allCommands() {
		fmt.Fprintf(&out, "| `:%s` | %s |\n", o.usage(), o.explained())
	}
	return out.String()
}

// where names for people where a key means something.
func (k *keyAction) where(pages []numbered) string {
	if k.in == anywhere {
		return "everywhere"
	}
	var names []string
	rest := k.in
	switch {
	case k.page > 0 && rest&onPage != 0:
		names = append(names, "on the "+pages[k.page-1].name+" page")
	case k.page == 0 && rest&onPage != 0:
		names, rest = append(names, "on every page"), rest&^onZoom
	}
	for _, one := range []struct {
		layer layer
		name  string
	}{
		{onZoom, "with a panel enlarged"},
		{onHelp, "in the help"},
		{onTyping, "typing a value"},
		{onEntry, "typing a filter or a file name"},
		{onPrompt, "on the command line"},
		{onPicker, "choosing a preset"},
	} {
		if rest&one.layer != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, ", ")
}
