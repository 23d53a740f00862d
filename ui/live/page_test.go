package live

import (
	"strings"
	"testing"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
)

// screenOf is what the page shows of a snapshot.
func screenOf(t testing.TB, s *snapshot.Snapshot, w, h int) string {
	t.Helper()
	return pagetest.Open(t, New(knob.NewDesk()), s, w, h).View()
}

func TestTheServerHasALine(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Observed(), 200, 50), "server  running 32  waiting 3  KV 61 %  prefix hit 1.2 % (asked 0 %)")
	pagetest.Shows(t, screenOf(t, scene.Elsewhere(), 120, 36), "server  llama.cpp gives no metrics")
	pagetest.Shows(t, screenOf(t, scene.Troubled(), 120, 36), "server  ! stale 7 s")
	s := scene.Observed()
	s.Server = nil
	if line := pagetest.LineWith(screenOf(t, s, 120, 36), "server  "); line != "" {
		t.Errorf("a server that nobody reads has a line: %s", line)
	}
}

// Where every answer keeps the limit, the gauge says that it is the failures that miss it.
func TestALimitThatErrorsMiss(t *testing.T) {
	pagetest.Shows(t, pagetest.LineWith(screenOf(t, scene.Failing(), 80, 24), "TTFT p95"), "✗ errors")
	if line := pagetest.LineWith(screenOf(t, scene.Busy(), 80, 24), "TTFT p95"); strings.Contains(line, "errors") {
		t.Errorf("three failures of 1,200 miss it: %s", line)
	}
}

func TestWhereTheAcceleratorsAre(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Elsewhere(), 80, 24), "local GPU")
	pagetest.Shows(t, screenOf(t, scene.Unseen(), 120, 36), "no NVIDIA driver here")
}

// The hand sees SM activity and memory on the smallest screen too.
func TestSmallScreensHaveALineForActivityAndOneForMemory(t *testing.T) {
	screen := screenOf(t, scene.Observed(), 80, 24)
	pagetest.Shows(t, pagetest.LineWith(screen, "SM act"), "92 %", "99 %", "688 W", "64°")
	pagetest.Shows(t, pagetest.LineWith(screen, "GPU memory"), "71 %", "100/140 GiB")
}

func TestDevicesThatDoNotFitAreCounted(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Machine(16)(), 120, 36), "more")
}

func TestObjectives(t *testing.T) {
	for _, tt := range []struct {
		w, h int
		want []string
	}{
		{80, 24, []string{"✗ missed  itl p95 <= 20ms over 30 s  now 21.4 ms  so far 80.0 % ≥90 %  +2 more"}},
		{120, 36, []string{
			"✗ missed  itl p95 <= 20ms over 30 s  now 21.4 ms  so far 80.0 % ≥90 %  budget spent",
			"✓ held  ttft p99 <= 500ms over 60 s  now 412 ms  so far 99.5 % ≥99 %  budget left 50.0 %  +1 more",
		}},
		{200, 50, []string{"… 0 of 100  errors <= 1% over 5 min  now n/a  no verdict yet"}},
	} {
		pagetest.Shows(t, screenOf(t, scene.Promised(), tt.w, tt.h), tt.want...)
	}
	if strings.Contains(screenOf(t, scene.Busy(), 120, 36), "so far") {
		t.Error("without objectives there is a line for them")
	}
}

func TestThinkingConversationsShowBesideThoseInFlight(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Promised(), 80, 24), "6 wait 12 think")
	for _, size := range [][2]int{{120, 36}, {200, 50}} {
		pagetest.Shows(t, screenOf(t, scene.Promised(), size[0], size[1]), "6 wait", "12 think")
	}
}

// Answers that are not as long as was asked for are seen on every size, whatever else there is to note.
func TestShortAnswersShowBesideThroughput(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		s := scene.Busy()
		s.Answers = snapshot.AnswerLengths{Asked: 128, Achieved: 12, N: 60, Early: 60}
		pagetest.Shows(t, screenOf(t, s, size[0], size[1]), "! answers 12 of 128")
		s.Answers.Achieved = 125
		if strings.Contains(screenOf(t, s, size[0], size[1]), "! answers") {
			t.Errorf("%v: 125 of 128 are warned of", size)
		}
	}
}

func TestTheNotesTellOfTheAutopilotAndOfPrompts(t *testing.T) {
	s := scene.Climbed()
	s.Problems = nil
	pagetest.Shows(t, screenOf(t, s, 200, 50),
		"autopilot ladder: c=48: 42 of 100 requests, steady 12", "prompts: /tokenize  asked 512  got 511.6 (n=69)")
}

func TestEverySizeFits(t *testing.T) {
	scenes := []func() *snapshot.Snapshot{
		scene.Busy, scene.Starting, scene.Failing, scene.Down, scene.Open, scene.Estimated, scene.Strained, scene.ClientBound,
		scene.EightGPUs, scene.Promised,
	}
	pagetest.EverySizeFits(t, func() page.Page { return New(knob.NewDesk()) }, scenes,
		"tab", "enter", "tab", "tab", "tab", "tab", "tab", "esc", "down", "right", "e")
}
