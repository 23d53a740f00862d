// This file is what can be done with a recorded run: play, pause, faster, slower, seek.

package console

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Playback is what an Engine can do besides that shows a recording; *engine.Player is one. Errors are sentences.
type Playback interface {
	// Play plays or pauses; what has come to its end begins anew.
	Play(on bool) error
	// SetSpeed sets how many recorded seconds pass in a second.
	SetSpeed(float64)
	// Seek goes to a time since the load began. It may take a while, so it is not called in Update.
	Seek(time.Duration) error
	// Jump goes to the next stage or mark (1) or to the one before (-1). It may take a while too.
	Jump(by int) error
}

// speeds are those that a key steps through.
func speeds() []float64 {
	return []float64{snapshot.SlowestReplay, 1, 2, 5, 10, 20, snapshot.FastestReplay}
}

// recording is the recording that is shown; false where the run is live.
func (c *control) recording() (Playback, bool) {
	p, ok := c.engine.(Playback)
	return p, ok && c.latest.Replay != nil
}

// playOrPause is the space bar of a recording.
func (c *control) playOrPause(p Playback) {
	r := c.latest.Replay
	if err := p.Play(!r.Playing); err != nil {
		c.say(theme.Bad, "%s", cell.OneLine(err))
	}
}

// step makes the recording faster or slower.
func (c *control) step(by int) {
	p, ok := c.recording()
	if !ok {
		return
	}
	list, now := speeds(), c.latest.Replay.Speed
	at := 0
	for at < len(list)-1 && list[at] < now {
		at++
	}
	p.SetSpeed(list[min(max(at+by, 0), len(list)-1)])
	c.refresh()
}

// beside does something with the recording that may take a while.
func (c *control) beside(do func(Playback) error) tea.Cmd {
	p, ok := c.recording()
	if !ok {
		return nil
	}
	return page.Later(func() page.Done {
		err := do(p)
		return func() {
			if err != nil {
				c.say(theme.Bad, "%s", cell.OneLine(err))
			}
			c.refresh()
		}
	})
}

func (c *control) seekBy(d time.Duration) tea.Cmd {
	at := time.Duration(0)
	if r := c.latest.Replay; r != nil {
		at = r.At
	}
	return c.beside(func(p Playback) error { return p.Seek(max(at+d, 0)) })
}

func (c *control) jump(by int) tea.Cmd {
	return c.beside(func(p Playback) error { return p.Jump(by) })
}

// unlessReplay keeps the keys of a recording from doing anything in a run.
func unlessReplay(m *model) string {
	if m.run.latest.Replay == nil {
		return "this run is live; tokdyno replay plays one that was kept"
	}
	return ""
}

// recorded keeps what would change a run from doing anything to a recording.
func recorded(m *model) string {
	if m.run.latest.Replay != nil {
		return "this is a recording, and stays as it is"
	}
	return overAlready(m)
}

// playable says why the space bar does nothing.
func playable(m *model) string {
	if m.run.latest.Replay != nil {
		return ""
	}
	return m.run.uncontrollable()
}

// replayKeys are those of a recording.
func replayKeys() []keyAction {
	const on = onPage | onZoom
	key := func(shown, does, says string, footer int, act func(*model) tea.Cmd, keys ...string) keyAction {
		return keyAction{
			Key: page.Key{Binding: page.Bind(shown, does, keys...), Footer: footer, Repeats: true, Says: "of a recording: " + says},
			in:  on, own: act, bars: unlessReplay,
		}
	}
	const stride = 10 * time.Second
	return []keyAction{
		key(", .", "seek", "ten seconds on", 3, func(m *model) tea.Cmd { return m.run.seekBy(stride) }, "."),
		key(",", "back", "ten seconds back", 0, func(m *model) tea.Cmd { return m.run.seekBy(-stride) }, ","),
		key("( )", "stage", "the next stage or mark", 3, func(m *model) tea.Cmd { return m.run.jump(+1) }, ")"),
		key("(", "stage before", "the stage or mark before", 0, func(m *model) tea.Cmd { return m.run.jump(-1) }, "("),
		key("< >", "speed", "faster, up to ×60", 3, steer(func(c *control) { c.step(+1) }), ">"),
		key("<", "slower", "slower", 0, steer(func(c *control) { c.step(-1) }), "<"),
	}
}

// seekCommand goes to a time in a recording.
func seekCommand() command {
	return command{
		name: "seek", takes: "2m30s", says: "of a recording: go to a time since the load began",
		do: func(m *model, rest string) (tea.Cmd, error) {
			if why := unlessReplay(m); why != "" {
				return nil, errors.New(why)
			}
			at, err := clockTime(rest)
			if err != nil {
				return nil, err
			}
			return m.run.beside(func(p Playback) error { return p.Seek(at) }), nil
		},
	}
}

// clockTime reads a time with its unit, or as the header has it: "2:30".
func clockTime(text string) (time.Duration, error) {
	var whole time.Duration
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) == 1 {
		return units.ParseTime(text, "2m30s")
	}
	for _, part := range parts {
		n, err := units.ParseCount(part)
		if err != nil || len(parts) > 3 {
			return 0, fmt.Errorf("%q is not a time; write it like 2m30s or 2:30", text)
		}
		whole = whole*60 + time.Duration(n)*time.Second
	}
	return whole, nil
}

// replayState is what the header says of a recording.
func (v *screen) replayState() cell.Piece {
	g, r := &v.Theme.Glyphs, v.Latest.Replay
	sign := g.Pause
	if r.Playing {
		sign = g.Run
	}
	return cell.Accent(sign + " REPLAY " + g.Times + cell.Exactly(r.Speed))
}
