// This file plays a whole recording beside what is shown, so that one can seek anywhere in it.

package engine

import (
	"sync"
	"sync/atomic"

	"tokdyno/engine/record"
)

// pass is a playback that goes from the beginning to the end as fast as it can. It ends with stop.
type pass struct {
	*playback             // not to be looked at before stop
	over      atomic.Bool // it has come to the end
	quit      chan struct{}
	done      sync.WaitGroup
}

// startPass begins to play a recording beside.
func (p *Player) startPass() error {
	b, err := newPlayback(&p.recording, p.viewer)
	if err != nil {
		return err
	}
	p.pass = &pass{playback: b, quit: make(chan struct{})}
	p.pass.done.Go(p.pass.run)
	return nil
}

func (a *pass) run() {
	const step = record.Instant(1e9)
	for !a.atEnd {
		select {
		case <-a.quit:
			return
		default:
		}
		if a.play(a.now+step) != nil {
			return // what is shown meets the same error
		}
	}
	a.over.Store(true)
}

// stop ends it, and gives what it has come to. A nil pass has come to nothing.
func (a *pass) stop() *playback {
	if a == nil {
		return nil
	}
	close(a.quit)
	a.done.Wait()
	return a.playback
}

// endPass ends it for good.
func (p *Player) endPass() {
	if b := p.pass.stop(); b != nil {
		b.close()
	}
	p.pass = nil
}

// takeOver has the playback of the pass be the one that is shown, from where one gets everywhere that it has been.
func (p *Player) takeOver() {
	b := p.pass.stop()
	p.pass = nil
	b.viewer = p.viewer
	p.close()
	p.playback = b
	if b.viewer != nil {
		b.turnTo(b.viewer.overlaid(b.own))
	}
}
