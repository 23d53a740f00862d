// This file is the first line: where the run stands, against what, under which load, for how long.

package ui

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// headline is a piece of the header. Where the line is too short, the highest rank is left out first.
type headline struct {
	rank  int
	runs  []run
	bar   float64 // a bar of barCells behind the text, where it is not negative
	fluid bool    // it may be cut to what is left over
}

const (
	barCells = 10
	leastCut = 8 // cells below which a cut name says nothing
)

func (h *headline) cells() int {
	n := runCells(h.runs)
	if h.bar >= 0 {
		n += 1 + barCells
	}
	return n
}

// header draws the first line.
func (v *view) header(w int) string {
	const gap = 2
	pieces := v.headlines()
	for total := 1 - gap; ; total = 1 - gap {
		worst := -1
		for i := range pieces {
			total += pieces[i].cells() + gap
			if worst < 0 || pieces[i].rank > pieces[worst].rank {
				worst = i
			}
		}
		over := total - w
		if over <= 0 || len(pieces) == 1 {
			break
		}
		p := &pieces[worst]
		if n := p.cells() - over; p.fluid && n >= leastCut {
			p.runs = []run{{p.runs[0].role, cutTo(p.runs[0].text, n, v.th)}}
			break
		}
		if p.bar >= 0 {
			p.bar, p.rank = -1, p.rank-20
			continue
		}
		pieces = append(pieces[:worst], pieces[worst+1:]...)
	}

	l := newLine(v.th, w).skip(1)
	for i := range pieces {
		if i > 0 {
			l.skip(gap)
		}
		l.runs(pieces[i].runs)
		if pieces[i].bar >= 0 {
			l.skip(1).painted(chart.Bar(pieces[i].bar, barCells, theme.Series1, *v.th), barCells)
		}
	}
	return l.String()
}

// cutTo cuts a name in its middle, where it says least.
func cutTo(s string, n int, th *theme.Theme) string {
	r := []rune(s)
	if cells(s) <= n || len(r) != cells(s) {
		return s
	}
	head := (n - 1) * 2 / 3
	return string(r[:head]) + th.Glyphs.Ellipsis + string(r[len(r)-(n-1-head):])
}

func (v *view) headlines() []headline {
	s, g := v.shown, &v.th.Glyphs
	plain := func(rank int, runs ...run) headline { return headline{rank: rank, runs: runs, bar: -1} }
	named := func(rank int, text string) headline {
		return headline{rank: rank, runs: []run{{theme.Text, foreign(text, g)}}, bar: -1, fluid: true}
	}

	out := []headline{plain(0, v.state())}
	if v.frozen {
		out = append(out, plain(0, run{theme.Warn, "FROZEN at " + clock(s.Elapsed)}))
	}
	if s.Simulated {
		out = append(out, plain(0, run{theme.Simulated, "SIMULATED"}))
	}
	if s.Insecure {
		out = append(out, plain(1, run{theme.Bad, g.Cross + " TLS NOT CHECKED"}))
	}
	if at := target(s); at != "" {
		out = append(out, named(7, at))
	}
	if s.Endpoint.Model != "" {
		out = append(out, named(6, s.Endpoint.Model))
	}
	out = append(out, plain(5, run{theme.Text, own(loadText(s.Knobs), g)}), v.progress())

	ended := s.Counts.OK + s.Counts.Failed
	out = append(out, plain(3, run{theme.Muted, "n="}, run{theme.Text, grouped(int64(ended))}))
	if s.Counts.Failed > 0 {
		share := lost(float64(s.Counts.Failed) / float64(ended))
		out = append(out, plain(2, run{theme.Bad, fmt.Sprintf("%s err %s (%s)", g.Cross, grouped(int64(s.Counts.Failed)), share)}))
	} else {
		out = append(out, plain(9, run{theme.Muted, "err 0"}))
	}
	return out
}

// state names where the run stands, as glyph and word.
func (v *view) state() run {
	s, g := v.latest, &v.th.Glyphs
	if v.leaving == draining && s.State != engine.Ended {
		return run{theme.Warn, fmt.Sprintf("%s DRAINING %d in flight, q again: now", g.Falling, s.InFlight.Total)}
	}
	switch s.State {
	case engine.Probing:
		return run{theme.Accent, g.Idle + " PROBING"}
	case engine.Running:
		return run{theme.Good, g.Run + " RUN"}
	case engine.Paused:
		return run{theme.Warn, g.Pause + " PAUSED"}
	case engine.Draining:
		return run{theme.Warn, fmt.Sprintf("%s DRAINING %d in flight", g.Falling, s.InFlight.Total)}
	}
	if s.Err != nil {
		return run{theme.Bad, g.Cross + " ENDED"}
	}
	return run{theme.Accent, g.Check + " ENDED"}
}

// progress is the time, against the budget where there is one.
func (v *view) progress() headline {
	s := v.shown
	h := headline{rank: 4, bar: -1}
	h.runs = []run{{theme.Title, clock(s.Elapsed)}}
	done := -1.0
	if most := s.Budget.Duration; most > 0 {
		h.runs = append(h.runs, run{theme.Muted, "/" + clock(most)})
		done = float64(s.Elapsed) / float64(most)
	}
	if most := s.Budget.Requests; most > 0 {
		h.runs = append(h.runs, run{theme.Muted, fmt.Sprintf(" of %s req", grouped(int64(most)))})
		done = max(done, float64(s.Counts.Started)/float64(most))
	}
	if done >= 0 {
		h.bar, h.rank = min(done, 1), 24 // the bar goes first, the time stays
	}
	return h
}

// target is "server @ host".
func target(s *engine.Snapshot) string {
	host := s.Endpoint.URL
	if u, err := url.Parse(host); err == nil && u.Host != "" {
		host = u.Host
	}
	switch server := s.Endpoint.Server; {
	case server == "":
		return host
	case host == "":
		return server
	default:
		return server + " @ " + host
	}
}

// loadText is the load in the header: "closed c=32", "open 12 req/s poisson".
func loadText(k engine.Knobs) string {
	if k.Load.Mode != load.Open {
		return "closed c=" + grouped(int64(k.Load.Concurrency))
	}
	return strings.TrimSpace(fmt.Sprintf("open %s req/s %s", exactly(k.Load.Rate), k.Load.Arrival))
}

