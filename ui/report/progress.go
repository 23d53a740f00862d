// This file shows a run where there is no terminal to draw on: a line a second.

package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// Run is a run that can be looked at.
type Run interface {
	// Snapshot returns its latest moment; never nil.
	Snapshot() *snapshot.Snapshot
}

// Progress prints a line a second about a run until done is closed. It writes no control characters. ticks comes once
// a second; a time.Ticker's channel is what is meant. Lines are fitted into width cells; 0: they are as long as they are.
func Progress(w io.Writer, run Run, width int, ticks <-chan time.Time, done <-chan struct{}) {
	said := false
	for {
		select {
		case <-done:
			return
		case <-ticks:
			s := run.Snapshot()
			for _, line := range progressLines(s, width) {
				fmt.Fprintln(w, line)
			}
			if s.Kept.Problem != "" && !said {
				said = true
				fmt.Fprintln(w, s.Kept.Problem)
			}
		}
	}
}

// progressLines are a run's line, or, of a duel, one for each side that is under load.
func progressLines(s *snapshot.Snapshot, width int) (lines []string) {
	if s.Duel == nil {
		return []string{progressLine(s, width)}
	}
	for i, side := range s.Duel.Sides {
		if s.Duel.Mode == snapshot.Alternate && i != s.Duel.Turn && (side.State == snapshot.Paused || side.State == snapshot.Ended) {
			continue
		}
		lines = append(lines, snapshot.Letter(i)+"  "+progressLine(side, max(width-3, 0)))
	}
	return lines
}

// part is a piece of a line of progress.
type part struct {
	rank int // the highest is left out first; 0 stays
	text string
}

// progressLine says where a run stands. Each figure stands behind the name of the requests that it counts: those of the
// whole run, of the window that latencies are over, or of the stage that is judged.
func progressLine(s *snapshot.Snapshot, width int) string {
	if s.State == snapshot.Probing {
		return s.Preparing() + ": " + strings.Join(append([]string{cell.Clock(s.At.Elapsed()) + " so far"}, s.Waits()...), "  ")
	}
	parts := []part{{0, cell.Clock(s.Elapsed)}, {0, s.Knobs.Load.String()}, {8, "in flight " + cell.Grouped(int64(s.InFlight.Total))}}
	add := func(rank int, text string) { parts = append(parts, part{rank, text}) }
	run := "run: " + cell.Grouped(int64(s.Counts.OK)) + " ok"
	if s.Counts.Failed > 0 {
		run += ", " + cell.Grouped(int64(s.Counts.Failed)) + " failed"
	}
	add(0, run)
	if s.Backlog > 0 {
		add(3, cell.Grouped(int64(s.Backlog))+" waiting to be sent")
	}
	for _, waits := range s.Waits() {
		add(1, waits)
	}
	for i, text := range windowFigures(s) {
		add([]int{2, 5, 6}[i], text)
	}
	n, verdict := verdictSoFar(s)
	if s.Pilot == nil {
		add(1, n)
	} else { // which counts the requests of its levels itself
		add(4, n)
		add(1, string(s.Pilot.Kind)+": "+s.Pilot.Why)
	}
	add(4, verdict)
	if s.Health.Verdict == health.Strained || s.Health.Verdict == health.ClientBound {
		add(3, "client "+string(s.Health.Verdict))
	}
	if s.Enough > 0 && s.Elapsed >= s.Enough && s.Awaits() {
		add(4, "past "+cell.Clock(s.Enough)+" until the verdict is known, "+cell.Clock(s.Budget.Duration)+" at most")
	}
	if s.Simulated {
		add(7, "SIMULATED")
	}
	join := func(parts []part) string {
		var texts []string
		for _, p := range parts {
			if p.text != "" {
				texts = append(texts, p.text)
			}
		}
		return strings.Join(texts, "  ")
	}
	return join(cell.Drop(parts, func(p *part) int { return p.rank }, func(left []part) bool {
		return width <= 0 || cell.Width(join(left)) <= width
	}))
}

// windowFigures are TTFT, with the window that it is over, output and the gaps between tokens.
func windowFigures(s *snapshot.Snapshot) []string {
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
	window := cell.WindowName(s.Knobs.Window)
	if s.Knobs.Window.Duration() > 0 {
		window = "last " + window
	}
	return []string{
		window + ": n=" + cell.Grouped(int64(s.Live.TTFT.N)) + " TTFT p95 " + percentile(&s.Live.TTFT),
		"out " + perSecond(mark, known(s.Live.Throughput.Output), "tok/s"),
		gap + " p95 " + percentile(&s.Live.ITL),
	}
}

// known is a rate; nil where it is not a number.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// verdictSoFar is how many requests of the stage are judged, and the verdict on them. Either is "" where there is none.
func verdictSoFar(s *snapshot.Snapshot) (n, verdict string) {
	j := s.Verdict(&s.Stage)
	switch {
	case s.Stage.Settling:
		return "settling", ""
	case j.Verdict == slo.NoVerdict:
		return "", ""
	}
	n = "judged " + cell.Grouped(int64(j.N))
	within := ""
	if share, ok := j.Share(); ok {
		within = ", " + cell.RoundDown(share).String() + " within SLO"
	}
	switch {
	case j.Verdict != slo.Unknown:
		return n, string(j.Verdict) + within
	case j.N < j.Needed:
		return n + " of " + cell.Grouped(int64(j.Needed)), "not yet known" + within
	}
	return n, "not yet known: " + j.Why
}
