// This file is the tea.Model: the state of the console, and how messages change it.

package console

import (
	"fmt"
	"runtime/debug"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/compare"
	"tokdyno/engine/query"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// frameMsg is the tick: time to look at the engine and draw.
type frameMsg struct{ due time.Time }

// signalMsg says that the system asked the console to end.
type signalMsg struct{}

// model is the console. A frame is drawn in Update, once per message that can change it; View only returns it.
type model struct {
	run      control
	th       *theme.Theme
	pages    []numbered
	keys     []keyAction
	commands []command
	sets     []pageSet // of the sides of a duel, as far as they were shown

	w, h    int
	mouse   bool               // it clicks and points
	pointer *page.Point        // where the mouse is; nil: unknown
	open    int                // which of the pages shows
	frozen  *snapshot.Snapshot // nil: the display runs
	prompt  prompt
	picker  picker
	help    help
	tour    tour
	asleep  time.Time                // when the console was suspended; zero: it is not
	woke    time.Time                // when it last came back from that
	told    func(late time.Duration) // see Options.Drawn; nil: nobody is

	clip  clip
	drawn string
	err   error // a fault of the console itself
}

func newModel(eng Engine, th theme.Theme, now func() time.Time) *model {
	desk := knob.NewDesk()
	latest := eng.Snapshot()
	pages := pagesOf(latest, desk)
	return &model{
		run: control{engine: eng, now: now, latest: latest, desk: desk},
		th:  &th, pages: pages, keys: allKeys(pages, desk), commands: allCommands(),
		prompt: prompt{entry: page.NewEntry()}, picker: picker{entry: page.NewEntry()},
	}
}

// Init does nothing: frames come from outside.
func (m *model) Init() tea.Cmd { return nil }

// View returns the frame that Update drew.
func (m *model) View() string { return m.clip.before(m.run.now()) + m.drawn }

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
		defer m.punctual(msg.due)
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		cmd = m.press(msg)
	case tea.MouseMsg:
		var drawn bool
		if cmd, drawn = m.point(msg); !drawn {
			return m, cmd
		}
	case tea.ResumeMsg:
		m.awake()
		if m.mouse {
			cmd = tea.EnableMouseAllMotion // the shell was not to have it
		}
	case signalMsg:
		cmd = m.stopNow()
	case page.Done:
		msg()
	case page.Fault:
		return m, m.fail(msg.Reason)
	default:
		return m, nil
	}
	m.draw()
	return m, cmd
}

// punctual tells how late the frame was that was due at an instant and is drawn now. Nothing is due while the process is suspended.
func (m *model) punctual(due time.Time) {
	if m.told != nil && m.asleep.IsZero() && due.After(m.woke) {
		m.told(m.run.now().Sub(due))
	}
}

// fail ends the console with an error.
func (m *model) fail(fault any) tea.Cmd {
	m.err = fmt.Errorf("the console failed: %v\n%s", fault, debug.Stack())
	m.drawn = ""
	return tea.Quit
}

// look takes the latest snapshot and does what is due.
func (m *model) look() tea.Cmd {
	m.run.refresh()
	m.run.settle()
	if m.over() {
		m.run.leaving = gone
		return tea.Quit
	}
	return m.pages[m.open].See(m)
}

// shown is what is drawn: the latest snapshot, or the one that was frozen.
func (m *model) shown() *snapshot.Snapshot {
	if m.frozen != nil {
		return m.frozen
	}
	return m.run.latest
}

// over reports whether there is nothing left to show: the person asked to leave and the run has ended, or it never began.
func (m *model) over() bool {
	if m.run.latest.State != snapshot.Ended {
		return false
	}
	return m.run.leaving == draining || m.run.latest.Err != nil && m.run.latest.Counts.Started == 0
}

// entry is the line of text that takes the keys which mean nothing else; nil: none does.
func (m *model) entry() *page.Entry {
	switch m.context().layer {
	case onTyping:
		return &m.run.desk.Entry
	case onEntry:
		return m.typist().Entry()
	case onPrompt:
		return &m.prompt.entry
	case onPicker:
		return &m.picker.entry
	}
	return nil
}

// press handles a key message, which may hold several keys: a held key on a slow line, or a paste.
func (m *model) press(msg tea.KeyMsg) tea.Cmd {
	entry := m.entry()
	switch {
	case msg.Paste && entry != nil:
		m.typed(entry.Paste(msg.Runes))
		return nil
	case msg.Paste, msg.Type == tea.KeyRunes && len(msg.Runes) == 0: // pasted text is not a row of keys
		return nil
	case entry != nil:
		if k := lookup(m.keys, m.context(), msg.String()); k != nil {
			return k.act(m)
		}
		m.typed(entry.Press(msg))
		return nil
	case msg.Type != tea.KeyRunes || len(msg.Runes) == 1 || msg.Alt:
		return m.act(msg.String(), 1)
	}
	if k := lookup(m.keys, m.context(), string(msg.Runes[0])); k != nil && k.leads {
		cmd := k.act(m)
		m.typed(m.entry().Press(tea.KeyMsg{Type: tea.KeyRunes, Runes: msg.Runes[1:]}))
		return cmd
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		cmds = append(cmds, m.act(string(r), len(msg.Runes)))
	}
	return tea.Batch(cmds...)
}

// act does what a key means. Of several keys that came together, only those that may be held mean anything: the others
// are more likely pasted than pressed.
func (m *model) act(name string, together int) tea.Cmd {
	if in := m.context(); name == "esc" && in.layer == onPage { // before what it means to the page
		if m.run.stay() {
			return nil
		}
		if m.tour.on() {
			m.tour.leave()
			return nil
		}
	}
	k := lookup(m.keys, m.context(), name)
	if k == nil && together == 1 {
		m.unknown(name)
	}
	if k == nil || together > 1 && !k.Repeats && !(k.twice && together == 2) {
		return nil
	}
	defer m.tour.pressed(name)
	return k.act(m)
}

// unknown says that a key means nothing here, and where it does.
func (m *model) unknown(name string) {
	if in := m.context().layer; in != onPage && in != onZoom {
		return
	}
	shown := cell.Sanitise(shownKey(name), &m.th.Glyphs) // whatever the terminal sent
	for i, p := range m.pages {
		if k := lookup(m.keys, keyContext{layer: onPage, page: i}, name); k != nil {
			m.Say(theme.Muted, "%s: %s, on the %s page (%d)", shown, k.Binding.Help().Desc, p.name, p.number)
			return
		}
	}
	m.Say(theme.Muted, "%s: no such key %s ? help", shown, m.th.Glyphs.Bullet)
}

// typed is told of every key that went into a text, and whether it changed it.
func (m *model) typed(changed bool) {
	m.run.hush()
	if changed {
		m.picker.at = 0
	}
}

// draw renders the frame.
func (m *model) draw() { m.drawn = m.screen().frame() }

// screen gathers what a frame depends on.
func (m *model) screen() *screen {
	v := &screen{
		Frame: m.Frame(), frozen: m.frozen != nil, leaving: m.run.leaving,
		watched: len(m.run.audience.present), watches: m.run.watches, message: m.run.message, desk: m.run.desk,
		pages: m.pages, open: m.open, context: m.context(), helpFirst: m.help.first,
		keys: m.keys, working: m.workingKeys(), commands: m.commands,
	}
	g := &m.th.Glyphs
	if entry := m.entry(); entry != nil {
		v.typed.before, v.typed.after = entry.Split(g)
	}
	switch v.context.layer {
	case onPrompt:
		v.ghost = cell.FitGlyphs(m.prompt.ghost(m), g)
	case onPicker:
		v.offered, v.preset, v.picker = m.picker.offered(), m.picker.at, &m.picker
	}
	if note, ok := m.tour.note(); ok {
		v.tour, v.toured = note, true
	} else if note, ok := m.tourOffer(); ok {
		v.tour = note
	}
	v.Places = v.arrange(1)
	v.said = v.advice(m.w)
	if len(v.said) > 1 { // which parts show decides what is said, so they are placed first
		v.Places = v.arrange(len(v.said))
	}
	return v
}

// workingKeys are those that mean something at present and would not refuse.
func (m *model) workingKeys() []keyAction {
	in := m.context()
	var offered []keyAction
	for i := range m.keys {
		if k := &m.keys[i]; k.meant(in) && k.barred(m) == "" {
			offered = append(offered, *k)
		}
	}
	return offered
}

// Frame is what is drawn at present, without the places of anything.
func (m *model) Frame() *page.Frame {
	return &page.Frame{W: m.w, H: m.h, Theme: m.th, Shown: m.shown(), Latest: m.run.latest, Pointer: m.pointer}
}

// What pages may ask for.

// Now is the console's clock.
func (m *model) Now() time.Time { return m.run.now() }

// Knobs are those that the engine has.
func (m *model) Knobs() snapshot.Knobs { return m.run.desk.Current(m.run.latest) }

// Set hands changed knobs to the engine.
func (m *model) Set(k snapshot.Knobs) error { return m.run.set(k) }

// Uncontrollable says why the load can't be changed any more.
func (m *model) Uncontrollable() string { return m.run.uncontrollable() }

// ReadOnly says why nothing may be changed or written.
func (m *model) ReadOnly() string {
	if m.run.watches {
		return readOnly
	}
	return ""
}

// Hush takes away the sentence that shows.
func (m *model) Hush() { m.run.hush() }

// Say shows a sentence for a few seconds.
func (m *model) Say(role theme.Role, format string, args ...any) { m.run.say(role, format, args...) }

// StageValues are the latencies of a stage's requests.
func (m *model) StageValues(n int, metric slo.Metric) []time.Duration {
	return m.run.engine.StageValues(n, metric)
}

// Requests are those of the run.
func (m *model) Requests() query.Source { return m.run.engine }

// StageSeries is what was measured of a stage once it had settled.
func (m *model) StageSeries(n int) *compare.Series { return m.run.engine.StageSeries(n) }
