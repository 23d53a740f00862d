// This file makes the report of a run from the last moment of it.

package run

import (
	"math"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// NewReport sums up a run by a snapshot: so far, or all of it where that is the last one. Equal snapshots give equal
// reports, whether the run is live or recorded. version is the program's own.
func NewReport(s *snapshot.Snapshot, version string) *Report {
	r := &Report{
		Schema:        Schema,
		Tokdyno:       version,
		Endpoint:      newEndpoint(&s.Endpoint, s.Simulated),
		Endpoints:     newEndpointLines(s),
		Load:          newLoad(&s.Knobs, s.Seed),
		DurationS:     seconds(s.Elapsed),
		Figures:       newFigures(s, &stats.Summary{}),
		Prompts:       newPromptLengths(s.Prompts),
		Answers:       newAnswerLengths(s.Answers),
		Errors:        newProblems(s.Problems),
		Levels:        []Level{},
		Retries:       newRetries(s),
		Stages:        []Stage{},
		Canary:        newCanary(s.Canary),
		Sweep:         newSweep(s),
		GPU:           newGPU(s, s.Telemetry.GPUs),
		ServerMetrics: newServerMetrics(s.Telemetry.Server),
		Spent:         known(s.Spent, 1),
		Client:        newClient(s),
		Workers:       newWorkers(s),
		Simulated:     s.Simulated,
		Notes:         notes(s),
	}
	if started := s.Started; !started.IsZero() {
		r.Started = &started
	}
	r.takeStages(s)
	r.SLO.Hold(newObjectives(s.Objectives))
	r.Wanted = wanted(r, s)
	r.Requests = Requests{
		OK: s.Counts.OK, Failed: s.Counts.Failed, Cancelled: s.Counts.Cancelled,
		InFlightAtEnd: s.Counts.Started - s.Counts.Ended(),
	}
	if doubt := r.Doubt(); r.Client.Note == "" {
		r.Client.Note = doubt
	}
	return r
}

// takeStages adds the stages in which something happened, and the levels that they make up.
func (r *Report) takeStages(s *snapshot.Snapshot) {
	for i := range s.Stages {
		if row := &s.Stages[i]; !row.Empty() {
			r.Stages = append(r.Stages, newStage(s, row))
		}
	}
	r.takeLevels(s)
}

// newClient judges the client by the whole
func newClient(s *snapshot.Snapshot) Client {
	h := &s.Client
	c := Client{Stamps: h.Stamps, Reconnects: h.Reconnects, Closed: h.Closed, Dropped: max(s.Dropped-s.Abandoned, 0)}
	if h.Verdict == health.Unknown {
		return c
	}
	verdict := string(h.Verdict)
	c.Verdict, c.Note = &verdict, h.Reason
	c.LagP99MS = milliseconds(h.LagP99, h.Kernel)
	c.SchedP99MS = milliseconds(h.Sched, true)
	if !math.IsNaN(h.CPUCores) {
		c.CPUCores = rate(h.CPUCores)
	}
	if share := h.MergedShare(); !math.IsNaN(share) {
		c.Merged = &share
	}
	return c
}

func newStage(s *snapshot.Snapshot, row *snapshot.StageRow) Stage {
	stage := Stage{
		Number:        row.Number,
		Load:          newLoad(&row.Knobs, s.Seed),
		MeasuredS:     seconds(row.Summary.Spans),
		Figures:       newFigures(s, row.Summary), // scored by the present SLO, like everything else
		GPU:           newGPU(s, row.Telemetry.GPUs),
		ServerMetrics: newServerMetrics(row.Telemetry.Server),
		Efficiency:    newEfficiency(&row.Efficiency),
	}
	if !row.Summary.Settling {
		settled := seconds(row.Summary.Settled)
		stage.SettledS = &settled
	}
	return stage
}

func newEndpoint(of *endpoint.Profile, simulated bool) Endpoint {
	p := Endpoint{URL: of.URL, Model: of.Model, API: string(of.API), Unlimited: of.Unlimited}
	server := of.Server
	if simulated {
		server = strings.TrimSpace(server + " SIMULATED")
	}
	if server != "" {
		p.Server = &server
	}
	return p
}

// newEndpointLines are the figures of each of several endpoints.
func newEndpointLines(s *snapshot.Snapshot) []EndpointLine {
	lines := []EndpointLine{} // never nil: a list is a list
	for i := range s.Endpoints {
		l := &s.Endpoints[i]
		lines = append(lines, EndpointLine{
			Endpoint: newEndpoint(&l.Profile, s.Simulated), OK: l.OK, Failed: l.Failed,
			TTFT: newDistribution(l.TTFT), TPOT: newDistribution(l.TPOT), E2EL: newDistribution(l.E2EL),
			Output: rate(l.OutputPerSecond),
		})
	}
	return lines
}

func newFigures(from *snapshot.Snapshot, s *stats.Summary) Figures {
	f := Figures{
		Requests:         Requests{OK: s.Requests.OK, Failed: s.Requests.Failed, Cancelled: s.Requests.Cancelled},
		TTFT:             newDistribution(s.TTFT),
		TTFTFromSchedule: newDistribution(s.TTFTFromSchedule),
		TTFA:             newDistribution(s.TTFA),
		TPOT:             newDistribution(s.TPOT),
		ITL:              newDistribution(s.ITL),
		ChunkGap:         newDistribution(s.ChunkGap),
		E2EL:             newDistribution(s.E2EL),
		DispatchLag:      newDistribution(s.DispatchLag),
		Tokens:           newTokens(s.Tokens),
		SLO:              newSLO(from, s),
		InStep:           share(math.Round(s.InStep.R*1e3)/1e3, s.InStep.Known()),
		TokensPerChunk:   s.TokensPerChunk,
		ITLIsChunkGap:    s.ITLIsChunkGap(),
		Hidden:           s.Hidden,
		Reasoned:         s.Reasoned,
		E2ELFromSchedule: newDistribution(s.E2ELFromSchedule),
		Spreads:          s.Spreads,
	}
	if sentence := s.Clumps.Sentence(); sentence != "" {
		f.Untrusted = &sentence
	}
	if f.ITLIsChunkGap {
		f.ITL = Distribution{} // the samples are chunk gaps, and stand under that name
	}
	if s.Spans > 0 {
		f.Throughput = Throughput{Requests: rate(s.Throughput.Requests), Output: rate(s.Throughput.Output)}
		if s.Throughput.InputKnown {
			f.Throughput.Input, f.Throughput.Total = rate(s.Throughput.Input), rate(s.Throughput.Total)
		}
	}
	return f
}

// orEmpty is a sentence; "" where there is none.
func orEmpty(sentence *string) string {
	if sentence == nil {
		return ""
	}
	return *sentence
}

func newSLO(from *snapshot.Snapshot, s *stats.Summary) SLO {
	k := &from.Knobs
	limit := func(m slo.Metric) *float64 { return milliseconds(k.SLO[m], k.SLO[m] > 0) }
	j := from.Verdict(s)
	out := SLO{
		Criteria:   Criteria{TTFT: limit(slo.TTFT), TTFA: limit(slo.TTFA), TPOT: limit(slo.TPOT), E2EL: limit(slo.E2EL)},
		Objectives: []Objective{},
		Judgement:  newJudgement(j),
		Target:     k.Target,
		Text:       k.SLO.String(),
		Requests:   j.Verdict,
	}
	if s.GoodputKnown {
		out.Goodput = rate(s.Goodput)
	}
	if a, ok := s.Score.Attainment(k.SLO); ok {
		out.Attainment = &a
		out.Interval = interval(&j)
	}
	if b := s.Score.Binding(k.SLO); b != "" {
		out.Binding = &b
	}
	return out
}

// interval is the 95 % interval of a share; nil where it is unknown.
func interval(j *slo.Judgement) []float64 {
	low, high, ok := j.Interval()
	if !ok {
		return nil
	}
	return []float64{math.Round(1e4*low) / 1e4, math.Round(1e4*high) / 1e4}
}

func newJudgement(j slo.Judgement) Judgement {
	out := Judgement{N: j.N}
	out.say(j.Verdict)
	if j.Needed > 0 {
		out.Needed = &j.Needed
	}
	if j.Why != "" {
		out.Why = &j.Why
	}
	return out
}

func newObjectives(standings []slo.Standing) []Objective {
	list := make([]Objective, 0, len(standings))
	for _, s := range standings {
		o := Objective{Text: s.Objective.String(), Judged: s.Judged, Judgement: newJudgement(s.Overall())}
		o.N, o.Needed = s.Latest.N, new(s.Objective.Needed())
		if s.Objective.Metric == slo.ErrorRate {
			o.ValueShare = share(s.Latest.Errors, s.Latest.N > 0)
		} else {
			o.ValueMS = milliseconds(s.Latest.Latency, s.Latest.N > 0)
		}
		if a, ok := s.Attainment(); ok {
			o.Attainment = &a
		}
		list = append(list, o)
	}
	return list
}

func share(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

func newTokens(t stats.Tokens) Tokens {
	count := func(c record.Count) *int64 {
		n, ok := c.Get()
		if !ok {
			return nil
		}
		return &n
	}
	out := Tokens{
		Input: count(t.Input), Output: count(t.Output), Reasoning: count(t.Reasoning), Cached: count(t.Cached),
	}
	if t.Source != "" {
		source := string(t.Source)
		out.Source = &source
	}
	return out
}

func newDistribution(d stats.Distribution) Distribution {
	ms := func(v time.Duration) *float64 { return milliseconds(v, d.N > 0) }
	return Distribution{
		N: d.N, Mean: ms(d.Mean), P50: ms(d.P50), P90: ms(d.P90), P95: ms(d.P95), P99: ms(d.P99), Max: ms(d.Max),
	}
}

func newProblems(list []stats.Problem) []Problem {
	out := make([]Problem, 0, len(list))
	for _, p := range list {
		problem := Problem{Kind: string(p.Kind), Count: p.Count, Example: p.Example}
		if p.Status != 0 {
			problem.Status = &p.Status
		}
		out = append(out, problem)
	}
	return out
}

func newRetries(s *snapshot.Snapshot) Retries {
	r := Retries{Requests: s.Retried, Attempts: s.Again.Attempts, WaitedS: seconds(s.Again.Waited), Refused: []Problem{}}
	for _, w := range s.Again.Waiting {
		r.Waiting += w.N
	}
	for _, one := range s.Again.Refused {
		problem := Problem{Kind: string(one.Kind), Count: one.Count, Example: one.Example}
		if one.Status != 0 {
			problem.Status = &one.Status
		}
		r.Refused = append(r.Refused, problem)
	}
	return r
}

// milliseconds rounds to the microsecond, which is finer than anything here is measured.
func milliseconds(d time.Duration, ok bool) *float64 {
	if !ok {
		return nil
	}
	v := math.Round(float64(d)/1e3) / 1e3
	return &v
}

func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e3) / 1e3 }

func rate(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = math.Round(v*1e3) / 1e3
	return &v
}
