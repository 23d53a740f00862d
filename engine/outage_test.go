// This file tests when an endpoint counts as down, and how load backs off from it.

package engine

import (
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// outageRig is an outage, and records that end at instants that the test names.
type outageRig struct {
	outage
	id uint64
}

func after(d time.Duration) record.Instant { return record.Instant(1).Add(d) }

func (o *outageRig) failed(at time.Duration, kind record.Kind) time.Duration {
	o.id++
	return o.took(&record.Record{ID: o.id, Outcome: record.Failed, Kind: kind, End: after(at), Sent: after(at)})
}

func (o *outageRig) succeeded(at time.Duration) {
	o.took(&record.Record{Outcome: record.OK, End: after(at)})
}

func (o *outageRig) at(now time.Duration, state snapshot.State, mode load.Mode) snapshot.Outage {
	s := &snapshot.Snapshot{At: after(now), State: state}
	s.Knobs.Load.Mode = mode
	o.show(s)
	return s.Outage
}

func TestAnEndpointIsDownAfterSecondsOfNothingButFailures(t *testing.T) {
	const s = time.Second
	row := func(o *outageRig) {
		for i := range 5 {
			o.failed(10*s+time.Duration(i)*s/2, record.KindConnect)
		}
	}
	for name, tt := range map[string]struct {
		happens func(*outageRig)
		state   snapshot.State
		want    snapshot.Outage
	}{
		"nothing happened":          {func(*outageRig) {}, snapshot.Running, snapshot.Outage{}},
		"a row":                     {row, snapshot.Running, snapshot.Outage{Since: after(10 * s), Rest: 4500 * time.Millisecond}},
		"it begins with the first":  {func(o *outageRig) { o.succeeded(9 * s); row(o) }, snapshot.Running, snapshot.Outage{Since: after(10 * s), Rest: 4500 * time.Millisecond}},
		"a success ends it":         {func(o *outageRig) { row(o); o.succeeded(18 * s) }, snapshot.Running, snapshot.Outage{Over: after(18 * s)}},
		"a success within":          {func(o *outageRig) { o.failed(9*s, record.KindConnect); o.succeeded(9500 * time.Millisecond); row(o) }, snapshot.Running, snapshot.Outage{Since: after(10 * s), Rest: 4500 * time.Millisecond}},
		"answers are on their way":  {func(o *outageRig) { o.look(true, after(9*s)); row(o) }, snapshot.Running, snapshot.Outage{}},
		"answers come again":        {func(o *outageRig) { row(o); o.look(true, after(18*s)) }, snapshot.Running, snapshot.Outage{Over: after(18 * s)}},
		"few failures":              {func(o *outageRig) { o.failed(s, record.KindConnect); o.failed(9*s, record.KindConnect) }, snapshot.Running, snapshot.Outage{}},
		"of short standing":         {func(o *outageRig) { row(o); o.succeeded(17 * s); o.id = 0; quick(o, 17*s) }, snapshot.Running, snapshot.Outage{Over: after(17 * s)}},
		"this machine's own limits": {func(o *outageRig) { ownLimits(o) }, snapshot.Running, snapshot.Outage{}},
		"the load is paused":        {row, snapshot.Paused, snapshot.Outage{}},
	} {
		o := &outageRig{}
		tt.happens(o)
		if got := o.at(19*s, tt.state, load.Closed); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	o := &outageRig{}
	row(o)
	if got := o.at(19*s, snapshot.Running, load.Open); got != (snapshot.Outage{Since: after(10 * s), Rest: 4500 * time.Millisecond}) {
		t.Errorf("an open loop: %+v", got)
	}
}

// An open loop keeps to its schedule whatever fails, but in an outage.
func TestArrivalsAreLeftOutInAnOutageOnly(t *testing.T) {
	const s = time.Second
	o := &outageRig{}
	for i, want := range []time.Duration{0, 0, 0, 0, 2 * s, 2500 * time.Millisecond} {
		o.failed(s+time.Duration(i)*s, record.KindConnect)
		if got := o.sheds(after(s + time.Duration(i)*s)); got != want {
			t.Errorf("after %d failures in as many seconds: %v, want %v", i+1, got, want)
		}
	}
	o.succeeded(8 * s)
	if got := o.sheds(after(8 * s)); got != 0 {
		t.Errorf("after a success: %v", got)
	}
}

// quick is many failures within a second.
func quick(o *outageRig, from time.Duration) {
	for i := range 50 {
		o.failed(from+time.Duration(i)*10*time.Millisecond, record.KindNoTokens)
	}
}

func ownLimits(o *outageRig) {
	for i := range 50 {
		o.failed(time.Duration(i)*time.Second/10, record.KindClientFD)
	}
}

// Whatever it is that fails, and however fast, slots that get nothing else soon ask rarely.
func TestEveryKindOfTotalFailureBacksOff(t *testing.T) {
	for _, kind := range []record.Kind{
		record.KindConnect, record.KindTLS, record.KindHTTP4xx, record.KindHTTP5xx, record.KindHTTP429, record.KindHTTPOther,
		record.KindStreamError, record.KindTruncated, record.KindNoTokens, record.KindMalformed,
	} {
		const slots, each = 8, 2 * time.Millisecond // how long a request takes to fail
		o := &outageRig{}
		var ready [slots]time.Duration
		perSecond := make([]int, 60)
		for {
			slot := 0
			for i := range ready {
				if ready[i] < ready[slot] {
					slot = i
				}
			}
			end := ready[slot] + each
			if end >= time.Minute {
				break
			}
			rest := o.failed(end, kind)
			if rest > longestRest {
				t.Fatalf("%s: a rest of %v", kind, rest)
			}
			ready[slot] = end + rest
			perSecond[end/time.Second]++
		}
		late := 0
		for _, n := range perSecond[20:] {
			late += n
		}
		if perSecond[0] > 150 || perSecond[3] > 2*slots || late > 40*slots/2 {
			t.Errorf("%s: %d failures in the first second, %d in the fourth, %d in the last forty",
				kind, perSecond[0], perSecond[3], late)
		}
	}
}

// Failures among successes are what the load is there to find: they change nothing of it.
func TestFailuresAmongSuccessesDoNotBackOff(t *testing.T) {
	o := &outageRig{}
	for i := range 1000 {
		at := time.Duration(i) * 20 * time.Millisecond
		if i%4 == 0 {
			o.succeeded(at)
		} else if rest := o.failed(at, record.KindHTTP5xx); rest != 0 {
			t.Fatalf("a rest of %v", rest)
		}
	}
}

func TestSlotsThatFailedTogetherDoNotComeBackTogether(t *testing.T) {
	o := &outageRig{}
	rests := map[time.Duration]bool{}
	for range 8 {
		o.failed(0, record.KindConnect)
	}
	for range 8 {
		rests[o.failed(20*time.Second, record.KindConnect).Round(50*time.Millisecond)] = true
	}
	if len(rests) < 6 {
		t.Errorf("eight slots rest for only %d different times: %v", len(rests), rests)
	}
}

func TestFailuresAreToldOfWhileTheyAreNews(t *testing.T) {
	const s = time.Second
	for name, tt := range map[string]struct {
		last, now time.Duration
		outage    snapshot.Outage
		state     snapshot.State
		want      bool
	}{
		"just now":                      {9 * s, 10 * s, snapshot.Outage{}, snapshot.Running, true},
		"long ago":                      {9 * s, 30 * s, snapshot.Outage{}, snapshot.Running, false},
		"the outage's":                  {9 * s, 30 * s, snapshot.Outage{Since: after(8 * s)}, snapshot.Running, true},
		"before the outage":             {7 * s, 10 * s, snapshot.Outage{Since: after(8 * s)}, snapshot.Running, false},
		"of an outage that is over":     {9 * s, 11 * s, snapshot.Outage{Over: after(10 * s)}, snapshot.Running, false},
		"after an outage":               {11 * s, 12 * s, snapshot.Outage{Over: after(10 * s)}, snapshot.Running, true},
		"long ago, and the run is over": {9 * s, 30 * s, snapshot.Outage{}, snapshot.Ended, true},
	} {
		shown := &snapshot.Snapshot{At: after(tt.now), State: tt.state, Outage: tt.outage}
		if got := shown.Current(&stats.Problem{Last: after(tt.last)}); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
