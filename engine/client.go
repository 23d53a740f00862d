// This file looks at the load generator itself.

package engine

import (
	"sync"
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// client is this process as the source of the load.
type client struct {
	endpoints *endpoints

	mu      sync.Mutex // a worker's report is made beside its ticks
	monitor health.Monitor
	room    wire.Room
	looked  record.Instant // at the room; 0: never
}

// settled begins the run anew, as far as the client is judged.
func (c *client) settled() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.monitor.Restart()
}

// lookEvery is how often it is looked how much of the machine's ports and files is in use.
const lookEvery = 5 * time.Second

// tick samples the process.
func (c *client) tick(now record.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.monitor.Tick()
	if since, known := now.Since(c.looked); !known || since >= lookEvery {
		c.room, c.looked = wire.LookAtRoom(), now
	}
}

// show judges the client in a snapshot: by the last ten seconds, without the rush of the first requests once the load has
// settled, and by the whole run.
func (c *client) show(s *snapshot.Snapshot, from *stats.Collector, now record.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
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
	s.Health = c.judged(figures, recent, s.Client.Reconnects)
	if figures, ok = c.monitor.Run(); ok {
		figures.Merged, figures.Chunks = s.Health.Merged, s.Health.Chunks
		s.Client.Health = c.judged(figures, run, s.Client.Reconnects)
	}
	from.ClientLate(max(s.Health.Late(), s.Client.Late()))
}

// judged adds what the streams tell of the client to what the process tells.
func (c *client) judged(f health.Figures, told stats.Client, reconnects int64) snapshot.Health {
	f.Kernel = told.Lag.N > 0
	f.LagP50, f.LagP99, f.Dispatch = told.Lag.P50, told.Lag.P99, told.Dispatch.P99
	f.Files, f.FileLimit, f.Ports, f.PortLimit = c.room.Files, c.room.FileLimit, c.room.Ports, c.room.PortLimit
	f.Reconnects = reconnects
	h := snapshot.Health{Figures: f}
	h.Verdict, h.Reason = f.Judge()
	return h
}
