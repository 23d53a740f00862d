// This file is what the console says in sentences: messages, errors, and what to know about the figures.

package ui

import (
	"fmt"
	"math"
	"strings"

	"tokdyno/engine"
	"tokdyno/engine/health"
	"tokdyno/engine/stats"
	"tokdyno/ui/theme"
)

// note is one sentence. The role says how much it matters.
type note struct {
	role theme.Role
	text string
}

// note writes a sentence behind the glyph of its role.
func (l *line) note(n note) *line {
	g := &l.th.Glyphs
	sign := g.Info
	switch n.role {
	case theme.Bad:
		sign = g.Cross
	case theme.Warn:
		sign = g.Alert
	case theme.Good:
		sign = g.Check
	}
	l.put(n.role, sign).skip(1)
	return l.put(roleOfText(n.role), own(n.text, g))
}

// notes are all sentences that hold at present, the most important first.
func notes(v *Frame) []note {
	s := v.latest
	var out []note
	add := func(role theme.Role, format string, args ...any) {
		out = append(out, note{role, fmt.Sprintf(format, args...)})
	}

	switch {
	case s.State == engine.Ended && s.Err != nil:
		add(theme.Bad, "the run ended: %s", foreign(s.Err.Error(), &v.th.Glyphs))
	case s.State == engine.Ended:
		add(theme.Good, "the run has ended; q leaves and prints the summary")
	case s.State == engine.Probing:
		add(theme.Muted, "finding out what the endpoint takes: %s so far", clock(s.At.Elapsed()))
	case s.State == engine.Paused:
		add(theme.Warn, "paused: no new requests start; space goes on")
	}
	switch s.Health.Verdict {
	case health.ClientBound:
		add(theme.Bad, "client-bound, don't trust these figures: %s", s.Health.Reason)
	}
	for _, p := range s.Problems {
		out = append(out, problemNote(v, p))
	}
	if s.Malformed != "" {
		add(theme.Warn, "%s", s.Malformed)
	}
	if s.Backlog > 0 {
		add(theme.Warn, "%s arrivals wait for a slot: %d in flight are not enough for %s at this latency",
			grouped(int64(s.Backlog)), s.Knobs.Load.MaxInFlight, loadPoint(s.Knobs))
	}
	if s.Health.Verdict == health.Strained {
		add(theme.Warn, "client strained, take the figures with care: %s", s.Health.Reason)
	}
	if s.Live.Settling && s.Counts.Started > 0 && (s.State == engine.Running || s.State == engine.Paused) {
		add(theme.Muted, "settling: the figures include the ramp to %s", s.Knobs.Load)
	}
	for _, a := range s.Advice {
		add(theme.Accent, "%s", a.Sentence)
	}
	out = append(out, pilotNotes(v)...)
	for _, m := range s.Live.Score.Unmeasured(s.Knobs.SLO) {
		add(theme.Warn, "%s can't be measured on these answers, so its limit says nothing", m)
	}
	if estimated(v.shown) {
		add(theme.Warn, "the server reports no token counts: figures with ~ count one token a chunk")
	}
	if s.Live.ITLIsChunkGap() {
		add(theme.Muted, "%s tokens a chunk: gaps are between chunks, not tokens", digits(s.Live.TokensPerChunk))
	}
	if s.Live.Hidden > 0 {
		add(theme.Muted, "TTFT includes reasoning that was billed but not shown")
	}
	for _, sentence := range s.Endpoint.Warnings {
		add(theme.Warn, "%s", foreign(sentence, &v.th.Glyphs))
	}
	for _, sentence := range s.Endpoint.Dropped {
		add(theme.Muted, "%s", foreign(sentence, &v.th.Glyphs))
	}
	if s.Endpoint.Proxy != "" {
		add(theme.Muted, "through the proxy %s", foreign(s.Endpoint.Proxy, &v.th.Glyphs))
	}
	return out
}

func problemNote(v *Frame, p stats.Problem) note {
	what := strings.ReplaceAll(string(p.Kind), "_", " ")
	if p.Status != 0 && strings.HasPrefix(what, "http") {
		what = fmt.Sprintf("HTTP %d", p.Status)
	}
	text := fmt.Sprintf("%s × %s", grouped(int64(p.Count)), what)
	if p.Example != "" {
		text += ": " + foreign(p.Example, &v.th.Glyphs)
	}
	return note{theme.Bad, text}
}

// knobHint is said where there is nothing else to say, and the knobs show.
func knobHint() note {
	return note{theme.Muted, "turn a knob: ↑↓ chooses, +/- turns, e types; every chart marks the moment"}
}

// notesPanel lists all notes and the last changes of the load.
func notesPanel(v *Frame) panel {
	p := titled("Notes")
	p.body = func(w, h int) []string {
		var lines []string
		all := notes(v)
		if len(all) == 0 {
			all = []note{knobHint()}
		}
		for _, n := range all {
			lines = append(lines, noteLines(v.th, n, w)...)
		}
		lines = append(lines, promptLines(v, w)...)
		marks := last(v.latest.Marks, max(h-len(lines)-1, 0))
		if len(marks) > 0 {
			lines = append(lines, blank(w))
		}
		for _, m := range marks {
			l := newLine(v.th, w).skip(1).put(theme.Muted, clock(m.At.Elapsed()))
			lines = append(lines, l.skip(2).put(theme.Text, foreign(m.Label, &v.th.Glyphs)).String())
		}
		return lines
	}
	return p
}

// promptLines say how long prompts are, against what was asked for; none where the server has counted no prompt.
func promptLines(v *Frame, w int) []string {
	p := &v.latest.Prompts
	if p.N == 0 {
		return nil
	}
	l := newLine(v.th, w).skip(1).put(theme.Muted, "prompts: ").put(theme.Text, string(p.Method))
	l.put(theme.Muted, "  asked ").put(theme.Text, exactly(math.Round(10*p.Asked)/10))
	l.put(theme.Muted, "  got ").put(theme.Text, exactly(math.Round(10*p.Achieved)/10))
	return []string{l.put(theme.Muted, " (n="+grouped(int64(p.N))+")").String()}
}

// noteLines breaks a note into lines, three at most: an example of an error may be long.
func noteLines(th *theme.Theme, n note, w int) []string {
	const most, indent = 3, 3
	parts := wrapped(own(n.text, &th.Glyphs), w-indent-1)
	if len(parts) > most {
		parts = parts[:most]
		parts[most-1] += th.Glyphs.Ellipsis
	}
	var lines []string
	for i, part := range parts {
		l := newLine(th, w).skip(1)
		if i == 0 {
			l.note(note{n.role, part})
		} else {
			l.to(indent).put(roleOfText(n.role), part)
		}
		lines = append(lines, l.String())
	}
	return lines
}

// roleOfText is the role of a note's words: what is merely worth knowing is plain text behind a muted sign.
func roleOfText(r theme.Role) theme.Role {
	if r == theme.Muted {
		return theme.Text
	}
	return r
}
