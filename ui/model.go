// This file is the tea.Model: the state of the console, and how messages change it.

package ui

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// frameMsg is the tick: time to look at the engine and draw.
type frameMsg struct{}

// signalMsg says that the system asked the console to end.
type signalMsg struct{}

// model is the console. A frame is drawn in Update, once per message that can change it; View only returns it.
type model struct {
	engine  Engine
	now     func() time.Time
	th      *theme.Theme
	pages   []numbered
	table   []command
	orders  []order
	knobs   []knob
	presets []Preset

	w, h    int
	open    int // which of the pages shows
	latest  *engine.Snapshot
	frozen  *engine.Snapshot // nil: the display runs
	scales  scales
	dial    dial
	chosen  int
	typing  bool            // a value for the chosen knob
	input   textinput.Model // whatever is being typed
	prompt  prompt
	picker  picker
	focus   part
	zoomed  bool
	help    help
	leaving leaving
	message message
	asleep  time.Time // when the console was suspended

	drawn string
	err   error // a fault of the console itself
}

func newModel(eng Engine, th theme.Theme, now func() time.Time) *model {
	input := textinput.New()
	input.Prompt = ""
	input.CharLimit = 200
	pages := allPages()
	return &model{
		engine: eng, now: now, th: &th, input: input, latest: eng.Snapshot(),
		pages: pages, table: commands(pages), orders: allOrders(), knobs: allKnobs(),
	}
}

// Init does nothing: frames come from outside.
func (m *model) Init() tea.Cmd { return nil }

// View returns the frame that Update drew.
func (m *model) View() string { return m.drawn }

// Update takes a message. A fault in it ends the console with an error instead of leaving a raw terminal behind.
func (m *model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if fault := recover(); fault != nil {
			next, cmd = m, m.fail(fault)
		}
	}()
	switch msg := msg.(type) {
	case frameMsg:
		cmd = m.look()
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		cmd = m.press(msg)
	case tea.ResumeMsg:
		m.awake()
	case signalMsg:
		cmd = m.stopNow()
	case done:
		cmd = msg(m)
	default:
		return m, nil
	}
	m.draw()
	return m, cmd
}

// fail ends the console with an error.
func (m *model) fail(fault any) tea.Cmd {
	m.err = fmt.Errorf("the console failed: %v\n%s", fault, debug.Stack())
	m.drawn = ""
	return tea.Quit
}

// look takes the latest snapshot and does what is due.
func (m *model) look() tea.Cmd {
	now := m.now()
	m.refresh()
	if m.dial.due(now) {
		m.apply(m.dial.turned)
		m.dial.drop()
	}
	if m.message.text != "" && now.After(m.message.until) {
		m.message = message{}
	}
	if m.frozen == nil {
		m.scales = m.view().nextScales()
	}
	if m.over() {
		m.leaving = gone
		return tea.Quit
	}
	return m.pages[m.open].see(m)
}

// refresh takes the latest snapshot, also between frames, for what must not rest on one that is a frame old.
func (m *model) refresh() {
	before := m.latest
	m.latest = m.engine.Snapshot()
	m.dial.see(m.latest, m.now())
	m.watchPilot(before, m.latest)
}

// shown is what is drawn: the latest snapshot, or the one that was frozen.
func (m *model) shown() *engine.Snapshot {
	if m.frozen != nil {
		return m.frozen
	}
	return m.latest
}

// over reports whether there is nothing left to show: the person asked to leave and the run has ended, or it never began.
func (m *model) over() bool {
	if m.latest.State != engine.Ended {
		return false
	}
	return m.leaving == draining || m.latest.Err != nil && m.latest.Counts.Started == 0
}

// press handles a key message, which may hold several keys: a held key on a slow line, or a paste.
func (m *model) press(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste {
		if m.context().entering() {
			m.typeText(tea.KeyMsg{Type: tea.KeyRunes, Runes: printable(msg.Runes)})
		}
		return nil // elsewhere, pasted text is not a row of commands
	}
	if m.context().entering() {
		return m.typeKey(msg)
	}
	if msg.Type != tea.KeyRunes || len(msg.Runes) == 1 || msg.Alt {
		return m.run(msg.String(), 1)
	}
	if c, ok := lookup(m.table, m.context(), string(msg.Runes[0])); ok && c.leads {
		cmd := c.do(m)
		m.typeText(tea.KeyMsg{Type: tea.KeyRunes, Runes: msg.Runes[1:]})
		return cmd
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		cmds = append(cmds, m.run(string(r), len(msg.Runes)))
	}
	return tea.Batch(cmds...)
}

// run does what a key means. Of several keys that came together, only those that may be held mean anything: the others
// are more likely pasted than pressed.
func (m *model) run(name string, together int) tea.Cmd {
	c, ok := lookup(m.table, m.context(), name)
	if !ok || together > 1 && !c.repeats && !(c.twice && together == 2) {
		return nil
	}
	return c.do(m)
}

// typeKey hands a key to the text being typed, unless it means something there.
func (m *model) typeKey(msg tea.KeyMsg) tea.Cmd {
	if c, ok := lookup(m.table, m.context(), msg.String()); ok {
		return c.do(m)
	}
	m.typeText(msg)
	return nil
}

// typeText changes the text being typed.
func (m *model) typeText(msg tea.KeyMsg) {
	m.message = message{}
	before := m.input.Value()
	m.input, _ = m.input.Update(msg)
	if m.input.Value() != before {
		m.picker.at = 0
	}
}

// printable drops what can't stand in a value.
func printable(runes []rune) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, string(runes)))
}

// draw renders the frame.
func (m *model) draw() { m.drawn = m.view().frame() }

// view gathers what a frame depends on.
func (m *model) view() *view {
	shown, in := m.shown(), m.context()
	v := &view{
		w: m.w, h: m.h, th: m.th,
		shown: shown, latest: m.latest, frozen: m.frozen != nil,
		scales: m.scales, leaving: m.leaving, message: m.message,
		pages: m.pages, open: m.open, context: in, helpFirst: m.help.first, commands: m.table, orders: m.orders,
		framing: framing{
			focus: m.focus, zoomed: m.zoomed, help: in == onHelp, picking: in == onPicker,
			openLoop: arriving(shown.Knobs), knobs: len(m.knobs),
			devices: deviceCount(shown), objectives: len(shown.Objectives),
		},
		controls: controls{
			knobs: m.knobs, chosen: m.chosen, typing: m.typing,
			turned: m.dial.shown(m.latest), applied: m.dial.current(m.latest), pending: m.dial.turning,
		},
	}
	if in.entering() {
		typed, at := []rune(m.input.Value()), m.input.Position()
		v.controls.input = &input{own(string(typed[:at]), &m.th.Glyphs), own(string(typed[at:]), &m.th.Glyphs)}
	}
	switch in {
	case onPrompt:
		v.ghost = own(m.ghost(), &m.th.Glyphs)
	case onPicker:
		v.offered = m.offered()
		v.preset = m.picker.at
	}
	v.places = arrange(m.w, m.h, m.pages[m.open], v.framing)
	return v
}

func deviceCount(s *engine.Snapshot) int {
	if s.GPU == nil {
		return 0
	}
	return len(s.GPU.Devices)
}

// say shows a sentence for a few seconds.
func (m *model) say(role theme.Role, format string, args ...any) {
	const long = 6 * time.Second
	m.message = message{role, fmt.Sprintf(format, args...), m.now().Add(long)}
}
