// This file is the panel of the inference server: its batch, its cache, and its own clocks beside ours.

package machine

import (
	"strconv"
	"time"

	"tokdyno/engine/server"
	"tokdyno/engine/stats"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/device"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// serverRow is a line of the panel. Where it is too low, the highest rank is left out first.
type serverRow struct {
	rank int
	line string
}

// serverName is the width of the names of the panel's lines.
const serverName = cell.Inset + 14

func serverPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("Server")
	if why := device.NoServer(v); why != "" {
		p.Body = func(w, h int) []string {
			var lines []string
			for i := range v.Shown.Endpoints {
				lines = append(lines, replicaLine(v, new(server.Metrics), i, theme.Text, w))
			}
			return append(lines[:min(len(lines), h)], cell.Centred(v.Theme, w, max(h-len(lines), 0), why)...)
		}
		return p
	}
	r := v.Shown.Server
	p.Aside = []cell.Piece{cell.Muted(cell.Sanitise(string(r.Metrics.Kind), &v.Theme.Glyphs))}
	if r.Metrics.Simulated {
		p.Aside = []cell.Piece{cell.In(theme.Simulated, "SIMULATED")}
	}
	if stale := device.ServerStale(v); stale != nil {
		p.Aside = append(append(stale, cell.Muted("  ")), p.Aside...)
	}
	if whose := device.ServerOf(v); whose != nil {
		p.Aside = append(append(whose, cell.Muted("  ")), p.Aside...)
	}
	p.Foot = []cell.Piece{cell.Muted("rates and times: this stage")}
	p.Body = func(w, h int) []string {
		fits := func(left []serverRow) bool { return len(left) <= h }
		rows := cell.Drop(serverRows(v, r, w), func(r *serverRow) int { return r.rank }, fits)
		lines := make([]string, 0, len(rows))
		for _, row := range rows {
			lines = append(lines, row.line)
		}
		return lines
	}
	return p
}

func serverRows(v *page.Frame, r *server.Reading, w int) []serverRow {
	m, role := &r.Metrics, theme.Text
	if device.ServerAge(r) > 0 {
		role = theme.Muted
	}
	var rows []serverRow
	add := func(rank int, name string, value []cell.Piece) {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, name).To(serverName)
		rows = append(rows, serverRow{rank, l.Pieces(value).String()})
	}
	if r.Err != nil {
		why := v.Theme.Glyphs.Alert + " " + cell.Sanitise(cell.OneLine(r.Err), &v.Theme.Glyphs)
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Warn, why)
		rows = append(rows, serverRow{1, l.String()})
	}
	room := w - serverName
	summary, window := server.Summary{}, device.ServerWindow(v.Shown)
	if row := device.StageRow(v.Shown); window != nil {
		summary = *row.Telemetry.Server
	} else {
		none := optional.NA("no reading in this stage")
		window = &server.Window{Preemptions: none, GenerationTokensPerSecond: none}
	}

	present := func(value optional.Value) []cell.Piece {
		return figure.Valued(v.Theme, value, room, role, cell.Whole, "")
	}
	add(0, "running", append(present(m.Running), meanAndMost(summary.RunningMean, summary.RunningMax)...))
	add(0, "waiting", append(present(m.Waiting), meanAndMost(summary.WaitingMean, summary.WaitingMax)...))
	rows = append(rows, serverRow{2, cacheLine(v, m, &summary, role, w)})
	for i := range v.Shown.Endpoints {
		rows = append(rows, serverRow{5, replicaLine(v, m, i, role, w)})
	}
	hits := figure.Valued(v.Theme, device.HitRate(v.Shown), room, role, cell.Tenths, " %")
	if device.HitRate(v.Shown).OK() {
		hits = append(append(hits, cell.Muted(" ")), device.AskedPieces(v.Shown)...)
	}
	add(3, "prefix hit", hits)
	add(6, "output", outputPieces(v, window, room))
	rows = append(rows, timeRows(v, window, w)...)
	add(8, "preemptions", figure.Valued(v.Theme, window.Preemptions, room, role, cell.Whole, ""))
	addSpeculation(v, &window.Speculation, role, add)
	for i := range m.Loaded {
		one := &m.Loaded[i]
		value := []cell.Piece{cell.Text(cell.Sanitise(one.Name, &v.Theme.Glyphs)), cell.Muted("  VRAM ")}
		inGiB := func(b float64) string { return cell.Gibibytes(b / (1 << 20)) }
		value = append(value, figure.Valued(v.Theme, one.VRAMBytes, room, role, inGiB, " GiB")...)
		value = append(append(value, cell.Muted("  context ")), present(one.ContextTokens)...)
		add(12, "loaded", value)
	}
	if window.Restarted {
		add(10, "restarted", []cell.Piece{cell.Warn(v.Theme.Glyphs.Alert + " in this stage: that time is missing")})
	}
	return rows
}

// replicaLine is the figures of one of several endpoints that share the load: ours, and what its server says of itself.
func replicaLine(v *page.Frame, m *server.Metrics, i int, role theme.Role, w int) string {
	e := &v.Shown.Endpoints[i]
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "replica "+strconv.Itoa(i+1)).To(serverName)
	groups := [][]cell.Piece{{cell.In(role, cell.Grouped(int64(e.InFlight))), cell.Muted(" now")}}
	if e.Failed > 0 {
		groups = append(groups, []cell.Piece{cell.Bad(v.Theme.Glyphs.Cross + " " + cell.Grouped(int64(e.Failed)))})
	}
	if i < len(m.Each) {
		kv := figure.Valued(v.Theme, m.Each[i].KVUsage, len(cell.Unknown)+1, role, cell.Hundredths, " %")
		groups = append(groups, append([]cell.Piece{cell.Muted("KV ")}, kv...))
	}
	groups = append(groups, append([]cell.Piece{cell.Muted("TTFT p95 ")}, figure.LatencyCell(&e.TTFT, 0.95)...), []cell.Piece{
		cell.In(role, figure.Approximate(v.Shown, cell.Rate(e.OutputPerSecond))), cell.Muted(" tok/s"),
	})
	for _, g := range cell.Fill(groups, l.Room(), func(g *[]cell.Piece) int { return cell.WidthOf(*g) + 2 }) {
		l.Pieces(g).Skip(2)
	}
	return l.String()
}

// meanAndMost adds to a present value what the stage has shown.
func meanAndMost(mean, most optional.Value) []cell.Piece {
	if !mean.OK() || !most.OK() {
		return nil
	}
	return []cell.Piece{cell.Muted("  mean "), cell.Text(cell.Digits(mean.V)), cell.Muted("  max "), cell.Text(cell.Whole(most.V))}
}

// cacheLine is the use of the KV cache, as a bar.
func cacheLine(v *page.Frame, m *server.Metrics, s *server.Summary, role theme.Role, w int) string {
	const most = 16
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "KV cache").To(serverName)
	if !m.KVUsage.OK() {
		return l.Pieces([]cell.Piece{figure.Excuse(v.Theme, m.KVUsage, l.Room())}).String()
	}
	bar := max(min(l.Room()-18, most), 0)
	colour := theme.Series1
	if role == theme.Muted {
		colour = role
	}
	l.Painted(chart.Bar(m.KVUsage.V, bar, colour, *v.Theme), bar)
	l.Flush(l.At+4, role, cell.Hundredths(m.KVUsage.V)).Put(theme.Muted, " %")
	if s.KVUsageMax.OK() {
		l.Put(theme.Muted, "  max ").Put(theme.Text, cell.Hundredths(s.KVUsageMax.V)).Put(theme.Muted, " %")
	}
	return l.String()
}

// outputPieces hold the server's count of what it generates against ours of what arrives.
func outputPieces(v *page.Frame, window *server.Window, room int) []cell.Piece {
	out := figure.Valued(v.Theme, window.GenerationTokensPerSecond, room, theme.Text, cell.Rate, " tok/s")
	if row := device.StageRow(v.Shown); row != nil && row.Summary.Spans > 0 {
		out = append(out, cell.Muted("  measured "), cell.Text(figure.Approximate(v.Shown, cell.Rate(row.Summary.Throughput.Output))))
	}
	return out
}

// timeColumns are the ends of the columns of times.
var timeColumns = [...]int{serverName + 7, serverName + 15, serverName + 23}

// timeRows hold the server's TTFT and queue time against the client's TTFT. What lies between the two is the difference of
// their means; percentiles do not subtract.
func timeRows(v *page.Frame, window *server.Window, w int) []serverRow {
	if window.TTFT.N == 0 && window.QueueTime.N == 0 {
		return nil
	}
	head := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "ms")
	for i, name := range []string{"p50", "p95", "mean"} {
		head.Flush(timeColumns[i], theme.Muted, name)
	}
	rows := []serverRow{{5, head.String()}}
	add := func(rank int, name string, values ...optional.Value) {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, name)
		for i, value := range values {
			shown := figure.Valued(v.Theme, value, 7, theme.Text, func(s float64) string { return cell.Digits(1000 * s) }, "")
			l.To(timeColumns[i] - cell.WidthOf(shown)).Pieces(shown)
		}
		rows = append(rows, serverRow{rank, l.String()})
	}
	client := clientTTFT(device.StageRow(v.Shown).Summary)
	add(5, "TTFT client", client.P50, client.P95, client.Mean)
	if window.TTFT.N > 0 {
		add(5, "TTFT server", window.TTFT.P50, window.TTFT.P95, window.TTFT.Mean)
	}
	if window.QueueTime.N > 0 {
		add(7, "server queue", window.QueueTime.P50, window.QueueTime.P95, window.QueueTime.Mean)
	}
	if window.TTFT.Mean.OK() && client.Mean.OK() {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "network and proxy")
		inFlight := v.Shown.InFlight.Total
		between, atMost := networkTime(client, window.TTFT, inFlight)
		switch {
		case shared(client, window.TTFT, inFlight):
			l.To(serverName+5).Put(theme.Muted, cell.Unknown+" (others use it too)")
		case atMost:
			l.Flush(timeColumns[2], theme.Text, v.Theme.Glyphs.AtMost+cell.Millis(between))
		default:
			l.Flush(timeColumns[2], theme.Title, "~"+cell.Millis(between))
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
