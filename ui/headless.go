// This file shows a run where there is no terminal to draw on: a line a second.

package ui

import (
	"fmt"
	"io"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/record"
)

// Progress prints a line a second about a run until done is closed. It writes no control characters. ticks comes once
// a second; a time.Ticker's channel is what is meant.
func Progress(w io.Writer, eng Engine, ticks <-chan time.Time, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-ticks:
			fmt.Fprintln(w, progressLine(eng.Snapshot()))
		}
	}
}

// progressLine says where a run stands.
func progressLine(s *engine.Snapshot) string {
	if s.State == engine.Probing {
		return "finding out what the endpoint takes"
	}
	line := fmt.Sprintf("%s  %s  in flight %d  ok %s", clock(s.Elapsed), s.Knobs.Load, s.InFlight.Total, grouped(int64(s.Counts.OK)))
	if s.Counts.Failed > 0 {
		line += fmt.Sprintf("  failed %s", grouped(int64(s.Counts.Failed)))
	}
	if s.Live.Settling {
		line += "  settling"
	}
	percentile := func(d time.Duration, n int) string {
		if n == 0 {
			return unknown
		}
		return latency(d).String()
	}
	mark := ""
	if s.Live.Tokens.Source == record.SourceEstimated {
		mark = "~"
	}
	line += fmt.Sprintf("  TTFT p95 %s  ITL p95 %s  out %s%s tok/s",
		percentile(s.Live.TTFT.P95, s.Live.TTFT.N), percentile(s.Live.ITL.P95, s.Live.ITL.N), mark, rate(s.Live.Throughput.Output))
	if a, ok := s.Live.Score.Attainment(s.Knobs.SLO); ok {
		line += fmt.Sprintf("  SLO %s", held(a))
	}
	if s.Simulated {
		line += "  SIMULATED"
	}
	return line
}
