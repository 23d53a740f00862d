// This file summarises a window: latencies, throughput and goodput, all from one state of the collector.

package stats

import (
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// Counts are numbers of requests. Started = OK + Failed + Cancelled + those in flight.
type Counts struct{ Started, OK, Failed, Cancelled int }

// Ended is the number of requests that are over.
func (c Counts) Ended() int { return c.OK + c.Failed + c.Cancelled }

// Throughput holds rates per second. They are defined whenever the window has an extent.
type Throughput struct {
	Requests float64 // completed
	Input    float64 // prompt tokens of requests whose first token came
	Output   float64 // output tokens, by token events
	Total    float64 // input + output tokens
}

// Tokens are totals over completed requests. Unknown where the servers' answers did not say.
type Tokens struct {
	Input, Output, Reasoning, Cached record.Count
	Source                           record.TokenSource // "estimated" as soon as one of them is
}

// Summary describes one window. Whether a figure is defined is said by its N, its Count, or Spans.
type Summary struct {
	Window   Window
	Spans    time.Duration // the time that its rates are over
	Stage    int           // the current stage
	Settling bool          // no request of a steady part has ended yet: the figures include the ramp
	Settled  time.Duration // how long the current stage took to settle; 0 while it has not

	TTFT, TTFTFromSchedule Distribution
	TPOT                   Distribution // per request: each counts once
	ITL                    Distribution // per token: long answers weigh more
	ChunkGap               Distribution // between token events; only over a stage or the run
	E2EL, E2ELFromSchedule Distribution
	DispatchLag            Distribution

	Requests       Counts // ended in the window or, over stages, sent in their steady part; Started is the number judged
	Tokens         Tokens
	TokensPerChunk float64 // over completed requests; 0: unknown
	Throughput     Throughput
	Score          slo.Tally // of Requests
	Goodput        float64   // good requests per second; valid if GoodputKnown
	GoodputKnown   bool
}

// TokensDiffer reports whether chunks carried other than one token each without the server saying which, so that ITL
// samples are really chunk gaps.
func (s *Summary) TokensDiffer() bool {
	return s.Tokens.Source != record.SourceContinuous && s.TokensPerChunk > 0 &&
		(s.TokensPerChunk < 0.98 || s.TokensPerChunk > 1.02)
}

// scope selects what belongs to a window.
type scope struct {
	from     record.Instant // sliding window
	stage    int            // 0: all stages
	sliding  bool
	staged   bool // what came before the first stage is no part of the run
	unsteady bool // settling parts too
}

// Summary describes a window as of now.
func (c *Collector) Summary(w Window, now record.Instant) Summary {
	s := Summary{Window: w, Stage: len(c.stages)}
	c.summarise(&s, c.scope(&s, w, now), now)
	return s
}

// StageSummary describes stage n by its steady part, or by all of it if it never settled.
func (c *Collector) StageSummary(n int, now record.Instant) Summary {
	s := Summary{Window: ThisStage, Stage: n}
	if n >= 1 && n <= len(c.stages) {
		c.summarise(&s, c.stageScope(&s, n), now)
	}
	return s
}

func (c *Collector) scope(s *Summary, w Window, now record.Instant) scope {
	switch w {
	case ThisStage:
		return c.stageScope(s, len(c.stages))
	case WholeRun:
		s.Settling = true
		for i := range c.stages {
			if c.stages[i].settled() {
				s.Settling = false
			}
		}
		return scope{unsteady: s.Settling, staged: len(c.stages) > 0}
	}
	if n := len(c.stages); n > 0 {
		s.Settling = !c.stages[n-1].settled()
	}
	from := c.time.slices[c.time.since(now, w.Duration())].from
	if len(c.stages) > 0 {
		from = max(from, c.stages[0].opened)
	}
	return scope{sliding: true, from: from}
}

func (c *Collector) stageScope(s *Summary, n int) scope {
	if n == 0 {
		s.Settling = true
		return scope{unsteady: true}
	}
	part := &c.stages[n-1]
	s.Settling = !part.settled()
	if !s.Settling {
		s.Settled = time.Duration(part.steady - part.opened)
	}
	return scope{stage: n, unsteady: s.Settling}
}

// slice reports whether a slice of the timeline belongs to the scope.
func (sc scope) slice(s *slice) bool {
	if sc.sliding {
		return s.from >= sc.from
	}
	if s.over || sc.staged && s.stage == 0 {
		return false
	}
	return (sc.stage == 0 || sc.stage == s.stage) && (sc.unsteady || s.steady)
}

// request reports whether a request belongs to the scope: by the instant in question in a sliding window, else by when
// it was sent.
func (c *Collector) request(sc scope, at, sent record.Instant, stage int32) bool {
	if sc.sliding {
		return at >= sc.from
	}
	if sc.stage != 0 && int(stage) != sc.stage {
		return false
	}
	if sc.unsteady {
		return true
	}
	if stage < 1 || int(stage) > len(c.stages) {
		return false
	}
	steady := c.stages[stage-1].steady
	return steady != 0 && sent >= steady
}

func (c *Collector) summarise(s *Summary, sc scope, now record.Instant) {
	c.summariseFirsts(s, sc)
	c.summariseDones(s, sc)
	c.summariseGaps(s, sc)
	c.summariseRates(s, sc, now)
}

// reaches is the first index from which a pass over a column has to look: events lie in order but for a fold's delay.
func reaches(at []record.Instant, sc scope) int {
	if !sc.sliding {
		return 0
	}
	i := len(at)
	for i > 0 && at[i-1] >= sc.from.Add(-time.Second) {
		i--
	}
	return i
}

func (c *Collector) summariseFirsts(s *Summary, sc scope) {
	f := &c.firsts
	s.TTFT = c.describe(f.ttft, reaches(f.at, sc), func(i int) bool {
		return c.request(sc, f.at[i], f.sent[i], f.stage[i])
	})
	s.TTFTFromSchedule = c.describe(f.fromSchedule, reaches(f.at, sc), func(i int) bool {
		return c.request(sc, f.at[i], f.sent[i], f.stage[i])
	})
}

func (c *Collector) summariseDones(s *Summary, sc scope) {
	d := &c.dones
	start := reaches(d.at, sc)
	in := func(i int) bool {
		return d.outcome[i] == outcomeOK && c.request(sc, d.at[i], d.sent[i], d.stage[i])
	}
	s.TPOT = c.describe(d.tpot, start, in)
	s.E2EL = c.describe(d.e2el, start, in)
	s.E2ELFromSchedule = c.describe(d.e2elFromSchedule, start, in)
	s.DispatchLag = c.describe(d.lag, start, in)

	var totals tokenTotals
	for i := start; i < len(d.at); i++ {
		if !c.request(sc, d.at[i], d.sent[i], d.stage[i]) {
			continue
		}
		switch d.outcome[i] {
		case outcomeOK:
			s.Requests.OK++
			totals.add(d, i)
		case outcomeFailed:
			s.Requests.Failed++
		case outcomeCancelled:
			s.Requests.Cancelled++
		}
		judge(&s.Score, d, i, c.criteria)
	}
	s.Requests.Started = s.Requests.Ended()
	s.Tokens = totals.tokens()
	s.TokensPerChunk = totals.perChunk()
	s.ITL.Mean = totals.meanITL()
}

func (c *Collector) describe(column []time.Duration, start int, in func(int) bool) Distribution {
	values := c.scratch[:0]
	for i := start; i < len(column); i++ {
		if column[i] != undefined && in(i) {
			values = append(values, column[i])
		}
	}
	c.scratch = values
	return c.method.Describe(values)
}

// summariseGaps fills in ITL, whose mean, where completed requests tell it, is Σ gaps / Σ (N_out − 1).
func (c *Collector) summariseGaps(s *Summary, sc scope) {
	mean := s.ITL.Mean
	c.merged.Reset()
	if sc.sliding {
		for i := len(c.time.slices) - 1; i >= 0 && sc.slice(&c.time.slices[i]); i-- {
			if h := c.time.slices[i].itl; h != nil {
				c.merged.Merge(h)
			}
		}
		s.ITL = c.merged.Describe()
	} else {
		var gaps Histogram
		for i := range c.stages {
			if sc.stage != 0 && sc.stage != i+1 {
				continue
			}
			for steady, p := range c.stages[i].phases {
				if p.itl != nil && (steady == 1 || sc.unsteady) {
					c.merged.Merge(p.itl)
					gaps.Merge(p.gaps)
				}
			}
		}
		s.ITL, s.ChunkGap = c.merged.Describe(), gaps.Describe()
	}
	if mean != 0 && s.ITL.N > 0 {
		s.ITL.Mean = mean
	}
}

func (c *Collector) summariseRates(s *Summary, sc scope, now record.Instant) {
	var output, input float64
	for i := len(c.time.slices) - 1; i >= 0; i-- {
		sl := &c.time.slices[i]
		if !sc.slice(sl) {
			if sc.sliding {
				break
			}
			continue
		}
		s.Spans += sl.duration(now)
		output += c.tokens(sl)
		input += sl.input
	}
	if s.Spans <= 0 {
		return
	}
	completed, good := c.completions(s, sc)
	seconds := s.Spans.Seconds()
	s.Throughput = Throughput{
		Requests: float64(completed) / seconds,
		Input:    input / seconds,
		Output:   output / seconds,
		Total:    (input + output) / seconds,
	}
	if n, ok := good.GoodCount(c.criteria); ok {
		s.Goodput, s.GoodputKnown = float64(n)/seconds, true
	}
}

// completions counts what completed within the scope's time. For a sliding window that is what it has judged; over
// stages, rates go by when a request completed, whenever it was sent: leaving out those sent before the steady part
// would leave a hole at its beginning.
func (c *Collector) completions(s *Summary, sc scope) (completed int, good slo.Tally) {
	if sc.sliding {
		return s.Score.OK, s.Score
	}
	d := &c.dones
	cursor := 0
	for i := range d.at {
		cursor = c.time.seek(cursor, d.at[i])
		if sc.slice(&c.time.slices[cursor]) {
			judge(&good, d, i, c.criteria)
		}
	}
	return good.OK, good
}
