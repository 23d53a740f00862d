package console

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/theme"
)

// typeIn types a line rune by rune.
func typeIn(m *model, line string) {
	for _, r := range line {
		press(m, string(r))
	}
}

// commandLine types a whole command and enter.
func commandLine(m *model, line string) tea.Cmd {
	press(m, ":")
	typeIn(m, line)
	return press(m, "enter")
}

func TestCommandsTurnKnobs(t *testing.T) {
	for _, tt := range []struct {
		line string
		want func(snapshot.Knobs) bool
	}{
		{"c 64", func(k snapshot.Knobs) bool { return k.Load.Concurrency == 64 && k.Load.Mode == load.Closed }},
		{"rate 12", func(k snapshot.Knobs) bool { return k.Load.Mode == load.Open && k.Load.Rate == 12 }},
		{"RATE off", func(k snapshot.Knobs) bool { return k.Load.Mode == load.Closed }},
		{"max 64", func(k snapshot.Knobs) bool { return k.Load.MaxInFlight == 64 && k.Load.Mode == load.Closed }},
		{"arrival constant", func(k snapshot.Knobs) bool { return k.Load.Arrival == load.Constant }},
		{"in 512±128", func(k snapshot.Knobs) bool { return k.Shape.Prompt == shape.Normal(512, 128) }},
		{"out 128", func(k snapshot.Knobs) bool { return k.Shape.Output == shape.Fixed(128) }},
		{"slo ttft 200ms", func(k snapshot.Knobs) bool { return k.SLO == slo.Criteria{scene.MS(200), scene.MS(25), 0} }},
		{"slo ttft=200ms e2e<=9s", func(k snapshot.Knobs) bool { return k.SLO == slo.Criteria{scene.MS(200), scene.MS(25), scene.MS(9000)} }},
		{"slo tpot off", func(k snapshot.Knobs) bool { return k.SLO == slo.Criteria{scene.MS(300), 0, 0} }},
		{"slo off", func(k snapshot.Knobs) bool { return !k.SLO.Active() }},
		{"target 99.9%", func(k snapshot.Knobs) bool { return k.Target == 0.999 }},
		{"overlap 30 %", func(k snapshot.Knobs) bool { return k.Shape.PrefixOverlap == 0.3 }},
		{"window 1m", func(k snapshot.Knobs) bool { return k.Window == stats.Last1m }},
		{"window run", func(k snapshot.Knobs) bool { return k.Window == stats.WholeRun }},
		{"pause", func(k snapshot.Knobs) bool { return k.Paused }},
		{"turns 4", func(k snapshot.Knobs) bool { return k.Shape.Turns == shape.Fixed(4) }},
		{"think 5s", func(k snapshot.Knobs) bool { return k.Shape.Think == 5*time.Second }},
		{"prefixes 8", func(k snapshot.Knobs) bool { return k.Shape.Prefixes == 8 }},
		{"concurrency 64", func(k snapshot.Knobs) bool { return k.Load.Concurrency == 64 }},
		{"ramp exp 30s", func(k snapshot.Knobs) bool {
			return k.Load.Ramp == load.Ramp{Kind: load.Exponential, Over: 30 * time.Second}
		}},
	} {
		m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
		commandLine(m, tt.line)
		applied, _, _ := fake.Seen()
		if len(applied) != 1 || !tt.want(applied[0]) || m.prompt.open {
			t.Errorf(":%s applied %+v, open %v\n%s", tt.line, applied, m.prompt.open, m.run.message.text)
		}
	}
}

func TestCommandsBesideKnobs(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	m.picker.all = somePresets()
	commandLine(m, "mark new flag: chunked")
	press(m, "m")
	typeIn(m, "two")
	press(m, "enter")
	if want := []string{"new flag: chunked", "two"}; !slices.Equal(fake.Marks, want) {
		t.Errorf("marked %q, want %q", fake.Marks, want)
	}
	commandLine(m, "new")
	press(m, "n")
	if fake.Stages != 2 {
		t.Errorf("%d new stages, want 2", fake.Stages)
	}
	commandLine(m, "theme light")
	if m.th.Name != theme.Light {
		t.Errorf("the theme is %s", m.th.Name)
	}
	settle(m, commandLine(m, "preset RAG"))
	if applied, _, _ := fake.Seen(); len(applied) != 1 || applied[0].Shape.Prompt != shape.Fixed(6000) {
		t.Errorf("applied %+v", applied)
	}
	commandLine(m, "q")
	if _, drains, _ := fake.Seen(); drains != 1 {
		t.Errorf("q drains %d times", drains)
	}
}

// What changes nothing before something else is set is taken, and said to.
func TestWhatDoesNotCountYetIsSaid(t *testing.T) {
	for line, want := range map[string]string{
		"max 64": "max in flight counts in the open loop", "think 5s": "think time counts between turns",
		"c 8": "concurrency 32 → 8", "c 32": "concurrency is 32 already",
	} {
		m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
		commandLine(m, line)
		if applied, _, _ := fake.Seen(); len(applied) != 1 || m.run.message.text != want {
			t.Errorf(":%s applied %d times and says %q, want %q", line, len(applied), m.run.message.text, want)
		}
	}
}

func TestWhatACommandCannotDoIsSaid(t *testing.T) {
	for line, want := range map[string]string{
		"rte 12":         `there is no command "rte"; did you mean rate?`,
		"windw 1m":       "did you mean window?",
		"rate12":         "did you mean rate?",
		"them":           "did you mean theme?",
		"concurency 8":   "did you mean concurrency?",
		"quitt":          "did you mean quit?",
		"frobnicate":     "? lists them all",
		"c":              "c takes something after it, such as c 64",
		"pause now":      "pause takes nothing after it",
		"c many":         `"many" is not a number of requests`,
		"target 0":       `"0" is not a target`,
		"target 101%":    "at most 100%",
		"overlap 101%":   "at most 100%",
		"arrival late":   "late",
		"slo ttft":       "write it like ttft=500ms",
		"slo itl 5ms":    "limit tpot instead",
		"window 7s":      "which is 10s, 30s, 1m, 5m, stage or run",
		"theme pink":     "dark, light, mono",
		"preset nothing": "there are chat, rag, nightly",
		"speed 2":        "nothing is being replayed",
		"loop on":        "nothing is being replayed",
		"c 1,2":          "not a number of requests",
		"slo ttft=300":   "300 of what? ttft=300ms",
		"target 99":      "99 of what? 99% or 0.99",
		"overlap 30":     "30 of what? 30% or 0.3",
		"think 5":        "5 of what? 5s",
		"turns 2000":     "2000 turns",
		"think long":     "not a time; write it like 5s",
		"prefixes 0":     "not a number of prefixes",
		"ramp soon":      "soon",
	} {
		m, fake := opened(t, scene.Busy(), 160, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
		m.picker.all = somePresets()
		commandLine(m, line)
		if !strings.Contains(m.run.message.text, want) || strings.Contains(m.run.message.text, "\n") {
			t.Errorf(":%s says %q, want %q in it", line, m.run.message.text, want)
		}
		if applied, _, _ := fake.Seen(); len(applied) != 0 || !m.prompt.open || m.prompt.entry.Value() != line {
			t.Errorf(":%s is not left to be corrected (%q, applied %d)", line, m.prompt.entry.Value(), len(applied))
		}
	}
}

func TestCompletion(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	m.picker.all = somePresets()
	for _, tt := range []struct {
		typed string
		tabs  []string
	}{
		{"ar", []string{"arrival "}},
		{"p", []string{"prefixes ", "preset ", "pause", "prefixes "}},
		{"theme l", []string{"theme light"}},
		{"preset ", []string{"preset chat", "preset rag", "preset nightly"}},
		{"slo ttft=300ms t", []string{"slo ttft=300ms ttft", "slo ttft=300ms tpot"}},
		{"arrival g", []string{"arrival gamma:"}},
		{"slo tt", []string{"slo ttft=300ms tpot=25ms", "slo ttft"}},
		{"slo f", []string{"slo fit"}},
		{"target 8", []string{"target 8"}},
		{"overlap ", []string{"overlap off"}},
		{"c ", []string{"c 32"}},
		{"xyz", []string{"xyz"}},
		{"mark t", []string{"mark t"}},
	} {
		press(m, ":")
		typeIn(m, tt.typed)
		if ghost := m.prompt.ghost(m); tt.tabs[0] != tt.typed && tt.typed+ghost != tt.tabs[0] {
			t.Errorf("%q suggests %q", tt.typed, ghost)
		}
		for _, want := range tt.tabs {
			press(m, "tab")
			if got := m.prompt.entry.Value(); got != want {
				t.Errorf("%q: tab gives %q, want %q", tt.typed, got, want)
			}
		}
		press(m, "esc")
	}
}

func TestHistory(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	commandLine(m, "c 8")
	commandLine(m, "rate 3")
	commandLine(m, "rate 3")
	press(m, ":")
	typeIn(m, "dra")
	for _, step := range [][2]string{
		{"up", "rate 3"}, {"up", "c 8"}, {"up", "c 8"}, {"down", "rate 3"}, {"down", "dra"}, {"down", "dra"},
	} {
		press(m, step[0])
		if got := m.prompt.entry.Value(); got != step[1] {
			t.Errorf("%s shows %q, want %q", step[0], got, step[1])
		}
	}
}

func TestLeavingTheCommandLineDoesNothing(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 120, 36, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	press(m, ":")
	typeIn(m, "c 64")
	press(m, "esc")
	press(m, ":", "enter") // an empty one closes
	if applied, _, _ := fake.Seen(); len(applied) != 0 || m.prompt.open {
		t.Errorf("applied %+v, open %v", applied, m.prompt.open)
	}
}

func TestPasteGoesIntoTheCommandLine(t *testing.T) {
	m, _ := opened(t, scene.Busy(), 80, 24, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	press(m, ":")
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("mark " + strings.Repeat("wörter 字 ", 30)), Paste: true})
	pagetest.Fits(t, m.View(), 80, 24)
	press(m, "left", "left")
	pagetest.Fits(t, m.View(), 80, 24)
}

// A slow line hands over what was typed fast as one message, cut at blanks.
func TestACommandTypedInAHurryIsTyped(t *testing.T) {
	m, fake := opened(t, scene.Busy(), 80, 24, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
	press(m, ":c", " ", "+16", "backspace", "backspace", "backspace", "64", "enter")
	if applied, _, _ := fake.Seen(); len(applied) != 1 || applied[0].Load.Concurrency != 64 || applied[0].Paused {
		t.Errorf("applied %+v", applied)
	}
}

func TestEveryCommandOfTheLineIsExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range allCommands() {
		if o.name == "" || o.says == "" || o.do == nil || seen[o.name] || strings.ContainsAny(o.name, " |") {
			t.Errorf("command %q is incomplete, or there twice", o.name)
		}
		seen[o.name] = true
	}
	for i, line := range strings.Split(strings.TrimSpace(commandsMarkdown()), "\n") {
		if strings.Count(line, "|") != 3 {
			t.Errorf("line %d is no row of two columns: %s", i+1, line)
		}
	}
}

func FuzzCommandLine(f *testing.F) {
	for _, o := range allCommands() {
		f.Add(o.usage())
	}
	for _, line := range []string{"slo ttft<=300ms,tpot≤40ms", "rate 1e309", "c -1", "in 1-", "target NaN%", "mark \x1b[2J", "ramp exp -1s", "  c   4  "} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(strings.ToLower(line), "file:") {
			return // what is read from files is not this fuzzer's subject
		}
		m, fake := opened(t, scene.Busy(), 80, 24, pagetest.Theme(t, theme.Dark, termenv.Ascii, false))
		m.picker.all = somePresets()
		press(m, ":")
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(line), Paste: true})
		pagetest.Fits(t, m.View(), 80, 24)
		press(m, "enter")
		pagetest.Fits(t, m.View(), 80, 24)
		applied, _, _ := fake.Seen()
		for _, k := range applied {
			if err := k.Validate(); err != nil {
				t.Errorf("%q applied what is not valid: %v", line, err)
			}
		}
	})
}
