// This file is the table of workers: its columns, and which of them a narrow screen does without.

package workers

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/engine/health"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// column is a figure of every worker.
type column struct {
	name  string
	cells int // with the gap before it
	rank  int // the highest is left out first; 0 stays
	left  bool
	cell  func(v *page.Frame, w *snapshot.Worker) cell.Piece
}

// The cells of a worker's name, and of the gap before a column of words.
const (
	leastName = 12
	mostName  = 24
	gap       = 2
)

// columns returns all of them.
func columns() []column {
	count := func(name string, cells, rank int, of func(*snapshot.Worker) int) column {
		return column{name: name, cells: cells, rank: rank, cell: func(_ *page.Frame, w *snapshot.Worker) cell.Piece {
			return cell.Text(cell.Grouped(int64(of(w))))
		}}
	}
	return []column{
		{name: "host", cells: 16, rank: 7, left: true, cell: func(v *page.Frame, w *snapshot.Worker) cell.Piece {
			return cell.Muted(cell.Sanitise(w.Host, &v.Theme.Glyphs))
		}},
		{name: "state", cells: 10, left: true, cell: stateCell},
		{name: "load", cells: 7, rank: 3, cell: func(_ *page.Frame, w *snapshot.Worker) cell.Piece {
			if w.State != snapshot.WorkerWorking {
				return cell.Muted("none")
			}
			return cell.Text(fmt.Sprintf("%.0f %%", 100*w.Part))
		}},
		count("share", 8, 4, func(w *snapshot.Worker) int { return w.Share }),
		count("in flight", 11, 0, func(w *snapshot.Worker) int { return w.InFlight }),
		count("started", 10, 5, func(w *snapshot.Worker) int { return w.Started }),
		count("lost", 7, 6, func(w *snapshot.Worker) int { return w.Lost }),
		{name: "clock", cells: 18, rank: 2, cell: clockCell},
		count("cores", 7, 8, func(w *snapshot.Worker) int { return w.Cores }),
		{name: "CPU", cells: 6, rank: 9, cell: func(_ *page.Frame, w *snapshot.Worker) cell.Piece {
			if w.Health.Verdict == health.Unknown || math.IsNaN(w.Health.CPUCores) {
				return cell.Muted("n/a")
			}
			return cell.Text(fmt.Sprintf("%.2f", w.Health.CPUCores))
		}},
		{name: "heard", cells: 9, rank: 1, cell: func(_ *page.Frame, w *snapshot.Worker) cell.Piece {
			if w.Lag == 0 {
				return cell.Muted("n/a")
			}
			if w.Lag < time.Second {
				return cell.Text(fmt.Sprintf("%d ms", w.Lag.Milliseconds()))
			}
			return cell.Warn(fmt.Sprintf("%.0f s", w.Lag.Seconds()))
		}},
		{name: "client", cells: 14, left: true, cell: healthCell},
	}
}

// clockCell is by how much a clock is ahead, and how well that is known.
func clockCell(_ *page.Frame, w *snapshot.Worker) cell.Piece {
	if w.Within == 0 {
		return cell.Muted("n/a")
	}
	return cell.Text(ahead(w.Ahead) + fmt.Sprintf(" ±%.1f ms", max(w.Within.Seconds()*1000, 0.1)))
}

// ahead is an offset in the unit that shows what matters.
func ahead(d time.Duration) string {
	if d.Abs() < 10*time.Second {
		return fmt.Sprintf("%+.1f ms", d.Round(time.Millisecond/10).Seconds()*1000) // rounded first: there is no -0.0
	}
	return fmt.Sprintf("%+.0f s", d.Seconds())
}

func stateCell(_ *page.Frame, w *snapshot.Worker) cell.Piece {
	switch w.State {
	case snapshot.WorkerWorking:
		return cell.Good(string(w.State))
	case snapshot.WorkerLost, snapshot.WorkerFailed:
		return cell.Bad(string(w.State))
	case snapshot.WorkerBusy, snapshot.WorkerJoining:
		return cell.Warn(string(w.State))
	}
	return cell.Muted(string(w.State))
}

func healthCell(_ *page.Frame, w *snapshot.Worker) cell.Piece {
	switch w.Health.Verdict {
	case health.OK:
		return cell.Good(string(w.Health.Verdict))
	case health.Strained:
		return cell.Warn(string(w.Health.Verdict))
	case health.ClientBound:
		return cell.Bad(string(w.Health.Verdict))
	}
	return cell.Muted("n/a")
}

// panel is the table, and beneath it what there is to say of the chosen worker.
func (p *Page) panel(v *page.Frame) cell.Panel {
	all := list(v.Shown)
	t := cell.Titled("Workers")
	t.Focused = true
	if len(all) == 0 {
		t.Body = func(w, h int) []string {
			return cell.Centred(v.Theme, w, h, "no worker has joined: start some with tokdyno worker --join")
		}
		return t
	}
	at := min(p.cursor, len(all)-1)
	t.Aside = summary(v.Shown.Workers)
	t.Body = func(w, h int) []string {
		shownColumns, name := fitting(columns(), all, w)
		about := details(v, &all[at], w)
		rows := max(h-1-len(about), 1)
		first := p.held.First(at, len(all), rows)
		out := []string{head(v, shownColumns, name, w)}
		for i := first; i < len(all) && len(out) <= rows; i++ {
			v.Rows(len(out), 1, p.region(i, i == at, first))
			out = append(out, row(v, &all[i], i == at, shownColumns, name, w))
		}
		out = cell.Fitted(out, w, max(h-len(about), 0))
		return cell.Fitted(append(out, about...), w, h)
	}
	return t
}

// region is what the mouse does on a row: a click chooses it.
func (p *Page) region(at int, chosen bool, first int) page.Region {
	r := page.Region{Up: "up", Down: "down"}
	if !chosen {
		r.Hit = func(page.Host) {
			p.cursor = at
			p.held.Keep(first)
		}
	}
	return r
}

// summary says how many workers there are, and what they have no room for.
func summary(s *snapshot.Workers) []cell.Piece {
	working := 0
	for i := range s.List {
		if s.List[i].State == snapshot.WorkerWorking {
			working++
		}
	}
	out := []cell.Piece{cell.Muted(fmt.Sprintf("%d of %d working", working, len(s.List)))}
	if s.Missing > 0 {
		out = append(out, cell.Muted("  "), cell.Bad(fmt.Sprintf("no worker has room for %s of the requests in flight", cell.Grouped(int64(s.Missing)))))
	}
	return out
}

// details are what is known of a worker beside its row.
func details(v *page.Frame, w *snapshot.Worker, room int) []string {
	lines := []string{cell.Blank(room)}
	about := fmt.Sprintf("%s  tokdyno %s  %s reported", w.Name, w.Version, bytes(w.Bytes))
	lines = append(lines, cell.Sentences(v.Theme, room, theme.Muted, cell.Sanitise(about, &v.Theme.Glyphs))...)
	if w.Problem != "" {
		lines = append(lines, cell.Sentences(v.Theme, room, theme.Bad, cell.Sanitise(w.Problem, &v.Theme.Glyphs))...)
	}
	if w.Reduced != "" {
		lines = append(lines, cell.Sentences(v.Theme, room, theme.Warn, cell.Sanitise(w.Reduced, &v.Theme.Glyphs))...)
	}
	if w.Health.Reason != "" {
		lines = append(lines, cell.Sentences(v.Theme, room, theme.Warn, w.Health.Reason)...)
	}
	if w.Lost > 0 {
		lines = append(lines, cell.Sentences(v.Theme, room, theme.Warn,
			strconv.Itoa(w.Lost)+" requests were in flight when it was lost: they count as cancelled, neither done nor failed")...)
	}
	return lines
}

func bytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// fitting returns the columns that fit beside the names, and the cells of those.
func fitting(all []column, workers []snapshot.Worker, w int) (_ []column, name int) {
	name = leastName
	for i := range workers {
		name = min(max(name, cell.Width(workers[i].Name)+2*cell.Inset), mostName)
	}
	return cell.Drop(all, func(c *column) int { return c.rank }, func(left []column) bool {
		cells := name
		for i := range left {
			cells += left[i].cells
		}
		return cells <= w
	}), name
}

func head(v *page.Frame, columns []column, end, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "worker")
	for _, c := range columns {
		if c.left {
			l.To(end+gap).Put(theme.Muted, c.name)
		} else {
			l.Flush(end+c.cells, theme.Muted, c.name)
		}
		end += c.cells
	}
	return l.String()
}

func row(v *page.Frame, of *snapshot.Worker, chosen bool, columns []column, end, w int) string {
	l := cell.NewLine(v.Theme, w)
	role := theme.Text
	if chosen {
		role = theme.Title
		l.Put(theme.Accent, v.Theme.Glyphs.Pointer)
	}
	name := cell.NewLine(v.Theme, end-cell.Inset).Put(role, cell.Sanitise(of.Name, &v.Theme.Glyphs))
	l.To(cell.Inset).Painted(name.String(), end-cell.Inset)
	for _, c := range columns {
		piece := c.cell(v, of)
		if c.left {
			l.To(end+gap).Put(piece.Role, ansi.Truncate(piece.Text, c.cells-gap, v.Theme.Glyphs.Ellipsis))
		} else {
			l.Flush(end+c.cells, piece.Role, piece.Text)
		}
		end += c.cells
	}
	return l.String()
}
