// This file is what can be done with a recording: play, pause, seek, score it anew.

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
)

// errRecording says why the load can't be turned.
var errRecording = errors.New("this is a recording: its load is what it was; SLO, objectives and window can be turned")

// Looks is how many looks were taken at the duel that the run was a side of, by the whole recording.
func (p *Player) Looks() (n int) {
	for _, e := range p.outline.Events {
		if e.Do == didLook {
			_ = json.Unmarshal(e.With, &n) // what can't be read was none
		}
	}
	return n
}

// Header is what the run was begun with.
func (p *Player) Header() runfile.Header { return p.outline.Header }

// Snapshot returns the moment that is shown. It never blocks and is never nil.
func (p *Player) Snapshot() *snapshot.Snapshot { return p.wishes.shown.Load() }

// Run plays, while it is to be played, and goes to what is sought, until ctx ends or Stop is called. The error says why the
// recording can't be read.
func (p *Player) Run(ctx context.Context) error {
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	defer p.Close()
	if err := p.begin(); err != nil {
		return err
	}
	before := time.Now()
	for {
		for p.step() {
			before = time.Now() // what is played begins when what was sought is there
			if ctx.Err() != nil || p.stopped() {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-p.quit:
			return nil
		case <-p.wishes.wake:
		case now := <-ticker.C:
			if err := p.advance(now.Sub(before)); err != nil {
				return err
			}
			before = now
		}
	}
}

func (p *Player) stopped() bool {
	select {
	case <-p.quit:
		return true
	default:
		return false
	}
}

// begin plays the whole recording beside what is shown, so that soon one can seek anywhere.
func (p *Player) begin() error {
	p.wishes.setRunning(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.startPass()
}

// advance plays on for a stretch of the present's time.
func (p *Player) advance(passed time.Duration) error {
	by := p.wishes.due(passed)
	if by == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.to(p.now.Add(by))
}

// Close closes the file.
func (p *Player) Close() {
	p.wishes.setRunning(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endPass()
	p.close()
}

// Play plays or pauses. From its end, a recording is played from the beginning.
func (p *Player) Play(on bool) error {
	return p.ask(func(w *wishes) {
		w.playing = on
		if on && w.atEnd && w.seek == nil {
			w.seek = new(seek)
		}
	})
}

// SetSpeed sets how many recorded seconds pass in a second, from snapshot.SlowestReplay to snapshot.FastestReplay.
func (p *Player) SetSpeed(speed float64) {
	p.wishes.ask(func() { p.wishes.speed = min(max(speed, snapshot.SlowestReplay), snapshot.FastestReplay) })
}

// Seek goes to a time since the load began, or as near as there is something. Another seek takes the place of one that is
// under way; one to what is shown gives that up.
func (p *Player) Seek(at time.Duration) error {
	return p.ask(func(w *wishes) { w.seek = &seek{to: max(at, 0)} })
}

// Jump goes to the next stage or mark (1), or to the one before (-1); to the end or the beginning where there is none.
func (p *Player) Jump(by int) error {
	return p.ask(func(w *wishes) { w.seek = &seek{to: p.stop(by, w.at(), w.playing && w.seek == nil)} })
}

// stop is the next stage or mark as seen from a time.
func (p *Player) stop(by int, from time.Duration, playing bool) time.Duration {
	if by > 0 {
		for _, at := range p.stops {
			if at > from {
				return at
			}
		}
		last, _ := p.outline.Last.Since(p.settings.Start)
		return last
	}
	for _, at := range slices.Backward(p.stops) {
		if at < from-time.Second || !playing && at < from { // while it plays, the one before is not the one that has just been passed
			return at
		}
	}
	return 0
}

// Apply turns what can be turned of a recording: SLO, objectives and window. It is in force with the next moment that is shown.
func (p *Player) Apply(k snapshot.Knobs) error {
	if err := k.Validate(); err != nil {
		return err
	}
	refused := false
	err := p.ask(func(w *wishes) {
		now := w.shown.Load().Knobs
		if refused = k.Load != now.Load || k.Shape != now.Shape || k.Paused != now.Paused; refused {
			return
		}
		judges := w.viewer.judging() || k.Objectives != now.Objectives
		if w.viewer == nil || w.viewer.overlaid(now) != k {
			w.viewer = &viewer{k.SLO, k.Target, k.Objectives, judges, k.Window}
		}
	})
	if refused {
		return errRecording
	}
	return err
}

// ask asks for something, and does it unless Run does.
func (p *Player) ask(what func(*wishes)) error {
	if p.wishes.ask(func() { what(&p.wishes) }) {
		return nil
	}
	return p.settle()
}

// settle does all that is asked for.
func (p *Player) settle() error {
	p.mu.Lock()
	p.problem = nil
	p.mu.Unlock()
	for p.step() {
		continue
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.problem
}

// StageValues returns a latency of every completed request of stage n; see Engine.StageValues.
func (p *Player) StageValues(n int, m slo.Metric) []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n < 1 || n > len(p.points.rows) {
		return nil
	}
	return p.collector.StageValues(n, m)
}

// What a recording can't do, for who takes it for a run.

// NewStage does nothing.
func (p *Player) NewStage() {}

// StartAutopilot says that there is nothing to move.
func (p *Player) StartAutopilot(snapshot.AutopilotRun) error { return errRecording }

// StopAutopilot does nothing.
func (p *Player) StopAutopilot() {}

// Mark does nothing: a recording stays as it is.
func (p *Player) Mark(string) {}

// Drain is Stop.
func (p *Player) Drain() { p.Stop() }

// Stop ends Run.
func (p *Player) Stop() { p.once.Do(func() { close(p.quit) }) }
