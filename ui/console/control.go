// This file is what is done to the run: knobs applied, stages begun, the load paused.

package console

import (
	"errors"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
	"tokdyno/presets"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/knob"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// control is the console's hold on the run: the engine, the latest of its snapshots, the knobs, and what was last answered.
type control struct {
	engine  Engine
	now     func() time.Time
	latest  *snapshot.Snapshot
	version string // of the program that made the run, for its report
	watches bool   // it only looks: others turn the knobs, save and quit the run
	desk    *knob.Desk
	leaving leaving
	early   bool // they left before the run had ended
	message message

	audience audience
}

// say shows a sentence for a few seconds.
func (c *control) say(role theme.Role, format string, args ...any) {
	const long = 6 * time.Second
	c.message = message{role, fmt.Sprintf(format, args...), c.now().Add(long)}
}

// hush takes away the sentence that shows.
func (c *control) hush() { c.message = message{} }

// refresh takes the latest snapshot, also between frames, for what must not rest on one that is a frame old.
func (c *control) refresh() {
	before := c.latest
	c.latest = c.attended(c.engine.Snapshot())
	c.desk.See(c.latest, c.now())
	c.watchPilot(before, c.latest)
}

// settle applies what was turned once the hand rests, and forgets an answer that has shown long enough.
func (c *control) settle() {
	now := c.now()
	if c.desk.Due(now) {
		c.apply(c.desk.Turned)
		c.desk.Drop()
	}
	if c.message.text != "" && now.After(c.message.until) {
		c.hush()
	}
}

// uncontrollable says why the load can't be changed any more; "" where it can.
func (c *control) uncontrollable() string {
	switch {
	case c.watches:
		return readOnly
	case c.latest.Replay != nil:
		return "this is a recording: its load is what it was"
	case c.latest.State == snapshot.Ended:
		return "the run has ended; q leaves"
	case c.leaving != staying || c.latest.State == snapshot.Draining:
		return "the run is draining; q again stops it now"
	}
	return ""
}

// apply hands knobs to the engine.
func (c *control) apply(k snapshot.Knobs) bool {
	if err := c.engine.Apply(k); err != nil {
		c.say(theme.Bad, "%s", cell.OneLine(err))
		return false
	}
	c.desk.Accept(k, c.now())
	return true
}

// applyNow changes one thing at once, without what is still being turned; that keeps the change too.
func (c *control) applyNow(change func(*snapshot.Knobs)) {
	c.refresh() // an autopilot may have moved the load since the last frame, and must not be turned back
	k := c.desk.Current(c.latest)
	change(&k)
	if c.apply(k) {
		change(&c.desk.Turned)
	}
}

// set hands changed knobs to the engine, in place of what was being turned.
func (c *control) set(next snapshot.Knobs) error {
	if c.latest.Over() {
		return errors.New("the run has ended; q leaves")
	}
	if err := next.Validate(); err != nil {
		return err
	}
	if err := c.engine.Apply(next); err != nil {
		return err
	}
	c.desk.Drop()
	c.desk.Accept(next, c.now())
	return nil
}

// setText sets a setting to what was typed. What is in a file is not read here, but beside the console.
func (c *control) setText(s *presets.Setting, text string) (tea.Cmd, error) {
	c.refresh() // an autopilot may have moved the load since the last frame, and must not be turned back
	at := c.desk.Shown(c.latest)
	if !s.Reads(text) && !s.Opening {
		next, err := s.Set(at, text)
		if err != nil {
			return nil, err
		}
		return nil, c.set(next)
	}
	return page.Later(func() page.Done {
		next, err := s.Set(at, text)
		return func() {
			if err == nil {
				err = c.set(next)
			}
			if err != nil {
				c.say(theme.Bad, "%s", cell.OneLine(err))
				return
			}
			c.say(theme.Good, "%s", changed(s, s.Print(at), s.Print(next)))
		}
	}), nil
}

// setCommand is setText for what need not be a knob. What changes nothing before something else is set is said to; what
// counts in a replay is refused outside one, for none may ever come, unless it says how the recording is to be opened.
func (c *control) setCommand(s *presets.Setting, text string) (tea.Cmd, error) {
	replays := slices.Equal(s.Needs, []string{"trace"}) && !s.Opening
	if idle := s.Idle(c.desk.Shown(c.latest)); replays && idle != "" && !units.Off(text) {
		return nil, fmt.Errorf("nothing is being replayed: %s %s", s.Title, idle)
	}
	before := s.Print(c.desk.Shown(c.latest))
	cmd, err := c.setText(s, text)
	if err != nil {
		return nil, err
	}
	if cmd == nil {
		c.say(theme.Good, "%s", changed(s, before, s.Print(c.desk.Shown(c.latest))))
	}
	if idle := s.Idle(c.desk.Shown(c.latest)); idle != "" {
		c.say(theme.Muted, "%s %s", s.Title, idle)
	}
	return cmd, nil
}

// changed says in a sentence what became of a setting.
func changed(s *presets.Setting, before, after string) string {
	if before == after {
		return s.Title + " is " + after + " already"
	}
	return s.Title + " " + before + " → " + after
}

func (c *control) togglePause() {
	if p, ok := c.recording(); ok {
		c.playOrPause(p)
		return
	}
	c.applyNow(func(k *snapshot.Knobs) { k.Paused = !k.Paused })
}

// newStage begins to measure anew with the same load.
func (c *control) newStage() { c.engine.NewStage() }

func (c *control) longerWindow() { c.turnWindow(stats.Window.Longer) }

func (c *control) shorterWindow() { c.turnWindow(stats.Window.Shorter) }

// turnWindow chooses another window: for the run, or for who only watches it.
func (c *control) turnWindow(turn func(stats.Window) stats.Window) {
	if o, ok := c.engine.(*onlooker); ok {
		o.look(turn(c.latest.Knobs.Window))
		c.refresh()
		return
	}
	c.applyNow(func(k *snapshot.Knobs) { k.Window = turn(k.Window) })
}

// fitLimits sets the limits that the present stage keeps with some margin.
func (c *control) fitLimits() error {
	c.refresh()
	s := &c.latest.Stage
	if s.Settling {
		return errors.New("the present stage is still settling; fit the SLO once it is steady")
	}
	var tails slo.Tails
	for _, metric := range slo.Metrics() {
		if metric == slo.TTFA && s.Reasoned == 0 {
			continue // it is TTFT
		}
		d := figure.LatencyOf(s, metric)
		tails[metric] = slo.Tail{N: d.N, P99: d.P99}
	}
	limits, err := slo.Fit(tails)
	if err != nil {
		return err
	}
	next := c.desk.Current(c.latest)
	next.SLO = limits
	if err := c.set(next); err != nil {
		return err
	}
	c.say(theme.Good, "SLO fitted to %s, its p99s and a tenth: %s", figure.LoadPoint(next), limits)
	return nil
}
