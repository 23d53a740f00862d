// This file is what can be done with a recording: play, pause, seek, score it anew.

package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
)

// errRecording says why the load can't be turned.
var errRecording = errors.New("this is a recording: its load is what it was; SLO, objectives and window can be turned")

// Header is what the run was begun with.
func (p *Player) Header() runfile.Header { return p.outline.Header }

// Snapshot returns the moment that is shown. It never blocks and is never nil.
func (p *Player) Snapshot() *snapshot.Snapshot { return p.snapshot.Load() }

// Run plays, while it is to be played, until ctx ends or Stop is called. The error says why the recording can't be read.
func (p *Player) Run(ctx context.Context) error {
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	defer p.Close()
	if err := p.begin(); err != nil {
		return err
	}
	before := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.quit:
			return nil
		case now := <-ticker.C:
			if err := p.advance(now.Sub(before)); err != nil {
				return err
			}
			before = now
		}
	}
}

// begin plays the whole recording beside what is shown, so that soon one can seek anywhere.
func (p *Player) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = true
	return p.startPass()
}

// advance plays on for a stretch of the present's time.
func (p *Player) advance(passed time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.playing || p.atEnd {
		return nil
	}
	return p.to(p.now.Add(time.Duration(float64(passed) * p.speed)))
}

// Close closes the file.
func (p *Player) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = false
	p.endPass()
	p.close()
}

// Play plays or pauses. From its end, a recording is played from the beginning.
func (p *Player) Play(on bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.playing = on
	if on && p.atEnd {
		return p.seek(p.settings.Start)
	}
	p.publish()
	return nil
}

// SetSpeed sets how many recorded seconds pass in a second, from snapshot.SlowestReplay to snapshot.FastestReplay.
func (p *Player) SetSpeed(speed float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.speed = min(max(speed, snapshot.SlowestReplay), snapshot.FastestReplay)
	p.publish()
}

// Seek goes to a time since the load began, or as near as there is something.
func (p *Player) Seek(at time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seek(p.settings.Start.Add(max(at, 0)))
}

func (p *Player) seek(at record.Instant) error {
	if p.pass != nil && (p.pass.over.Load() || !p.reaches(at)) {
		p.takeOver()
	}
	if err := p.goTo(at); err != nil {
		return err
	}
	p.publish()
	if p.running && p.pass == nil && !p.whole { // the pass had not come to the end, and another one does
		return p.startPass()
	}
	return nil
}

// Jump goes to the next stage or mark (1), or to the one before (-1); to the end or the beginning where there is none.
func (p *Player) Jump(by int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	const near = record.Instant(time.Second) // while it plays, the one before is not the one that has just been passed
	if by > 0 {
		for _, at := range p.stops {
			if at > p.now {
				return p.seek(at)
			}
		}
		return p.seek(p.outline.Last)
	}
	for _, at := range slices.Backward(p.stops) {
		if at < p.now-near || !p.playing && at < p.now {
			return p.seek(at)
		}
	}
	return p.seek(p.settings.Start)
}

// Finish plays to the end.
func (p *Player) Finish() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seek(record.Instant(1<<63 - 1))
}

// Apply turns what can be turned of a recording: SLO, objectives and window.
func (p *Player) Apply(k snapshot.Knobs) error {
	if err := k.Validate(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if k.Load != p.knobs.Load || k.Shape != p.knobs.Shape || k.Paused != p.knobs.Paused {
		return errRecording
	}
	judges := p.viewer.judging() || k.Objectives != p.knobs.Objectives
	anew := k.Objectives != p.knobs.Objectives
	if p.viewer == nil || p.viewer.over(p.knobs) != k {
		p.viewer = &viewer{k.SLO, k.Target, k.Objectives, judges, k.Window}
	}
	p.turnTo(k)
	p.publish()
	if anew { // what was judged so far was so by others
		return p.judgeAnew()
	}
	return nil
}

// judgeAnew forgets the checkpoints, and has the recording be played anew for others.
func (p *Player) judgeAnew() error {
	p.endPass()
	p.checkpoints, p.whole = newCheckpoints(), false
	if !p.running {
		return nil
	}
	return p.startPass()
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
func (p *Player) Stop() { p.stopped.Do(func() { close(p.quit) }) }
