// This file reads what the Go runtime and the system know of this process.

package health

import (
	"math"
	"runtime"
	"runtime/metrics"
	"time"
)

// Sample is the process's counters at one moment. The difference of two is what happened between them.
type Sample struct {
	at    time.Time
	cpu   time.Duration // processor time since the process began
	known bool          // cpu is
	sched *metrics.Float64Histogram
	pause *metrics.Float64Histogram
}

const (
	schedMetric = "/sched/latencies:seconds"
	pauseMetric = "/sched/pauses/total/gc:seconds"
)

// Take reads the counters.
func Take() Sample {
	read := []metrics.Sample{{Name: schedMetric}, {Name: pauseMetric}}
	metrics.Read(read)
	s := Sample{at: time.Now()}
	if read[0].Value.Kind() == metrics.KindFloat64Histogram {
		s.sched = read[0].Value.Float64Histogram()
	}
	if read[1].Value.Kind() == metrics.KindFloat64Histogram {
		s.pause = read[1].Value.Float64Histogram()
	}
	s.cpu, s.known = processTime()
	return s
}

// Since gives the figures of the interval from an earlier sample to this one, as far as the process itself knows them.
func (s Sample) Since(earlier Sample) Figures {
	f := Figures{
		Interval: s.at.Sub(earlier.at),
		Sched:    quantile(s.sched, earlier.sched, 0.99),
		GCPause:  quantile(s.pause, earlier.pause, 1),
		Cores:    runtime.GOMAXPROCS(0),
		CPUCores: math.NaN(),
	}
	if f.Interval > 0 {
		f.GCShare = sum(s.pause, earlier.pause).Seconds() / f.Interval.Seconds()
	}
	if s.known && earlier.known && f.Interval > 0 {
		f.CPUCores = (s.cpu - earlier.cpu).Seconds() / f.Interval.Seconds()
	}
	return f
}

// quantile is the p-quantile of what a cumulative histogram gained since an earlier reading of it: the lower bound of
// its bucket, since the buckets are wide and the upper one would blame the client for what may not have been. 0 for
// nothing gained.
func quantile(now, earlier *metrics.Float64Histogram, p float64) time.Duration {
	if now == nil {
		return 0
	}
	gained := gain(now, earlier)
	var total uint64
	for i := range now.Counts {
		total += gained(i)
	}
	if total == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(p*float64(total))), 1)
	var seen uint64
	for i := range now.Counts {
		if seen += gained(i); seen >= rank {
			return time.Duration(max(now.Buckets[i], 0) * float64(time.Second))
		}
	}
	return 0
}

// sum is what a cumulative histogram's values gained since an earlier reading of it add up to, each by the lower bound of
// its bucket.
func sum(now, earlier *metrics.Float64Histogram) time.Duration {
	if now == nil {
		return 0
	}
	gained := gain(now, earlier)
	var all float64
	for i := range now.Counts {
		all += float64(gained(i)) * max(now.Buckets[i], 0)
	}
	return time.Duration(all * float64(time.Second))
}

// gain is by how much the count of a bucket has grown since an earlier reading; nil: since there was nothing.
func gain(now, earlier *metrics.Float64Histogram) func(bucket int) uint64 {
	return func(i int) uint64 {
		if earlier == nil || i >= len(earlier.Counts) {
			return now.Counts[i]
		}
		return now.Counts[i] - earlier.Counts[i]
	}
}
