// This file is the tea.Model: what keys do, and what comes of what an endpoint answers.

package connect

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// step is where the person is.
type step int

const (
	choosing step = iota
	asking        // the endpoint for its models
	choosingModel
	namingModel // where there is no list
	typingKey
)

// model is the screen.
type model struct {
	theme   theme.Theme
	sources Sources
	now     func() time.Time
	ctx     context.Context // of what is asked; ends with the screen
	w, h    int

	step    step
	found   []Found
	looking bool
	rows    []choice
	at      int // the chosen row
	moved   bool
	url     page.Entry // what is typed as a URL
	key     page.Entry
	name    page.Entry // of a model
	target  Target     // as far as it is known
	models  []string
	model   int // the chosen one
	problem string
	asked   int   // which question is being asked: an answer to another one is late
	done    bool  // target is what was chosen
	drawn   []int // the row that each line of the panel is of, as it was drawn last; see hit
}

func newModel(ctx context.Context, th theme.Theme, sources Sources, now func() time.Time) *model {
	m := &model{
		theme: th, sources: sources, now: now, ctx: ctx, looking: true,
		url: page.NewEntry(), key: page.NewEntry(), name: page.NewEntry(),
	}
	m.rows = choices(nil, sources.Recent)
	m.url.Begin("")
	return m
}

// nearbyMsg brings the servers that were found.
type nearbyMsg []Found

// answerMsg brings what an endpoint answered.
type answerMsg struct {
	of int
	Answer
}

// stopMsg ends the screen as a person does who leaves.
type stopMsg struct{}

// Init looks around.
func (m *model) Init() tea.Cmd {
	return func() tea.Msg { return nearbyMsg(m.sources.Nearby(m.ctx)) }
}

// Update takes a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case nearbyMsg:
		m.looksAround(msg)
	case answerMsg:
		if msg.of == m.asked && m.step == asking {
			return m, m.answered(msg.Answer)
		}
	case stopMsg:
		return m, tea.Quit
	case tea.KeyMsg:
		return m, m.press(msg)
	case tea.MouseMsg:
		return m, m.point(msg)
	}
	return m, nil
}

// looksAround puts what was found above the rest. Who has not chosen yet stands on the first of it.
func (m *model) looksAround(found []Found) {
	before := m.rows[m.at]
	m.looking, m.found = false, found
	m.rows = choices(found, m.sources.Recent)
	m.at = 0
	for i := range m.rows {
		if m.moved && m.rows[i].target == before.target && m.rows[i].typed == before.typed {
			m.at = i
		}
	}
}

func (m *model) press(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyCtrlC {
		return tea.Quit
	}
	switch m.step {
	case choosing:
		return m.pressRow(msg)
	case asking:
		if msg.Type == tea.KeyEsc {
			m.back()
		}
	case choosingModel:
		switch msg.Type {
		case tea.KeyUp:
			m.model = max(m.model-1, 0)
		case tea.KeyDown:
			m.model = min(m.model+1, len(m.models)-1)
		case tea.KeyEnter:
			return m.take(m.models[m.model])
		case tea.KeyEsc:
			m.back()
		}
	case namingModel:
		return m.pressEntry(msg, &m.name, m.take)
	case typingKey:
		return m.pressEntry(msg, &m.key, func(key string) tea.Cmd {
			m.target.Key = key
			return m.ask()
		})
	}
	return nil
}

// pressRow moves among the choices. What is typed goes into the row for it.
func (m *model) pressRow(msg tea.KeyMsg) tea.Cmd {
	row := &m.rows[m.at]
	switch {
	case msg.Type == tea.KeyUp || msg.Type == tea.KeyShiftTab:
		m.at, m.moved = max(m.at-1, 0), true
	case msg.Type == tea.KeyDown || msg.Type == tea.KeyTab:
		m.at, m.moved = min(m.at+1, len(m.rows)-1), true
	case msg.Type == tea.KeyEnter:
		return m.choose(row)
	case msg.Type == tea.KeyEsc:
		return tea.Quit
	case msg.Type == tea.KeyRunes && !row.typed && string(msg.Runes) == "q":
		return tea.Quit
	default:
		m.at, m.moved, m.problem = len(m.rows)-1, true, ""
		if msg.Paste {
			m.url.Paste(msg.Runes)
		} else {
			m.url.Press(msg)
		}
	}
	return nil
}

// pressEntry types into a line; enter takes it.
func (m *model) pressEntry(msg tea.KeyMsg, e *page.Entry, take func(string) tea.Cmd) tea.Cmd {
	switch {
	case msg.Type == tea.KeyEnter:
		if text := strings.TrimSpace(e.Value()); text != "" {
			return take(text)
		}
	case msg.Type == tea.KeyEsc:
		m.back()
	case msg.Paste:
		e.Paste(msg.Runes)
	default:
		e.Press(msg)
	}
	return nil
}

// choose goes on with a row.
func (m *model) choose(row *choice) tea.Cmd {
	m.target = row.target
	if row.typed {
		if m.target.URL = strings.TrimSpace(m.url.Value()); m.target.URL == "" {
			m.problem = "type a URL, such as localhost:8000"
			return nil
		}
	}
	switch {
	case m.target.Demo:
		m.done = true
		return tea.Quit
	case row.locked:
		m.wantKey("")
		return nil
	case len(row.models) > 0:
		return m.answered(Answer{Models: row.models})
	}
	return m.ask()
}

// ask asks the endpoint for its models.
func (m *model) ask() tea.Cmd {
	m.step, m.problem = asking, ""
	m.asked++
	of, ask, ctx, target := m.asked, m.sources.Ask, m.ctx, m.target
	return func() tea.Msg { return answerMsg{of, ask(ctx, target.URL, target.Key)} }
}

// answered goes on with what an endpoint answered.
func (m *model) answered(a Answer) tea.Cmd {
	switch {
	case a.WantsKey:
		why := ""
		if m.target.Key != "" {
			why = "the endpoint does not accept this key"
		}
		m.wantKey(why)
	case a.NoList && m.target.Model != "":
		return m.take(m.target.Model)
	case a.NoList:
		m.step, m.problem = namingModel, ""
		m.name.Begin("")
	case a.Err != nil:
		m.step, m.problem = choosing, a.Err.Error()
	case len(a.Models) == 0:
		m.step, m.problem = choosing, "the endpoint serves no model yet: load one, and enter asks again"
	case len(a.Models) == 1:
		return m.take(a.Models[0])
	default:
		m.step, m.models, m.model, m.problem = choosingModel, a.Models, 0, ""
		for i, id := range a.Models {
			if id == m.target.Model {
				m.model = i // the one that the last run was of
			}
		}
	}
	return nil
}

func (m *model) wantKey(why string) {
	m.step, m.problem, m.target.Key = typingKey, why, ""
	m.key.Begin("")
}

// take ends the screen with a model.
func (m *model) take(id string) tea.Cmd {
	m.target.Model, m.done = id, true
	return tea.Quit
}

// back goes to the choices again.
func (m *model) back() {
	m.step, m.problem, m.target = choosing, "", Target{}
	m.asked++
}

// View draws the screen.
func (m *model) View() string { return m.draw() }
