// This file is what the console says in sentences: messages, errors, and what to know about the figures.

package figure

import (
	"fmt"
	"strings"
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Notes are all sentences that hold at present, the most important first.
func Notes(v *page.Frame) []cell.Note {
	s := v.Latest
	var out []cell.Note
	add := func(role theme.Role, format string, args ...any) {
		out = append(out, cell.Note{Role: role, Text: fmt.Sprintf(format, args...)})
	}

	for _, sentence := range s.Waits() {
		add(theme.Bad, "%s", cell.Sanitise(sentence, &v.Theme.Glyphs))
	}
	switch {
	case s.Replay != nil:
		if s.Replay.Note != "" {
			add(theme.Warn, "%s", cell.Sanitise(s.Replay.Note, &v.Theme.Glyphs))
		}
		if s.State == snapshot.Ended {
			add(theme.Muted, "the recording is over; space plays it again")
		}
	case s.State == snapshot.Ended && s.Err != nil:
		add(theme.Bad, "the run ended: %s", cell.Sanitise(s.Err.Error(), &v.Theme.Glyphs))
	case s.State == snapshot.Ended:
		add(theme.Good, "the run has ended; q leaves and prints the summary")
	case s.State == snapshot.Probing:
		add(theme.Muted, "finding out what the endpoint takes: %s so far", cell.Clock(s.At.Elapsed()))
	case s.State == snapshot.Paused && s.Duel != nil && !s.Knobs.Paused: // by turns
		add(theme.Muted, "held while another side has its turn")
	case s.State == snapshot.Paused:
		add(theme.Warn, "paused: no new requests start; space goes on")
	}
	switch s.Health.Verdict {
	case health.ClientBound:
		add(theme.Bad, "client-bound, don't trust these figures: %s", s.Health.Reason)
	}
	if sentence := s.Stage.Clumps.Sentence(); sentence != "" {
		add(theme.Bad, "%s", sentence)
	}
	backOff := BackOff(v)
	for i := range s.Problems {
		if p := &s.Problems[i]; s.Current(p) {
			out = append(out, problemNote(v, p, backOff))
			backOff = "" // once is enough
		}
	}
	if s.Unspoken > 0 {
		add(theme.Warn, "%s answers amid conversations had no text: the next turn is sent in one message with the one before",
			cell.Grouped(int64(s.Unspoken)))
	}
	if _, down := s.Down(); down && s.Shed > 0 {
		add(theme.Warn, "%s arrivals were left out while nothing succeeds", cell.Grouped(int64(s.Shed)))
	}
	if s.Malformed != "" {
		add(theme.Warn, "%s", s.Malformed)
	}
	if s.Kept.Problem != "" {
		add(theme.Warn, "%s", cell.Sanitise(s.Kept.Problem, &v.Theme.Glyphs))
	}
	if s.Backlog > 0 {
		add(theme.Warn, "%s arrivals wait for a slot: %d in flight are not enough for %s at this latency",
			cell.Grouped(int64(s.Backlog)), s.Knobs.Load.MaxInFlight, LoadPoint(s.Knobs))
	}
	if s.Health.Verdict == health.Strained {
		add(theme.Warn, "client strained, take the figures with care: %s", s.Health.Reason)
	}
	if sentence := s.Stage.InStep.Sentence(); sentence != "" {
		add(theme.Warn, "%s", sentence)
	}
	if sentence := s.Answers.Sentence(); sentence != "" {
		add(theme.Warn, "%s", sentence)
	}
	if t, ok := s.Knobs.Load.Timetable.(interface{ Account() string }); ok && s.Knobs.Load.Mode == load.Replay {
		add(theme.Muted, "%s", cell.Sanitise(t.Account(), &v.Theme.Glyphs))
	}
	if s.Live.Settling && s.Counts.Started > 0 && (s.State == snapshot.Running || s.State == snapshot.Paused) {
		add(theme.Muted, "settling: the figures include the ramp to %s", s.Knobs.Load)
	}
	for _, a := range s.Advice {
		add(theme.Accent, "%s", a.Sentence)
	}
	out = append(out, PilotNotes(v)...)
	for _, m := range s.Live.Score.Unmeasured(s.Knobs.SLO) {
		add(theme.Warn, "%s can't be measured on these answers, so its limit says nothing", m)
	}
	if Estimated(v.Shown) {
		add(theme.Warn, "the server reports no token counts: figures with ~ count one token a chunk")
	}
	if s.Live.ITLIsChunkGap() {
		add(theme.Muted, "%s tokens a chunk: gaps are between chunks, not tokens", cell.Digits(s.Live.TokensPerChunk))
	}
	if s.Live.Hidden > 0 {
		add(theme.Muted, "TTFT includes reasoning that was billed but not shown")
	}
	for _, sentence := range s.Endpoint.Warnings {
		add(theme.Warn, "%s", cell.Sanitise(sentence, &v.Theme.Glyphs))
	}
	for _, sentence := range s.Endpoint.Dropped {
		add(theme.Muted, "%s", cell.Sanitise(sentence, &v.Theme.Glyphs))
	}
	if share := s.Health.MergedShare(); share > 0 {
		add(theme.Muted, "merged reads: %s of the chunks were read with an earlier one, whose arrival is told late", cell.RoundUp(share))
	}
	if s.Endpoint.Proxy != "" {
		add(theme.Muted, "through the proxy %s", cell.Sanitise(s.Endpoint.Proxy, &v.Theme.Glyphs))
	}
	return out
}

// problemNote says how often something failed, how long ago it did last, and, while nothing succeeds, that the load holds
// back.
func problemNote(v *page.Frame, p *stats.Problem, backOff string) cell.Note {
	text := problemCount(p)
	if age, ok := v.Latest.At.Since(p.Last); ok {
		text += ", " + cell.Age(age) + " ago"
	}
	if backOff != "" {
		text += ", " + backOff
	}
	if p.Example != "" {
		text += ": " + cell.Sanitise(p.Example, &v.Theme.Glyphs)
	}
	return cell.Note{Role: theme.Bad, Text: text}
}

// BackOff says how long each slot waits at most before it asks an endpoint that is down again; "" where none does.
func BackOff(v *page.Frame) string {
	rest := v.Latest.Outage.Rest
	if rest == 0 {
		return ""
	}
	return "backs off " + v.Theme.Glyphs.AtMost + cell.Age(rest+time.Second-1)
}

// Earlier lists the failures that are no news any more; "" where there are none.
func Earlier(v *page.Frame) string {
	var list []string
	for i := range v.Latest.Problems {
		if p := &v.Latest.Problems[i]; !v.Latest.Current(p) {
			age, _ := v.Latest.At.Since(p.Last)
			list = append(list, problemCount(p)+", "+cell.Age(age)+" ago")
		}
	}
	return strings.Join(list, "; ")
}

func problemCount(p *stats.Problem) string {
	return fmt.Sprintf("%s × %s", cell.Grouped(int64(p.Count)), p.Name())
}

// KnobHint is said where there is nothing else to say, and the knobs show.
func KnobHint() cell.Note {
	return cell.Note{Role: theme.Muted, Text: "turn a knob: ↑↓ chooses, +/- turns, e types; every chart marks the moment"}
}
