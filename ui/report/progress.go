// This file shows a run where there is no terminal to draw on: a line a second.

package report

import (
	"fmt"
	"io"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// Run is a run that can be looked at.
type Run interface {
	// Snapshot returns its latest moment; never nil.
	Snapshot() *engine.Snapshot
}

// Progress prints a line a second about a run until done is closed. It writes no control characters. ticks comes once
// a second; a time.Ticker's channel is what is meant.
func Progress(w io.Writer, run Run, ticks <-chan time.Time, done <-chan struct{}) {
	said := false
	for {
		select {
		case <-done:
			return
		case <-ticks:
			s := run.Snapshot()
			fmt.Fprintln(w, progressLine(s))
			if s.Kept.Problem != "" && !said {
				said = true
				fmt.Fprintln(w, s.Kept.Problem)
			}
		}
	}
}

// progressLine says where a run stands.
func progressLine(s *engine.Snapshot) string {
	if s.State == engine.Probing {
		return "finding out what the endpoint takes: " + cell.Clock(s.At.Elapsed()) + " so far"
	}
	line := fmt.Sprintf("%s  %s  in flight %d  ok %s", cell.Clock(s.Elapsed), s.Knobs.Load, s.InFlight.Total, cell.Grouped(int64(s.Counts.OK)))
	if s.Counts.Failed > 0 {
		line += fmt.Sprintf("  failed %s", cell.Grouped(int64(s.Counts.Failed)))
	}
	if s.Backlog > 0 {
		line += fmt.Sprintf("  waiting to be sent %s", cell.Grouped(int64(s.Backlog)))
	}
	if s.Live.Settling {
		line += "  settling"
	}
	percentile := func(d *stats.Distribution) string {
		if d.N == 0 {
			return cell.Unknown
		}
		text := cell.Latency(d.P95).String()
		if stats.Few(d.N, 0.95) {
			text += "*"
		}
		return text
	}
	gap := "ITL"
	if s.Live.ITLIsChunkGap() {
		gap = "chunk gap"
	}
	mark := ""
	if s.Live.Tokens.Source == record.SourceEstimated {
		mark = "~"
	}
	line += fmt.Sprintf("  TTFT p95 %s  %s p95 %s  out %s%s tok/s",
		percentile(&s.Live.TTFT), gap, percentile(&s.Live.ITL), mark, cell.Rate(s.Live.Throughput.Output))
	if a, ok := s.Live.Score.Attainment(s.Knobs.SLO); ok {
		line += fmt.Sprintf("  SLO %s", cell.RoundDown(a))
	}
	if s.Health.Verdict == health.Strained || s.Health.Verdict == health.ClientBound {
		line += fmt.Sprintf("  client %s", s.Health.Verdict)
	}
	if s.Pilot != nil {
		line += fmt.Sprintf("  %s: %s", s.Pilot.Kind, s.Pilot.Why)
	}
	if s.Simulated {
		line += "  SIMULATED"
	}
	return line
}
