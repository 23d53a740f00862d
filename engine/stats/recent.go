// This file keeps distributions over the last seconds and over what is measured of the run.

package stats

import (
	"time"

	"tokdyno/engine/record"
)

// recentSeconds is what "recent" reaches back over: long enough for a p99, short enough to see a change.
const recentSeconds = 10

// recent is a distribution over the last recentSeconds and over the steady parts of the run, so that the rush of the
// first requests is soon forgotten. The zero recent has no samples.
type recent struct {
	steady  Histogram
	seconds [recentSeconds]Histogram
	newest  int64 // the second that the newest histogram is for
}

func (r *recent) add(at record.Instant, d time.Duration, steady bool) {
	if steady {
		r.steady.Add(d, 1)
	}
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

// Client describes how late the client was.
type Client struct {
	Lag      Distribution // read return − kernel arrival; without samples where the kernel gives no stamps
	Dispatch Distribution // taken up → sent, less connecting
}

// Client reports on the client, over the last ten seconds and over the steady parts of the run, or, while
// there are none, the same.
func (l *store) Client(now record.Instant) (last, run Client) {
	last = Client{Lag: l.lag.last(now), Dispatch: l.dispatch.last(now)}
	run = last
	if d := l.lag.steady.Describe(); d.N > 0 {
		run.Lag = d
	}
	if d := l.dispatch.steady.Describe(); d.N > 0 {
		run.Dispatch = d
	}
	return last, run
}
