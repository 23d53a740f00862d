package machine

import (
	"strings"
	"testing"

	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu/optional"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
)

// TestEachReplicaHasALine looks at a load that is spread, with the figures of the servers and without.
func TestEachReplicaHasALine(t *testing.T) {
	s := scene.Observed()
	d := s.Live.TTFT
	s.Endpoints = []snapshot.EndpointLine{
		{InFlight: 17, OK: 90, TTFT: d, OutputPerSecond: 1900}, {InFlight: 15, OK: 80, Failed: 3, TTFT: d, OutputPerSecond: 1800},
	}
	reading := *s.Server
	reading.Metrics.Each = []server.Replica{{KVUsage: optional.Of(0.61)}, {KVUsage: optional.Of(0.42)}}
	s.Server = &reading
	shown := pagetest.Open(t, New(), s, 200, 50).View()
	pagetest.Shows(t, shown, "replica 1     17 now  KV 61 %  TTFT p95", "1,900 tok/s", "replica 2     15 now  ✗ 3  KV 42 %")
	s.Server = nil
	shown = pagetest.Open(t, New(), s, 200, 50).View()
	pagetest.Shows(t, shown, "replica 1     17 now", "no metrics of the server read")
	if strings.Contains(shown, "KV 61 %") {
		t.Error("a server that is not read has a cache")
	}
}
