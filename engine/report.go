// This file makes the report of a run.

package engine

import (
	"math"
	"strings"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// Report sums up the run: so far, or all of it once Run has returned. version is the program's own.
func (e *Engine) Report(version string) *run.Report {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.fold()
	if e.over != 0 {
		now = e.over
	}
	r := &run.Report{
		Schema:    run.Schema,
		Tokdyno:   version,
		Endpoint:  e.endpoint(&e.profile),
		Endpoints: e.endpointLines(now),
		Load:      e.loadReport(e.knobs),
		Figures:   e.figures(&stats.Summary{}, e.knobs),
		Errors:    problems(e.collector.Problems()),
		Stages:    []run.Stage{},
		Client:    e.clientReport(now),
		Simulated: e.simulated(),
		Notes:     e.notes(),
		Prompts:   e.promptReport(len(e.points.rows), &e.knobs),
		Sweep:     e.sweepReport(),
	}
	e.reportTelemetry(r, now)
	if e.start != 0 {
		elapsed, _ := now.Since(e.start)
		r.DurationS = seconds(elapsed)
		r.Started = &e.startWall
	}
	late := ""
	for _, row := range e.stages(now) {
		if row.Empty() {
			continue
		}
		stage := e.stageReport(&row)
		r.Stages = append(r.Stages, stage)
		if !row.Summary.Settling || !r.Settled {
			r.Point, r.Settled = len(r.Stages), !row.Summary.Settling
			r.Load, r.MeasuredS, r.Figures, r.Efficiency = stage.Load, stage.MeasuredS, stage.Figures, stage.Efficiency
			r.Prompts = e.promptReport(row.Number, &row.Knobs)
			late = lateness(row.Summary, e.knobs)
		}
	}
	if late != "" {
		r.Notes = append(r.Notes, late)
	}
	r.Points = len(r.Stages)
	r.SLO.Hold(objectives(e.tracker.Standings()))
	counts := e.collector.Counts()
	r.Requests = run.Requests{
		OK: counts.OK, Failed: counts.Failed, Cancelled: counts.Cancelled,
		InFlightAtEnd: counts.Started - counts.Ended(),
	}
	if doubt := r.Doubt(); r.Client.Note == "" {
		r.Client.Note = doubt
	}
	return r
}

// stages returns a row for every stage.
func (e *Engine) stages(now record.Instant) []StageRow {
	current := e.collector.Summary(stats.ThisStage, now)
	rows := e.points.list(e.collector, &current, now)
	for i := range rows {
		e.observeStage(&rows[i])
	}
	return rows
}

// clientReport judges the client by the whole run.
func (e *Engine) clientReport(now record.Instant) run.Client {
	c := run.Client{Stamps: e.endpoints.first().Stamps(), Reconnects: e.endpoints.reconnects(), Dropped: max(e.pool.State().Dropped-e.autopilot.abandoned, 0)}
	figures, ok := e.monitor.Run()
	if !ok {
		return c
	}
	_, whole := e.collector.Client(now)
	h := e.judge(figures, whole)
	verdict := string(h.Verdict)
	c.Verdict, c.Note = &verdict, h.Reason
	c.LagP99MS = milliseconds(h.LagP99, h.Kernel)
	c.SchedP99MS = milliseconds(h.Sched, true)
	if !math.IsNaN(h.CPUCores) {
		c.CPUCores = rate(h.CPUCores)
	}
	return c
}

func (e *Engine) stageReport(row *StageRow) run.Stage {
	s := row.Summary
	stage := run.Stage{
		Number:        row.Number,
		Load:          e.loadReport(row.Knobs),
		MeasuredS:     seconds(s.Spans),
		Figures:       e.figures(s, e.knobs), // scored by the present SLO, like everything else
		GPU:           e.gpuReport(row.Telemetry.GPUs),
		ServerMetrics: serverReport(row.Telemetry.Server),
		Efficiency:    efficiencyReport(&row.Efficiency),
	}
	if !s.Settling {
		settled := seconds(s.Settled)
		stage.SettledS = &settled
	}
	return stage
}

// simulatedServer is what a simulator calls itself, whoever started it.
const simulatedServer = "tokdyno-sim"

// simulated reports whether the endpoint is a simulator: the embedded one, or one that says so of itself.
func (e *Engine) simulated() bool { return e.cfg.Simulated || e.profile.Server == simulatedServer }

func (e *Engine) endpoint(of *wire.Profile) run.Endpoint {
	p := run.Endpoint{URL: of.URL, Model: of.Model, API: string(of.API)}
	server := of.Server
	if e.simulated() {
		server = strings.TrimSpace(server + " SIMULATED")
	}
	if server != "" {
		p.Server = &server
	}
	return p
}

// endpointLines are the figures of each of several endpoints.
func (e *Engine) endpointLines(now record.Instant) []run.EndpointLine {
	lines := []run.EndpointLine{} // never nil: a list is a list
	for _, l := range e.endpoints.lines(now) {
		lines = append(lines, run.EndpointLine{
			Endpoint: e.endpoint(&l.Profile), OK: l.OK, Failed: l.Failed,
			TTFT: distribution(l.TTFT), TPOT: distribution(l.TPOT), E2EL: distribution(l.E2EL),
			Output: rate(l.OutputPerSecond),
		})
	}
	return lines
}

func (e *Engine) figures(s *stats.Summary, k Knobs) run.Figures {
	f := run.Figures{
		Requests:         run.Requests{OK: s.Requests.OK, Failed: s.Requests.Failed, Cancelled: s.Requests.Cancelled},
		TTFT:             distribution(s.TTFT),
		TTFTFromSchedule: distribution(s.TTFTFromSchedule),
		TPOT:             distribution(s.TPOT),
		ITL:              distribution(s.ITL),
		ChunkGap:         distribution(s.ChunkGap),
		E2EL:             distribution(s.E2EL),
		DispatchLag:      distribution(s.DispatchLag),
		Tokens:           tokens(s.Tokens),
		SLO:              sloReport(s, k),
		TokensPerChunk:   s.TokensPerChunk,
		ITLIsChunkGap:    s.ITLIsChunkGap(),
		Hidden:           s.Hidden,
		E2ELFromSchedule: distribution(s.E2ELFromSchedule),
	}
	if f.ITLIsChunkGap {
		f.ITL = run.Distribution{} // the samples are chunk gaps, and stand under that name
	}
	if s.Spans > 0 {
		f.Throughput = run.Throughput{Requests: rate(s.Throughput.Requests), Output: rate(s.Throughput.Output)}
		if s.Throughput.InputKnown {
			f.Throughput.Input, f.Throughput.Total = rate(s.Throughput.Input), rate(s.Throughput.Total)
		}
	}
	return f
}

func sloReport(s *stats.Summary, k Knobs) run.SLO {
	limit := func(m slo.Metric) *float64 { return milliseconds(k.SLO[m], k.SLO[m] > 0) }
	out := run.SLO{
		Criteria:   run.Criteria{TTFT: limit(slo.TTFT), TPOT: limit(slo.TPOT), E2EL: limit(slo.E2EL)},
		Objectives: []run.Objective{},
		Text:       k.SLO.String(),
		Target:     k.Target,
		Judged:     s.Score.OK + s.Score.Failed,
	}
	if s.GoodputKnown {
		out.Goodput = rate(s.Goodput)
	}
	if a, ok := s.Score.Attainment(k.SLO); ok {
		held := a >= k.Target
		out.Attainment, out.Held, out.Requests = &a, &held, &held
	}
	if b := s.Score.Binding(k.SLO); b != "" {
		out.Binding = &b
	}
	return out
}

func objectives(standings []slo.Standing) []run.Objective {
	list := make([]run.Objective, 0, len(standings))
	for _, s := range standings {
		o := run.Objective{Text: s.Objective.String(), Judged: s.Judged}
		if s.Objective.Metric == slo.ErrorRate {
			o.ValueShare = share(s.Latest.Errors, s.Latest.N > 0)
		} else {
			o.ValueMS = milliseconds(s.Latest.Latency, s.Latest.N > 0)
		}
		if a, ok := s.Attainment(); ok {
			o.Attainment = &a
		}
		if met, ok := s.Met(); ok {
			o.Held = &met
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

func tokens(t stats.Tokens) run.Tokens {
	count := func(c record.Count) *int64 {
		n, ok := c.Get()
		if !ok {
			return nil
		}
		return &n
	}
	out := run.Tokens{
		Input: count(t.Input), Output: count(t.Output), Reasoning: count(t.Reasoning), Cached: count(t.Cached),
	}
	if t.Source != "" {
		source := string(t.Source)
		out.Source = &source
	}
	return out
}

func distribution(d stats.Distribution) run.Distribution {
	ms := func(v time.Duration) *float64 { return milliseconds(v, d.N > 0) }
	return run.Distribution{
		N: d.N, Mean: ms(d.Mean), P50: ms(d.P50), P90: ms(d.P90), P95: ms(d.P95), P99: ms(d.P99), Max: ms(d.Max),
	}
}

func problems(list []stats.Problem) []run.Problem {
	out := make([]run.Problem, 0, len(list))
	for _, p := range list {
		problem := run.Problem{Kind: string(p.Kind), Count: p.Count, Example: p.Example}
		if p.Status != 0 {
			problem.Status = &p.Status
		}
		out = append(out, problem)
	}
	return out
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
