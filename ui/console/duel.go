// This file is what the console does with a duel: which side shows, and what is turned on one side alone.

package console

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/compare"
	"tokdyno/engine/snapshot"
	"tokdyno/presets"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Sides is what an Engine can do besides that is a duel; *duel.Duel is one. Snapshot.Duel says which side shows.
type Sides interface {
	// Show chooses the side that answers from now on, from 0.
	Show(side int)
	// ApplyTo turns the knobs of one side alone. Its errors are sentences.
	ApplyTo(side int, k snapshot.Knobs) error
	// StageSeriesOf is StageSeries of any side, from 0.
	StageSeriesOf(side, n int) *compare.Series
	// Spend is how likely a comparison of all sides at this moment may find a difference that is not there. Each takes some of
	// what those after it have.
	Spend() float64
}

// pageSet is the pages of one side, which hold what they know of its stages and requests, and the keys that go to them.
type pageSet struct {
	pages []numbered
	keys  []keyAction
}

// sides is the duel; nil where the run is alone.
func (c *control) sides() Sides {
	if d, ok := c.engine.(Sides); ok && c.latest.Duel != nil {
		return d
	}
	return nil
}

// aloneHere says why there is no other side.
func aloneHere(m *model) string {
	if m.run.sides() == nil {
		return "this run is alone; tokdyno A B --duel holds endpoints side by side"
	}
	return ""
}

// duelKeys are those of a duel.
func duelKeys() []keyAction {
	return []keyAction{{
		Key: page.Key{
			Binding: page.Bind("d", "side", "d"), Footer: 3, Repeats: true, Says: "of a duel: show the next side, on every page",
		},
		in: onPage | onZoom, own: (*model).nextSide, bars: aloneHere,
	}}
}

// nextSide shows the next side, on pages of its own but for the first, which shows all of them.
func (m *model) nextSide() tea.Cmd {
	d := m.shown().Duel
	next := (d.Side + 1) % len(d.Sides)
	if m.sets == nil {
		m.sets = make([]pageSet, len(d.Sides))
	}
	m.sets[d.Side] = pageSet{m.pages, m.keys}
	if m.sets[next].pages == nil {
		pages := pagesOf(m.shown(), m.run.desk)
		pages[0] = m.pages[0]
		m.sets[next] = pageSet{pages, allKeys(pages, m.run.desk)}
	}
	m.pages, m.keys = m.sets[next].pages, m.sets[next].keys
	m.run.sides().Show(next)
	m.run.desk.Forget()
	m.run.refresh()
	if m.frozen != nil {
		side, view := *m.frozen.Duel.Sides[next], *m.frozen.Duel
		view.Side, side.Duel = next, &view
		m.frozen = &side
	}
	return m.pages[m.open].See(m)
}

// onlyCommand sets something on one side.
func onlyCommand() command {
	return command{
		name: "only", takes: "B c=32", says: "of a duel: set something on one side alone",
		do: func(m *model, rest string) (tea.Cmd, error) {
			if why := aloneHere(m); why != "" {
				return nil, errors.New(why)
			}
			if why := m.run.uncontrollable(); why != "" {
				return nil, errors.New(why)
			}
			return nil, m.run.only(rest)
		},
	}
}

// only sets what was typed on one side: its letter, a setting and a value.
func (c *control) only(typed string) error {
	c.refresh()
	all := c.latest.Duel.Sides
	letter, rest, _ := strings.Cut(strings.TrimSpace(typed), " ")
	rest = strings.TrimSpace(rest)
	at := strings.IndexAny(rest, " =")
	side, ok := snapshot.SideOf(letter, len(all))
	if !ok || at < 0 {
		return fmt.Errorf("write a side, a setting and its value, such as only %s c=32", snapshot.Letter(len(all)-1))
	}
	name, value := rest[:at], strings.TrimSpace(rest[at+1:])
	s := presets.Settings().Find(name)
	if s == nil {
		return fmt.Errorf("there is no setting %q; ? lists them all", name)
	}
	next, err := s.Set(all[side].Knobs, value)
	if err == nil {
		err = c.sides().ApplyTo(side, next)
	}
	if err != nil {
		return err
	}
	c.say(theme.Good, "%s alone: %s %s", snapshot.Letter(side), s.Title, s.Print(next))
	return nil
}

// sidePieces name the side that shows: "A ━ of 2 by turns".
func (v *screen) sidePieces() []cell.Piece {
	d := v.Shown.Duel
	of := fmt.Sprintf(" of %d", len(d.Sides))
	if d.Mode == snapshot.Alternate {
		of += " by turns"
	}
	return append(figure.SideMark(&v.Theme.Glyphs, d.Side), cell.Muted(of))
}

// held reports whether the side that shows waits for its turn.
func (v *screen) held() bool {
	s := v.Latest
	return s.Duel != nil && s.Duel.Mode == snapshot.Alternate && s.State == snapshot.Paused && !s.Knobs.Paused
}
