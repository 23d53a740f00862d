// This file is the autopilot in words.

package figure

import (
	"fmt"
	"strings"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// RunningPilot returns the autopilot that moves the load at present; nil: none does.
func RunningPilot(s *snapshot.Snapshot) *snapshot.PilotView {
	if s.Pilot == nil || s.Pilot.Over || s.State == snapshot.Ended {
		return nil
	}
	return s.Pilot
}

// ResultRole says how a result is to be taken.
func ResultRole(p *snapshot.PilotView) theme.Role {
	switch {
	case p.Kind != snapshot.Search:
		return theme.Good
	case !p.Result.Found && p.Result.Missed > 0:
		return theme.Bad
	case !p.Result.Found:
		return theme.Warn
	case p.Result.Doubtful || p.Result.Few:
		return theme.Warn
	}
	return theme.Good
}

// Found is what an autopilot that has finished found, in a sentence, and how that is to be taken. Where the level no longer
// holds, that comes first; what has become of the verdicts on other levels comes last.
func Found(s *snapshot.Snapshot) (theme.Role, string) {
	p := s.Pilot
	if r := s.Rung(stage.Rung{Level: p.Result.Level, State: stage.Held}); p.Result.Found && r.State != stage.Held {
		return theme.Warn, p.Axis.Name(r.Level) + " " + r.Note + ". " + p.Result.Sentence
	}
	return ResultRole(p), p.Result.Sentence + judgedSince(s)
}

// judgedSince says of how many levels the verdict is another than when the autopilot had finished, and which; "" of none.
func judgedSince(s *snapshot.Snapshot) string {
	var names []string
	for _, r := range s.Pilot.Progress.Rungs {
		if now := s.Rung(r); now.State != r.State {
			verdict := string(now.State)
			if now.State == stage.Unknown {
				verdict = "not known"
			}
			names = append(names, s.Pilot.Axis.Name(r.Level)+" "+verdict)
		}
	}
	const named = 3
	if more := len(names) - named; more > 0 {
		names = append(names[:named], fmt.Sprintf("%d more", more))
	}
	if names == nil {
		return ""
	}
	return " Judged anew since: " + strings.Join(names, ", ") + "."
}

// PilotNotes is the autopilot in a sentence, for the notes.
func PilotNotes(v *page.Frame) []cell.Note {
	p := v.Latest.Pilot
	switch {
	case p == nil:
		return nil
	case RunningPilot(v.Latest) != nil:
		text := fmt.Sprintf("autopilot %s: %s", p.Kind, p.Why)
		if left := TimeLeft(p); left != "" {
			text += ", " + left
		}
		return []cell.Note{{Role: theme.Accent, Text: text}}
	case p.Finished:
		role, text := Found(v.Latest)
		return []cell.Note{{Role: role, Text: text}}
	}
	return nil
}

// TimeLeft is how long a run still takes, about or at the most; "" where that is unknown.
func TimeLeft(p *snapshot.PilotView) string {
	switch left := cell.Clock(p.Progress.Left) + " left"; {
	case !p.Progress.LeftKnown:
		return ""
	case p.Progress.AtMost:
		return "at most " + left
	default:
		return "about " + left
	}
}

// NextLevel says which level an autopilot tries next; "" where that is unknown.
func NextLevel(p *snapshot.PilotView) string {
	held, missed := nextName(p, p.Progress.IfHeld), nextName(p, p.Progress.IfMissed)
	switch {
	case held == "" && missed == "":
		return ""
	case held == missed:
		return "next: " + held
	case held == "":
		return "done if it holds, else next: " + missed
	case missed == "":
		return "next: " + held + " if it holds, else done"
	}
	return "next: " + held + " if it holds, else " + missed
}

// nextName names a level, "c=21 again" where that is the present one; "" for none.
func nextName(p *snapshot.PilotView, level float64) string {
	if level == 0 {
		return ""
	}
	name := p.Axis.Name(level)
	if n := len(p.Progress.Rungs); n > 0 && p.Progress.Rungs[n-1].State == stage.Now && p.Progress.Rungs[n-1].Level == level {
		name += " again"
	}
	return name
}
