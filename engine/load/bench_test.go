// This file measures what a request costs the pool.

package load

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// From the start of an empty request to its end, and to the start of the next in its place.
func BenchmarkEmptyRequest(b *testing.B) {
	for _, concurrency := range []int{1, 64, 1024} {
		b.Run(fmt.Sprintf("c=%d", concurrency), func(b *testing.B) {
			b.ReportAllocs()
			pool := NewPool(record.NewClock(), 1, closed(concurrency), Budget{Requests: b.N}, func(context.Context, Job) {})
			if err := pool.Run(b.Context()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// How late an open loop takes up its arrivals, in real time, on a machine that does nothing else.
func BenchmarkLateness(b *testing.B) {
	for _, rate := range []float64{100, 2000} {
		b.Run(fmt.Sprintf("%v-per-s", rate), func(b *testing.B) {
			late := make([]time.Duration, b.N)
			s := Setting{Mode: Open, Rate: rate, Arrival: Poisson}
			pool := NewPool(record.NewClock(), 1, s, Budget{Requests: b.N}, func(_ context.Context, job Job) {
				late[job.Seq-1], _ = job.Taken.Since(job.Scheduled)
			})
			if err := pool.Run(b.Context()); err != nil {
				b.Fatal(err)
			}
			slices.Sort(late)
			b.ReportMetric(float64(late[b.N/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(late[b.N*99/100].Microseconds()), "p99-µs")
		})
	}
}
