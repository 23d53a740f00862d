// This file is what can be done with a recorded run: play, pause, faster, slower, seek.

package console

import (
	"errors"
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
	// Seek goes to a time since the load began, in the place of where it was going. It may take a while, which it does not wait
	// for: Replay.Seeking says so. A seek to Replay.At gives it up.
	Seek(time.Duration) error
	// Jump goes to the next stage or mark (1) or to the one before (-1), likewise.
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

// move does something with the recording.
func (c *control) move(do func(Playback) error) {
	p, ok := c.recording()
	if !ok {
		return
	}
	if err := do(p); err != nil {
		c.say(theme.Bad, "%s", cell.OneLine(err))
	}
	c.refresh()
}

// seekBy goes on or back from what is shown or, while that is on its way, from what was sought last.
func (c *control) seekBy(d time.Duration) {
	c.move(func(p Playback) error {
		r := c.latest.Replay
		at := r.At
		if r.Seeking {
			at = r.Target
		}
		return p.Seek(max(at+d, 0))
	})
}

func (c *control) jump(by int) { c.move(func(p Playback) error { return p.Jump(by) }) }

// stay gives up a seek, and reports whether there was one.
func (c *control) stay() bool {
	r := c.latest.Replay
	if r == nil || !r.Seeking {
		return false
	}
	c.move(func(p Playback) error { return p.Seek(r.At) })
	return true
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
		key(", .", "seek", "ten seconds on", 3, steer(func(c *control) { c.seekBy(stride) }), "."),
		key(",", "back", "ten seconds back", 0, steer(func(c *control) { c.seekBy(-stride) }), ","),
		key("( )", "stage", "the next stage or mark", 3, steer(func(c *control) { c.jump(+1) }), ")"),
		key("(", "stage before", "the stage or mark before", 0, steer(func(c *control) { c.jump(-1) }), "("),
		key("< >", "speed", "faster, up to ×60", 3, steer(func(c *control) { c.step(+1) }), ">"),
		key("<", "slower", "slower", 0, steer(func(c *control) { c.step(-1) }), "<"),
	}
}

// seekCommand goes to a time in a recording.
func seekCommand() command {
	return command{
		name: "seek", takes: "2m30s", says: "of a recording: go to a time since the load began; esc gives it up",
		do: func(m *model, rest string) (tea.Cmd, error) {
			if why := unlessReplay(m); why != "" {
				return nil, errors.New(why)
			}
			at, err := units.ParseClock(rest)
			if err != nil {
				return nil, err
			}
			m.run.move(func(p Playback) error { return p.Seek(at) })
			return nil, nil
		},
	}
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
