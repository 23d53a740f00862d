// This file is the panel of the inference server: its batch, its cache, and its own clocks beside ours.

package ui

import (
	"time"

	"tokdyno/engine/server"
	"tokdyno/engine/stats"
	"tokdyno/gpu/optional"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// serverRow is a line of the panel. Where it is too low, the highest rank is left out first.
type serverRow struct {
	rank int
	line string
}

// serverName is the width of the names of the panel's lines.
const serverName = inset + 14

func serverPanel(v *Frame) panel {
	p := titled("Server")
	if why := noServer(v); why != "" {
		p.body = func(w, h int) []string { return centred(v.th, w, h, why) }
		return p
	}
	r := v.shown.Server
	p.aside = []piece{{theme.Muted, foreign(string(r.Metrics.Kind), &v.th.Glyphs)}}
	if r.Metrics.Simulated {
		p.aside = []piece{{theme.Simulated, "SIMULATED"}}
	}
	if stale := serverStale(v); stale != nil {
		p.aside = append(append(stale, piece{theme.Muted, "  "}), p.aside...)
	}
	p.foot = []piece{{theme.Muted, "rates and times: this stage"}}
	p.body = func(w, h int) []string {
		rows := serverRows(v, r, w)
		for len(rows) > h {
			worst := 0
			for i := range rows {
				if rows[i].rank > rows[worst].rank {
					worst = i
				}
			}
			rows = append(rows[:worst], rows[worst+1:]...)
		}
		lines := make([]string, 0, len(rows))
		for _, row := range rows {
			lines = append(lines, row.line)
		}
		return lines
	}
	return p
}

func serverRows(v *Frame, r *server.Reading, w int) []serverRow {
	m, role := &r.Metrics, theme.Text
	if serverAge(r) > 0 {
		role = theme.Muted
	}
	var rows []serverRow
	add := func(rank int, name string, value []piece) {
		l := newLine(v.th, w).skip(inset).put(theme.Muted, name).to(serverName)
		rows = append(rows, serverRow{rank, l.pieces(value).String()})
	}
	if r.Err != nil {
		l := newLine(v.th, w).skip(inset).put(theme.Warn, v.th.Glyphs.Alert+" "+foreign(oneLine(r.Err), &v.th.Glyphs))
		rows = append(rows, serverRow{1, l.String()})
	}
	room := w - serverName
	summary, window := server.Summary{}, serverWindow(v.shown)
	if row := stageRow(v.shown); window != nil {
		summary = *row.Telemetry.Server
	} else {
		none := optional.NA("no reading in this stage")
		window = &server.Window{Preemptions: none, GenerationTokensPerSecond: none}
	}

	add(0, "running", append(valued(v.th, m.Running, room, role, whole, ""), meanAndMost(v, summary.RunningMean, summary.RunningMax, digits)...))
	add(0, "waiting", append(valued(v.th, m.Waiting, room, role, whole, ""), meanAndMost(v, summary.WaitingMean, summary.WaitingMax, digits)...))
	rows = append(rows, serverRow{2, cacheLine(v, m, &summary, role, w)})
	hits := valued(v.th, hitRate(v.shown), room, role, tenths, " %")
	if hitRate(v.shown).OK() {
		hits = append(append(hits, piece{theme.Muted, " "}), askedPieces(v.shown)...)
	}
	add(3, "prefix hit", hits)
	add(6, "output", outputPieces(v, window, room))
	rows = append(rows, timeRows(v, window, w)...)
	add(8, "preemptions", valued(v.th, window.Preemptions, room, role, whole, ""))
	if spec := specPieces(v, window, role); spec != nil {
		add(11, "speculation", spec)
	}
	for i := range m.Loaded {
		one := &m.Loaded[i]
		value := []piece{{theme.Text, foreign(one.Name, &v.th.Glyphs)}, {theme.Muted, "  VRAM "}}
		value = append(value, valued(v.th, one.VRAMBytes, room, role, func(b float64) string { return gibibytes(b / (1 << 20)) }, " GiB")...)
		value = append(append(value, piece{theme.Muted, "  context "}), valued(v.th, one.ContextTokens, room, role, whole, "")...)
		add(12, "loaded", value)
	}
	if window.Restarted {
		add(10, "restarted", []piece{{theme.Warn, v.th.Glyphs.Alert + " in this stage: that time is missing"}})
	}
	return rows
}

// meanAndMost adds to a present value what the stage has shown.
func meanAndMost(v *Frame, mean, most optional.Value, write func(float64) string) []piece {
	if !mean.OK() || !most.OK() {
		return nil
	}
	return []piece{{theme.Muted, "  mean "}, {theme.Text, write(mean.V)}, {theme.Muted, "  max "}, {theme.Text, whole(most.V)}}
}

// cacheLine is the use of the KV cache, as a bar.
func cacheLine(v *Frame, m *server.Metrics, s *server.Summary, role theme.Role, w int) string {
	const most = 16
	l := newLine(v.th, w).skip(inset).put(theme.Muted, "KV cache").to(serverName)
	if !m.KVUsage.OK() {
		return l.pieces([]piece{excuse(v.th, m.KVUsage, l.room())}).String()
	}
	bar := max(min(l.room()-18, most), 0)
	colour := theme.Series1
	if role == theme.Muted {
		colour = role
	}
	l.painted(chart.Bar(m.KVUsage.V, bar, colour, *v.th), bar)
	l.flush(l.at+4, role, hundredths(m.KVUsage.V)).put(theme.Muted, " %")
	if s.KVUsageMax.OK() {
		l.put(theme.Muted, "  max ").put(theme.Text, hundredths(s.KVUsageMax.V)).put(theme.Muted, " %")
	}
	return l.String()
}

// outputPieces hold the server's count of what it generates against ours of what arrives.
func outputPieces(v *Frame, window *server.Window, room int) []piece {
	out := valued(v.th, window.GenerationTokensPerSecond, room, theme.Text, rate, " tok/s")
	if row := stageRow(v.shown); row != nil && row.Summary.Spans > 0 {
		out = append(out, piece{theme.Muted, "  ours "}, piece{theme.Text, approximate(v.shown, rate(row.Summary.Throughput.Output))})
	}
	return out
}

// specPieces tell how speculative decoding goes; nil where the server has none.
func specPieces(v *Frame, window *server.Window, role theme.Role) []piece {
	if !window.AcceptRate.OK() && !window.AcceptLength.OK() {
		return nil
	}
	out := append(valued(v.th, window.AcceptRate, len(unknown)+1, role, tenths, " %"), piece{theme.Muted, " accepted  "})
	return append(append(out, valued(v.th, window.AcceptLength, len(unknown)+1, role, digits, "")...), piece{theme.Muted, " tok/step"})
}

// timeColumns are the ends of the columns of times.
var timeColumns = [...]int{serverName + 7, serverName + 15, serverName + 23}

// timeRows hold the server's TTFT and queue time against the client's TTFT. What lies between the two is the difference of
// their means; percentiles do not subtract.
func timeRows(v *Frame, window *server.Window, w int) []serverRow {
	if window.TTFT.N == 0 && window.QueueTime.N == 0 {
		return nil
	}
	head := newLine(v.th, w).skip(inset).put(theme.Muted, "ms")
	for i, name := range []string{"p50", "p95", "mean"} {
		head.flush(timeColumns[i], theme.Muted, name)
	}
	rows := []serverRow{{5, head.String()}}
	add := func(rank int, name string, values ...optional.Value) {
		l := newLine(v.th, w).skip(inset).put(theme.Muted, name)
		for i, value := range values {
			shown := valued(v.th, value, 7, theme.Text, func(s float64) string { return digits(1000 * s) }, "")
			l.to(timeColumns[i] - pieceCells(shown)).pieces(shown)
		}
		rows = append(rows, serverRow{rank, l.String()})
	}
	client := clientTTFT(stageRow(v.shown).Summary)
	add(5, "TTFT client", client.P50, client.P95, client.Mean)
	if window.TTFT.N > 0 {
		add(5, "TTFT server", window.TTFT.P50, window.TTFT.P95, window.TTFT.Mean)
	}
	if window.QueueTime.N > 0 {
		add(7, "its queue", window.QueueTime.P50, window.QueueTime.P95, window.QueueTime.Mean)
	}
	if window.TTFT.Mean.OK() && client.Mean.OK() {
		l := newLine(v.th, w).skip(inset).put(theme.Muted, "network and proxy")
		inFlight := v.shown.InFlight.Total
		between, atMost := networkTime(client, window.TTFT, inFlight)
		switch {
		case shared(client, window.TTFT, inFlight):
			l.to(serverName+5).put(theme.Muted, unknown+" (others use it too)")
		case atMost:
			l.flush(timeColumns[2], theme.Text, v.th.Glyphs.AtMost+millis(between))
		default:
			l.flush(timeColumns[2], theme.Title, "~"+millis(between))
		}
		rows = append(rows, serverRow{4, l.String()})
	}
	return rows
}

// networkTime is the time between client and server: the difference of their means. Client and server do not count quite
// the same requests: up to as many as are in flight are in one sample and not in the other, each of which may lie as far
// from the mean as p95 lies from p50. A difference within that shift of the mean is noise, and then the shift is returned:
// the time is that at most.
func networkTime(ours, theirs server.Latency, inFlight int) (between time.Duration, atMost bool) {
	n := max(min(ours.N, theirs.N), 1)
	shift := max(min(float64(max(inFlight, 1))/n, 1)*(ours.P95.V-ours.P50.V), 0)
	seconds := ours.Mean.V - theirs.Mean.V
	if seconds <= shift {
		seconds, atMost = shift, true
	}
	return time.Duration(seconds * float64(time.Second)), atMost
}

// shared reports whether the server has answered clearly more requests than this client sent: its times are those of
// others too.
func shared(ours, theirs server.Latency, inFlight int) bool {
	const more = 1.25
	return theirs.N > more*ours.N+float64(inFlight)
}

// clientTTFT is the client's TTFT in seconds, as the server's is told.
func clientTTFT(s *stats.Summary) server.Latency {
	if s.TTFT.N == 0 {
		none := optional.NA(optional.ReasonNone)
		return server.Latency{Mean: none, P50: none, P95: none}
	}
	seconds := func(d time.Duration) optional.Value { return optional.Of(d.Seconds()) }
	return server.Latency{N: float64(s.TTFT.N), Mean: seconds(s.TTFT.Mean), P50: seconds(s.TTFT.P50), P95: seconds(s.TTFT.P95)}
}
