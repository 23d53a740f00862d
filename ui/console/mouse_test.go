package console

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

// mouse sends a press of a button at a cell.
func mouse(m *model, at page.Point, button tea.MouseButton) tea.Cmd {
	_, cmd := m.Update(tea.MouseMsg{X: at.X, Y: at.Y, Action: tea.MouseActionPress, Button: button})
	return cmd
}

// cellOf is where a text stands on the screen, the n-th of several.
func cellOf(t *testing.T, m *model, text string, n int) page.Point {
	t.Helper()
	at, ok := pagetest.CellOf(m.View(), text, n)
	if !ok {
		t.Fatalf("%q is not on the screen:\n%s", text, ansi.Strip(m.View()))
	}
	return at
}

// click clicks on a text that is on the screen, and does the work that this asks for.
func click(t *testing.T, m *model, text string, n int) {
	t.Helper()
	work(m, mouse(m, cellOf(t, m, text, n), tea.MouseButtonLeft))
}

// work does all the work that a command asks for.
func work(m *model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			work(m, one)
		}
	default:
		m.Update(msg)
	}
}

// lineAt is a line of the screen.
func lineAt(m *model, y int) string { return strings.Split(ansi.Strip(m.View()), "\n")[y] }

// requested is a run with requests to choose from.
func requested(t *testing.T, w, h int) *model {
	t.Helper()
	s, store := scene.Requested(120)
	m, fake := opened(t, s, w, h, plain(t))
	fake.Store = store
	work(m, press(m, "3"))
	return m
}

var screens = [][2]int{{80, 24}, {120, 36}, {200, 50}}

// Each row that is drawn is chosen by a click on it, and stays where it is.
func TestAClickChoosesTheRowUnderThePointer(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fresh func(w, h int) *model
		rows  string // what a row has, and nothing else
		least int    // rows in sight
		x     int    // of the click
	}{
		{"requests", func(w, h int) *model { return requested(t, w, h) }, " ms ", 10, 20},
		{"stages", func(w, h int) *model {
			m, _ := opened(t, scene.ManyStages(), w, h, plain(t))
			press(m, "5")
			return m
		}, "  c=", 10, 12},
		{"levels", func(w, h int) *model {
			m, _ := opened(t, scene.Climbed(), w, h, plain(t))
			press(m, "2")
			return m
		}, "│ ", 2, 5},
		{"devices", func(w, h int) *model {
			m, _ := opened(t, scene.Machine(8)(), w, h, plain(t))
			press(m, "4")
			return m
		}, " H200", 2, 5},
		{"workers", func(w, h int) *model {
			m, _ := opened(t, scene.Fleet(), w, h, plain(t))
			press(m, "7")
			return m
		}, "bench-", 2, 5},
		{"knobs", func(w, h int) *model {
			m, _ := opened(t, scene.Busy(), w, h, plain(t))
			return m
		}, "◂ ", 6, -1},
		{"presets", func(w, h int) *model {
			m, _ := opened(t, scene.Busy(), w, h, plain(t))
			press(m, "p")
			return m
		}, "│  ", 2, 5},
	} {
		for _, size := range screens[:2] {
			t.Run(fmt.Sprintf("%s at %v", tt.name, size), func(t *testing.T) {
				chosen := 0
				for y, line := range strings.Split(ansi.Strip(tt.fresh(size[0], size[1]).View()), "\n") {
					if !strings.Contains(line, tt.rows) {
						continue
					}
					m := tt.fresh(size[0], size[1])
					x := tt.x
					if x < 0 {
						x = ansi.StringWidth(line[:strings.Index(line, tt.rows)]) - 4
					}
					r := m.regions().At(x, y, false)
					if r == nil || r.Hit == nil || r.Key == "e" { // it is no row, or chosen already
						continue
					}
					work(m, mouse(m, page.Point{X: x, Y: y}, tea.MouseButtonLeft))
					if after := lineAt(m, y); !strings.Contains(after, "▸") || !strings.Contains(after, strings.TrimLeft(cutAt(line, x), "│ ")) {
						t.Errorf("line %d was %s\na click makes it %s", y, line, after)
					}
					chosen++
				}
				if chosen < tt.least {
					t.Errorf("only %d rows could be chosen", chosen)
				}
			})
		}
	}
}

// cutAt is a few cells of a line from a column on.
func cutAt(line string, x int) string { return ansi.Cut(line, x, x+6) }

// A second click opens what the first one chose.
func TestASecondClickOpensARow(t *testing.T) {
	m := requested(t, 120, 36)
	at := page.Point{X: 20, Y: 20}
	number := strings.Fields(lineAt(m, at.Y))[1]
	work(m, mouse(m, at, tea.MouseButtonLeft))
	work(m, mouse(m, at, tea.MouseButtonLeft))
	says(t, m, "Request "+number)

	m, fake := opened(t, scene.Climbed(), 120, 36, plain(t))
	press(m, "2")
	row := cellOf(t, m, "   c=8 ", 0)
	work(m, mouse(m, row, tea.MouseButtonLeft))
	work(m, mouse(m, row, tea.MouseButtonLeft))
	if applied, _, _ := fake.Seen(); len(applied) != 1 || applied[0].Load.Concurrency != 8 {
		t.Errorf("two clicks on the level of 8 applied %d changes", len(applied))
	}

	m, _ = opened(t, scene.ManyStages(), 120, 36, plain(t))
	press(m, "5")
	stage := page.Point{X: 20, Y: 10}
	mouse(m, stage, tea.MouseButtonLeft)
	mouse(m, stage, tea.MouseButtonLeft)
	if line := lineAt(m, stage.Y); !strings.HasPrefix(line, "│▸A") {
		t.Errorf("two clicks on a stage make it %s", line)
	}
}

func TestTabsAreClicked(t *testing.T) {
	for _, size := range screens {
		m, _ := opened(t, scene.Busy(), size[0], size[1], plain(t))
		for _, p := range m.pages {
			tabs := lineAt(m, 0)
			at := strings.LastIndex(tabs, fmt.Sprint(p.number))
			mouse(m, page.Point{X: ansi.StringWidth(tabs[:at]), Y: 0}, tea.MouseButtonLeft)
			if m.pages[m.open].number != p.number {
				t.Errorf("%v: a click on %d of %q opens page %d", size, p.number, tabs, m.pages[m.open].number)
			}
		}
	}
}

func TestKnobsAreTurned(t *testing.T) {
	concurrency := func(m *model) int { return m.run.desk.Shown(m.run.latest).Load.Concurrency }
	for _, size := range screens {
		m, _ := opened(t, scene.Busy(), size[0], size[1], plain(t))
		press(m, "down", "down") // another one is chosen
		before := concurrency(m)
		row := cellOf(t, m, "concurrency", 0)
		arrow := func(glyph string) page.Point {
			line := lineAt(m, row.Y)
			from := strings.LastIndex(line, "concurrency")
			return page.Point{X: ansi.StringWidth(line[:from+strings.Index(line[from:], glyph)]), Y: row.Y}
		}
		mouse(m, arrow("▸"), tea.MouseButtonLeft)
		more := concurrency(m)
		if more <= before || m.run.desk.Chosen(m.run.latest).Name != "concurrency" {
			t.Errorf("%v: ▸ turns %d to %d", size, before, more)
		}
		mouse(m, arrow("◂"), tea.MouseButtonLeft)
		if got := concurrency(m); got != before {
			t.Errorf("%v: ◂ turns %d to %d", size, more, got)
		}
		press(m, "down")
		mouse(m, row, tea.MouseButtonWheelUp)
		if got := concurrency(m); got != more {
			t.Errorf("%v: the wheel turns %d to %d, want %d", size, before, got, more)
		}
		mouse(m, row, tea.MouseButtonWheelDown)
		if got := concurrency(m); got != before {
			t.Errorf("%v: the wheel back gives %d", size, got)
		}
		mouse(m, row, tea.MouseButtonLeft)
		if !m.run.desk.Typing {
			t.Errorf("%v: a click on the chosen knob does not open it", size)
		}
		press(m, "9")
		mouse(m, row, tea.MouseButtonWheelUp)
		if got := concurrency(m); !m.run.desk.Typing || got != before {
			t.Errorf("%v: while a value is typed, the wheel turns it to %d", size, got)
		}
		says(t, m, "esc leaves it")
		press(m, "backspace")
		mouse(m, page.Point{X: row.X, Y: row.Y + 1}, tea.MouseButtonLeft)
		if m.run.desk.Typing {
			t.Errorf("%v: nothing is typed, and a click on another knob does not leave it", size)
		}
	}
}

func TestTheWheelScrolls(t *testing.T) {
	m := requested(t, 120, 36)
	mouse(m, page.Point{X: 20, Y: 20}, tea.MouseButtonWheelUp)
	says(t, m, "stands still")

	m, _ = opened(t, scene.Busy(), 80, 24, plain(t))
	press(m, "?")
	mouse(m, page.Point{X: 20, Y: 10}, tea.MouseButtonWheelDown)
	if m.help.first != scrolled {
		t.Errorf("the help begins with line %d", m.help.first)
	}

	m, _ = opened(t, scene.Eventful(), 120, 36, plain(t))
	press(m, "6")
	mouse(m, cellOf(t, m, "follows the newest", 0), tea.MouseButtonWheelUp) // not over a row
	says(t, m, "follows the newest")
	mouse(m, page.Point{X: 20, Y: 14}, tea.MouseButtonWheelUp)
	says(t, m, "stands still")
}

// The failures of the log lead to their requests.
func TestAClickOnAFailure(t *testing.T) {
	m, _ := opened(t, scene.Eventful(), 120, 36, plain(t))
	press(m, "6")
	kind := m.run.latest.Problems[1].Name()
	click(t, m, kind, 0)
	if line := lineAt(m, cellOf(t, m, kind, 0).Y); !strings.HasPrefix(line, "│▸") {
		t.Errorf("a click makes it %s", line)
	}
	click(t, m, kind, 0)
	if m.pages[m.open].number != 3 {
		t.Errorf("another one opens page %d", m.pages[m.open].number)
	}
}

// What a chart shows where the mouse points is read out with the next frame, and a click shows the requests behind it.
func TestChartsAreReadOut(t *testing.T) {
	for _, size := range screens {
		m, _ := opened(t, scene.Busy(), size[0], size[1], plain(t))
		place := placeOf(t, m, 0)
		var last string
		for x := place.X + place.W - 2; x > place.X+place.W/2; x -= 5 {
			before := m.View()
			m.Update(tea.MouseMsg{X: x, Y: place.Y + 2, Action: tea.MouseActionMotion})
			if m.View() != before {
				t.Fatal("a movement draws a frame of its own")
			}
			m.Update(frameMsg{})
			foot := lineAt(m, place.Y+place.H-1)
			if !strings.Contains(foot, "p50 ") || size[0] >= 120 && !strings.Contains(foot, "click its requests") || strings.Contains(foot, "…") {
				t.Fatalf("%v, column %d: beneath the chart it says %s", size, x, foot)
			}
			clock := strings.Fields(strings.Trim(ansi.Cut(foot, place.X, place.X+place.W), "╰─ "))[0]
			if last != "" && clock >= last {
				t.Errorf("%v, column %d: further left is %s, after %s", size, x, clock, last)
			}
			if mark := lineAt(m, place.Y+1); !strings.Contains(mark, "▸"+clock) {
				t.Errorf("%v: the mark of %s is not in %s", size, clock, mark)
			}
			last = clock
		}
		work(m, mouse(m, page.Point{X: place.X + place.W - 8, Y: place.Y + 2}, tea.MouseButtonLeft))
		if m.pages[m.open].number != 3 {
			t.Fatalf("%v: a click into the chart opens page %d", size, m.pages[m.open].number)
		}
		says(t, m, "first ")
	}

	m, _ := opened(t, scene.Observed(), 120, 36, plain(t))
	press(m, "4")
	at := cellOf(t, m, "GPU activity and memory", 0)
	m.Update(tea.MouseMsg{X: at.X + 30, Y: at.Y + 2, Action: tea.MouseActionMotion})
	m.Update(frameMsg{})
	says(t, m, "memory ")
	if _, ok := pagetest.CellOf(m.View(), "SM active ", 1); !ok {
		t.Errorf("the activity is not read out:\n%s", ansi.Strip(m.View()))
	}
}

// In a duel, each side is read out.
func TestAChartOfADuelIsReadOut(t *testing.T) {
	m, _ := opened(t, scene.Duel(), 120, 36, plain(t))
	place := placeOf(t, m, 0)
	m.Update(tea.MouseMsg{X: place.X + place.W - 8, Y: place.Y + 2, Action: tea.MouseActionMotion})
	m.Update(frameMsg{})
	if foot := lineAt(m, place.Y+place.H-1); !strings.Contains(foot, "  A ") || !strings.Contains(foot, "  B ") {
		t.Errorf("beneath the chart it says %s", foot)
	}
}

// The curve reads out the level that is nearest, and a click chooses it.
func TestTheCurveIsReadOut(t *testing.T) {
	for _, size := range screens {
		m, _ := opened(t, scene.Climbed(), size[0], size[1], plain(t))
		press(m, "2")
		place := placeOf(t, m, 0)
		ticks := ""
		y := place.Y + place.H
		for !strings.Contains(ticks, " 4 ") {
			y--
			ticks = ansi.Cut(lineAt(m, y), place.X, place.X+place.W)
		}
		x := place.X + ansi.StringWidth(ticks[:strings.Index(ticks, " 4 ")]) + 1
		m.Update(tea.MouseMsg{X: x, Y: place.Y + 2, Action: tea.MouseActionMotion})
		m.Update(frameMsg{})
		if foot := lineAt(m, place.Y+place.H-1); !strings.Contains(foot, "c=4  p50 ") {
			t.Errorf("%v: over 4 in %s it says %s", size, ticks, foot)
		}
		mouse(m, page.Point{X: x, Y: place.Y + 2}, tea.MouseButtonLeft)
		if row := lineAt(m, cellOf(t, m, "▸  c=4", 0).Y); row == "" {
			t.Errorf("%v: a click does not choose the level", size)
		}
	}
}

func TestPercentilesAreClicked(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 120, 36, plain(t))
	row := cellOf(t, m, "│ TPOT ", 0)
	line := lineAt(m, row.Y)
	head := lineAt(m, row.Y-3)
	x := ansi.StringWidth(head[:strings.Index(head, "p99")]) + 2
	if !strings.Contains(head, "p99") {
		t.Fatalf("%s\nstands above\n%s", head, line)
	}
	work(m, mouse(m, page.Point{X: x, Y: row.Y}, tea.MouseButtonLeft))
	says(t, m, "beyond tpot p99")
}

// Among lanes a click chooses the request under it, and another opens it.
func TestLanesAreClicked(t *testing.T) {
	m := requested(t, 120, 36)
	work(m, press(m, "v"))
	at := cellOf(t, m, "██", 3)
	slot := strings.Fields(strings.Trim(lineAt(m, at.Y), "│"))[0]
	work(m, mouse(m, at, tea.MouseButtonLeft))
	if line := lineAt(m, at.Y); !strings.Contains(line, "▸") {
		t.Fatalf("a click makes it %s", line)
	}
	foot := lineAt(m, cellOf(t, m, "enter opens it", 0).Y)
	number, _, _ := strings.Cut(foot[strings.Index(foot, "#")+1:], " ")
	work(m, mouse(m, at, tea.MouseButtonLeft))
	says(t, m, "Request "+number)
	says(t, m, "slot "+slot)
}

// placeOf is where a part of the page stands.
func placeOf(t *testing.T, m *model, part page.Part) page.Place {
	t.Helper()
	for _, p := range m.screen().Places {
		if p.Part == part {
			return p
		}
	}
	t.Fatalf("part %d is not on the screen", part)
	return page.Place{}
}

// A click on a panel's heading gives it the focus; then it enlarges it, and shows all again.
func TestHeadingsAreClicked(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 120, 36, plain(t))
	click(t, m, "─ Percentiles", 0)
	if m.context().layer != onPage {
		t.Fatal("the first click enlarges it")
	}
	click(t, m, "─ Percentiles", 0)
	if m.context().layer != onZoom {
		t.Fatal("the second does not")
	}
	click(t, m, "─ Percentiles", 0)
	if m.context().layer != onPage {
		t.Fatal("the third does not show all again")
	}
}

func TestTheFooterIsClicked(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, plain(t))
	click(t, m, "space pause", 0)
	if applied, _, _ := fake.Seen(); len(applied) != 1 || !applied[0].Paused {
		t.Errorf("a click on pause applies %v", applied)
	}
	click(t, m, "? help", 0)
	if !m.help.open {
		t.Error("a click on help does not open it")
	}
	click(t, m, "esc close", 1)
	if m.help.open {
		t.Error("a click on close does not close it")
	}
	if cmd := mouse(m, cellOf(t, m, "q quit", 0), tea.MouseButtonLeft); cmd != nil || m.run.leaving != staying {
		t.Error("a click ends the run")
	}
}

// Wherever it points and clicks, at whatever size: the frame stays whole.
func TestTheMouseAnywhere(t *testing.T) {
	for n, of := range []func() *snapshot.Snapshot{scene.Busy, scene.Climbed, scene.Eventful, scene.Starting, scene.Duel, scene.Ladder} {
		for _, size := range [][2]int{{20, 4}, {60, 16}, {80, 24}, {120, 36}, {200, 50}} {
			w, h := size[0], size[1]
			m, _ := opened(t, of(), w, h, plain(t))
			for i := range 24 { // so that each page meets each button
				m.Update(keyOf(string(rune('1' + i%6))))
				at := page.Point{X: (i * 37) % (w + 3), Y: (i*(11+n) + i/7) % (h + 2)}
				button := []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp, tea.MouseButtonRight}[i%4]
				mouse(m, at, button)
				m.Update(frameMsg{})
				pagetest.Fits(t, m.View(), w, h)
				for m.entry() != nil || m.help.open {
					press(m, "esc")
				}
			}
		}
	}
}

func TestTheMouseIsBackAfterASuspension(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 80, 24, plain(t))
	if _, cmd := m.Update(tea.ResumeMsg{}); cmd != nil {
		t.Error("a console without the mouse asks for it")
	}
	m.mouse = true
	_, cmd := m.Update(tea.ResumeMsg{})
	if want := tea.EnableMouseAllMotion(); cmd == nil || fmt.Sprintf("%T", cmd()) != fmt.Sprintf("%T", want) {
		t.Error("the mouse is gone")
	}
}

// BenchmarkMouse is what a click costs beside what it does: the frame is drawn once more.
func BenchmarkMouse(b *testing.B) {
	s := scene.Busy()
	s.History = scene.History(300, s.At)
	m, _ := opened(b, s, 120, 36, plain(b))
	b.Run("click", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Update(tea.MouseMsg{X: 1, Y: 2, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		}
	})
	b.Run("movement", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Update(tea.MouseMsg{X: 1, Y: 2, Action: tea.MouseActionMotion})
		}
	})
}
