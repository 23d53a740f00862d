// This file says what the inference server tells of itself, in one line, and why it tells nothing.

package ui

import (
	"fmt"
	"math"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/server"
	"tokdyno/gpu/optional"
	"tokdyno/ui/theme"
)

// noServer says why there is nothing to show of the server; "" where there is.
func noServer(v *Frame) string {
	r := v.shown.Server
	switch {
	case r == nil:
		return "no metrics of the server read"
	case !r.Known() && r.Err != nil:
		return foreign(oneLine(r.Err), &v.th.Glyphs)
	case !r.Known():
		return "nothing read from the server yet"
	}
	return ""
}

// serverAge is for how long the server has not answered; 0 while it does.
func serverAge(r *server.Reading) time.Duration {
	if r.Err == nil || !r.Known() {
		return 0
	}
	return max(r.At.Sub(r.Metrics.At), time.Second)
}

// serverStale warns of figures that are not of the present.
func serverStale(v *Frame) []piece {
	r := v.shown.Server
	if r == nil {
		return nil
	}
	if age := serverAge(r); age > 0 {
		return []piece{{theme.Warn, fmt.Sprintf("%s stale %.0f s", v.th.Glyphs.Alert, age.Seconds())}}
	}
	return nil
}

// serverLine is the server in a line; none where nobody reads it.
func serverLine(v *Frame, w int) []string {
	r := v.shown.Server
	if r == nil {
		return nil
	}
	l := newLine(v.th, w).skip(inset).put(theme.Muted, "server")
	if why := noServer(v); why != "" {
		return []string{l.skip(2).put(theme.Muted, why).String()}
	}
	m, role := &r.Metrics, theme.Text
	if stale := serverStale(v); stale != nil {
		role = theme.Muted
		l.skip(2).pieces(stale)
	}
	for _, f := range []fact{
		stated(v.th, "running", m.Running, role, whole, ""),
		stated(v.th, "waiting", m.Waiting, role, whole, ""),
		{"KV", valued(v.th, m.KVUsage, len(unknown)+1, role, hundredths, " %")},
		{"prefix hit", valued(v.th, hitRate(v.shown), len(unknown)+1, role, tenths, " %")},
		{"", askedPieces(v.shown)},
	} {
		if l.at+3+cells(f.name)+pieceCells(f.value) > w {
			break
		}
		if f.name != "" {
			l.skip(2).put(theme.Muted, f.name)
		}
		l.skip(1).pieces(f.value)
	}
	return []string{l.String()}
}

// hundredths writes a share of 0 to 1 in percent.
func hundredths(x float64) string { return whole(100 * x) }

// tenths is the same to a tenth, for shares that mean something even where they are small.
func tenths(x float64) string { return exactly(math.Round(1000*x) / 10) }

// stageRow is the current stage; nil where there is none.
func stageRow(s *engine.Snapshot) *engine.StageRow {
	if n := len(s.Stages); n > 0 {
		return &s.Stages[n-1]
	}
	return nil
}

// serverWindow is what the server saw in the current stage; nil where nothing was read in it.
func serverWindow(s *engine.Snapshot) *server.Window {
	if row := stageRow(s); row != nil && row.Telemetry.Server != nil {
		return &row.Telemetry.Server.Window
	}
	return nil
}

// hitRate is that of the prefix cache over the current stage, or else as the server averages it.
func hitRate(s *engine.Snapshot) optional.Value {
	if w := serverWindow(s); w != nil {
		return w.HitRate
	}
	if r := s.Server; r != nil {
		return r.Metrics.HitRate
	}
	return optional.NA(optional.ReasonNone)
}

// askedPieces is how much of a prompt was asked to be common to others: what there is to be hit.
func askedPieces(s *engine.Snapshot) []piece {
	k := &s.Knobs
	switch {
	case k.Shape.Data != nil || k.Load.Mode == load.Replay:
		return []piece{{theme.Muted, "(prompts from a file)"}}
	case k.Shape.Converses():
		return []piece{{theme.Muted, "(histories recur)"}}
	}
	return []piece{{theme.Muted, "(asked " + hundredths(k.Shape.PrefixOverlap) + " %)"}}
}
