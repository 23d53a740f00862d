// This file hands the load to an autopilot and takes it back, and says what becomes of that.

package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/ui/theme"
)

// aloft returns the autopilot that moves the load at present; nil: none does.
func aloft(s *engine.Snapshot) *engine.PilotView {
	if s.Pilot == nil || s.Pilot.Over || s.State == engine.Ended {
		return nil
	}
	return s.Pilot
}

// nextPilot goes from off to the ladder, to the search, and back to off. Where there is nothing to search for, that is
// said, and it goes on to off.
func (m *model) nextPilot() tea.Cmd {
	if !m.loaded() {
		return nil
	}
	m.refresh()
	flying := aloft(m.latest)
	switch {
	case flying == nil:
		if err := m.startAutopilot(engine.AutopilotRun{Kind: engine.Ladder}); err != nil {
			m.say(theme.Bad, "%s", oneLine(err))
		}
	case flying.Kind == engine.Search:
		m.release()
	default:
		if err := m.startAutopilot(engine.AutopilotRun{Kind: engine.Search}); err != nil {
			m.release()
			m.say(theme.Bad, "%s", oneLine(err))
		}
	}
	return nil
}

// startAutopilot hands the load over. What was being turned is forgotten: the autopilot is at the knobs now.
func (m *model) startAutopilot(f engine.AutopilotRun) error {
	if err := m.engine.StartAutopilot(f); err != nil {
		return err
	}
	m.dial.drop()
	m.refresh()
	m.say(theme.Accent, "autopilot: %s", autopilotText(f))
	return nil
}

// autopilotText says what a run is going to do.
func autopilotText(f engine.AutopilotRun) string {
	switch {
	case f.Kind == engine.Search:
		return "search for the highest load that holds what is asked for; a: off"
	case f.Kind == engine.Steps:
		return "steps " + f.Levels.String()
	case len(f.Levels.Values) > 0:
		return "ladder " + f.Levels.String()
	}
	return "ladder up the levels, each until it is measured; a: search"
}

// release takes the load back. It stays where it is.
func (m *model) release() {
	m.engine.StopAutopilot()
	m.refresh()
	m.say(theme.Muted, "autopilot off: the load stays at %s", loadPoint(m.latest.Knobs))
}

// watchPilot says so when the autopilot has finished, or was stopped by something other than the key for it.
func (m *model) watchPilot(before, after *engine.Snapshot) {
	p := after.Pilot
	if aloft(before) == nil || p == nil || !p.Over || p.Kind != before.Pilot.Kind {
		return
	}
	switch {
	case p.Released:
		m.say(theme.Warn, "autopilot %s", p.Why)
	case p.Finished:
		m.say(resultRole(p), "%s", p.Result.Sentence)
	}
}

// resultRole says how a result is to be taken.
func resultRole(p *engine.PilotView) theme.Role {
	switch {
	case p.Kind != engine.Search:
		return theme.Good
	case !p.Result.Found:
		return theme.Bad
	case p.Result.Doubtful || p.Result.Few:
		return theme.Warn
	}
	return theme.Good
}

// pilotOrder is the command for all of it.
func pilotOrder() order {
	return order{
		name: "auto", takes: "ladder 1-32", says: "the autopilot: ladder [LEVELS], search, steps 1,2,4@30s, off",
		words: func(*model) []string { return []string{"ladder", "search", "steps", "off"} }, do: orderPilot,
	}
}

func orderPilot(m *model, rest string) (tea.Cmd, error) {
	run, off, err := parseAutopilot(rest)
	switch {
	case err != nil:
		return nil, err
	case !m.loaded():
		return nil, nil
	case !off:
		return nil, m.startAutopilot(run)
	}
	m.refresh()
	if aloft(m.latest) == nil {
		return nil, errors.New("the autopilot is off already")
	}
	m.release()
	return nil, nil
}

// parseAutopilot reads "ladder", "ladder 1-32", "search", "steps 1,2,4@30s" and "off".
func parseAutopilot(text string) (f engine.AutopilotRun, off bool, err error) {
	kind, levels, _ := strings.Cut(strings.TrimSpace(text), " ")
	kind, levels = strings.ToLower(kind), strings.TrimSpace(levels)
	if isOff(kind) {
		return f, true, nil
	}
	f.Kind = engine.PilotKind(kind)
	switch f.Kind {
	case engine.Ladder:
	case engine.Search:
		if levels != "" {
			return f, false, errors.New("a search finds its levels itself; write search alone")
		}
	case engine.Steps:
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
	if f.Kind == engine.Ladder && f.Levels.Dwell > 0 {
		f.Kind = engine.Steps // a time for each level is what steps are
	}
	return f, false, nil
}

// pilotBadge is what the header says while the autopilot is at work; nil while it does not.
func (v *view) pilotBadge() (long, short []piece) {
	p := aloft(v.latest)
	if p == nil {
		return nil, nil
	}
	name := "AUTO " + string(p.Kind)
	return []piece{{theme.Accent, name + " " + loadPoint(v.latest.Knobs)}}, []piece{{theme.Accent, name}}
}

// pilotNotes is the autopilot in a sentence, for the notes.
func (v *view) pilotNotes() []note {
	p := v.latest.Pilot
	switch {
	case p == nil:
		return nil
	case aloft(v.latest) != nil:
		text := fmt.Sprintf("autopilot %s: %s", p.Kind, p.Why)
		if left := timeLeft(p); left != "" {
			text += ", " + left
		}
		return []note{{theme.Accent, text}}
	case p.Finished:
		return []note{{resultRole(p), p.Result.Sentence}}
	}
	return nil
}

// timeLeft is how long a run still takes, about; "" where that is unknown.
func timeLeft(p *engine.PilotView) string {
	if !p.Progress.LeftKnown {
		return ""
	}
	return "about " + clock(p.Progress.Left) + " left"
}
