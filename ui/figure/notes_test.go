package figure

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/health"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// A stream that is buffered on its way makes latencies that are nobody's; it is told of before anything else of the figures.
func TestBufferedStreamsAreNoted(t *testing.T) {
	for clumped, want := range map[int]bool{10: true, 2: false} {
		s := &snapshot.Snapshot{State: snapshot.Running}
		s.Stage.Clumps = stats.Clumps{N: 10, Clumped: clumped, Chunks: 640, Times: 10, Wait: 7 * time.Second}
		notes := Notes(&page.Frame{Theme: new(theme.Theme), Shown: s, Latest: s})
		if got := len(notes) > 0 && strings.Contains(notes[0].Text, "the stream is buffered on its way"); got != want {
			t.Errorf("%d of 10: notes %v", clumped, notes)
		}
	}
}

// Answers that are not as long as was asked for are told of, and those that nearly are are not.
func TestShortAnswersAreNoted(t *testing.T) {
	note := cell.Note{Role: theme.Warn, Text: "answers have 12.0 tokens on average where 128.0 were asked for, and 60 of 60 stopped early: " +
		"TPOT and throughput are of such answers, and compare with no others"}
	for achieved, want := range map[float64]bool{12: true, 122: false} {
		s := &snapshot.Snapshot{State: snapshot.Running, Answers: snapshot.AnswerLengths{Asked: 128, Achieved: achieved, N: 60, Early: 60}}
		if notes := Notes(&page.Frame{Theme: new(theme.Theme), Shown: s, Latest: s}); slices.Contains(notes, note) != want {
			t.Errorf("%v tokens: notes %v", achieved, notes)
		}
	}
}

// What the server refused is said while requests wait to be sent again.
func TestWaitsAreNoted(t *testing.T) {
	want := cell.Note{Role: theme.Bad, Text: "2 wait 58 s: 429, Retry-After 60 s"}
	s := &snapshot.Snapshot{State: snapshot.Running, At: 1}
	s.Again.Waiting = []endpoint.Waiting{{Refusal: endpoint.Refusal{Status: 429}, N: 2, Asked: time.Minute, Until: s.At.Add(58 * time.Second)}}
	for _, state := range []snapshot.State{snapshot.Probing, snapshot.Running} {
		s.State = state
		if notes := Notes(&page.Frame{Theme: new(theme.Theme), Shown: s, Latest: s}); !slices.Contains(notes, want) {
			t.Errorf("%s: notes %v", state, notes)
		}
	}
}

// Chunks that were read together are told of where there are any, and where that is known.
func TestMergedReadsAreNoted(t *testing.T) {
	for merged, want := range map[health.Figures]string{
		{Merged: 5, Chunks: 2000}: "merged reads: 0.3 % of the chunks were read with an earlier one, whose arrival is told late",
		{Chunks: 2000}:            "",
		{}:                        "",
	} {
		s := &snapshot.Snapshot{State: snapshot.Running}
		s.Health.Figures = merged
		got := ""
		for _, note := range Notes(&page.Frame{Theme: new(theme.Theme), Shown: s, Latest: s}) {
			if strings.HasPrefix(note.Text, "merged") {
				got = note.Text
			}
		}
		if got != want {
			t.Errorf("%+v: %q", merged, got)
		}
	}
}

// Requests that move in step are told of on the screen, and those that don't are not.
func TestRequestsInStepAreNoted(t *testing.T) {
	note := cell.Note{Role: theme.Warn, Text: "8 requests move in step: R = 0.97; vary lengths, or ramp"}
	for r, want := range map[float64]bool{0.97: true, 0.2: false} {
		s := &snapshot.Snapshot{State: snapshot.Running}
		s.Stage.InStep = stats.InStep{Requests: 8, N: 20, R: r}
		if notes := Notes(&page.Frame{Theme: new(theme.Theme), Shown: s, Latest: s}); slices.Contains(notes, note) != want {
			t.Errorf("R = %v: notes %v", r, notes)
		}
	}
}
