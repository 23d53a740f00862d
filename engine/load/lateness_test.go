// This file measures how late an open loop is, in real time.

package load

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// How late arrivals are taken up, and how late their requests begin, in µs, by alarm, arrival process and rate. The
// figures mean something on a machine that does nothing else: load is its load average at the start, and thread is how
// late a thread wakes up that does nothing but sleep, in the same minute. 2000 arrivals make a p99 that can be trusted:
//
//	go test -run - -bench Lateness -benchtime 2000x ./engine/load
//
// "busy" has every core computing in short bursts, as it is with thousands of streams to read.
func BenchmarkLateness(b *testing.B) {
	for _, busy := range []bool{false, true} {
		for _, arrival := range []Arrival{Constant, Poisson} {
			for _, rate := range []float64{200, 2000, 10_000} {
				for _, alarm := range []string{"timer", "system"} {
					name := fmt.Sprintf("%s/%v/%s", arrival, rate, alarm)
					if busy {
						name = "busy/" + name
					}
					b.Run(name, func(b *testing.B) {
						if busy {
							defer occupy(4 * runtime.GOMAXPROCS(0))()
						}
						measureLateness(b, alarms[alarm], Setting{Mode: Open, Rate: rate, Arrival: arrival})
					})
				}
			}
		}
	}
}

func measureLateness(b *testing.B, newAlarm func(record.Clock) alarm, s Setting) {
	taken, begun := make([]time.Duration, b.N), make([]time.Duration, b.N)
	clock := record.NewClock()
	pool := NewPool(clock, 1, s, Budget{Requests: b.N}, func(_ context.Context, job Job) {
		begun[job.Seq-1], _ = clock().Since(job.Scheduled)
		taken[job.Seq-1], _ = job.Taken.Since(job.Scheduled)
	})
	pool.newAlarm = newAlarm
	load := loadAverage()
	if err := pool.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	report := func(late []time.Duration, name string) {
		slices.Sort(late)
		for unit, d := range map[string]time.Duration{
			"p50": late[b.N/2], "p99": late[b.N*99/100], "max": late[b.N-1],
		} {
			b.ReportMetric(math.Round(float64(d)/1e3), name+"-"+unit)
		}
	}
	if thread := threadLateness(b.N, s.Rate); thread != nil {
		report(thread, "thread")
	}
	report(taken, "taken")
	report(begun, "begun")
	b.ReportMetric(load, "load")
	b.ReportMetric(0, "ns/op") // says nothing but the rate
}

// occupy keeps goroutines computing, 20 µs at a time, until the returned function is called.
func occupy(goroutines int) (release func()) {
	var over atomic.Bool
	var busy sync.WaitGroup
	for range goroutines {
		busy.Go(func() {
			for !over.Load() {
				for begun := time.Now(); time.Since(begun) < 20*time.Microsecond; {
				}
				runtime.Gosched()
			}
		})
	}
	return func() {
		over.Store(true)
		busy.Wait()
	}
}

// loadAverage returns the machine's load over the last minute; NaN where it is not known.
func loadAverage() float64 {
	text, _ := os.ReadFile("/proc/loadavg")
	field, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(field, 64)
	if err != nil {
		return math.NaN()
	}
	return load
}
