// This file summarises a window: latencies, throughput and goodput, all from one state of the collector.

package stats

import (
	"math"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// Counts are numbers of requests. Started = OK + Failed + Cancelled + those in flight.
type Counts struct{ Started, OK, Failed, Cancelled int }

// Ended is the number of requests that are over.
func (c Counts) Ended() int { return c.OK + c.Failed + c.Cancelled }

// Throughput holds rates per second. They are defined whenever the window has an extent, Input and Total only if
// InputKnown. Output and Total are NaN where more than 1 % of the completed requests told nothing of their output: neither
// a count nor a chunk to estimate it from. All are NaN of a stage after the first that settles.
type Throughput struct {
	Requests float64 // completed
	Input    float64 // prompt tokens of requests whose first token came
	Output   float64 // output tokens, by token events
	Total    float64 // input + output tokens

	// InputKnown says that Input is a count and not for want of one too low: the prompt tokens of at least 99 % of the
	// requests whose first token came in the window are counted, as their server said or, where it did not, as was asked
	// for. Requests that run or were cancelled and of which neither is known count neither way, but alone don't make it
	// known. A window in which no first token came has a known input: none.
	InputKnown bool
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
	TTFA                   Distribution  // of the first token that is not reasoning
	TPOT                   Distribution  // per request: each counts once
	ITL                    Distribution  // per token where chunks are known to carry one, or said how many; else see ITLIsChunkGap
	MeanITL                time.Duration // Σ gaps / Σ (N_out − 1) of completed requests: long answers weigh more; 0: unknown
	ChunkGap               Distribution  // between token events; only over a stage or the run
	E2EL, E2ELFromSchedule Distribution
	DispatchLag            Distribution
	Spreads                Spreads // of some of those

	Clumps Clumps // whether the streams of its completed requests are buffered on their way
	InStep InStep // of one stage that has one load in flight; the zero InStep else

	Requests       Counts // that are judged: sent in a steady part or, while the stage settles, all; Started is their number
	Tokens         Tokens
	TokensPerChunk float64 // over completed requests, of the run where the window has none; 0: unknown
	Reasoned       int     // completed requests that showed reasoning before their answer: only then TTFA differs from TTFT
	Hidden         int     // completed requests whose TTFT includes reasoning that was billed but not shown
	Throughput     Throughput
	Score          slo.Tally // of Requests
	Goodput        float64   // good requests per second; valid if GoodputKnown
	GoodputKnown   bool
}

// ITLIsChunkGap reports whether chunks carried other than one token each without the server saying how many, so that
// the samples of ITL are really chunk gaps.
func (s *Summary) ITLIsChunkGap() bool {
	return s.Tokens.Source != record.SourceContinuous && s.TokensPerChunk > 0 &&
		(s.TokensPerChunk < 0.98 || s.TokensPerChunk > 1.02)
}

// Tokens are the totals over every completed request of the run, as far as servers said: those in warm-up and those that
// were disowned count too, for they had to be paid for. Failed and cancelled requests do not: what a server bills for
// them it does not say.
func (l *store) Tokens() Tokens {
	all := l.outside
	for which := range l.run {
		all.merge(&l.run[which].sent.totals)
	}
	return all.tokens()
}

// fill puts in what the requests of a window add up to, and the rates. completed are those that the rates go by.
func (l *store) fill(s *Summary, judged *cohort, completed slo.Tally, output float64, input prompts) {
	s.Requests = judged.counts
	s.Requests.Started = s.Requests.Ended()
	l.score(s, judged.tally.now, completed)
	s.Tokens = judged.totals.tokens()
	s.TokensPerChunk = judged.totals.perChunk()
	s.MeanITL = judged.totals.meanITL()
	s.Hidden, s.Reasoned = judged.totals.hidden, judged.totals.reasoned
	s.Clumps = judged.totals.clumps
	s.Clumps.Late = l.late
	if s.Tokens.Source == "" { // nothing has completed in the window: what is known of the endpoint still holds
		run := l.run[settling].sent.totals
		run.merge(&l.run[steady].sent.totals)
		s.Tokens.Source, s.TokensPerChunk = run.tokens().Source, run.perChunk()
	}
	if s.Spans <= 0 {
		return
	}
	seconds := s.Spans.Seconds()
	s.Throughput = Throughput{
		Requests: float64(completed.OK) / seconds,
		Input:    input.tokens / seconds,
		Output:   output / seconds,
		Total:    (input.tokens + output) / seconds,

		InputKnown: input.known(),
	}
	if untold := judged.totals.untold; !nearlyAll(judged.counts.OK-untold, untold) {
		s.Throughput.Output, s.Throughput.Total = math.NaN(), math.NaN()
	}
}

// disownRates leaves out what goes by the time at which it happened: while a stage settles, most of that is of requests
// that were sent under the load before.
func (s *Summary) disownRates() {
	unknown := math.NaN()
	s.Throughput = Throughput{Requests: unknown, Input: unknown, Output: unknown, Total: unknown}
	s.ITL, s.ChunkGap, s.Spreads.ITL = Distribution{}, Distribution{}, Spread{}
	s.Goodput, s.GoodputKnown = 0, false
}

// take describes the latencies of many requests.
func (s *Summary) take(sum *spectrum) {
	s.TTFT, s.TTFTFromSchedule = sum.ttft.Describe(), sum.ttftFromSchedule.Describe()
	s.TTFA = sum.ttfa.Describe()
	s.TPOT, s.E2EL, s.E2ELFromSchedule = sum.tpot.Describe(), sum.e2el.Describe(), sum.e2elFromSchedule.Describe()
	s.DispatchLag = sum.lag.Describe()
	if s.Window.Duration() == 0 {
		s.Spreads.TTFT, s.Spreads.TPOT, s.Spreads.E2EL = sum.ttft.Spread(), sum.tpot.Spread(), sum.e2el.Spread()
	}
}
