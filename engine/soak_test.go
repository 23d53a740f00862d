// A long load with faults: every request is accounted for at every moment, and nothing is left behind by any of them.

package engine

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
)

var soak = flag.Duration("soak", 0, "how long TestSoak runs, with 500 streams, telling of itself every minute; "+
	"without it, a few thousand short requests have to do")

const (
	// A stream in flight takes the goroutine of its slot, two of its connection, and three of the server's end. The rest
	// are the engine's and the test's own, and those of connections that are being given up.
	goroutinesPerStream, goroutinesElse = 8, 60
	// A request leaves its numbers behind, in columns that grow by doubling; anything else would be more.
	bytesPerRequest, bytesElse = 1 << 10, 2 << 20
)

// soaking watches a run from within its ticks.
type soaking struct {
	t       *testing.T
	eng     *Engine
	streams int

	told   record.Instant // the last time that it told of itself
	most   int            // goroutines at any tick
	warm   footprint      // once the first third of the requests has ended
	thirds int            // how many requests that is; with a duration, a fifth of the time
}

// footprint is what a run takes, after so many requests.
type footprint struct{ requests, goroutines, heap int }

func (s *soaking) look() footprint {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c := s.eng.Snapshot().Counts
	return footprint{requests: c.OK + c.Failed + c.Cancelled, goroutines: runtime.NumGoroutine(), heap: int(m.HeapAlloc)}
}

// tick checks what must hold at every moment.
func (s *soaking) tick(_ []*record.Record, start record.Instant) {
	shot := s.eng.Snapshot()
	c := shot.Counts
	if c.Started != c.OK+c.Failed+c.Cancelled+shot.InFlight.Total {
		s.t.Errorf("%d started, but %+v and %d in flight", c.Started, c, shot.InFlight.Total)
	}
	n, most := runtime.NumGoroutine(), s.streams*goroutinesPerStream+goroutinesElse
	if s.most = max(s.most, n); n > most {
		s.t.Errorf("%d goroutines after %d requests, want at most %d", n, c.Started, most)
		s.eng.Stop()
	}
	ended := c.OK + c.Failed + c.Cancelled
	age, _ := shot.At.Since(start)
	if s.warm.requests == 0 && (*soak == 0 && ended >= s.thirds || *soak > 0 && age >= *soak/5) {
		s.warm = s.look()
	}
	if since, _ := shot.At.Since(max(s.told, start)); *soak > 0 && since >= time.Minute {
		s.told = shot.At
		now := s.look()
		s.t.Logf("%4.0f s: %d requests ended, %d failed; %d goroutines; heap %.1f MiB; client %s",
			age.Seconds(), ended, c.Failed, now.goroutines, float64(now.heap)/(1<<20), shot.Health.Verdict)
	}
}

func TestSoak(t *testing.T) {
	faults, err := sim.ParseFaults([]string{
		"http_429=1% http_5xx=1% error_mid=1%:5 truncate_mid=1%:5 disconnect=0.5% stall_first=0.5%:300ms",
	})
	if err != nil {
		t.Fatal(err)
	}
	const requests = 2400
	server := sim.Config{Faults: faults, Seed: 1, TimeScale: 50}
	streams, output := 60, 8
	if *soak > 0 {
		streams, output, server.TimeScale = 500, 128, 10
	}
	cfg := closedLoop(startSimulator(t, server).URL(), streams)
	cfg.Knobs.Shape = shape.Shape{Prompt: shape.Fixed(64), Output: shape.Fixed(output)}
	watch := &soaking{t: t, streams: streams, thirds: requests / 3}
	cfg.Records = watch.tick
	if *soak > 0 {
		cfg.Budget.Duration = *soak
	} else {
		cfg.Budget.Requests = requests
	}
	if watch.eng, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	if err := watch.eng.Run(t.Context()); err != nil {
		t.Fatal(err)
	}

	end := watch.eng.Snapshot()
	c := end.Counts
	if c.Started != c.OK+c.Failed+c.Cancelled || end.InFlight.Total != 0 {
		t.Errorf("%d started, but %+v and %d in flight at the end", c.Started, c, end.InFlight.Total)
	}
	if share := float64(c.Failed) / float64(c.Started); share < 0.02 || share > 0.08 {
		t.Errorf("%d of %d requests failed, want some 4.5 %%", c.Failed, c.Started)
	}
	now := watch.look()
	grown, since := now.heap-watch.warm.heap, now.requests-watch.warm.requests
	t.Logf("%d requests from %d on: %d bytes more on the heap; %d goroutines at most", since, watch.warm.requests, grown, watch.most)
	if watch.warm.requests == 0 || grown > bytesElse+since*bytesPerRequest {
		t.Errorf("the heap grew by %d bytes in %d requests, want at most %d a request", grown, since, bytesPerRequest)
	}
}

// At thousands of requests a second, a connection for each would use up all ports within a minute. There are no more than
// were ever in flight, and as many again that net/http dialed for requests which then got another's.
func TestShortRequestsDoNotUseUpPorts(t *testing.T) {
	server := startSimulator(t, sim.Config{TimeScale: 1000})
	cfg := closedLoop(server.URL(), 1)
	cfg.Knobs.Load = load.Setting{Mode: load.Open, Rate: 6000, Arrival: load.Poisson, MaxInFlight: 64}
	cfg.Knobs.Shape = shape.Shape{Prompt: shape.Fixed(8), Output: shape.Fixed(1)}
	cfg.Budget.Requests = 1500
	eng, _ := runToEnd(t, cfg)
	s := eng.Snapshot()
	if s.Counts.OK != cfg.Budget.Requests {
		t.Errorf("%+v, want all %d to have succeeded", s.Counts, cfg.Budget.Requests)
	}
	if n, most := server.Connections(), 2*cfg.Knobs.Load.MaxInFlight; n > int64(most) {
		t.Errorf("%d connections for %d requests, of which %d were in flight at most", n, s.Counts.OK, most/2)
	}
}
