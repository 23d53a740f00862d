// This file is runs whose load workers make.

package scene

import (
	"time"

	"tokdyno/engine/health"
	"tokdyno/engine/snapshot"
)

// Fleet is a run of four workers: one works, one is strained, one was lost and one works for somebody else.
func Fleet() *snapshot.Snapshot {
	s := Busy()
	const ms = time.Millisecond
	fine := snapshot.Health{Verdict: health.OK, Figures: health.Figures{CPUCores: 0.31, Cores: 8}}
	strained := fine
	strained.Verdict, strained.Reason = health.Strained, "client lag p99 14ms: bytes lie unread in the kernel"
	strained.CPUCores = 7.1
	s.Workers = &snapshot.Workers{Missing: 12, List: []snapshot.Worker{
		{
			Name: "bench-1", Host: "bench-1.example.com", Version: "1.2.0", Cores: 8, State: snapshot.WorkerWorking, Ahead: 1300 * time.Microsecond,
			Within: 140 * time.Microsecond, Share: 53, Part: 0.667, InFlight: 53, Started: 12345, Health: fine, Lag: 84 * ms, Bytes: 4_500_000,
		},
		{
			Name: "bench-2", Host: "bench-2.example.com", Version: "1.2.0", Cores: 8, State: snapshot.WorkerWorking, Ahead: -22 * ms,
			Within: 410 * time.Microsecond, Share: 27, Part: 0.333, InFlight: 27, Started: 12001,
			Reduced: "it gets 1/2 of what its cores would get, as it does not keep up: " + strained.Reason,
			Health:  strained, Lag: 120 * ms, Bytes: 4_400_000,
		},
		{
			Name: "bench-3", Host: "bench-3.example.com", Version: "1.2.0", Cores: 8, State: snapshot.WorkerLost, Problem: "it is not heard any more",
			Within: 2 * ms, Started: 8000, Lost: 17, Health: fine, Lag: 31 * time.Second, Bytes: 900_000,
		},
		{
			Name: "a-worker-with-quite-a-long-name", Host: "elsewhere", Version: "0.9.0", Cores: 64, State: snapshot.WorkerBusy,
			Problem: "it works for another console",
		},
	}}
	return s
}
