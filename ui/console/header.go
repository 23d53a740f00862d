// This file is the first line: where the run stands, against what, under which load, for how long.

package console

import (
	"fmt"
	"slices"
	"strings"

	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/theme"
)

// headline is a piece of the header. Where the line is too short, the highest rank is left out first.
type headline struct {
	rank   int
	pieces []cell.Piece
	short  []cell.Piece // instead of pieces, before anything else is done about it; nil: none
	bar    float64      // a bar of barCells behind the text, where it is not negative
	fluid  bool         // it may be cut to what is left over
}

const (
	barCells = 10
	leastCut = 8 // cells below which a cut name says nothing
)

func (h *headline) cells() int {
	n := cell.WidthOf(h.pieces)
	if h.bar >= 0 {
		n += 1 + barCells
	}
	return n
}

// header draws the first line; the pages stand at its end.
func (v *screen) header(whole int) string {
	const gap = 2
	pieces, tabs := v.headlines(), v.tabs(whole-1)
	w := whole - cell.WidthOf(tabs) - 1
	over := 0
	rank := func(h *headline) int { return h.rank + 1 } // whatever it is, it goes rather than the tabs
	pieces = cell.Shrink(pieces, rank, func(left []headline) bool {
		over = 1 - gap - w
		for i := range left {
			over += left[i].cells() + gap
		}
		return over <= 0 || len(left) == 1
	}, func(h *headline) bool { return h.shrink(over, v.Theme) })

	l := cell.NewLine(v.Theme, whole).Skip(1)
	for i := range pieces {
		if i > 0 {
			l.Skip(gap)
		}
		l.Pieces(pieces[i].pieces)
		if pieces[i].bar >= 0 {
			l.Skip(1).Painted(chart.Bar(pieces[i].bar, barCells, theme.Series1, *v.Theme), barCells)
		}
	}
	return l.To(w).Pieces(tabs).String()
}

// shrink makes less of a headline, by so many cells where that is enough; false where nothing can be made less.
func (h *headline) shrink(over int, th *theme.Theme) bool {
	switch n := h.cells() - over; {
	case h.short != nil:
		h.pieces, h.short = h.short, nil
	case h.fluid && n >= leastCut:
		h.pieces, h.fluid = []cell.Piece{cell.In(h.pieces[0].Role, cutTo(h.pieces[0].Text, n, th))}, false
	case h.bar >= 0:
		h.bar, h.rank = -1, h.rank-20
	default:
		return false
	}
	return true
}

// cutTo cuts a name in its middle, where it says least.
func cutTo(s string, n int, th *theme.Theme) string {
	r := []rune(s)
	if cell.Width(s) <= n || len(r) != cell.Width(s) {
		return s
	}
	head := (n - 1) * 2 / 3
	return string(r[:head]) + th.Glyphs.Ellipsis + string(r[len(r)-(n-1-head):])
}

// headlineOf is a headline that nothing can be made less of.
func headlineOf(rank int, p ...cell.Piece) headline { return headline{rank: rank, pieces: p, bar: -1} }

// badges say what has to be known before any figure is read.
func (v *screen) badges() (out []headline) {
	s, g := v.Shown, &v.Theme.Glyphs
	if v.frozen {
		out = append(out, headlineOf(0, cell.Warn(g.Alert+" FROZEN at "+cell.Clock(s.Elapsed))))
	}
	if s.Duel != nil {
		out = append(out, headlineOf(0, v.sidePieces()...))
	}
	out = append(out, headlineOf(0, v.state()))
	if s.Simulated {
		out = append(out, headlineOf(0, cell.In(theme.Simulated, "SIMULATED")))
	}
	if v.watches {
		out = append(out, headlineOf(0, cell.Accent("READ ONLY")))
	}
	if v.watched > 0 {
		out = append(out, headlineOf(3, cell.In(theme.Accent, fmt.Sprintf("%d watch", v.watched))))
	}
	if badge, short := v.pilotBadge(); badge != nil {
		h := headlineOf(3, badge...)
		h.short = short
		out = append(out, h)
	}
	if s.Insecure {
		out = append(out, headlineOf(1, cell.Bad(g.Cross+" TLS NOT CHECKED")))
	}
	if s.Unlimited() {
		out = append(out, headlineOf(1, cell.Bad(g.Cross+" NO OUTPUT LIMIT")))
	}
	if w := s.Workers; w != nil && w.Missing > 0 {
		out = append(out, headlineOf(1, cell.Bad(fmt.Sprintf("%s %s MISSING: NO WORKER", g.Cross, cell.Grouped(int64(w.Missing))))))
	}
	return out
}

// headlines are the badges, what is loaded with what, and what came of it.
func (v *screen) headlines() []headline {
	s, g := v.Shown, &v.Theme.Glyphs
	named := func(rank int, text string) headline {
		return headline{rank: rank, pieces: []cell.Piece{cell.Text(cell.Sanitise(text, g))}, bar: -1, fluid: true}
	}

	out := v.badges()
	if host, server := target(s); host != "" || server != "" {
		h := named(7, strings.TrimPrefix(server+" @ "+host, " @ "))
		if server != "" && host != "" {
			h.short = named(7, host).pieces
		}
		out = append(out, h)
	}
	if s.Endpoint.Model != "" {
		out = append(out, named(6, s.Endpoint.Model))
	}
	out = append(out, headlineOf(5, cell.Text(cell.SanitiseColumns(figure.LoadText(s.Knobs), g))), v.progress())

	if worst := v.objectiveHeadline(); worst != nil {
		out = append(out, headlineOf(8, worst...))
	}
	ended := s.Counts.OK + s.Counts.Failed
	out = append(out, headlineOf(3, cell.Muted("n="), cell.Text(cell.Grouped(int64(ended)))))
	if s.Counts.Failed > 0 {
		share := cell.RoundUp(float64(s.Counts.Failed) / float64(ended))
		out = append(out, headlineOf(2, cell.Bad(fmt.Sprintf("%s err %s (%s)", g.Cross, cell.Grouped(int64(s.Counts.Failed)), share))))
	} else {
		out = append(out, headlineOf(9, cell.Muted("err 0")))
	}
	return out
}

// state names where the run stands, as glyph and word.
func (v *screen) state() cell.Piece {
	s, g := v.Latest, &v.Theme.Glyphs
	if s.Replay != nil {
		return v.replayState()
	}
	if v.leaving == draining && s.State != snapshot.Ended {
		return cell.Warn(fmt.Sprintf("%s DRAINING %d in flight, q again: now", g.Falling, s.InFlight.Total))
	}
	switch s.State {
	case snapshot.Probing:
		return cell.Accent(g.Idle + " PROBING")
	case snapshot.Running:
		if since, down := s.Down(); down {
			return cell.Bad(g.Cross + " DOWN " + cell.Age(since))
		}
		return cell.Good(g.Run + " RUN")
	case snapshot.Paused:
		if v.held() {
			return cell.Text(g.Pause + " HELD")
		}
		return cell.Warn(g.Pause + " PAUSED")
	case snapshot.Draining:
		return cell.Warn(fmt.Sprintf("%s DRAINING %d in flight", g.Falling, s.InFlight.Total))
	}
	if s.Err != nil {
		return cell.Bad(g.Cross + " ENDED")
	}
	return cell.Accent(g.Check + " ENDED")
}

// progress is the time, against the budget where there is one.
func (v *screen) progress() headline {
	s := v.Shown
	h := headline{rank: 4, bar: -1}
	h.pieces = []cell.Piece{cell.Title(cell.Clock(s.Elapsed))}
	if r := s.Replay; r != nil { // of the whole recording, however long the run was to be
		h.pieces = append(h.pieces, cell.Muted("/"+cell.Clock(r.Length)))
		if r.Length > 0 {
			h.bar = min(float64(r.At)/float64(r.Length), 1)
		}
		if r.Seeking {
			h.short = append(slices.Clone(h.pieces), cell.Accent(" seeking "+cell.Clock(r.Target)))
			h.pieces = append(slices.Clip(h.short), cell.Accent(fmt.Sprintf(" %s %.0f %%", v.Theme.Glyphs.Bullet, 100*r.Progress)))
			h.bar, h.rank = r.Progress, 0
		}
		return h
	}
	done := -1.0
	if most := s.Budget.Duration; most > 0 {
		h.pieces = append(h.pieces, cell.Muted("/"+cell.Clock(most)))
		done = float64(s.Elapsed) / float64(most)
	}
	if most := s.Budget.Requests; most > 0 {
		h.pieces = append(h.pieces, cell.Muted(fmt.Sprintf(" of %s req", cell.Grouped(int64(most)))))
		done = max(done, float64(s.Counts.Started)/float64(most))
	}
	if done >= 0 {
		h.bar, h.rank = min(done, 1), 24 // the bar goes first, the time stays
	}
	return h
}

// target is what the load goes to: the host, and the server's name where it is known.
func target(s *snapshot.Snapshot) (host, server string) {
	return cell.Host(s.Endpoint.URL), s.Endpoint.Server
}

// pilotBadge is what the header says while the autopilot is at work; nil while it does not.
func (v *screen) pilotBadge() (long, short []cell.Piece) {
	p := figure.RunningPilot(v.Latest)
	if p == nil {
		return nil, nil
	}
	name := "AUTO " + string(p.Kind)
	return []cell.Piece{cell.Accent(name + " " + figure.LoadPoint(v.Latest.Knobs))}, []cell.Piece{cell.Accent(name)}
}

// objectiveHeadline is the worst objective for the header; nil where there is none.
func (v *screen) objectiveHeadline() []cell.Piece {
	if len(v.Shown.Objectives) == 0 {
		return nil
	}
	worst := figure.WorstFirst(v.Shown.Objectives)[0]
	name := worst.Objective.Metric.String()
	if worst.Objective.Metric != slo.ErrorRate {
		name += " p" + cell.Exactly(100*worst.Objective.Percentile)
	}
	return []cell.Piece{figure.ObjectiveVerdict(v.Frame, &worst), cell.Text(" " + name)}
}
