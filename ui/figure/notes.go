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
	n := notes{frame: v, run: v.Latest}
	n.state()
	n.troubles()
	n.present()
	n.list = append(n.list, PilotNotes(v)...)
	n.figures()
	n.endpoint()
	return n.list
}

// notes are those that have come together so far.
type notes struct {
	frame *page.Frame
	run   *snapshot.Snapshot
	list  []cell.Note
}

func (n *notes) add(role theme.Role, format string, args ...any) {
	n.list = append(n.list, cell.Note{Role: role, Text: fmt.Sprintf(format, args...)})
}

// quote adds what others wrote.
func (n *notes) quote(role theme.Role, format, text string) {
	n.add(role, format, cell.Sanitise(text, &n.frame.Theme.Glyphs))
}

// state says where the run stands.
func (n *notes) state() {
	s := n.run
	for _, sentence := range s.Waits() {
		n.quote(theme.Bad, "%s", sentence)
	}
	switch {
	case s.Replay != nil:
		if s.Replay.Note != "" {
			n.quote(theme.Warn, "%s", s.Replay.Note)
		}
		if s.State == snapshot.Ended {
			n.add(theme.Muted, "the recording is over; space plays it again")
		}
	case s.State == snapshot.Ended && s.Err != nil:
		n.quote(theme.Bad, "the run ended: %s", s.Err.Error())
	case s.State == snapshot.Ended:
		n.add(theme.Good, "the run has ended; q leaves and prints the summary")
	case s.State == snapshot.Probing:
		n.add(theme.Muted, "%s: %s so far", s.Preparing(), cell.Clock(s.At.Elapsed()))
	case s.State == snapshot.Paused && s.Duel != nil && !s.Knobs.Paused: // by turns
		n.add(theme.Muted, "held while another side has its turn")
	case s.State == snapshot.Paused:
		n.add(theme.Warn, "paused: no new requests start; space goes on")
	}
}

// troubles say what goes wrong, and what of the figures is not to be trusted for it.
func (n *notes) troubles() {
	s := n.run
	if s.Health.Verdict == health.ClientBound {
		n.add(theme.Bad, "client-bound, don't trust these figures: %s", s.Health.Reason)
	}
	if sentence := s.Stage.Clumps.Sentence(); sentence != "" {
		n.add(theme.Bad, "%s", sentence)
	}
	backOff := BackOff(n.frame)
	for i := range s.Problems {
		if p := &s.Problems[i]; s.Current(p) {
			n.list = append(n.list, problemNote(n.frame, p, backOff))
			backOff = "" // once is enough
		}
	}
	if s.Unspoken > 0 {
		n.add(theme.Warn, "%s answers amid conversations had no text: the next turn is sent in one message with the one before",
			cell.Grouped(int64(s.Unspoken)))
	}
	if _, down := s.Down(); down && s.Shed > 0 {
		n.add(theme.Warn, "%s arrivals were left out while nothing succeeds", cell.Grouped(int64(s.Shed)))
	}
	if s.Malformed != "" {
		n.add(theme.Warn, "%s", s.Malformed)
	}
	if s.Kept.Problem != "" {
		n.quote(theme.Warn, "%s", s.Kept.Problem)
	}
	if s.Backlog > 0 {
		n.add(theme.Warn, "%s arrivals wait for a slot: %d in flight are not enough for %s at this latency",
			cell.Grouped(int64(s.Backlog)), s.Knobs.Load.MaxInFlight, LoadPoint(s.Knobs))
	}
	if s.Health.Verdict == health.Strained {
		n.add(theme.Warn, "client strained, take the figures with care: %s", s.Health.Reason)
	}
	if sentence := s.Stage.InStep.Sentence(); sentence != "" {
		n.add(theme.Warn, "%s", sentence)
	}
	if sentence := s.Answers.Sentence(); sentence != "" {
		n.add(theme.Warn, "%s", sentence)
	}
}

// present says what the load does now, and what follows from the figures.
func (n *notes) present() {
	s := n.run
	if t, ok := s.Knobs.Load.Timetable.(interface{ Account() string }); ok && s.Knobs.Load.Mode == load.Replay {
		n.quote(theme.Muted, "%s", t.Account())
	}
	if s.Live.Settling && s.Counts.Started > 0 && (s.State == snapshot.Running || s.State == snapshot.Paused) {
		n.add(theme.Muted, "settling: the figures include the ramp to %s", s.Knobs.Load)
	}
	for _, a := range s.Advice {
		n.add(theme.Accent, "%s", a.Sentence)
	}
}

// figures say what figures are of, where that is other than their names say.
func (n *notes) figures() {
	s := n.run
	for _, m := range s.Live.Score.Unmeasured(s.Knobs.SLO) {
		n.add(theme.Warn, "%s can't be measured on these answers, so its limit says nothing", m)
	}
	if Estimated(n.frame.Shown) {
		n.add(theme.Warn, "the server reports no token counts: figures with ~ count one token a chunk")
	}
	if s.Live.ITLIsChunkGap() {
		n.add(theme.Muted, "%s tokens a chunk: gaps are between chunks, not tokens", cell.Digits(s.Live.TokensPerChunk))
	}
	if s.Live.Hidden > 0 {
		n.add(theme.Muted, "TTFT includes reasoning that was billed but not shown")
	}
	if share := s.Health.MergedShare(); share > 0 {
		n.add(theme.Muted, "merged reads: %s of the chunks were read with an earlier one, whose arrival is told late", cell.RoundUp(share))
	}
}

// endpoint says what was found out about the endpoint.
func (n *notes) endpoint() {
	for _, sentence := range n.run.Endpoint.Warnings {
		n.quote(theme.Warn, "%s", sentence)
	}
	for _, sentence := range n.run.Endpoint.Dropped {
		n.quote(theme.Muted, "%s", sentence)
	}
	if proxy := n.run.Endpoint.Proxy; proxy != "" {
		n.quote(theme.Muted, "through the proxy %s", proxy)
	}
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
