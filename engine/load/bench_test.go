// This file measures what a request costs the pool.

package load

import (
	"context"
	"fmt"
	"testing"

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
