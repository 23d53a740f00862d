// This file says what the inference server tells of itself, in one line, and why it tells nothing.

package device

import (
	"fmt"
	"net/url"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// NoServer says why there is nothing to show of the server; "" where there is.
func NoServer(v *page.Frame) string {
	r := v.Shown.Server
	switch {
	case r == nil:
		return "no metrics of the server read"
	case !r.Known() && r.Err != nil:
		return cell.Sanitise(cell.OneLine(r.Err), &v.Theme.Glyphs)
	case !r.Known():
		return "nothing read from the server yet"
	}
	return ""
}

// ServerAge is for how long the server has not answered; 0 while it does.
func ServerAge(r *server.Reading) time.Duration {
	if r.Err == nil || !r.Known() {
		return 0
	}
	return max(r.At.Sub(r.Metrics.At), time.Second)
}

// ServerStale warns of figures that are not of the present.
func ServerStale(v *page.Frame) []cell.Piece {
	r := v.Shown.Server
	if r == nil {
		return nil
	}
	if age := ServerAge(r); age > 0 {
		return []cell.Piece{cell.Warn(fmt.Sprintf("%s stale %.0f s", v.Theme.Glyphs.Alert, age.Seconds()))}
	}
	return nil
}

// ServerOf says whose figures the server's are where there are several endpoints, of which one's page is read: its host. nil
// where there is one endpoint, or all are read.
func ServerOf(v *page.Frame) []cell.Piece {
	if r := v.Shown.Server; len(v.Shown.Endpoints) == 0 || r == nil || len(r.Metrics.Each) == len(v.Shown.Endpoints) {
		return nil
	}
	whose := "one of the endpoints"
	if page, err := url.Parse(v.Shown.Server.Metrics.URL); err == nil && page.Host != "" {
		whose = page.Host
	}
	return []cell.Piece{cell.Warn("only " + cell.Sanitise(whose, &v.Theme.Glyphs))}
}

// ServerLine is the server in a line; none where nobody reads it.
func ServerLine(v *page.Frame, w int) []string {
	r := v.Shown.Server
	if r == nil {
		return nil
	}
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "server")
	if why := NoServer(v); why != "" {
		return []string{l.Skip(2).Put(theme.Muted, why).String()}
	}
	m, role := &r.Metrics, theme.Text
	if stale := ServerStale(v); stale != nil {
		role = theme.Muted
		l.Skip(2).Pieces(stale)
	}
	if whose := ServerOf(v); whose != nil {
		l.Skip(2).Pieces(whose)
	}
	facts := []cell.Fact{
		figure.Stated(v.Theme, "running", m.Running, role, cell.Whole, ""),
		figure.Stated(v.Theme, "waiting", m.Waiting, role, cell.Whole, ""),
		{Name: "KV", Value: figure.Valued(v.Theme, m.KVUsage, len(cell.Unknown)+1, role, cell.Hundredths, " %")},
		{Name: "prefix hit", Value: figure.Valued(v.Theme, HitRate(v.Shown), len(cell.Unknown)+1, role, cell.Tenths, " %")},
		{Name: "", Value: AskedPieces(v.Shown)},
	}
	facts = cell.Lead(facts, func(left []cell.Fact) bool {
		n := l.At
		for _, f := range left {
			n += f.Width()
		}
		return n <= w
	})
	for _, f := range facts {
		if f.Name != "" {
			l.Skip(2).Put(theme.Muted, f.Name)
		}
		l.Skip(1).Pieces(f.Value)
	}
	return []string{l.String()}
}

// StageRow is the current stage; nil where there is none.
func StageRow(s *snapshot.Snapshot) *snapshot.StageRow {
	if n := len(s.Stages); n > 0 {
		return &s.Stages[n-1]
	}
	return nil
}

// ServerWindow is what the server saw in the current stage; nil where nothing was read in it.
func ServerWindow(s *snapshot.Snapshot) *server.Window {
	if row := StageRow(s); row != nil && row.Telemetry.Server != nil {
		return &row.Telemetry.Server.Window
	}
	return nil
}

// HitRate is that of the prefix cache over the current stage, or else as the server averages it.
func HitRate(s *snapshot.Snapshot) optional.Value {
	if w := ServerWindow(s); w != nil {
		return w.HitRate
	}
	if r := s.Server; r != nil {
		return r.Metrics.HitRate
	}
	return optional.NA(optional.ReasonNone)
}

// AskedPieces is how much of a prompt was asked to be common to others: what there is to be hit.
func AskedPieces(s *snapshot.Snapshot) []cell.Piece {
	k := &s.Knobs
	switch {
	case k.Shape.Data != nil || k.Load.Mode == load.Replay:
		return []cell.Piece{cell.Muted("(prompts from a file)")}
	case k.Shape.Converses():
		return []cell.Piece{cell.Muted("(histories recur)")}
	}
	return []cell.Piece{cell.Muted("(asked " + cell.Hundredths(k.Shape.PrefixOverlap) + " %)")}
}
