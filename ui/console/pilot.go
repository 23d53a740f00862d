// This file hands the load to an autopilot and takes it back, and says what becomes of that.

package console

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/units"
	"tokdyno/presets"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/theme"
)

// nextPilot goes from off to the ladder, to the search, and back to off. Where there is nothing to search for, that is
// said, and it goes on to off.
func (c *control) nextPilot() {
	c.refresh()
	current := figure.RunningPilot(c.latest)
	switch {
	case current == nil:
		if err := c.startAutopilot(snapshot.AutopilotRun{Kind: snapshot.Ladder}); err != nil {
			c.say(theme.Bad, "%s", cell.OneLine(err))
		}
	case current.Kind == snapshot.Search:
		c.release()
	default:
		if err := c.startAutopilot(snapshot.AutopilotRun{Kind: snapshot.Search}); err != nil {
			c.release()
			c.say(theme.Bad, "%s", cell.OneLine(err))
		}
	}
}

// startAutopilot hands the load over. What was being turned is forgotten: the autopilot is at the knobs now.
func (c *control) startAutopilot(f snapshot.AutopilotRun) error {
	if err := c.engine.StartAutopilot(f); err != nil {
		return err
	}
	c.desk.Drop()
	c.refresh()
	if remark := f.Remark(&c.latest.Knobs); remark != "" {
		c.say(theme.Accent, "autopilot %s: %s", f.Kind, remark)
	} else {
		c.say(theme.Accent, "autopilot: %s", autopilotText(f))
	}
	return nil
}

// autopilotText says what a run is going to do.
func autopilotText(f snapshot.AutopilotRun) string {
	switch {
	case f.Kind == snapshot.Search:
		return "search for the highest load that holds what is asked for; a: off"
	case f.Kind == snapshot.Steps:
		return "steps " + f.Levels.String()
	case len(f.Levels.Values) > 0:
		return "ladder " + f.Levels.String()
	}
	return "ladder up the levels, each until it is measured; a: search"
}

// release takes the load back. It stays where it is.
func (c *control) release() {
	c.engine.StopAutopilot()
	c.refresh()
	c.say(theme.Muted, "autopilot off: the load stays at %s", figure.LoadPoint(c.latest.Knobs))
}

// watchPilot says so when the autopilot has finished, or was stopped by something other than the key for it.
func (c *control) watchPilot(before, after *snapshot.Snapshot) {
	p := after.Pilot
	if figure.RunningPilot(before) == nil || p == nil || !p.Over || p.Kind != before.Pilot.Kind {
		return
	}
	switch {
	case p.Released:
		c.say(theme.Warn, "autopilot %s", p.Why)
	case p.Finished:
		c.say(figure.ResultRole(p), "%s", p.Result.Sentence)
	}
}

// pilotCommand is the command for all of it.
func pilotCommand() command {
	return command{
		name: "auto", takes: "search samples=30", says: "the autopilot: ladder [LEVELS], search, steps 1,2,4@30s, off; samples=30 and steady=5s say how long",
		words: func(*model) []string {
			words := []string{"ladder", "search", "steps", "off"}
			for _, s := range presets.EffortSettings() {
				words = append(words, s.Name+"=")
			}
			return words
		},
		do: commandPilot,
	}
}

func commandPilot(m *model, rest string) (tea.Cmd, error) {
	run, off, err := parseAutopilot(rest)
	switch {
	case err != nil:
		return nil, err
	case m.run.uncontrollable() != "":
		return nil, errors.New(m.run.uncontrollable())
	case !off:
		return nil, m.run.startAutopilot(run)
	}
	m.run.refresh()
	if figure.RunningPilot(m.run.latest) == nil {
		return nil, errors.New("the autopilot is off already")
	}
	m.run.release()
	return nil, nil
}

// parseAutopilot reads "ladder", "ladder 1-32", "search samples=30 steady=5s", "steps 1,2,4@30s" and "off".
func parseAutopilot(text string) (f snapshot.AutopilotRun, off bool, err error) {
	effort, text, err := presets.ParseEffort(text)
	if err != nil {
		return f, false, err
	}
	kind, levels, _ := strings.Cut(text, " ")
	kind, f.Effort = strings.ToLower(kind), effort
	if units.Off(kind) {
		return f, true, nil
	}
	f.Kind = snapshot.PilotKind(kind)
	switch f.Kind {
	case snapshot.Ladder:
	case snapshot.Search:
		if levels != "" {
			return f, false, errors.New("a search finds its levels itself; write search, or search samples=30 steady=5s")
		}
	case snapshot.Steps:
		if levels == "" {
			return f, false, errors.New("steps are levels and a time for each, such as steps 1,2,4,8@30s")
		}
	default:
		return f, false, fmt.Errorf("there is no autopilot %q; there are ladder, search and steps, and off", kind)
	}
	if levels == "" {
		return f, false, nil
	}
	if f.Levels, err = load.ParseLevels(levels); err != nil {
		return f, false, err
	}
	if f.Kind == snapshot.Ladder && f.Levels.Dwell > 0 {
		f.Kind = snapshot.Steps // a time for each level is what steps are
	}
	if f.Kind == snapshot.Steps && effort != (stage.Effort{}) {
		return f, false, errors.New("steps say how long each level takes; leave out samples, steady and longest")
	}
	return f, false, nil
}
