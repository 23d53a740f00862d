package stats

import (
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// TestReportsAreNotHeldOnTo has thousands of requests report between two folds, and then one.
func TestReportsAreNotHeldOnTo(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	const many = (roomy + 1) * shards
	for id := range uint64(many) {
		c.Begin(record.New(id), 100)
	}
	for i := range 4 { // two buffers, each of which is looked at when its turn is over
		c.Begin(record.New(many+uint64(i)), 100)
		c.Fold(at(time.Duration(i) * time.Second))
	}
	for i := range c.shards {
		for _, buffer := range [][]event{c.shards[i].events, c.shards[i].spare} {
			if cap(buffer) > roomy {
				t.Fatalf("a buffer has room for %d events after a calm second", cap(buffer))
			}
			for _, e := range buffer[len(buffer):cap(buffer)] {
				if e.request != nil || e.record != nil {
					t.Fatal("a request that was taken in is held on to")
				}
			}
		}
	}
}
