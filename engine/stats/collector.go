// This file folds what running requests said into slices, samples and stages.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// Collector gathers the statistics of one run. Requests report through Begin and the Flight that it returns, which only
// touch a shard and may be called from anywhere; every other method belongs to one goroutine at a time, so that several
// of them in a row see one state.
type Collector struct {
	shards [shards]shard
	method Method

	criteria slo.Criteria
	time     timeline
	stages   []stagePart
	flights  map[*Flight]struct{}
	firsts   firsts
	dones    dones
	counts   Counts
	problems problems
	history  history
	ratio    tokenRatio
	scratch  []time.Duration
	merged   Histogram
}

// stagePart is what the collector keeps of one stage.
type stagePart struct {
	opened record.Instant
	steady record.Instant // 0: still settling
	phases [2]phase       // settling, steady
	within int            // requests sent in its steady part that ended
	ended  int            // requests sent within it that completed or failed
	e2els  int            // those of them with an E2EL
	e2el   time.Duration  // the sum of it
}

// settled reports whether there is something in the steady part to summarise the stage by.
func (s *stagePart) settled() bool { return s.within > 0 }

// phase holds the ITL samples of one part of a stage.
type phase struct{ itl, gaps *Histogram }

func (p *phase) add(g packedGap, itlSum, gap time.Duration) {
	if p.itl == nil {
		p.itl, p.gaps = new(Histogram), new(Histogram)
	}
	p.itl.add(g.itl, int64(g.tokens), itlSum)
	p.gaps.add(g.gap, 1, gap)
}

// tokenRatio is the mean number of tokens that a chunk carries, over completed requests whose N_out is known.
type tokenRatio struct{ tokens, chunks float64 }

func (r tokenRatio) value() float64 {
	if r.chunks == 0 {
		return 1
	}
	return r.tokens / r.chunks
}

// NewCollector returns a collector for a run that starts at an instant, with no stage open yet.
func NewCollector(at record.Instant, method Method, criteria slo.Criteria) *Collector {
	return &Collector{
		method:   method,
		criteria: criteria,
		time:     newTimeline(at),
		flights:  make(map[*Flight]struct{}),
		problems: make(problems),
		history:  newHistory(at),
	}
}

// OpenStage ends the current stage and opens the next, which starts by settling. Its number is returned, from 1.
func (c *Collector) OpenStage(at record.Instant) int {
	c.Fold(at)
	c.stages = append(c.stages, stagePart{opened: at})
	c.time.cut(at, len(c.stages), false)
	return len(c.stages)
}

// MarkSteady ends the settling of the current stage.
func (c *Collector) MarkSteady(at record.Instant) {
	if n := len(c.stages); n > 0 && c.stages[n-1].steady == 0 {
		c.stages[n-1].steady = at
		c.time.cut(at, n, true)
	}
}

// MarkDraining ends the steady part of the current stage: from now on no new requests are sent. Requests that were sent
// before count on, but the time until the last has ended is in no throughput.
func (c *Collector) MarkDraining(at record.Instant) {
	c.time.cut(at, len(c.stages), false)
}

// Disown takes the requests in flight out of their stage: something that is not the endpoint's doing befell them. Sliding
// windows go on showing them.
func (c *Collector) Disown() {
	for f := range c.flights {
		f.stage = 0
		if i := f.ttft - c.firsts.dropped; f.ttft >= 0 && i >= 0 {
			c.firsts.stage[i] = 0
		}
	}
}

// MarkOver ends the load: what comes after belongs to no stage and not to the run.
func (c *Collector) MarkOver(at record.Instant) {
	c.time.over = true
	c.time.cut(at, len(c.stages), false)
}

// SetCriteria changes the SLO and scores everything that is stored anew.
func (c *Collector) SetCriteria(criteria slo.Criteria) {
	if criteria != c.criteria {
		c.criteria = criteria
		c.history.rescore(&c.dones, criteria)
	}
}

// Turnover is what decides whether a stage has settled.
type Turnover struct {
	Opened   record.Instant
	Ended    int           // requests sent within the stage that completed or failed
	MeanE2EL time.Duration // of those that have one; 0: none yet
	Steady   bool
}

// Turnover reports on the current stage; the zero Turnover if none is open.
func (c *Collector) Turnover() Turnover {
	if len(c.stages) == 0 {
		return Turnover{}
	}
	s := &c.stages[len(c.stages)-1]
	t := Turnover{Opened: s.opened, Ended: s.ended, Steady: s.steady != 0}
	if s.e2els > 0 {
		t.MeanE2EL = s.e2el / time.Duration(s.e2els)
	}
	return t
}

// Fold takes in everything that requests reported up to now.
func (c *Collector) Fold(now record.Instant) {
	c.time.advance(now)
	for i := range c.shards {
		for _, e := range c.shards[i].swap() {
			c.take(e)
		}
	}
	c.record(now)
}

func (c *Collector) take(e event) {
	switch e.kind {
	case eventBegin:
		c.flights[e.flight] = struct{}{}
		c.counts.Started++
	case eventSent:
		e.flight.sent = e.at
	case eventToken:
		c.takeToken(e)
	case eventFinish:
		c.takeFinish(e)
	}
}

func (c *Collector) takeToken(e event) {
	f := e.flight
	i := c.time.at(e.at)
	s := &c.time.slices[i]
	if e.first {
		f.firstToken = e.at
		s.input += float64(f.inputGuess)
		fromSchedule := undefined
		if f.scheduled != 0 {
			fromSchedule = time.Duration(e.at - f.scheduled)
		}
		f.ttft = c.firsts.push(e.at, f.sent, f.stage, time.Duration(e.at-f.sent), fromSchedule)
	}
	run := f.run(int64(i))
	if e.tokens > 0 {
		run.told += int64(e.tokens)
		s.tokens += float64(e.tokens)
	} else {
		run.chunks++
		s.chunks++
	}
	if e.opening {
		return
	}
	// A chunk known to carry k tokens after a gap g counts as k samples of g/k.
	k := max(e.tokens, 1)
	itl := e.gap / time.Duration(k)
	g := packedGap{gap: bucketOf(e.gap), itl: bucketOf(itl), tokens: k}
	run.gaps = append(run.gaps, g)
	run.itlSum += itl * time.Duration(k)
	run.gapsSum += e.gap
	if h := c.time.histogram(i); h != nil {
		h.add(g.itl, int64(k), itl*time.Duration(k))
	}
	if p := c.phase(s); p != nil {
		p.add(g, itl*time.Duration(k), e.gap)
	}
}

// run returns the flight's entry for a slice, which is nearly always the last one.
func (f *Flight) run(slice int64) *gapRun {
	for i := len(f.runs) - 1; i >= 0 && f.runs[i].slice >= slice; i-- {
		if f.runs[i].slice == slice {
			return &f.runs[i]
		}
	}
	f.runs = append(f.runs, gapRun{slice: slice})
	return &f.runs[len(f.runs)-1]
}

// phase returns the part of the stage to which a slice belongs; nil before the first stage.
func (c *Collector) phase(s *slice) *phase {
	if s.stage == 0 {
		return nil
	}
	part := &c.stages[s.stage-1]
	if s.steady {
		return &part.phases[1]
	}
	return &part.phases[0]
}

func (c *Collector) takeFinish(e event) {
	f, r := e.flight, e.record
	delete(c.flights, f)
	c.dones.push(r, f.stage)
	c.history.score(&c.dones, len(c.dones.at)-1, c.criteria)
	switch r.Outcome {
	case record.OK:
		c.counts.OK++
		c.settleTokens(f, r)
		c.settleInput(f, r)
	case record.Failed:
		c.counts.Failed++
		c.problems.add(r)
		c.retract(f)
	default:
		c.counts.Cancelled++
		c.firsts.retract(f.ttft) // cancelled requests are in no latency; what they produced stays in throughput and ITL
		c.keepTokens(f)
	}
	if r.Outcome != record.Cancelled && f.stage >= 1 && f.stage <= len(c.stages) {
		part := &c.stages[f.stage-1]
		part.ended++
		if part.steady != 0 && max(r.Sent, r.Started) >= part.steady {
			part.within++
		}
		if d, ok := r.E2EL(); ok && r.Outcome == record.OK {
			part.e2els++
			part.e2el += d
		}
	}
	f.runs = nil
}

// settleTokens scales what a completed request has put into the slices to its N_out.
func (c *Collector) settleTokens(f *Flight, r *record.Record) {
	n, known := r.OutputTokens.Get()
	var seen int64
	for i := range f.runs {
		seen += f.runs[i].chunks + f.runs[i].told
	}
	switch {
	case !known:
		c.keepTokens(f)
	case seen == 0:
		if r.LastToken != 0 { // not streamed: all of it arrived at once
			c.time.slices[c.time.at(r.LastToken)].tokens += float64(n)
		}
	default:
		scale := float64(n) / float64(seen)
		for i := range f.runs {
			run := &f.runs[i]
			s := &c.time.slices[run.slice]
			s.chunks -= run.chunks
			s.tokens += scale*float64(run.chunks+run.told) - float64(run.told)
		}
		c.ratio.tokens += float64(n)
		c.ratio.chunks += float64(r.Chunks)
	}
}

// keepTokens settles a request whose N_out will never be known at the usual tokens per chunk.
func (c *Collector) keepTokens(f *Flight) {
	for i := range f.runs {
		s := &c.time.slices[f.runs[i].slice]
		s.chunks -= f.runs[i].chunks
		s.tokens += c.ratio.value() * float64(f.runs[i].chunks)
	}
}

// settleInput puts N_in in the place of what had been asked for.
func (c *Collector) settleInput(f *Flight, r *record.Record) {
	at := f.firstToken
	n, known := r.InputTokens.Get()
	switch {
	case at != 0 && known:
		c.time.slices[c.time.at(at)].input += float64(n - f.inputGuess)
	case at == 0 && known && r.LastToken != 0:
		c.time.slices[c.time.at(r.LastToken)].input += float64(n)
	}
}

// retract takes back everything that a failed request has put anywhere: it gives no sample and no token.
func (c *Collector) retract(f *Flight) {
	c.firsts.retract(f.ttft)
	if f.firstToken != 0 {
		c.time.slices[c.time.at(f.firstToken)].input -= float64(f.inputGuess)
	}
	for i := range f.runs {
		run := &f.runs[i]
		s := &c.time.slices[run.slice]
		s.chunks -= run.chunks
		s.tokens -= float64(run.told)
		p := c.phase(s)
		for _, g := range run.gaps {
			if s.itl != nil {
				s.itl.add(g.itl, -int64(g.tokens), 0)
			}
			if p != nil {
				p.itl.add(g.itl, -int64(g.tokens), 0)
				p.gaps.add(g.gap, -1, 0)
			}
		}
		if s.itl != nil {
			s.itl.sum -= run.itlSum
		}
		if p != nil && p.itl != nil {
			p.itl.sum -= run.itlSum
			p.gaps.sum -= run.gapsSum
		}
	}
}
