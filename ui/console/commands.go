// This file is the table of the command line's commands. Its completion, the help and the documentation are made from it.

package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/presets"
	"tokdyno/presets/lines"
	"tokdyno/ui/theme"
)

// command is a command that is typed out.
type command struct {
	name  string
	also  string // another name for it; ""
	takes string // what follows it, by example; "": nothing
	says  string
	hint  string                // what may follow it; "": says tells
	words func(*model) []string // what its last word may be completed to; nil: nothing
	do    func(m *model, rest string) (tea.Cmd, error)
	looks bool // it changes nothing but what this screen shows
}

// allCommands returns the table: the settings, as the table of them has them, then what else can be typed.
func allCommands() []command {
	return slices.Concat(settingCommands(), runCommands(), consoleCommands())
}

// settingCommands set one setting each.
func settingCommands() []command {
	var all []command
	for _, s := range presets.Settings() {
		c := command{
			name: s.Short, also: s.FlagName(), takes: s.Example, says: s.Says, hint: s.Hint(), words: present(s),
			do: func(m *model, rest string) (tea.Cmd, error) { return m.run.setCommand(s, rest) },
		}
		if s.Name == "slo" {
			c = withFit(c)
		}
		all = append(all, c)
	}
	return all
}

// withFit is the command of limits, which can also be set to what the present stage keeps.
func withFit(c command) command {
	words, do := c.words, c.do
	c.hint = "fit for what the load keeps now, or " + c.hint
	c.words = func(m *model) []string { return append(words(m), "fit") }
	c.do = func(m *model, rest string) (tea.Cmd, error) {
		if strings.EqualFold(rest, "fit") {
			return nil, m.run.fitLimits()
		}
		return do(m, rest)
	}
	return c
}

// runCommands are what else can be done to the run.
func runCommands() []command {
	return []command{
		{
			name: "preset", takes: "NAME", says: "switch the load and the SLO to a preset's", words: presetNames, do: commandPreset,
		},
		pilotCommand(),
		{
			name: "pause", says: "pause or resume the load; running requests go on",
			do: func(m *model, _ string) (tea.Cmd, error) {
				if why := playable(m); why != "" {
					return nil, errors.New(why)
				}
				m.run.togglePause()
				return nil, nil
			},
		},
		{
			name: "new", says: "begin a new stage with the same load",
			do: func(m *model, _ string) (tea.Cmd, error) { return m.steer((*control).newStage) },
		},
	}
}

// consoleCommands are about the console itself.
func consoleCommands() []command {
	return []command{
		seekCommand(),
		onlyCommand(),
		{
			name: "mark", takes: "TEXT", says: "put a named mark on the time axis", do: commandMark,
		},
		saveCommand(),
		snapCommand(),
		{
			name: "requests", takes: "slow ttft", looks: true, says: "the requests that are so: failed, missed tpot, slow e2el, ttft>1s, stage 2",
			do: func(m *model, rest string) (tea.Cmd, error) {
				err := m.showRequests(rest, "")
				return m.pages[m.open].See(m), err
			},
		},
		{
			name: "theme", takes: "dark", looks: true, says: "the console's colours: " + strings.Join(namesOf(theme.Names()), ", ") + " or your own",
			words: func(m *model) []string { return namesOf(m.th.Names()) }, do: commandTheme,
		},
		{
			name: "tour", says: "of the demo: five keys, and what each of them shows",
			do: func(m *model, _ string) (tea.Cmd, error) {
				if why := tourless(m); why != "" {
					return nil, errors.New(why)
				}
				m.tour.begin(m)
				return nil, nil
			},
		},
		{
			name: "help", looks: true, says: "the keys and commands",
			do: func(m *model, _ string) (tea.Cmd, error) {
				m.help.show()
				return nil, nil
			},
		},
		{
			name: "q", also: "quit", looks: true, says: "let running requests end, then quit; again: now",
			do: func(m *model, _ string) (tea.Cmd, error) { return m.quit(), nil },
		},
	}
}

// present offers the present value of a setting, if it can be written, and its words.
func present(s *presets.Setting) func(*model) []string {
	return func(m *model) []string {
		words := slices.Clone(s.Words)
		if now := s.Print(m.run.desk.Shown(m.run.latest)); now != "" && !slices.Contains(words, now) {
			words = slices.Insert(words, 0, now)
		}
		return words
	}
}

func namesOf(themes []theme.Name) []string {
	var names []string
	for _, name := range themes {
		names = append(names, string(name))
	}
	return names
}

// unknownPreset says which presets there are.
func unknownPreset(m *model, name string) error {
	if len(m.picker.all) == 0 {
		return errors.New("there are no presets")
	}
	return fmt.Errorf("there is no preset %q%s", name,
		lines.Meant(name, presetNames(m), "there are "+strings.Join(presetNames(m), ", ")))
}

func commandTheme(m *model, rest string) (tea.Cmd, error) {
	next, err := m.th.Switch(theme.Name(strings.ToLower(rest)))
	if err != nil {
		return nil, err
	}
	m.th = &next
	return nil, nil
}

func commandMark(m *model, rest string) (tea.Cmd, error) {
	if why := recorded(m); why != "" {
		return nil, errors.New(why)
	}
	m.run.engine.Mark(rest)
	m.run.say(theme.Good, "marked: %s", rest)
	return nil, nil
}

// steer does something to the run, where that is still possible.
func (m *model) steer(do func(*control)) (tea.Cmd, error) {
	if why := m.run.uncontrollable(); why != "" {
		return nil, errors.New(why)
	}
	do(&m.run)
	return nil, nil
}

// findCommand reads a typed line. The error says which command was probably meant, or what the command takes.
func findCommand(table []command, typed string) (o command, rest string, err error) {
	name, rest, _ := strings.Cut(typed, " ")
	name, rest = strings.ToLower(name), strings.TrimSpace(rest)
	i := slices.IndexFunc(table, func(o command) bool { return o.called(name) })
	switch {
	case i < 0:
		return command{}, "", fmt.Errorf("there is no command %q%s", name, lines.Meant(name, namesIn(table), "? lists them all"))
	case table[i].takes == "" && rest != "":
		return command{}, "", fmt.Errorf("%s takes nothing after it", name)
	case table[i].takes != "" && rest == "":
		return command{}, "", fmt.Errorf("%s takes something after it, such as %s %s", name, name, table[i].takes)
	}
	return table[i], rest, nil
}

// called reports whether a name is the command's.
func (o *command) called(name string) bool { return o.name == name || o.also != "" && o.also == name }

// namesIn are the names of all commands of a table.
func namesIn(table []command) []string {
	var names []string
	for _, o := range table {
		names = append(names, o.name)
		if o.also != "" {
			names = append(names, o.also)
		}
	}
	return names
}

// explained is what it does and what may follow it.
func (o *command) explained() string {
	if o.hint == "" {
		return o.says
	}
	return o.says + ": " + o.hint
}

// usage is the command with what follows it.
func (o *command) usage() string { return strings.TrimSpace(o.name + " " + o.takes) }
