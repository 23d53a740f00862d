// This file is what happens at every tick.

package engine

import (
	"fmt"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// tick is what happens at every tick.
func (e *Engine) tick() {
	e.advance()
	e.account.finished.handOver(&e.cfg, e.start)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ticked = e.clock() // whoever takes the records may have been slow, and the load was not
}

// advance takes in what requests reported since the last tick.
func (e *Engine) advance() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.generator.Tick(e.clock())
	now := e.fold()
	e.account.outage.look(e.collector.InFlight(now).Answered > 0, now)
	e.settle(now)
	e.judgeObjectives(now)
	e.steer(now)
	e.canary.set(e.canaryRate())
	e.publish(now)
	e.counsel.ask(e.snapshot.Load())
	e.keep.tick(&e.ledger, e.snapshot.Load())
}

// judgeObjectives compares the objectives with what is measured, second by second, from when the load has settled for
// the first time until it drains. A pause has no verdicts.
func (e *Engine) judgeObjectives(now record.Instant) {
	if e.over != 0 || e.drained || e.knobs.Paused || len(e.points.rows) == 1 && !e.collector.Turnover().Steady {
		return
	}
	e.judge(now)
}

// fold takes in what requests have reported, and returns the present. Whoever looks at the statistics calls it first.
func (e *Engine) fold() record.Instant {
	now := e.clock()
	if e.start == 0 {
		return now
	}
	if gap, ok := now.Since(e.ticked); ok && gap > stall && e.over == 0 {
		e.leaveOut(now, gap)
	}
	e.ticked = now
	if end := e.start.Add(e.cfg.Budget.Duration); e.cfg.Budget.Duration > 0 && now >= end {
		e.finish(end)
	}
	e.ledger.fold(now)
	e.noticeLastSent(now)
	return now
}

// leaveOut keeps a stretch in which the process did not run out of every stage: requests that ran through it belong to
// none, and the load goes on in a new one. Some of them may have ended just before the process looked at the clock, and
// some may have begun, so those in flight are disowned before and after.
func (e *Engine) leaveOut(now record.Instant, gap time.Duration) {
	e.endMeasuring(e.ticked)
	e.disown(e.ticked)
	e.ledger.fold(now)
	e.disown(now)
	if !e.drained {
		e.openStage(now)
	}
	e.standStill(now, gap)
	e.mark(now, fmt.Sprintf("stood still %.0f s", gap.Seconds()))
}

// settling is how far a stage was when its load had got to its level, from where on it turns over.
type settling struct {
	stage, ended int
	at           record.Instant
}

// turnover is what has happened in a stage since its load got to its level.
func (s *settling) turnover(n int, t stats.Turnover, now record.Instant) stage.Turnover {
	from, ended := t.Opened, t.Ended
	if s.stage == n {
		from, ended = s.at, ended-s.ended
	}
	age, _ := now.Since(from)
	return stage.Turnover{Ended: ended, MeanE2EL: t.MeanE2EL, Age: age}
}

// settle marks the stage steady when it has turned over once, at its level.
func (e *Engine) settle(now record.Instant) {
	t, n := e.collector.Turnover(), len(e.points.rows)
	if t.Steady || e.drained || e.knobs.Paused {
		return
	}
	if _, ramping := e.generator.Level(); ramping {
		e.settling = settling{stage: n, ended: t.Ended, at: now}
		return
	}
	over := e.settling.turnover(n, t, now)
	over.InFlight = e.knobs.Load.Target()
	if n == 1 && over.Age < e.cfg.Warmup || !stage.Settled(over) {
		return
	}
	e.steady(now)
	if n == 1 {
		e.generator.Settled() // the rush of the first requests is not measured, so it is not judged either
	}
}

// noticeLastSent looks for the last request of the load to be sent, so that the time after it is in no throughput.
func (e *Engine) noticeLastSent(now record.Instant) {
	pool := e.generator.State()
	spent := e.cfg.Budget.Requests > 0 && pool.Started >= e.cfg.Budget.Requests
	sent := pool.Backlog == 0 && pool.Held == 0
	if !e.drained && (pool.Draining || (pool.Exhausted || spent) && sent) {
		e.drained = true
		e.state = snapshot.Draining
		e.endMeasuring(now)
	}
}

// close hands out the last records and publishes the final snapshot, in which everything is scored by the last SLO.
func (e *Engine) close(err error) {
	e.conclude(err)
	e.account.finished.handOver(&e.cfg, e.start)
	e.mu.Lock()
	scoring := e.scoring
	e.mu.Unlock()
	if scoring != nil {
		<-scoring
	}
	e.mu.Lock()
	wait := e.keep.close(&e.ledger, e.snapshot.Load())
	e.mu.Unlock()
	wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	last := *e.snapshot.Load()
	e.keep.show(&last)
	e.snapshot.Store(&last)
}

func (e *Engine) conclude(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.generator.Tick(e.clock())
	now := e.fold()
	if e.start != 0 {
		e.finish(now)
	}
	for !e.points.score(e.collector, &e.knobs) {
		continue // nothing else wants the lock any more
	}
	e.state = snapshot.Ended
	e.err = err
	e.publish(now)
}
