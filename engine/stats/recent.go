// This file keeps a distribution over the last seconds and over the whole run.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

// recentSeconds is what "recent" reaches back over: long enough for a p99, short enough to see a change.
const recentSeconds = 10

// recent is a distribution over the last recentSeconds and over the run. The zero recent has no samples.
type recent struct {
	run     Histogram
	seconds [recentSeconds]Histogram
	newest  int64 // the second that the newest histogram is for
}

func (r *recent) add(at record.Instant, d time.Duration) {
	r.run.Add(d, 1)
	second := int64(at) / int64(time.Second)
	r.advance(second)
	if second > r.newest-recentSeconds {
		r.seconds[second%recentSeconds].Add(d, 1)
	}
}

// advance empties the histograms that the seconds up to this one take over.
func (r *recent) advance(second int64) {
	for r.newest < second {
		r.newest = max(r.newest+1, second-recentSeconds)
		r.seconds[r.newest%recentSeconds].Reset()
	}
}

// last describes the recent samples.
func (r *recent) last(now record.Instant) Distribution {
	r.advance(int64(now) / int64(time.Second))
	var sum Histogram
	for i := range r.seconds {
		sum.Merge(&r.seconds[i])
	}
	return sum.Describe()
}

// Client describes how late the client was, over the last ten seconds and over the run.
type Client struct {
	Lag         Distribution // read return − kernel arrival; without samples where the kernel gives no stamps
	Dispatch    Distribution // taken up → sent, less connecting
	TokenEvents int64        // of the run
	Bunched     int64        // those that shared a read with an earlier one
}

// Client reports on the client, recently and over the whole run.
func (c *Collector) Client(now record.Instant) (last, run Client) {
	last = Client{Lag: c.lag.last(now), Dispatch: c.dispatch.last(now), TokenEvents: c.tokenEvents, Bunched: c.bunched}
	run = last
	run.Lag, run.Dispatch = c.lag.run.Describe(), c.dispatch.run.Describe()
	return last, run
}
