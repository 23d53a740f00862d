package requests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"tokdyno/engine/query"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// open shows the page over so many requests that ended.
func open(t testing.TB, ended, w, h int, th theme.Theme) *pagetest.Screen {
	t.Helper()
	s, store := scene.Requested(ended)
	m := pagetest.OpenIn(t, New(), s, w, h, th)
	pageOf(m).asking = asking{}
	m.Engine.Store = store
	m.Settle(m.Look())
	return m
}

func plain(t testing.TB) theme.Theme { return pagetest.Theme(t, theme.Dark, termenv.Ascii, false) }

func pageOf(m *pagetest.Screen) *Page { return m.Page.(*Page) }

// press presses keys, and waits for what they ask.
func press(m *pagetest.Screen, keys ...string) {
	for _, k := range keys {
		m.Settle(m.Press(k))
	}
}

// enter types a text into the line that the page takes, and ends it.
func enter(m *pagetest.Screen, text string) {
	p := pageOf(m)
	p.Entry().Begin(text)
	if work := p.Enter(m); work != nil {
		work()()
	}
	m.Settle(m.Look())
}

func TestPanels(t *testing.T) {
	var lists, looks pagetest.Sheet
	for _, s := range []struct {
		name  string
		ended int
		keys  []string
		text  string // typed behind the last key
	}{
		{"following", 120, nil, ""},
		{"the first ones", 3, nil, ""},
		{"nothing yet", -8, nil, ""},
		{"standing still", 120, []string{"k", "k", "k"}, ""},
		{"by TTFT", 120, []string{"s", "s", "s", "s", "s", "s", "s", "s"}, ""},
		{"those that failed", 120, []string{"/"}, "failed"},
		{"none so", 120, []string{"/"}, "http_429"},
		{"lanes", 120, []string{"v"}, ""},
		{"one of the lanes", 120, []string{"v", "j", "j", "j", "h", "h"}, ""},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
			m := open(t, s.ended, size[0], size[1], plain(t))
			press(m, s.keys...)
			if s.text != "" {
				enter(m, s.text)
			}
			lists.Add(t, s.name, m.View(), size[0], size[1]-3)
		}
	}
	lists.Check(t, "requests")
	for name, th := range map[string]theme.Theme{
		"mono": pagetest.Theme(t, theme.Mono, termenv.ANSI, false), "ascii": pagetest.Theme(t, theme.Dark, termenv.Ascii, true),
	} {
		looks = pagetest.Sheet{}
		for _, keys := range [][]string{nil, {"v"}} {
			m := open(t, 60, 100, 24, th)
			press(m, keys...)
			looks.Add(t, strings.Join(append([]string{name}, keys...), " "), m.View(), 100, 21)
		}
		looks.Check(t, "look-"+name)
	}
}

func TestEverySizeFits(t *testing.T) {
	_, store := scene.Requested(90)
	for _, th := range []theme.Theme{plain(t), pagetest.Theme(t, theme.Dark, termenv.ANSI, true)} {
		for h := page.LeastHeight; h <= 60; h += 11 {
			for w := page.LeastWidth; w <= 250; w += 19 {
				s, _ := scene.Requested(90)
				m := pagetest.OpenIn(t, New(), s, w, h, th)
				m.Engine.Store = store
				for _, keys := range [][]string{nil, {"k", "pgup"}, {"esc", "s"}, {"v"}, {"down"}} {
					press(m, keys...)
					pagetest.Fits(t, m.View(), w, h-3)
				}
			}
		}
	}
	pagetest.TilesEverywhere(t, New(), scene.Busy(), "requests")
}

func TestItFollowsUntilARowIsChosenAndStandsStillThen(t *testing.T) {
	m := open(t, 100, 120, 36, plain(t))
	m.Shows("follows the newest", " 108 ", "100 ended")
	press(m, "k")
	before := m.View()
	s, store := scene.Requested(140)
	m.Engine.Store = store
	m.Engine.Change(func(now *snapshot.Snapshot) { now.At, now.InFlight = s.At, s.InFlight })
	m.Settle(m.Look())
	if after := m.View(); after != before {
		t.Errorf("it moved though a row is chosen:\n%s\n%s", before, after)
	}
	press(m, "G")
	m.Shows("follows the newest", " 148 ", "140 ended")
}

func TestScrollingAsksForWhatIsNotThereYet(t *testing.T) {
	m := open(t, 900, 120, 36, plain(t))
	press(m, "k", "g")
	if at := pageOf(m).chosen.at; at != 1 || pageOf(m).row(0) == nil {
		t.Fatalf("g chooses row %d", at)
	}
	m.Shows("▸")
	press(m, "pgdown")
	press(m, "j")
	if r := pageOf(m).row(pageOf(m).chosen.at - 1); r == nil || int(r.ID) < 20 {
		t.Errorf("a screen further, %+v is chosen", r)
	}
}

func TestFilters(t *testing.T) {
	m := open(t, 120, 120, 36, plain(t))
	press(m, "/")
	enter(m, "filed")
	if !strings.Contains(m.Said, `"filed" is no filter; there are failed`) || pageOf(m).Entry() == nil {
		t.Errorf("a wrong filter is answered with %q", m.Said)
	}
	enter(m, "missed  TTFT")
	m.Shows("missed ttft", " of 120 (")
	for _, r := range pageOf(m).view.Rows {
		if len(r.Missed) == 0 {
			t.Errorf("request %d is shown, and missed nothing", r.ID)
		}
	}
	press(m, "esc")
	m.Shows("120 ended")
	press(m, "/")
	pageOf(m).Leave(m)
	if pageOf(m).Entry() != nil {
		t.Error("it still takes text")
	}
}

func TestSorting(t *testing.T) {
	m := open(t, 120, 120, 36, plain(t))
	for pageOf(m).sort != query.TTFT {
		press(m, "s")
	}
	rows := pageOf(m).view.Rows
	for i := 1; i < len(rows); i++ {
		if rows[i].TTFT > rows[i-1].TTFT {
			t.Fatalf("row %d has a TTFT of %v after %v", i, rows[i].TTFT, rows[i-1].TTFT)
		}
	}
	m.Shows("▼TTFT", "by ttft")
	slowest := rows[0].ID
	press(m, "S")
	m.Shows("▲TTFT")
	if first := pageOf(m).view.Rows[0].ID; first == slowest {
		t.Error("turned over, the slowest is still the first")
	}
	for range query.Sortable() {
		press(m, "s")
	}
}

// Those that run are filtered and put in order like those that ended, and stay where they stood once a row is chosen.
func TestThoseThatRunAreFoundToo(t *testing.T) {
	m := open(t, 120, 120, 36, plain(t))
	press(m, "/")
	enter(m, "ttft>300ms")
	m.Shows("1 in flight", "123", "▶ ✗ ttft")
	for pageOf(m).sort != query.TTFT {
		press(m, "s")
	}
	place := pageOf(m).view.Places[0]
	press(m, "j")
	for range place {
		press(m, "j")
	}
	before := m.View()
	s, store := scene.Requested(140)
	m.Engine.Store = store
	m.Engine.Change(func(now *snapshot.Snapshot) { now.At, now.InFlight = s.At, s.InFlight })
	m.Settle(m.Look())
	if after := m.View(); after != before {
		t.Errorf("it moved though a row is chosen:\n%s\n%s", before, after)
	}
	press(m, "enter")
	m.Shows("Request 123", "it runs")
}

func TestLanesNameWhatStoodTogether(t *testing.T) {
	m := open(t, 120, 120, 36, plain(t))
	press(m, "v")
	m.Shows("a lane for each slot", "stood", "was prefilled, 30,000 prompt tokens", "▼")
	m = open(t, 120, 70, 24, plain(t)) // where a sentence takes two lines, all of them show
	press(m, "v")
	lines := strings.Split(strings.TrimSpace(m.View()), "\n")
	if last := lines[len(lines)-2]; strings.Count(m.View(), " stood ") != 3 || !strings.Contains(last, "tokens") {
		t.Errorf("the last line but the frame is %q", last)
	}
}

// Among lanes the arrows go along a lane and to the neighbours at the same time, and enter opens what is there.
func TestOneOfTheLanesIsOpened(t *testing.T) {
	m := open(t, 120, 120, 36, plain(t))
	p := pageOf(m)
	press(m, "h")
	if !strings.Contains(p.noLanes(m), "v shows lanes") {
		t.Error("in the list there is something to the sides")
	}
	press(m, "v", "l", "h", "j")
	r, _ := p.atSpot()
	if r == nil || r.Slot != 2 || r.Running {
		t.Fatalf("%+v is chosen", r)
	}
	id, before := r.ID, m.View()
	s, store := scene.Requested(140)
	m.Engine.Store = store
	m.Engine.Change(func(now *snapshot.Snapshot) { now.At, now.InFlight = s.At, s.InFlight })
	m.Settle(m.Look())
	if after := m.View(); after != before {
		t.Errorf("it moved though a request is chosen:\n%s\n%s", before, after)
	}
	press(m, "h", "h", "l", "l")
	if r, _ = p.atSpot(); r.ID != id {
		t.Errorf("two back and two on from #%d is #%d", id, r.ID)
	}
	press(m, "enter")
	if p.one == nil || p.one.row.ID != id {
		t.Fatalf("%+v was opened", p.one)
	}
	press(m, "esc", "g", "pgdown")
	if r, _ = p.atSpot(); r == nil || r.Slot != 8 {
		t.Errorf("at the last lane %+v is chosen", r)
	}
	press(m, "G")
	if r, _ = p.atSpot(); r != nil || p.chosen.still() {
		t.Error("one is chosen though it follows the newest")
	}
}

func TestExport(t *testing.T) {
	t.Chdir(t.TempDir())
	m := open(t, 120, 120, 36, plain(t))
	press(m, "/")
	enter(m, "failed")
	for name, wants := range map[string]string{"a.jsonl": `{"id":14,`, "b.csv": "id,stage,slot"} {
		press(m, "x")
		enter(m, name)
		text, err := os.ReadFile(filepath.Join(".", name))
		if err != nil || !strings.HasPrefix(string(text), wants) || !strings.Contains(string(text), "truncated") {
			t.Errorf("%s is %q, %v", name, text, err)
		}
		if lines := strings.Count(string(text), "\n"); lines < pageOf(m).view.Matched {
			t.Errorf("%s has %d lines for %d requests", name, lines, pageOf(m).view.Matched)
		}
		if !strings.Contains(m.Said, "written to "+name) {
			t.Errorf("it says %q", m.Said)
		}
	}
	press(m, "x")
	enter(m, "b.csv")
	if !strings.Contains(m.Said, "is there already") {
		t.Errorf("over a file that is there it says %q", m.Said)
	}
}

// What looking costs bounds how often it is done.
func TestALookThatTakesLongIsTakenLessOften(t *testing.T) {
	m := open(t, 50, 120, 36, plain(t))
	p := pageOf(m)
	p.asking.took = time.Second
	m.Engine.Change(func(s *snapshot.Snapshot) { s.At = s.At.Add(time.Second) })
	if cmd := m.Look(); cmd != nil {
		t.Error("it looks again at once")
	}
	p.asking.took = 0
	if cmd := m.Look(); cmd == nil {
		t.Error("it does not look though something has come")
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, keys := range [][]string{nil, {"v"}} {
		b.Run(strings.Join(append([]string{"list"}, keys...), "-"), func(b *testing.B) {
			m := open(b, 2000, 200, 50, pagetest.Theme(b, theme.Dark, termenv.TrueColor, false))
			press(m, keys...)
			b.ReportAllocs()
			for b.Loop() {
				m.View()
			}
		})
	}
}
