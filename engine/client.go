// This file looks at the load generator itself.

package engine

import (
	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// client is this process as the source of the load.
type client struct {
	monitor   health.Monitor
	endpoints *endpoints
}

// show judges the client in a snapshot: by the last ten seconds, without the rush of the first requests once the load has
// settled, and by the whole run.
func (c *client) show(s *snapshot.Snapshot, from *stats.Collector, now record.Instant) {
	s.Client.Stamps, s.Client.Reconnects = c.endpoints.first().Stamps(), c.endpoints.reconnects()
	s.Client.Closed = c.endpoints.closed()
	figures, settled, ok := c.monitor.Recent()
	if !ok {
		return
	}
	recent, run := from.Client(now)
	if settled {
		recent = run
	}
	figures.Merged, figures.Chunks = c.endpoints.merged()
	s.Health = judged(figures, recent, s.Client.Reconnects)
	if figures, ok = c.monitor.Run(); ok {
		figures.Merged, figures.Chunks = s.Health.Merged, s.Health.Chunks
		s.Client.Health = judged(figures, run, s.Client.Reconnects)
	}
	from.ClientLate(max(s.Health.Late(), s.Client.Late()))
}

// judged adds what the streams tell of the client to what the process tells.
func judged(f health.Figures, c stats.Client, reconnects int64) snapshot.Health {
	f.Kernel = c.Lag.N > 0
	f.LagP50, f.LagP99, f.Dispatch = c.Lag.P50, c.Lag.P99, c.Dispatch.P99
	f.Reconnects = reconnects
	h := snapshot.Health{Figures: f}
	h.Verdict, h.Reason = f.Judge()
	return h
}
