// This file is what the mouse does: a click chooses a row, and another one takes it; the wheel goes up and down.

package connect

import tea "github.com/charmbracelet/bubbletea"

// bodyY is the line of the screen that the first line within the panel is drawn on.
const bodyY = 2

func (m *model) point(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || m.step != choosing && m.step != choosingModel {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.press(tea.KeyMsg{Type: tea.KeyUp})
	case tea.MouseButtonWheelDown:
		return m.press(tea.KeyMsg{Type: tea.KeyDown})
	case tea.MouseButtonLeft:
		if row, ok := m.hit(msg.X, msg.Y); ok {
			return m.click(row)
		}
	}
	return nil
}

// hit is the row at a place of the screen. Of the lines of a row the last is the row itself, those before are a heading.
func (m *model) hit(x, y int) (row int, ok bool) {
	y -= bodyY
	if x < 1 || x >= m.w-1 || y < 0 || y >= len(m.drawn) {
		return 0, false
	}
	row = m.drawn[y]
	return row, y+1 == len(m.drawn) || m.drawn[y+1] != row
}

// click chooses a row, or takes it where it is chosen already. The line for a URL is only chosen: it is typed into.
func (m *model) click(row int) tea.Cmd {
	chosen := &m.at
	if m.step == choosingModel {
		chosen = &m.model
	}
	if *chosen != row {
		*chosen, m.moved = row, true
		return nil
	}
	if m.step == choosing && m.rows[row].typed && m.url.Value() == "" {
		return nil
	}
	return m.press(tea.KeyMsg{Type: tea.KeyEnter})
}
