// This file is the table of the command line's commands. Its completion, the help and the documentation are made from it.

package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/knob"
	"tokdyno/ui/theme"
)

// command is a command that is typed out.
type command struct {
	name  string
	takes string // what follows it, by example; "": nothing
	says  string
	words func(*model) []string // what its last word may be completed to; nil: nothing
	do    func(m *model, rest string) (tea.Cmd, error)
}

// allCommands returns the table.
func allCommands() []command { return slices.Concat(loadCommands(), goalCommands(), consoleCommands()) }

// loadCommands change the load and its shape.
func loadCommands() []command {
	return []command{
		{
			name: "c", takes: "64", says: "requests in flight in the closed loop; ends the open one",
			words: present(func(k engine.Knobs) string { return cell.Grouped(int64(k.Load.Concurrency)) }),
			do:    setting(knob.ParseConcurrency),
		},
		{
			name: "rate", takes: "12", says: "requests per second in the open loop, which it begins; off: closed loop",
			words: present(knob.RateKnob().Value, "off"), do: setting(knob.ParseRate),
		},
		{
			name: "max", takes: "64", says: "requests in flight at most in the open loop; off: no cap",
			words: present(knob.CapText, "off"), do: setting(knob.ParseCap),
		},
		ofKnob("arrival", "poisson", knob.ArrivalKnob(), "constant", "poisson", "gamma:", "burst:"),
		ofKnob("ramp", "30s", knob.RampKnob(), "off"),
		{
			name: "speed", takes: "2", says: "how much faster than recorded a replay runs", do: setting(knob.ParseSpeed),
		},
		ofKnob("in", "512±128", knob.PromptKnob()),
		ofKnob("out", "128", knob.OutputKnob()),
		ofKnob("overlap", "30%", knob.OverlapKnob(), "off"),
		ofKnob("prefixes", "8", knob.PrefixesKnob()),
		ofKnob("turns", "4", knob.TurnsKnob(), "off"),
		ofKnob("think", "5s", knob.ThinkKnob(), "off"),
		{
			name: "preset", takes: "NAME", says: "switch the load and the SLO to a preset's", words: presetNames, do: commandPreset,
		},
		pilotCommand(),
		{
			name: "pause", says: "pause or resume the load; running requests go on",
			do: func(m *model, _ string) (tea.Cmd, error) { return m.steer((*control).togglePause) },
		},
		{
			name: "new", says: "begin a new stage with the same load",
			do: func(m *model, _ string) (tea.Cmd, error) { return m.steer((*control).newStage) },
		},
	}
}

// goalCommands change what the load is held against.
func goalCommands() []command {
	return []command{
		{
			name: "slo", takes: "ttft=300ms", says: "limits of a request: ttft, tpot, e2el; fit: what the load keeps now; off",
			words: func(*model) []string { return []string{"ttft", "tpot", "e2el", "fit", "off"} }, do: commandLimits,
		},
		ofKnob("target", "99.9%", knob.TargetKnob()),
		objectiveCommand(),
		{
			name: "window", takes: "1m", says: "what the live figures are over: " + strings.Join(windowNames(), ", "),
			words: func(*model) []string { return windowNames() }, do: commandWindow,
		},
	}
}

// consoleCommands are about the console itself.
func consoleCommands() []command {
	return []command{
		{
			name: "mark", takes: "TEXT", says: "put a named mark on the time axis", do: commandMark,
		},
		{
			name: "theme", takes: "dark", says: "the console's colours: " + strings.Join(themeNames(), ", "),
			words: func(*model) []string { return themeNames() }, do: commandTheme,
		},
		{
			name: "q", says: "let running requests end, then quit; again: now",
			do: func(m *model, _ string) (tea.Cmd, error) { return m.quit(), nil },
		},
	}
}

// ofKnob is the command that sets a knob. Its present value completes it, and some others.
func ofKnob(name, takes string, k knob.Knob, others ...string) command {
	says := k.Name(engine.Knobs{}) + ": " + k.Asks
	return command{name: name, takes: takes, says: says, words: present(k.Value, others...), do: setting(k.Parse)}
}

// present offers the present value and others.
func present(value func(engine.Knobs) string, others ...string) func(*model) []string {
	return func(m *model) []string {
		now := value(m.run.desk.Shown(m.run.latest))
		return append([]string{now}, slices.DeleteFunc(slices.Clone(others), func(o string) bool { return o == now })...)
	}
}

// setting sets what parse reads.
func setting(parse func(engine.Knobs, string) (engine.Knobs, error)) func(*model, string) (tea.Cmd, error) {
	return func(m *model, rest string) (tea.Cmd, error) { return m.run.setText(parse, rest) }
}

func windowNames() []string {
	var names []string
	for w := stats.Last10s; w <= stats.WholeRun; w++ {
		names = append(names, w.String())
	}
	return names
}

func commandWindow(m *model, rest string) (tea.Cmd, error) {
	i := slices.Index(windowNames(), strings.ToLower(rest))
	if i < 0 {
		return nil, fmt.Errorf("there is no window %q; there are %s", rest, strings.Join(windowNames(), ", "))
	}
	m.run.applyNow(func(k *engine.Knobs) { k.Window = stats.Last10s + stats.Window(i) })
	return nil, nil
}

func themeNames() []string {
	var names []string
	for _, name := range theme.Names() {
		names = append(names, string(name))
	}
	return names
}

// unknownPreset says which presets there are.
func unknownPreset(m *model, name string) error {
	if len(m.picker.all) == 0 {
		return errors.New("there are no presets")
	}
	return fmt.Errorf("there is no preset %q; there are %s", name, strings.Join(presetNames(m), ", "))
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
	if m.run.latest.State == engine.Ended {
		return nil, errors.New("the run has ended; there is no moment to mark")
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

// objectiveCommand is the command that sets objectives.
func objectiveCommand() command {
	return command{
		name: "obj", takes: "ttft p99 <= 500ms over 1m for 99%", says: "objectives, judged every second; off: none",
		words: func(*model) []string { return []string{"off"} }, do: setting(knob.ParseObjectives),
	}
}

// commandLimits sets the SLO of single requests: what is typed, or what the present stage holds.
func commandLimits(m *model, rest string) (tea.Cmd, error) {
	if !strings.EqualFold(rest, "fit") {
		return m.run.setText(knob.ParseLimits, rest)
	}
	return nil, m.run.fitLimits()
}

// findCommand reads a typed line. The error says which command was probably meant, or what the command takes.
func findCommand(table []command, typed string) (o command, rest string, err error) {
	name, rest, _ := strings.Cut(typed, " ")
	name, rest = strings.ToLower(name), strings.TrimSpace(rest)
	i := slices.IndexFunc(table, func(o command) bool { return o.name == name })
	switch {
	case i < 0:
		return command{}, "", fmt.Errorf("there is no command %q%s", name, suggestion(table, name))
	case table[i].takes == "" && rest != "":
		return command{}, "", fmt.Errorf("%s takes nothing after it", name)
	case table[i].takes != "" && rest == "":
		return command{}, "", fmt.Errorf("%s takes something after it, such as %s %s", name, name, table[i].takes)
	}
	return table[i], rest, nil
}

// suggestion names the command that an unknown name comes nearest to.
func suggestion(table []command, name string) string {
	const far = 3
	best, least := "", far
	for _, o := range table {
		d := typos(o.name, name)
		if strings.HasPrefix(o.name, name) || len(o.name) > 1 && strings.HasPrefix(name, o.name) {
			d = min(d, 1) // cut short, or run together with what follows
		}
		if d < least && d < len(o.name) {
			best, least = o.name, d
		}
	}
	if best == "" {
		return "; ? lists them all"
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// typos is the least number of letters to insert, remove or replace that turns a into b: Levenshtein's distance.
func typos(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			cost := diagonal
			if r != s {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}

// CommandsMarkdown returns the commands of the command line as a Markdown table, for the documentation.
func CommandsMarkdown() string {
	var out strings.Builder
	out.WriteString("| command | what it does |\n|---|---|\n")
	for _, o := range allCommands() {
		fmt.Fprintf(&out, "| `:%s` | %s |\n", o.usage(), o.says)
	}
	return out.String()
}

// usage is the command with what follows it.
func (o *command) usage() string { return strings.TrimSpace(o.name + " " + o.takes) }
