// This file tests that answers which are not as long as was asked for are told of.

package engine

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
)

// sim.Faults{EOS: 3} is a server that takes ignore_eos and ends its answers all the same.
func TestShortAnswersAreToldOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		faults sim.Faults
		want   snapshot.AnswerLengths
		note   string
	}{
		{"short", sim.Faults{EOS: 3}, snapshot.AnswerLengths{Asked: 16, Achieved: 3, N: 20, Early: 20}, "answers have 3.0 tokens on average where 16.0 were asked for, and 20 of 20 stopped early"},
		{"as asked", sim.Faults{}, snapshot.AnswerLengths{Asked: 16, Achieved: 16, N: 20}, ""},
		{"not counted", sim.Faults{EOS: 3, NoUsage: true}, snapshot.AnswerLengths{}, ""},
	} {
		s := startSim(t)
		s.SetFaults(tt.faults)
		cfg := closedLoop(s.URL(), 4)
		cfg.Budget.Requests = 20
		eng, _ := runToEnd(t, cfg)
		snap := eng.Snapshot()
		if snap.Answers != tt.want || snap.Stages[0].Answers != tt.want {
			t.Errorf("%s: %+v, of the stage %+v", tt.name, snap.Answers, snap.Stages[0].Answers)
		}
		r := run.NewReport(snap, "test")
		notes := strings.Join(r.Notes, "\n")
		if tt.note != "" && !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "answers have") {
			t.Errorf("%s: the notes are %q", tt.name, notes)
		}
		if known := r.Answers.Asked != nil; known != (tt.want.N > 0) || known && *r.Answers.Early != float64(tt.want.Early)/float64(tt.want.N) {
			t.Errorf("%s: the report has %+v", tt.name, r.Answers)
		}
	}
}
