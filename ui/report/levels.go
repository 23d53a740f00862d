// This file prints the levels of a run, each with its verdict.

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
)

// levels prints a line per level, and per stage that belongs to none: of another shape, or one that never settled. Where
// there was only one load, the figures below say all that.
func (p *sheet) levels(r *run.Report) {
	rest := apart(r)
	if len(r.Levels)+len(rest) < 2 {
		return
	}
	p.blank()
	columns := []Column{
		{Head: "level", Left: true},
		{Head: "n"},
		{Head: "failed", Rank: 6},
		{Head: "TTFT p50", Rank: 4},
		{Head: "TTFT p95"},
		{Head: "TPOT p50", Rank: 1},
		{Head: "TPOT p95", Rank: 5},
		{Head: "req/s", Rank: 3},
		{Head: "out tok/s"},
		{Head: "within SLO", Rank: 2},
		{Head: "verdict", Left: true},
	}
	row := func(name string, f *run.Figures) {
		within := cell.Unknown
		if a := f.SLO.Attainment; a != nil {
			within = cell.RoundDown(*a).String()
		}
		for i, text := range []string{
			name, cell.Grouped(int64(f.Requests.OK + f.Requests.Failed)), cell.Grouped(int64(f.Requests.Failed)),
			latencyOrUnknown(f.TTFT.P50), latencyOrUnknown(f.TTFT.P95), latencyOrUnknown(f.TPOT.P50), latencyOrUnknown(f.TPOT.P95),
			rateOrUnknown("", f.Throughput.Requests), rateOrUnknown(roughly(f, ""), f.Throughput.Output), within, judged(&f.SLO),
		} {
			columns[i].Cells = append(columns[i].Cells, text)
		}
	}
	for i := range r.Levels {
		row(r.Levels[i].Name, &r.Levels[i].Figures)
	}
	for _, s := range rest {
		row("stage "+strconv.Itoa(s.Number), &s.Figures)
	}
	if !slices.ContainsFunc(columns[2].Cells, func(failed string) bool { return failed != "0" }) {
		columns = slices.Delete(columns, 2, 3)
	}
	p.table(columns)
	p.line("", "n: requests that were sent once the level had settled, and ended; while it settles, all")
	for i := range r.Levels {
		p.differing(r, &r.Levels[i])
	}
	for _, s := range rest {
		text := strings.Split(s.Load.Text, "  ")
		if s.SettledS == nil {
			text = append(text, "left before it settled")
		}
		p.facts("stage "+strconv.Itoa(s.Number), text...)
	}
}

// apart are the stages that are in no level.
func apart(r *run.Report) []*run.Stage {
	in := make(map[int]bool)
	for i := range r.Levels {
		for _, n := range slices.Concat(r.Levels[i].Stages, r.Levels[i].Apart) {
			in[n] = true
		}
	}
	var rest []*run.Stage
	for i := range r.Stages {
		if s := &r.Stages[i]; !in[s.Number] {
			rest = append(rest, s)
		}
	}
	return rest
}

// differing tells of earlier stages of a level that are in no figure of it.
func (p *sheet) differing(r *run.Report, l *run.Level) {
	var told []string
	for i := range r.Stages {
		if s := &r.Stages[i]; slices.Contains(l.Apart, s.Number) {
			text := fmt.Sprintf("stage %d, with TTFT p50 %s", s.Number, latencyOrUnknown(s.TTFT.P50))
			if s.SLO.Attainment != nil {
				text += fmt.Sprintf(" and %s of %s requests within the SLO", cell.RoundDown(*s.SLO.Attainment), cell.Grouped(int64(s.SLO.N)))
			}
			told = append(told, text)
		}
	}
	if len(told) > 0 {
		p.line("", "%s: earlier stages differ by more than chance, so the newest stands alone: %s", l.Name, strings.Join(told, "; "))
	}
}
