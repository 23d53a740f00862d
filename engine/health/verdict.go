// This file judges whether the load generator can be trusted.

package health

import (
	"fmt"
	"math"
	"time"
)

// Verdict is what the figures say of the client.
type Verdict string

// The verdicts, from good to bad. Unknown means that nothing has been measured so far.
const (
	Unknown     Verdict = ""
	OK          Verdict = "ok"
	Strained    Verdict = "strained"     // figures may be a few percent high
	ClientBound Verdict = "client-bound" // figures are not to be trusted
)

// Figures are what was measured of the client over some interval.
type Figures struct {
	Interval time.Duration

	Kernel   bool          // arrivals are stamped by the kernel, so that lag is known
	LagP50   time.Duration // read return − kernel arrival
	LagP99   time.Duration
	Dispatch time.Duration // p99 of taken up → sent, less connecting
	Sched    time.Duration // p99 of the Go scheduler's latency: runnable → running
	GCPause  time.Duration // longest stop for garbage collection
	GCShare  float64       // share of the time in which everything stood still for garbage collection; at least that, 0–1

	CPUCores   float64 // processor time used per second; of the whole process, NaN: unknown
	Cores      int     // processors that Go may use
	Reconnects int64   // stale connections replaced

	// Files are open of FileLimit that the process may have, and Ports in use of PortLimit that connections to one address can have. A
	// limit of 0 is not known.
	Files, FileLimit int
	Ports, PortLimit int

	// Merged of so many Chunks of the run were read with an earlier one that had come by itself: that one's stamp is late. No
	// Chunks: it is not known.
	Merged, Chunks int64
}

// MergedShare is the share of chunks that were read with an earlier one which had come by itself; NaN: not known.
func (f Figures) MergedShare() float64 {
	if f.Chunks == 0 {
		return math.NaN()
	}
	return float64(f.Merged) / float64(f.Chunks)
}

// Late is how late the client reads what has come.
func (f Figures) Late() time.Duration { return max(f.LagP99, f.Sched) }

// limit is what one figure may be before it is doubtful, and before it is hopeless.
type limit struct {
	name            string
	figure          func(Figures) time.Duration
	strained, bound time.Duration
	means           string
}

// limits returns the limits. What is late by more than 10 ms shows in a TTFT of a few hundred; what is late by more than
// 100 ms is of the size of what is measured.
func limits() []limit {
	const strained, bound = 10 * time.Millisecond, 100 * time.Millisecond
	return []limit{
		{"client lag p99", func(f Figures) time.Duration { return f.LagP99 }, strained, bound, "bytes lie unread in the kernel"},
		{"scheduler latency p99", func(f Figures) time.Duration { return f.Sched }, strained, bound, "goroutines wait for a processor"},
		{"dispatch p99", func(f Figures) time.Duration { return f.Dispatch }, strained, bound, "requests wait to be sent, so the load falls short"},
	}
}

const (
	// busyShare is the share of the processors from which on a client is strained: beyond it queues grow quickly.
	busyShare = 0.85
	// fullShare is the share of files or ports in use from which on connections are about to fail.
	fullShare = 0.9
	// One pause for garbage collection spoils one moment, however long the run. From these shares of the time on, pauses
	// are in a p99, and in every tenth sample.
	strainedGC, boundGC = 0.01, 0.10
)

// Judge gives the verdict and, unless it is OK, the reason in a few words.
func (f Figures) Judge() (Verdict, string) {
	verdict, reason := OK, ""
	if full := f.full(); full != "" {
		verdict, reason = Strained, full
	}
	for _, l := range limits() {
		d := l.figure(f)
		switch {
		case d > l.bound:
			return ClientBound, l.reason(d)
		case d > l.strained && verdict == OK:
			verdict, reason = Strained, l.reason(d)
		}
	}
	switch {
	case f.GCShare > boundGC:
		return ClientBound, f.stoodStill()
	case f.GCShare > strainedGC && verdict == OK:
		return Strained, f.stoodStill()
	}
	if verdict == OK && f.Cores > 0 && f.CPUCores > busyShare*float64(f.Cores) {
		return Strained, fmt.Sprintf("tokdyno uses %.1f of %d cores", f.CPUCores, f.Cores)
	}
	return verdict, reason
}

// full says in a sentence of what there is nearly no more left; "" where there is.
func (f Figures) full() string {
	near := func(used, limit int) bool { return limit > 0 && float64(used) >= fullShare*float64(limit) }
	switch {
	case near(f.Ports, f.PortLimit):
		return fmt.Sprintf("%d of %d local ports to one address are in use: connections are about to fail (net.ipv4.ip_local_port_range)",
			f.Ports, f.PortLimit)
	case near(f.Files, f.FileLimit):
		return fmt.Sprintf("%d of %d files are open: connections are about to fail; raise the limit (ulimit -n)", f.Files, f.FileLimit)
	}
	return ""
}

func (f Figures) stoodStill() string {
	return fmt.Sprintf("garbage collection took %.0f %% of the time: the process stood still", 100*f.GCShare)
}

func (l limit) reason(d time.Duration) string {
	return fmt.Sprintf("%s %s: %s", l.name, d.Round(time.Millisecond), l.means)
}

// Rank orders verdicts, from good to bad; Unknown is before them.
func (v Verdict) Rank() int {
	switch v {
	case OK:
		return 1
	case Strained:
		return 2
	case ClientBound:
		return 3
	}
	return 0
}
