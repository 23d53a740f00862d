package flags

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"tokdyno/engine/golden"
	"tokdyno/engine/stage"
	"tokdyno/presets"
)

func TestSettingsInTheDocumentationAreCurrent(t *testing.T) {
	want := settingsMarkdown()
	golden.Page(t, "settings.md", want)
}

// settingsMarkdown is the table of settings as a page, for the documentation.
func settingsMarkdown() string {
	var out strings.Builder
	out.WriteString(`# Settings

This list is made from the table that flags, preset files, the console's knobs and its command line are views of. All of them
take the same words.

| flag | in a preset | in the console | what it sets | what it takes | for example | unless set |
|---|---|---|---|---|---|---|
`)
	for _, s := range presets.Settings() {
		flag := "`--" + s.FlagName() + "`"
		if s.Letter != "" {
			flag = "`-" + s.Letter + "` " + flag
		}
		command, example := "", ""
		if s.Short != "" {
			command = "`:" + s.Short + "`"
		}
		if s.Example != "" {
			example = "`" + s.Example + "`"
		}
		fmt.Fprintf(&out, "| %s | `%s` | %s | %s | %s | %s | %s |\n", flag, s.Name, command, cells(s.Says), cells(s.Hint()), cells(example), cells(cmp.Or(s.Print(presets.Plain()), "off")))
	}
	out.WriteString(`
## How long an autopilot measures a level

As flags of ` + "`tokdyno sweep`, and as words behind `:auto`: `:auto search samples=30`" + `.

| flag | what it sets | unless set |
|---|---|---|
`)
	for _, s := range presets.EffortSettings() {
		fmt.Fprintf(&out, "| `--%s` | %s | %s |\n", s.Name, cells(strings.ReplaceAll(s.Says, "`", "")), s.Print(stage.Effort{}.WithDefaults()))
	}
	return out.String()
}

// cells keeps a text from being taken for several cells of a table.
func cells(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
