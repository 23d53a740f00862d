// This file keeps samples of a run.

package health

import "time"

const (
	every = time.Second
	reach = 10 // samples: what is recent
)

// Monitor samples the process once a second. The zero Monitor has not begun.
type Monitor struct {
	first  Sample
	recent []Sample // oldest first, at most reach
}

// Tick takes a sample if one is due; the first call begins.
func (m *Monitor) Tick() {
	if n := len(m.recent); n > 0 && time.Since(m.recent[n-1].at) < every {
		return
	}
	s := Take()
	if len(m.recent) == 0 {
		m.first = s
	}
	if len(m.recent) == reach {
		m.recent = append(m.recent[:0], m.recent[1:]...)
	}
	m.recent = append(m.recent, s)
}

// Restart makes the run begin now, as far as Run is concerned: what came before is not to be judged.
func (m *Monitor) Restart() { m.first = Take() }

// Recent gives the process's figures of about the last ten seconds; ok is false until a second has passed. Where Restart
// was called meanwhile, they are those since then, as soon as there are any, and restarted is true.
func (m *Monitor) Recent() (f Figures, restarted, ok bool) {
	if len(m.recent) < 2 {
		return Figures{}, false, false
	}
	if f, ok := m.Run(); ok && m.first.at.After(m.recent[0].at) {
		return f, true, true
	}
	return m.recent[len(m.recent)-1].Since(m.recent[0]), false, true
}

// Run gives the process's figures since the first Tick or Restart; false until a second has passed.
func (m *Monitor) Run() (Figures, bool) {
	if len(m.recent) < 2 || !m.recent[len(m.recent)-1].at.After(m.first.at) {
		return Figures{}, false
	}
	return m.recent[len(m.recent)-1].Since(m.first), true
}
