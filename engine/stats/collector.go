// This file takes in what running requests report.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// Collector gathers the statistics of one run. Requests report through Begin and the Running that it returns, which only
// touch a shard and may be called from anywhere; every other method belongs to one goroutine at a time, so that several
// of them in a row see one state.
type Collector struct {
	shards [shards]shard
	tap    Tap  // nil: nobody listens
	atOnce bool // see AtOnce
	relays bool // see Relay
	spare  spareGaps
	ended  []*Running // of a recording: they are taken for those that follow
	store
}

// NewCollector returns a collector for a run that starts at an instant, with no stage open yet. What happens before the
// first stage is in no figure but the run's counts and sliding windows.
func NewCollector(at record.Instant, method Method, criteria slo.Criteria) *Collector {
	return &Collector{store: store{
		method:   method,
		criteria: criteria,
		time:     newTimeline(at),
		running:  make(map[*Running]struct{}),
		problems: make(problems),
		history:  newHistory(at),
	}}
}

// AtOnce has what requests report be taken in when they do, by the goroutine that reports, which is then the one that folds.
// A recording tells its collector so, which saves it a detour; it calls Advance before it tells of a fold, and does not speak
// of a request that has ended.
func (c *Collector) AtOnce() { c.atOnce = true }

// TakesAtOnce reports whether AtOnce was called.
func (c *Collector) TakesAtOnce() bool { return c.atOnce }

// Advance goes on to an instant, to which what follows is told of.
func (c *Collector) Advance(now record.Instant) {
	if !c.time.over {
		c.time.advance(now, c.closeSlice)
	}
}

// Fold takes in everything that requests reported up to now. After MarkOver, time stands still: what is still reported
// is counted, but no window and no trend goes on.
func (c *Collector) Fold(now record.Instant) {
	if c.tap != nil {
		c.tap.Folding(now)
	}
	c.Advance(now)
	for i := range c.shards {
		events := c.shards[i].swap()
		for i := range events {
			c.tell(&events[i])
			c.take(&events[i])
		}
	}
	if c.relays {
		return
	}
	if !c.time.over {
		if !c.atOnce { // of a recording, few moments are looked at
			c.slide(now)
		}
		c.record(now)
	}
	c.keepSpectra()
}

func (c *Collector) take(e *event) {
	if c.relays {
		c.relay(e)
		return
	}
	switch e.kind {
	case eventBegin:
		c.running[e.request] = struct{}{}
		c.counts.Started++
		if f := e.request; f.stage > 0 && f.stage < len(c.stages) && f.began < c.stages[f.stage].opened { // which is told of late
			f.straddles = true
		}
	case eventSent:
		c.takeSent(e.request, e.at)
	case eventToken:
		c.takeToken(e)
	case eventFinish:
		c.takeFinish(e)
	}
}

// takeSent takes in that a request was sent: again, if a stale connection had to be replaced.
func (c *Collector) takeSent(f *Running, at record.Instant) {
	again := f.sent != 0
	f.sent = at
	if n := f.stage; !again && n > 0 && n == len(c.stages) && c.sentSteady(n, f.counted()) {
		c.stages[n-1].sends.add(at)
	}
}

func (c *Collector) takeToken(e *event) {
	f := e.request
	i := c.time.at(e.at)
	if e.first {
		c.takeFirst(f, e.at, i)
	}
	f.speaks(e.at, e.opening, e.answer)
	if e.kernel {
		c.lag.add(e.at, e.lag, c.time.slices[i].steady)
	}
	in := c.inSlice(f, i)
	in.count(e.tokens)
	if !e.opening {
		in.gap(c, e.gap, e.tokens)
	}
	in.settle(c)
}

// takeFirst takes in a request's first token.
func (c *Collector) takeFirst(f *Running, at record.Instant, slice int) {
	f.firstToken, f.firstSlice = at, slice
	c.addInput(&c.time.slices[slice], f.guess())
	fromSchedule := undefined
	if f.scheduled != 0 {
		fromSchedule = time.Duration(at - f.scheduled)
	}
	f.ttft = c.firsts.push(at, f.counted(), f.stage, time.Duration(at-f.sent), fromSchedule)
	c.countFirst(f, 1)
}

func (c *Collector) takeFinish(e *event) {
	f, r := e.request, e.record
	delete(c.running, f)
	switch r.Outcome {
	case record.OK:
		c.counts.OK++
		c.settleTokens(f, r)
		c.settleInput(f, r)
		if sent, ok := r.Sent.Since(r.Started); ok {
			c.dispatch.add(r.Sent, max(sent-r.Connect, 0), c.time.slice(r.Sent).steady && !f.residual)
		}
	case record.Failed:
		c.counts.Failed++
		c.problems.add(r)
		c.retract(f)
	default:
		c.counts.Cancelled++
		c.retractFirst(f) // cancelled requests are in no latency; what they produced stays in throughput and ITL
		c.keepTokens(f)
	}
	stage := f.stage
	if f.straddles && stage != disowned {
		stage = straddling
	}
	c.dones.push(r, stage)
	c.countDone(r)
	c.keepStalls(f)
	c.whole.keep(f, r)
	c.letGo(f)
}

// letGo keeps the memory of a request that has ended for those that follow.
func (c *Collector) letGo(f *Running) {
	for i := range f.runs {
		c.spare.put(f.runs[i].gaps)
	}
	if !c.atOnce { // whoever runs it may still have it
		f.runs = nil
		return
	}
	f.runs = f.runs[:0]
	c.ended = append(c.ended, f)
}

// countDone counts the newest ended request everywhere it belongs.
func (c *Collector) countDone(r *record.Record) {
	i := len(c.dones.at) - 1
	verdict := c.dones.tally(c.criteria, i, i+1)
	if v := c.history.of(c.dones.at[i]); v != nil {
		v.now.Add(verdict)
	}
	this := cohortOf(r, verdict)
	slice := c.time.at(c.dones.at[i])
	if d := c.time.detail(slice); d != nil {
		d.ended.merge(&this)
		if c.sentSteadyIn(slice, i) {
			d.steady.merge(&this)
		}
	}
	for _, p := range c.during(&c.time.slices[slice]) {
		p.completed.now.Add(verdict)
	}
	c.changed(&c.time.slices[slice])
	for _, p := range c.sentIn(int(c.dones.stage[i]), c.dones.sent[i]) {
		p.sent.merge(&this)
		if p.many != nil {
			p.many.addDone(&c.dones, i, 1)
		}
	}
	n := int(c.dones.stage[i])
	switch {
	case n > 0:
		st := &c.stages[n-1]
		st.donesTo = c.dones.dropped + int64(len(c.dones.at))
		st.version++
		if r.Outcome != record.Cancelled {
			st.turnOver(r)
		}
	case r.Outcome == record.OK:
		c.outside.merge(&this.totals)
	}
}
