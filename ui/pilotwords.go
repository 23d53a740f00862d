// This file is the autopilot in words.

package ui

import (
	"fmt"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// aloft returns the autopilot that moves the load at present; nil: none does.
func aloft(s *engine.Snapshot) *engine.PilotView {
	if s.Pilot == nil || s.Pilot.Over || s.State == engine.Ended {
		return nil
	}
	return s.Pilot
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

// pilotNotes is the autopilot in a sentence, for the notes.
func pilotNotes(v *Frame) []note {
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
