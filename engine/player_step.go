// This file does what was asked of a recording, a step at a time.

package engine

import (
	"time"

	"tokdyno/engine/record"
)

// stride is how much is played in a step: some milliseconds of work.
const stride = time.Second

// step does some of what is asked for, and reports whether there is more to be done. What can't be done the snapshot says.
func (p *Player) step() (more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sought, viewer := p.wishes.wanted()
	var err error
	switch {
	case viewer != p.viewer:
		err = p.look(viewer)
	case sought == nil:
		return false
	case sought != p.towards:
		err = p.setOut(sought)
	default:
		err = p.stride(sought)
	}
	if p.problem = err; err != nil {
		p.towards = nil
		p.publish(sought)
		return false
	}
	return true
}

// setOut begins a way, by the shortest one: from where the pass has been, where that is further.
func (p *Player) setOut(s *seek) error {
	at := p.instant(s)
	if p.pass != nil && (p.pass.over.Load() || !p.reaches(at)) {
		p.takeOver()
	}
	if err := p.approach(at); err != nil {
		return err
	}
	p.towards, p.begun, p.reached = s, p.now, p.now
	return nil
}

// stride goes on, and shows what was sought when it is there.
func (p *Player) stride(s *seek) error {
	at := p.instant(s)
	p.reached = min(p.reached.Add(stride), at)
	if p.reached > p.outline.Last {
		p.reached = at // what is behind the last moment comes at once
	}
	if err := p.play(p.reached); err != nil {
		return err
	}
	if p.reached < at {
		p.wishes.come(s, float64(p.reached-p.begun)/float64(max(min(at, p.outline.Last)-p.begun, 1)))
		return nil
	}
	p.towards = nil
	p.publish(s)
	if p.wishes.isRunning() && p.pass == nil && !p.whole { // the pass had not come to the end, and another one does
		return p.startPass()
	}
	return nil
}

// instant is when what is sought is.
func (p *Player) instant(s *seek) record.Instant {
	if at := p.settings.Start.Add(s.to); at >= p.settings.Start {
		return at
	}
	return 1<<63 - 1 // it overflows
}

// look looks at the recording by other knobs, from the moment that is shown on.
func (p *Player) look(v *viewer) error {
	anew := v.judging() && (!p.viewer.judging() || p.viewer.objectives != v.objectives)
	p.viewer = v
	p.turnTo(v.overlaid(p.own))
	if p.towards == nil {
		p.publish(nil)
	} else {
		p.towards = new(seek) // it sets out once more, to what may be judged by others
	}
	if anew { // what was judged so far was so by others
		return p.judgeAnew()
	}
	return nil
}

// judgeAnew forgets the checkpoints, and has the recording be played anew for others.
func (p *Player) judgeAnew() error {
	p.endPass()
	p.checkpoints, p.whole = newCheckpoints(), false
	if !p.wishes.isRunning() {
		return nil
	}
	return p.startPass()
}
